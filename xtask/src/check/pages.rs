//! Compares the generated pages with the files in the tree. It refuses to write them: `gen` does.

use anyhow::Result;

use crate::finding::{Finding, Report};
use crate::gen_pages::{PAGES, build_binary};
use crate::project::Project;

pub(crate) fn check(project: &Project) -> Result<Report> {
    build_binary(project)?;
    let mut findings = Vec::new();
    for page in PAGES {
        match (page.text)(project) {
            Ok(made) => findings.extend(drift(page.path, project.read(page.path).ok(), &made)),
            Err(error) => findings.push(Finding::new(page.path, format!("{error:#}"))),
        }
    }
    Ok(findings.into())
}

fn drift(path: &str, kept: Option<String>, made: &str) -> Option<Finding> {
    let Some(kept) = kept else {
        return Some(Finding::new(path, "is not there"));
    };
    if kept == made {
        return None;
    }
    let same = kept.lines().zip(made.lines()).take_while(|(old, new)| old == new).count();
    let shown = |text: &str| match text.lines().nth(same) {
        Some(line) => format!("\"{line}\""),
        None => "its end".to_owned(),
    };
    let what = format!("has {}, but the code says {}", shown(&kept), shown(made));
    Some(Finding::new(format!("{path}:{}", same + 1), what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(kept: Option<&str>, made: &str, said: Option<&str>) {
        let found = drift("p.md", kept.map(str::to_owned), made);
        assert_eq!(found.map(|it| it.to_string()).as_deref(), said);
    }

    #[test]
    fn the_first_line_that_differs_is_named() {
        check(Some("a\nb\n"), "a\nb\n", None);
        check(Some("a\nb\n"), "a\nc\n", Some("p.md:2: has \"b\", but the code says \"c\""));
        check(Some("a\n"), "a\nc\n", Some("p.md:2: has its end, but the code says \"c\""));
        check(None, "a\n", Some("p.md: is not there"));
    }
}

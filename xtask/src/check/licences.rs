//! Licences of everything that is compiled in, read from the packages' own declarations.
//!
//! It needs no network and no list of advisories: those change from day to day, and a check that
//! turns red over night without a change here teaches people to ignore it.
//!
//! **Invariant:** what cannot be understood is refused, never waved through.

use spdx::{Expression, ParseMode};

use crate::finding::{Finding, Report};
use crate::project::Project;

/// Licences under which a dependency may come in: permissive, and none that reaches into our code.
const ALLOWED: [&str; 10] = [
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    // Lets everybody do everything.
    "WTFPL",
    "Zlib",
];

pub(crate) fn check(project: &Project) -> Report {
    let packages = project.metadata.packages.iter();
    let findings: Vec<Finding> = packages
        .filter_map(|package| {
            let what = objection(package.license.as_deref())?;
            Some(Finding::new(format!("{} {}", package.name, package.version), what))
        })
        .collect();
    findings.into()
}

/// Why a declaration does not do, or nothing if it does.
fn objection(declared: Option<&str>) -> Option<String> {
    let Some(declared) = declared else {
        return Some("declares no licence".to_owned());
    };
    // Older crates write a slash where the standard says OR.
    let mode = ParseMode { allow_slash_as_or_operator: true, ..ParseMode::STRICT };
    let Ok(expression) = Expression::parse_mode(declared, mode) else {
        return Some(format!("declares \"{declared}\", which is not an SPDX expression"));
    };
    let suits = expression.evaluate(|wanted| {
        let id = wanted.license.id();
        // An exception only ever permits more than the licence it stands with.
        id.is_some_and(|id| ALLOWED.contains(&id.name))
    });
    (!suits).then(|| format!("comes under \"{declared}\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(declared: &str, suits: bool) {
        assert_eq!(objection(Some(declared)).is_none(), suits, "{declared}");
    }

    #[test]
    fn permissive_licences_suit() {
        check("MIT", true);
        check("MIT/Apache-2.0", true);
        check("Apache-2.0 WITH LLVM-exception", true);
        check("(MIT OR Apache-2.0) AND Unicode-3.0", true);
        check("Apache-2.0 OR GPL-2.0-only", true);
    }

    #[test]
    fn the_rest_does_not() {
        check("GPL-3.0-or-later", false);
        check("MIT AND MPL-2.0", false);
        check("SSPL-1.0 OR AGPL-3.0", false);
        check("see the file", false);
        assert_eq!(objection(None).as_deref(), Some("declares no licence"));
    }
}

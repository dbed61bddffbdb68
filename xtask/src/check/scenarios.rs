//! Scenarios and the tests that prove them, matched by number in both directions.
//!
//! A scenario is a line `- P02.1 ...` in specs/; its tests are the functions `p02_1_...`. A number
//! alone proves nothing, so a function that never runs does not count: it must carry a test
//! attribute, or be named inside a macro call, which is how one body runs against every store.
//!
//! **Invariant:** a number means one scenario, for ever.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;

use crate::finding::{Finding, Report};
use crate::project::Project;
use crate::rust::Source;

/// `P02.1`: the letter of the specification, two digits of the requirement, the scenario.
type Number = String;

/// What the tests claim to prove.
#[derive(Debug, Default)]
struct Tests {
    run: BTreeSet<Number>,
    /// Every number that a test carries, with its place.
    found: Vec<(Number, String)>,
    findings: Vec<Finding>,
}

pub(crate) fn check(project: &Project) -> Result<Report> {
    let (mut scenarios, mut findings) = (BTreeMap::new(), Vec::new());
    for file in project.files_ending("md").filter(|it| it.starts_with("specs/")) {
        findings.extend(read_specification(file, &project.read(file)?, &mut scenarios));
    }
    let mut sources = project.sources()?;
    sources.retain(|source| source.path.starts_with("crates/"));
    findings.extend(judge(&scenarios, read_tests(&sources)));
    Ok(findings.into())
}

/// Collects the scenarios of one file with their places.
fn read_specification(
    file: &str,
    text: &str,
    scenarios: &mut BTreeMap<Number, String>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut requirement = String::new();
    for (index, line) in text.lines().enumerate() {
        let place = format!("{file}:{}", index + 1);
        if let Some(heading) = line.strip_prefix("## ") {
            heading.split(' ').next().unwrap_or_default().clone_into(&mut requirement);
        }
        let Some(number) = line.strip_prefix("- ").and_then(|rest| rest.split(' ').next()) else {
            continue;
        };
        if function_prefix(number).is_none() {
            continue;
        }
        if !number.starts_with(&format!("{requirement}.")) {
            findings.push(Finding::new(&place, format!("{number} stands under `{requirement}`")));
        }
        if let Some(other) = scenarios.insert(number.to_owned(), place.clone()) {
            findings.push(Finding::new(place, format!("{number} already stands at {other}")));
        }
    }
    findings
}

fn read_tests(sources: &[Source]) -> Tests {
    let in_macros: BTreeSet<String> = sources.iter().flat_map(Source::words_in_macros).collect();
    let mut tests = Tests::default();
    for source in sources {
        // A whole function may stand inside the macro call, where it is no item of the file.
        for number in source.words_in_macros().iter().filter_map(|word| number_of(word)) {
            tests.run.insert(number.clone());
            tests.found.push((number, source.path.clone()));
        }
        for function in source.functions() {
            let Some(number) = number_of(&function.name) else { continue };
            let place = format!("{}:{}", source.path, function.line);
            let has = |word: &str| function.attributes.iter().any(|it| it == word);
            if has("ignore") {
                let what = format!("`{}` proves a scenario but is ignored", function.name);
                tests.findings.push(Finding::new(place, what));
            } else if has("test") {
                tests.run.insert(number.clone());
                tests.found.push((number, place));
            } else if !in_macros.contains(&function.name) {
                let what = format!("`{}` is named like a test, but nothing runs it", function.name);
                tests.findings.push(Finding::new(place, what));
            }
        }
    }
    tests
}

fn judge(scenarios: &BTreeMap<Number, String>, tests: Tests) -> Vec<Finding> {
    let mut findings = tests.findings;
    let untested = scenarios.iter().filter(|(number, _)| !tests.run.contains(*number));
    findings.extend(untested.map(|(number, place)| {
        let prefix = function_prefix(number).unwrap_or_default();
        Finding::new(place, format!("{number} has no test `{prefix}...`"))
    }));
    let unknown = tests.found.into_iter().filter(|(number, _)| !scenarios.contains_key(number));
    findings.extend(
        unknown.map(|(number, place)| Finding::new(place, format!("specs/ has no {number}"))),
    );
    findings
}

/// `P02.1` of `p02_1_of_three_claims_one_wins`.
fn number_of(function: &str) -> Option<Number> {
    let mut parts = function.splitn(3, '_');
    let (requirement, scenario) = (parts.next()?, parts.next()?);
    parts.next()?;
    let number = format!("{}.{scenario}", requirement.to_ascii_uppercase());
    let prefix = function_prefix(&number)?;
    function.starts_with(&prefix).then_some(number)
}

/// `p02_1_` of `P02.1`, or nothing if that is not a number of a scenario.
fn function_prefix(number: &str) -> Option<String> {
    let (requirement, scenario) = number.split_once('.')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    let (letter, rest) = requirement.split_at_checked(1)?;
    let fits = letter.bytes().all(|it| it.is_ascii_uppercase()) && rest.len() == 2 && digits(rest);
    (fits && digits(scenario)).then(|| format!("{}{rest}_{scenario}_", letter.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str =
        "# S\n\n## P01 One\nWhy P01.9.\n- P01.1 a\n- P01.2 b\n\n## P02 Two\n- P02.1 c\n- note\n";

    fn all(spec: &str, code: &str) -> Vec<String> {
        let mut scenarios = BTreeMap::new();
        let mut findings = read_specification("specs/s.md", spec, &mut scenarios);
        let source = Source::parse("crates/a/tests/t.rs", code).unwrap();
        findings.extend(judge(&scenarios, read_tests(&[source])));
        findings.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn numbers_and_names_translate() {
        assert_eq!(number_of("p02_1_one_wins").as_deref(), Some("P02.1"));
        assert_eq!(number_of("d11_12_x").as_deref(), Some("D11.12"));
        for other in ["p2_1_x", "p02_x_y", "p02_1", "step_1_x", "P02_1_x", "pause_2"] {
            assert_eq!(number_of(other), None, "{other}");
        }
    }

    #[test]
    fn a_full_match_has_no_findings() {
        let code = "#[test] fn p01_1_a() {}\n#[tokio::test] async fn p01_2_b() {}\n\
                    async fn p02_1_c(w: World) {}\nevery_store!(p02_1_c);";
        assert_eq!(all(SPEC, code), [""; 0]);
        let inside = "every_store! { async fn p01_1_a() {} async fn p01_2_b() {} fn p02_1_c() {} }";
        assert_eq!(all(SPEC, inside), [""; 0]);
    }

    #[test]
    fn both_directions_are_looked_at() {
        let code = "#[test] fn p01_1_a() {}\n#[test] fn p02_1_c() {}\n#[test] fn p03_1_d() {}";
        let said = [
            "specs/s.md:6: P01.2 has no test `p01_2_...`",
            "crates/a/tests/t.rs:3: specs/ has no P03.1",
        ];
        assert_eq!(all(SPEC, code), said);
        let all_three = "every_store!(p01_1_a, p01_2_b, p02_1_c, p04_1_d);";
        assert_eq!(all(SPEC, all_three), ["crates/a/tests/t.rs: specs/ has no P04.1"]);
    }

    #[test]
    fn a_test_that_does_not_run_does_not_count() {
        let code = "// fn p01_1_a() {}\n#[test] fn p01_1_a() {}\nfn p01_2_b() {}\n\
                    #[test] #[ignore] fn p02_1_c() {}";
        let found = all(SPEC, code);
        assert_eq!(found.len(), 4, "{found:?}");
        assert!(found[0].contains("nothing runs it") && found[1].contains("ignored"), "{found:?}");
    }

    #[test]
    fn a_number_stands_once_and_under_its_heading() {
        let spec = "## P01 One\n- P01.1 a\n- P01.1 b\n- P02.1 c\n";
        let code = "#[test] fn p01_1_a() {}\n#[test] fn p02_1_c() {}";
        let said = [
            "specs/s.md:3: P01.1 already stands at specs/s.md:2",
            "specs/s.md:4: P02.1 stands under `P01`",
        ];
        assert_eq!(all(spec, code), said);
    }
}

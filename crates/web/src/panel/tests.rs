//! Templates name only sentences and assets that there are.

use std::fs;
use std::path::{Path, PathBuf};

use verst_words::{Language, Words};

use super::assets;

fn files(dir: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|it| it == ending) {
            found.push(path);
        }
    }
    found
}

/// What stands in quotes within the expressions of a template.
fn quoted(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (open, close) in [("{{", "}}"), ("{%", "%}")] {
        for part in text.split(open).skip(1) {
            let inside = part.split(close).next().unwrap();
            found.extend(inside.split('"').skip(1).step_by(2).map(str::to_owned));
        }
    }
    found
}

/// Words with hyphens between them, as keys of sentences are.
fn is_key(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    text.contains('-') && text.split('-').all(|it| !it.is_empty() && it.chars().all(plain))
}

#[test]
fn what_pages_say_and_show_is_there() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut said = Vec::new();
    for path in files(&here.join("templates"), "html") {
        said.extend(quoted(&fs::read_to_string(path).unwrap()));
    }
    for path in files(&here.join("src/panel"), "rs") {
        let text = fs::read_to_string(path).unwrap();
        let literals = text.split('"').skip(1).step_by(2).filter(|it| it.split('-').count() > 1);
        let ours =
            ["nav-", "list-", "motion-", "row-", "keys-", "bulk-", "unit-", "show-", "event-"];
        said.extend(
            literals.filter(|it| ours.iter().any(|ours| it.starts_with(ours))).map(str::to_owned),
        );
    }
    let words = Language::ALL.map(Words::new);
    let mut keys = 0;
    for text in said {
        if [".css", ".js", ".svg"].iter().any(|it| text.ends_with(it)) {
            assert!(!assets::address(&text).is_empty(), "{text}");
        } else if is_key(&text) {
            keys += 1;
            assert!(words.iter().all(|words| words.knows(&text)), "{text}");
        }
    }
    assert!(keys > 100, "{keys}");
}

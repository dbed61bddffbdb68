//! Words that must not stand in the source: `todo!`, and Russian outside of the room for words.
//!
//! A sentence in one language inside the code is a sentence that nobody translates. Comments are
//! free, tests too; single characters are data (`'а'..='я'`) and not sentences.
//!
//! **Invariant:** what a person reads comes from crates/words.

use anyhow::Result;
use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};

use crate::finding::{Finding, Report};
use crate::project::Project;
use crate::rust::{Source, each_token, is_cfg_test, is_test_file};

pub(crate) fn check(project: &Project) -> Result<Report> {
    let findings: Vec<Finding> = project.sources()?.iter().flat_map(judge).collect();
    Ok(findings.into())
}

fn judge(source: &Source) -> Vec<Finding> {
    let mut words =
        Words { path: &source.path, check_language: speaks(&source.path), found: vec![] };
    words.visit_file(&source.syntax);
    words.found
}

/// Whether sentences in this file reach a person without passing through crates/words.
fn speaks(path: &str) -> bool {
    let shipped = path.starts_with("crates/") && path.contains("/src/");
    shipped && !path.starts_with("crates/words/") && !is_test_file(path)
}

struct Words<'a> {
    path: &'a str,
    check_language: bool,
    found: Vec<Finding>,
}

impl Words<'_> {
    fn literal(&mut self, written: &str, line: usize) {
        let cyrillic = written.chars().any(|it| ('\u{400}'..='\u{4ff}').contains(&it));
        if self.check_language && cyrillic && !written.starts_with('\'') {
            let place = format!("{}:{line}", self.path);
            self.found.push(Finding::new(place, format!("a sentence in Russian: {written}")));
        }
    }

    fn unfinished(&mut self, line: usize) {
        self.found.push(Finding::new(format!("{}:{line}", self.path), "`todo!` is left"));
    }

    fn tokens(&mut self, tokens: &TokenStream) {
        let mut before: Option<proc_macro2::Ident> = None;
        each_token(tokens, &mut |token| {
            let bang = matches!(token, TokenTree::Punct(it) if it.as_char() == '!');
            if let Some(word) = before.take().filter(|word| bang && word == "todo") {
                self.unfinished(word.span().start().line);
            }
            match token {
                TokenTree::Literal(it) => self.literal(&it.to_string(), it.span().start().line),
                TokenTree::Ident(word) => before = Some(word.clone()),
                TokenTree::Group(_) | TokenTree::Punct(_) => {}
            }
        });
    }
}

impl<'ast> Visit<'ast> for Words<'_> {
    /// Doc comments are attributes, and they are free.
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    fn visit_item_mod(&mut self, node: &'ast syn::ItemMod) {
        let outside = self.check_language;
        self.check_language &= !is_cfg_test(&node.attrs);
        visit::visit_item_mod(self, node);
        self.check_language = outside;
    }

    fn visit_lit(&mut self, node: &'ast syn::Lit) {
        if let syn::Lit::Str(text) = node {
            self.literal(&format!("\"{}\"", text.value()), text.span().start().line);
        }
    }

    fn visit_macro(&mut self, node: &'ast syn::Macro) {
        let name = node.path.segments.last().map(|it| &it.ident);
        if let Some(name) = name.filter(|it| *it == "todo") {
            self.unfinished(name.span().start().line);
        }
        self.tokens(&node.tokens);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, code: &str, found: usize) {
        let source = Source::parse(path, code).unwrap();
        assert_eq!(judge(&source).len(), found, "{path}: {code}");
    }

    const LIB: &str = "crates/a/src/lib.rs";

    #[test]
    fn russian_stands_in_words_and_tests_only() {
        let code = "const A: &str = \"готово\";";
        check(LIB, code, 1);
        check("crates/words/src/lib.rs", code, 0);
        check("crates/a/src/x_tests.rs", code, 0);
        check("crates/a/tests/x.rs", code, 0);
        check("xtask/src/main.rs", code, 0);
        check(LIB, "#[cfg(test)] mod t { const A: &str = \"готово\"; }", 0);
    }

    #[test]
    fn macros_are_looked_into_and_comments_are_not() {
        check(LIB, "fn f() { g!(\"да\", [\"нет\"]); }", 2);
        check(LIB, "/// Что-то.\n// и ещё\nfn f() {}", 0);
        check(LIB, "fn f(c: char) -> bool { matches!(c, 'а'..='я') || c == 'ё' }", 0);
    }

    #[test]
    fn nothing_is_left_to_do() {
        check(LIB, "fn f() { todo!() }", 1);
        check(LIB, "fn f() { g!({ todo!() }) }", 1);
        check(LIB, "fn todo() {}\nfn f() { todo(); // todo!\n}", 0);
    }
}

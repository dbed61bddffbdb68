//! Rust files as the checks see them: functions with their length, and the words inside macros.
//!
//! It reads syntax only and refuses to expand macros; a check that needs to know what a macro
//! makes of its input asks for the words that were put in.
//!
//! **Invariant:** comments and doc comments never count, whatever they contain.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result};
use proc_macro2::{Span, TokenStream, TokenTree};
use syn::visit::{self, Visit};

/// A parsed file.
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) syntax: syn::File,
}

/// A function with a body, wherever it stands: free, in an `impl`, in a trait, in another one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) line: usize,
    /// Lines from `fn` to the closing brace, both included.
    pub(crate) lines: usize,
    /// The last words of its attributes: `test` for both `#[test]` and `#[tokio::test]`.
    pub(crate) attributes: Vec<String>,
    /// It is a test or stands among tests.
    pub(crate) among_tests: bool,
}

impl Source {
    pub(crate) fn parse(path: &str, text: &str) -> Result<Self> {
        let syntax = syn::parse_file(text).map_err(|error| {
            let at = error.span().start();
            anyhow::anyhow!("{path}:{}:{}: {error}", at.line, at.column + 1)
        });
        let syntax = syntax.context("a file is not Rust that can be parsed")?;
        Ok(Self { path: path.to_owned(), syntax })
    }

    pub(crate) fn functions(&self) -> Vec<Function> {
        let mut found = Functions { found: Vec::new(), among_tests: is_test_file(&self.path) };
        found.visit_file(&self.syntax);
        found.found
    }

    /// Every identifier that stands inside a macro call.
    pub(crate) fn words_in_macros(&self) -> BTreeSet<String> {
        let mut found = MacroWords::default();
        found.visit_file(&self.syntax);
        found.0
    }
}

/// Whether the file as a whole exists only for tests.
pub(crate) fn is_test_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    path.starts_with("crates/testkit/")
        || path.contains("/tests/")
        || name == "tests.rs"
        || name.ends_with("_tests.rs")
}

/// Whether the item is compiled for tests only.
pub(crate) fn is_cfg_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) if list.path.is_ident("cfg") => list.tokens.to_string() == "test",
        _ => false,
    })
}

/// Calls `see` for every token, at any depth of brackets.
pub(crate) fn each_token(tokens: &TokenStream, see: &mut impl FnMut(&TokenTree)) {
    for token in tokens.clone() {
        see(&token);
        if let TokenTree::Group(group) = &token {
            each_token(&group.stream(), see);
        }
    }
}

#[derive(Default)]
struct MacroWords(BTreeSet<String>);

impl<'ast> Visit<'ast> for MacroWords {
    fn visit_macro(&mut self, node: &'ast syn::Macro) {
        each_token(&node.tokens, &mut |token| {
            if let TokenTree::Ident(word) = token {
                self.0.insert(word.to_string());
            }
        });
    }
}

struct Functions {
    found: Vec<Function>,
    among_tests: bool,
}

impl Functions {
    fn add(&mut self, attributes: &[syn::Attribute], signature: &syn::Signature, end: Span) {
        let line = signature.fn_token.span.start().line;
        let attributes: Vec<String> = attributes
            .iter()
            .filter_map(|attribute| attribute.path().segments.last())
            .map(|segment| segment.ident.to_string())
            .collect();
        let is_test = attributes.iter().any(|word| word == "test");
        self.found.push(Function {
            name: signature.ident.to_string(),
            line,
            lines: end.end().line.saturating_sub(line) + 1,
            attributes,
            among_tests: self.among_tests || is_test,
        });
    }
}

impl<'ast> Visit<'ast> for Functions {
    fn visit_item_fn(&mut self, node: &'ast syn::ItemFn) {
        self.add(&node.attrs, &node.sig, node.block.brace_token.span.close());
        visit::visit_item_fn(self, node);
    }

    fn visit_impl_item_fn(&mut self, node: &'ast syn::ImplItemFn) {
        self.add(&node.attrs, &node.sig, node.block.brace_token.span.close());
        visit::visit_impl_item_fn(self, node);
    }

    fn visit_trait_item_fn(&mut self, node: &'ast syn::TraitItemFn) {
        if let Some(body) = &node.default {
            self.add(&node.attrs, &node.sig, body.brace_token.span.close());
        }
        visit::visit_trait_item_fn(self, node);
    }

    fn visit_item_mod(&mut self, node: &'ast syn::ItemMod) {
        let outside = self.among_tests;
        self.among_tests |= is_cfg_test(&node.attrs);
        visit::visit_item_mod(self, node);
        self.among_tests = outside;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Source {
        Source::parse("crates/x/src/lib.rs", text).unwrap()
    }

    #[test]
    fn a_function_is_measured_from_its_fn_to_its_brace() {
        let source = parse("/// Doc.\n#[inline]\nfn one(\n    a: u8,\n) -> u8 {\n    a\n}\n");
        let found = source.functions();
        assert_eq!((found[0].line, found[0].lines), (3, 5));
        assert_eq!(found[0].attributes, ["doc", "inline"]);
    }

    #[test]
    fn methods_and_inner_functions_are_found() {
        let source = parse(
            "trait T { fn bare(); fn full() {} }\nstruct S;\nimpl S { fn m() { fn inner() {} } }",
        );
        let names: Vec<_> = source.functions().into_iter().map(|it| it.name).collect();
        assert_eq!(names, ["full", "m", "inner"]);
    }

    #[test]
    fn tests_are_told_from_the_rest() {
        let source = parse(
            "fn plain() {}\n#[tokio::test]\nasync fn alone() {}\n#[cfg(test)]\nmod tests { fn near() {} }\nfn after() {}",
        );
        let among: Vec<_> = source.functions().into_iter().map(|it| it.among_tests).collect();
        assert_eq!(among, [false, true, true, false]);
    }

    #[test]
    fn test_files_are_known_by_their_path() {
        let yes =
            ["crates/a/tests/all/x.rs", "crates/a/src/settle_tests.rs", "crates/testkit/src/a.rs"];
        for path in yes {
            assert!(is_test_file(path), "{path}");
        }
        for path in ["crates/a/src/lib.rs", "crates/a/src/latests.rs", "xtask/src/main.rs"] {
            assert!(!is_test_file(path), "{path}");
        }
    }

    #[test]
    fn words_in_macros_are_seen_at_any_depth_and_comments_are_not() {
        let source = parse("// m!(no)\nm!(a { b [c] });");
        let words: Vec<_> = source.words_in_macros().into_iter().collect();
        assert_eq!(words, ["a", "b", "c"]);
    }

    #[test]
    fn a_broken_file_names_its_line() {
        let error = format!("{:#}", Source::parse("a.rs", "fn ok() {}\nfn (").err().unwrap());
        assert!(error.contains("a.rs:2:"), "{error}");
    }
}

use super::*;
use fluent_syntax::ast::Entry;
use std::collections::BTreeSet;

/// The keys of a language, each of which stands once.
fn keys(language: Language) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for source in language.sources() {
        for key in keys_of(source) {
            assert!(all.insert(key.clone()), "{key} stands twice");
        }
    }
    all
}

fn keys_of(source: &str) -> Vec<String> {
    let resource = fluent_syntax::parser::parse(source).expect("sentences parse");
    let key = |entry: &Entry<&str>| match entry {
        Entry::Message(message) => Some(message.id.name.to_owned()),
        Entry::Term(_)
        | Entry::Comment(_)
        | Entry::GroupComment(_)
        | Entry::ResourceComment(_)
        | Entry::Junk { .. } => None,
    };
    resource.body.iter().filter_map(key).collect()
}

#[test]
fn both_languages_know_the_same_keys() {
    assert_eq!(keys(Language::English), keys(Language::Russian));
}

#[test]
fn plural_forms_follow_the_language() {
    let say = |language, n| {
        Words::new(language).say("cli-done", &[("name", Arg::Text("a")), ("segments", Arg::Int(n))])
    };
    assert_eq!(say(Language::Russian, 1), "a: готово, 1 отрезок.");
    assert_eq!(say(Language::Russian, 3), "a: готово, 3 отрезка.");
    assert_eq!(say(Language::Russian, 11), "a: готово, 11 отрезков.");
    assert_eq!(say(Language::English, 1), "a: done, one segment.");
    assert_eq!(say(Language::English, 2), "a: done, 2 segments.");
}

#[test]
fn a_code_of_another_version_is_still_a_sentence() {
    let text = Words::new(Language::English).failure(&Failure::new("from_the_future"));
    assert!(text.ends_with("from_the_future."), "{text}");
}

#[test]
fn locales_are_understood() {
    for (tag, language) in [
        ("ru", Language::Russian),
        ("ru_RU.UTF-8", Language::Russian),
        ("RU-ru", Language::Russian),
        ("en_GB", Language::English),
        ("C", Language::English),
        ("", Language::English),
        ("run", Language::English),
    ] {
        assert_eq!(Language::of(tag), language, "{tag}");
    }
}

//! Every sentence a person reads, in Russian and English, by key and typed parameters.
//!
//! Sentences are Fluent messages (<https://projectfluent.org>), so each language has the plural
//! forms it needs. **Invariant:** both languages know the same keys; a test compares them.

use fluent::concurrent::FluentBundle;
use fluent::{FluentArgs, FluentResource, FluentValue};
use unic_langid::{LanguageIdentifier, langid};
use verst_kernel::{Failure, Value};

/// A language that Verst speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// Russian.
    Russian,
}

impl Language {
    /// All languages.
    pub const ALL: [Self; 2] = [Self::English, Self::Russian];

    /// The language of a tag or locale such as `ru`, `ru_RU.UTF-8` or `en-GB`; English for any
    /// that is not spoken here.
    pub fn of(tag: &str) -> Self {
        let primary = tag.split(['-', '_', '.', '@']).next().unwrap_or_default();
        if primary.eq_ignore_ascii_case("ru") { Self::Russian } else { Self::English }
    }

    fn sources(self) -> [&'static str; 12] {
        match self {
            Self::English => sources!("en"),
            Self::Russian => sources!("ru"),
        }
    }

    fn id(self) -> LanguageIdentifier {
        match self {
            Self::English => langid!("en"),
            Self::Russian => langid!("ru"),
        }
    }
}

/// The files of one language, one for each part of Verst that speaks.
macro_rules! sources {
    ($language:literal) => {
        [
            include_str!(concat!("../i18n/", $language, "/verst.ftl")),
            include_str!(concat!("../i18n/", $language, "/accounts.ftl")),
            include_str!(concat!("../i18n/", $language, "/backup.ftl")),
            include_str!(concat!("../i18n/", $language, "/downloads.ftl")),
            include_str!(concat!("../i18n/", $language, "/folders.ftl")),
            include_str!(concat!("../i18n/", $language, "/manage.ftl")),
            include_str!(concat!("../i18n/", $language, "/models.ftl")),
            include_str!(concat!("../i18n/", $language, "/openai.ftl")),
            include_str!(concat!("../i18n/", $language, "/panel.ftl")),
            include_str!(concat!("../i18n/", $language, "/search.ftl")),
            include_str!(concat!("../i18n/", $language, "/telegram.ftl")),
            include_str!(concat!("../i18n/", $language, "/web.ftl")),
        ]
    };
}
use sources;

/// A parameter of a sentence.
#[derive(Clone, Copy, Debug)]
pub enum Arg<'a> {
    /// A number; decides plural forms.
    Int(i64),
    /// Text, put in as it is.
    Text(&'a str),
}

/// The sentences of one language.
pub struct Words {
    bundle: FluentBundle<FluentResource>,
}

impl Words {
    /// Loads a language.
    pub fn new(language: Language) -> Self {
        let mut bundle = FluentBundle::new_concurrent(vec![language.id()]);
        // Terminals show the isolation marks that browsers need; the panel sets its own.
        bundle.set_use_isolating(false);
        for source in language.sources() {
            // What cannot be parsed is left out here, and missed by the test that compares keys.
            let resource = FluentResource::try_new(source.to_owned());
            bundle.add_resource_overriding(resource.unwrap_or_else(|(partial, _)| partial));
        }
        Self { bundle }
    }

    /// The sentence of that key; the key itself when there is none, which tests exclude.
    pub fn say(&self, key: &str, args: &[(&str, Arg<'_>)]) -> String {
        let Some(pattern) = self.bundle.get_message(key).and_then(|m| m.value()) else {
            return key.to_owned();
        };
        let mut values = FluentArgs::new();
        for (name, arg) in args {
            match arg {
                Arg::Int(n) => values.set(*name, FluentValue::from(*n)),
                Arg::Text(t) => values.set(*name, FluentValue::from(*t)),
            }
        }
        let mut troubles = Vec::new();
        self.bundle.format_pattern(pattern, Some(&values), &mut troubles).into_owned()
    }

    /// What a failure means and what to do about it.
    pub fn failure(&self, failure: &Failure) -> String {
        let unknown = || self.say("failure-unknown", &[("code", Arg::Text(&failure.code))]);
        self.tell("failure", failure).unwrap_or_else(unknown)
    }

    /// The sentence of this kind about a code and its parameters, if there is one: `warning` and
    /// `cut_off` make the key `warning-cut-off`.
    pub fn tell(&self, kind: &str, data: &Failure) -> Option<String> {
        let key = format!("{kind}-{}", data.code.replace('_', "-"));
        let arg = |value| match value {
            &Value::Int(number) => Arg::Int(number),
            Value::Term(term) => Arg::Text(term),
        };
        let args: Vec<_> = data.params.iter().map(|(name, it)| (name.as_ref(), arg(it))).collect();
        self.knows(&key).then(|| self.say(&key, &args))
    }

    /// Whether there is a sentence for this key.
    pub fn knows(&self, key: &str) -> bool {
        self.bundle.has_message(key)
    }
}

#[cfg(test)]
mod tests;

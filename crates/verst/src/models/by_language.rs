//! The setting `models_by_language`: `ru=gigaam-v3-e2e, en=parakeet-tdt-0.6b-v3`.
//!
//! It is one line, so that the environment can say it as well. Which of these models are there is not
//! asked here.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The most languages that are told apart.
const MOST: usize = 100;

/// Models by the code of a language.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct ByLanguage(pub(crate) BTreeMap<String, String>);

impl ByLanguage {
    /// With another model for a language.
    pub(crate) fn with(&self, language: &str, model: &str) -> Self {
        let mut models = self.0.clone();
        models.insert(language.to_owned(), model.to_owned());
        Self(models)
    }
}

impl TryFrom<String> for ByLanguage {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let mut models = BTreeMap::new();
        for pair in text.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
            let (language, model) = pair
                .split_once('=')
                .map(|(language, model)| (language.trim(), model.trim()))
                .filter(|(language, model)| is_language(language) && !model.is_empty())
                .ok_or_else(|| format!("“{pair}” is not like ru=gigaam-v3-e2e"))?;
            if models.insert(language.to_owned(), model.to_owned()).is_some() {
                return Err(format!("“{language}” stands twice"));
            }
        }
        if models.len() > MOST {
            return Err(format!("more than {MOST} languages"));
        }
        Ok(Self(models))
    }
}

impl From<ByLanguage> for String {
    fn from(models: ByLanguage) -> Self {
        let pairs: Vec<String> =
            models.0.iter().map(|(language, model)| format!("{language}={model}")).collect();
        pairs.join(", ")
    }
}

/// Whether something looks like the code of a language: two letters, for a few languages three.
pub(crate) fn is_language(text: &str) -> bool {
    matches!(text.len(), 2 | 3) && text.bytes().all(|byte| byte.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_read_and_written() {
        for (text, written) in [
            ("", ""),
            (" , ", ""),
            ("ru=gigaam", "ru=gigaam"),
            (" ru = a.gguf ,en=b", "en=b, ru=a.gguf"),
            ("ru=/opt/m=1.bin", "ru=/opt/m=1.bin"),
        ] {
            let read = ByLanguage::try_from(text.to_owned()).unwrap();
            assert_eq!(String::from(read), written, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, said) in [
            ("gigaam", "“gigaam” is not like"),
            ("ru=", "“ru=” is not like"),
            ("russian=a", "“russian=a” is not like"),
            ("RU=a", "“RU=a” is not like"),
            ("ru=a, ru=b", "“ru” stands twice"),
        ] {
            let error = ByLanguage::try_from(text.to_owned()).unwrap_err();
            assert!(error.starts_with(said), "{error}");
        }
    }

    #[test]
    fn another_model_takes_the_place_of_the_one_before() {
        let models = ByLanguage::default().with("ru", "a").with("en", "b").with("ru", "c");
        assert_eq!(String::from(models), "en=b, ru=c");
    }
}

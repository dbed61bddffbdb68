//! The language of whoever asks: the one they like best of those spoken here.

use axum::http::HeaderMap;
use axum::http::header::ACCEPT_LANGUAGE;
use verst_words::{Language, Words};

/// Every language, loaded once.
pub(crate) struct Tongues {
    english: Words,
    russian: Words,
}

impl Default for Tongues {
    fn default() -> Self {
        Self { english: Words::new(Language::English), russian: Words::new(Language::Russian) }
    }
}

impl Tongues {
    pub(crate) fn words(&self, language: Language) -> &Words {
        match language {
            Language::English => &self.english,
            Language::Russian => &self.russian,
        }
    }
}

/// The tag of a language.
pub(crate) fn tag(language: Language) -> &'static str {
    match language {
        Language::English => "en",
        Language::Russian => "ru",
    }
}

/// The language asked for: RFC 9110, section 12.5.4. English if nothing that is asked for is spoken.
pub(crate) fn asked(headers: &HeaderMap) -> Language {
    let wanted = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    best(wanted.unwrap_or_default())
}

fn best(wanted: &str) -> Language {
    let mut best = (0, Language::English);
    for part in wanted.split(',').take(32) {
        let (range, rest) = part.trim().split_once(';').unwrap_or((part.trim(), ""));
        let primary = range.split('-').next().unwrap_or_default().trim();
        let language = match primary.to_ascii_lowercase().as_str() {
            "ru" => Language::Russian,
            "en" => Language::English,
            _ => continue,
        };
        let weight = weight(rest);
        // The first of two that are liked equally.
        if weight > best.0 {
            best = (weight, language);
        }
    }
    best.1
}

/// A weight in thousandths.
fn weight(rest: &str) -> u32 {
    let Some(text) = rest.trim().strip_prefix("q=") else { return 1000 };
    match text.trim().parse::<f32>() {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 0 and 1000"
        )]
        Ok(weight) => (weight.clamp(0.0, 1.0) * 1000.0) as u32,
        Err(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_liked_best_is_spoken() {
        for (wanted, language) in [
            ("", Language::English),
            ("ru", Language::Russian),
            ("ru-RU,ru;q=0.9,en;q=0.8", Language::Russian),
            ("en;q=0.5, ru;q=0.7", Language::Russian),
            ("de, en;q=0.1, ru;q=0", Language::English),
            ("de", Language::English),
            ("RU ; q=1", Language::Russian),
            ("ru;q=many", Language::English),
            (";;;,,,q=", Language::English),
            ("en, ru", Language::English),
        ] {
            assert_eq!(best(wanted), language, "{wanted}");
        }
    }
}

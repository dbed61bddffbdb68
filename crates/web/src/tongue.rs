//! The language of whoever asks: the one they chose in the panel, else the one their browser or
//! program likes best of those spoken here.

use axum::http::HeaderMap;
use axum::http::header::{ACCEPT_LANGUAGE, COOKIE as COOKIES};
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

/// The cookie that has the tag of a chosen language.
pub(crate) const COOKIE: &str = "verst-language";

/// The value of a cookie.
pub(crate) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(COOKIES).iter().filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.split_once('='));
    pairs
        .map(|(key, value)| (key.trim(), value.trim()))
        .find(|(key, _)| *key == name)
        .map(|it| it.1)
}

/// The language asked for: that of the cookie, then RFC 9110, section 12.5.4. English if nothing that
/// is asked for is spoken.
pub(crate) fn asked(headers: &HeaderMap) -> Language {
    let chosen = cookie(headers, COOKIE);
    if let Some(language) = Language::ALL.into_iter().find(|it| Some(tag(*it)) == chosen) {
        return language;
    }
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
    fn a_language_that_was_chosen_comes_first() {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT_LANGUAGE, "en".parse().unwrap());
        headers.insert(COOKIES, "a=b; verst-language=ru".parse().unwrap());
        assert_eq!(asked(&headers), Language::Russian);
        headers.insert(COOKIES, "verst-language=xx".parse().unwrap());
        assert_eq!(asked(&headers), Language::English);
    }

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

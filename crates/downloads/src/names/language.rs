//! What the name of a subtitle, or of sound beside a video, says about its language.
//!
//! **Invariant:** a tag is only taken from words behind the video's own name, from the end of a name,
//! or from a folder that is made of nothing else: `it` and `no` are words of titles, too.

use super::text;
use super::words::WORDS;

/// Words of folders that say nothing about a language.
const FOLDER_WORDS: [&str; 9] =
    ["sound", "sounds", "subs", "sub", "audio", "subtitles", "dub", "voice", "only"];

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tags {
    /// BCP 47.
    pub(super) language: Option<String>,
    pub(super) forced: bool,
    pub(super) hearing_impaired: bool,
}

impl Tags {
    /// What words say, from the last to the first. With `whole` all of them are looked at, otherwise
    /// those up to the first that says nothing.
    pub(super) fn of(name: &str, whole: bool) -> Self {
        let lower = text::cut(name).to_lowercase();
        let words: Vec<&str> =
            lower.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty()).collect();
        let mut tags = Self::default();
        let mut at = words.len();
        while at > 0 {
            let pair = (at > 1).then(|| format!("{} {}", words[at - 2], words[at - 1]));
            let region = (at > 1).then(|| format!("{}-{}", words[at - 2], words[at - 1]));
            let double =
                [pair, region].into_iter().flatten().find(|it| WORDS.tag.contains_key(&**it));
            let (word, step) = double.as_deref().map_or((words[at - 1], 1), |it| (it, 2));
            if !tags.word(word) && !whole {
                break;
            }
            at -= step;
        }
        tags
    }

    /// What folders say that are made of words for languages.
    pub(super) fn folders<'a>(&mut self, folders: impl Iterator<Item = &'a str>) {
        for folder in folders {
            let lower = text::cut(folder).to_lowercase();
            let mut words = lower
                .split(|it: char| !it.is_alphanumeric())
                .filter(|it| !it.is_empty() && !FOLDER_WORDS.contains(it))
                .peekable();
            let language = words.peek().and_then(|it| WORDS.tag.get(it));
            if let Some(language) = language.filter(|_| words.count() <= 2) {
                self.language.get_or_insert_with(|| (*language).to_owned());
            }
        }
    }

    /// Takes a word, and says whether it said something.
    fn word(&mut self, word: &str) -> bool {
        if WORDS.forced.contains(word) {
            self.forced = true;
        } else if WORDS.hearing.contains(word) {
            self.hearing_impaired = true;
        } else if let Some(tag) = WORDS.tag.get(word) {
            // The last word of several is the surest; Brazilian is more exact than Portuguese.
            let more_exact = |it: &String| tag.len() > it.len() && tag.starts_with(it.as_str());
            if self.language.as_ref().is_none_or(more_exact) {
                self.language = Some((*tag).to_owned());
            }
        } else {
            return matches!(word, "default" | "full" | "subs" | "sub")
                || word.parse::<u8>().is_ok();
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, whole: bool, language: &str, forced: bool, hearing: bool) {
        let tags = Tags::of(name, whole);
        let found = (tags.language.as_deref().unwrap_or(""), tags.forced, tags.hearing_impaired);
        assert_eq!(found, (language, forced, hearing), "{name}");
    }

    #[test]
    fn languages_stand_at_the_end() {
        check(".rus", false, "ru", false, false);
        check("2_English", true, "en", false, false);
        check("English (SDH)", true, "en", false, true);
        check("RUS (Форсированные)", true, "ru", true, false);
        check("pt-BR", true, "pt-BR", false, false);
        check("Brazilian Portuguese", true, "pt-BR", false, false);
        check("SDH.eng.HI", true, "en", false, true);
        check("Let.It.Be.1970", false, "", false, false);
        check("Some.Film.de.forced", false, "de", true, false);
    }
}

//! Words of release names, as data.
//!
//! The lists stand in `words.txt`, because they are in several languages and no sentence of ours.
//!
//! **Invariant:** a word of a list says something wherever names are read; nothing in it is the title
//! of a film or series.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::filing::ExtraKind;

/// All lists.
pub(super) static WORDS: LazyLock<Words> = LazyLock::new(|| Words::read(include_str!("words.txt")));

/// The lists, lower case.
#[derive(Default)]
pub(super) struct Words {
    /// Extensions.
    pub(super) video: HashSet<&'static str>,
    pub(super) subtitle: HashSet<&'static str>,
    pub(super) audio: HashSet<&'static str>,
    pub(super) archive: HashSet<&'static str>,
    /// Extensions of what runs programs.
    pub(super) danger: HashSet<&'static str>,
    /// Extensions of what is none of that.
    pub(super) other: HashSet<&'static str>,
    /// What ends a title.
    pub(super) technical: HashSet<&'static str>,
    /// What ends a title if what follows does.
    pub(super) weak: HashSet<&'static str>,
    /// Folders that only hold things.
    pub(super) place: HashSet<&'static str>,
    pub(super) subtitle_folder: HashSet<&'static str>,
    pub(super) audio_folder: HashSet<&'static str>,
    pub(super) sample: HashSet<&'static str>,
    /// Words of a title that is not one work's.
    pub(super) many: HashSet<&'static str>,
    pub(super) special: HashSet<&'static str>,
    pub(super) forced: HashSet<&'static str>,
    pub(super) hearing: HashSet<&'static str>,
    /// Folders of extras.
    pub(super) extra_folder: HashMap<&'static str, ExtraKind>,
    /// Words in the names of extras.
    pub(super) extra_word: HashMap<&'static str, ExtraKind>,
    /// Words for numbers, and these.
    pub(super) count: HashMap<&'static str, &'static str>,
    /// Language words and their BCP 47 tags.
    pub(super) tag: HashMap<&'static str, &'static str>,
    /// Phrases and what the edition is called, longest first.
    pub(super) edition: Vec<(&'static str, &'static str)>,
    /// The same in letters that mean it only behind a year.
    pub(super) short_edition: Vec<(&'static str, &'static str)>,
}

impl Words {
    /// Whether that, in lower case, is an extension and not the last word of a name.
    pub(super) fn is_extension(&self, text: &str) -> bool {
        let lists = [&self.video, &self.subtitle, &self.audio, &self.archive, &self.danger];
        let volume = text.len() == 3 && text.starts_with('r') && text[1..].parse::<u8>().is_ok();
        volume || self.other.contains(text) || lists.iter().any(|list| list.contains(text))
    }

    fn read(text: &'static str) -> Self {
        let mut words = Self::default();
        let mut section = "";
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                Some(name) => section = name,
                None => words.line(section, line),
            }
        }
        words.edition.sort_by_key(|(phrase, _)| std::cmp::Reverse(phrase.len()));
        words
    }

    fn line(&mut self, section: &str, line: &'static str) {
        if let Some((key, value)) = line.split_once('=') {
            match section {
                "extra folder" => drop(self.extra_folder.insert(key, kind(value))),
                "extra word" => drop(self.extra_word.insert(key, kind(value))),
                "count" => drop(self.count.insert(key, value)),
                "tag" => drop(self.tag.insert(key, value)),
                "short edition" => self.short_edition.push((key, value)),
                _ => self.edition.push((key, value)),
            }
            return;
        }
        let words = line.split(' ');
        match section {
            "video" => self.video.extend(words),
            "subtitle" => self.subtitle.extend(words),
            "audio" => self.audio.extend(words),
            "archive" => self.archive.extend(words),
            "danger" => self.danger.extend(words),
            "other" => self.other.extend(words),
            "technical" => self.technical.extend(words),
            "weak" => self.weak.extend(words),
            "place" => self.place.extend(words),
            "subtitle folder" => self.subtitle_folder.extend(words),
            "audio folder" => self.audio_folder.extend(words),
            "sample" => self.sample.extend(words),
            "many" => self.many.extend(words),
            "special" => self.special.extend(words),
            "forced" => self.forced.extend(words),
            _ => self.hearing.extend(words),
        }
    }
}

fn kind(word: &str) -> ExtraKind {
    match word {
        "trailer" => ExtraKind::Trailer,
        "behind_the_scenes" => ExtraKind::BehindTheScenes,
        "deleted" => ExtraKind::Deleted,
        "interview" => ExtraKind::Interview,
        "scene" => ExtraKind::Scene,
        "short" => ExtraKind::Short,
        "featurette" => ExtraKind::Featurette,
        _ => ExtraKind::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_has_words_and_all_are_lower_case() {
        let words = &*WORDS;
        for list in [
            &words.video,
            &words.subtitle,
            &words.audio,
            &words.archive,
            &words.danger,
            &words.other,
            &words.technical,
            &words.weak,
            &words.place,
            &words.subtitle_folder,
            &words.audio_folder,
            &words.sample,
            &words.many,
            &words.special,
            &words.forced,
            &words.hearing,
        ] {
            assert!(!list.is_empty());
            assert!(list.iter().all(|word| !word.is_empty() && *word == word.to_lowercase()));
        }
        assert_eq!(words.extra_folder["trailers"], ExtraKind::Trailer);
        assert_eq!(words.extra_word["deleted scene"], ExtraKind::Deleted);
        assert_eq!(words.tag["pt-br"], "pt-BR");
        assert!(words.edition[0].0.len() >= words.edition[1].0.len());
    }
}

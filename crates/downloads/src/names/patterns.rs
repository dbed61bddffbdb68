//! Patterns of release names, as data: they have words of several languages.
//!
//! **Invariant:** a pattern's groups are numbers or names of a name, never sentences; matching takes
//! linear time.

use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};

/// All patterns.
pub(super) static PATTERNS: LazyLock<Patterns> = LazyLock::new(Patterns::read);

/// What stands in `patterns.txt`.
pub(super) struct Patterns {
    pub(super) id: Regex,
    pub(super) bare_imdb: Regex,
    pub(super) plex_edition: Regex,
    pub(super) site_before: Regex,
    pub(super) site_behind: Regex,
    pub(super) season_episode: Regex,
    pub(super) cross: Regex,
    pub(super) seasons: Regex,
    pub(super) season: Regex,
    pub(super) episode: Regex,
    pub(super) count_of: Regex,
    pub(super) chapter: Regex,
    pub(super) beside: Regex,
    pub(super) half: Regex,
    pub(super) creditless: Regex,
    pub(super) stack_end: Regex,
    pub(super) series: Regex,
    pub(super) listed: Regex,
    /// These two are compared as they are written: `us` is a word.
    pub(super) country: Regex,
    pub(super) country_behind: Regex,
    pub(super) padded: Regex,
    pub(super) season_word: Regex,
    pub(super) word_season: Regex,
    pub(super) also: Regex,
    pub(super) trailer: Regex,
    pub(super) day: Regex,
    pub(super) day_behind: Regex,
    pub(super) month_name: Regex,
    pub(super) dash: Regex,
    pub(super) group_number: Regex,
    pub(super) bracket_number: Regex,
    pub(super) later_run: Regex,
    pub(super) stack: Regex,
    pub(super) year: Regex,
}

impl Patterns {
    fn read() -> Self {
        Self {
            id: pattern("id"),
            bare_imdb: pattern("bare_imdb"),
            plex_edition: pattern("plex_edition"),
            site_before: pattern("site_before"),
            site_behind: pattern("site_behind"),
            season_episode: pattern("season_episode"),
            cross: pattern("cross"),
            seasons: pattern("seasons"),
            season: pattern("season"),
            episode: pattern("episode"),
            count_of: pattern("count_of"),
            chapter: pattern("chapter"),
            beside: pattern("beside"),
            half: pattern("half"),
            creditless: pattern("creditless"),
            stack_end: pattern("stack_end"),
            series: pattern("series"),
            listed: pattern("listed"),
            country: exact("country"),
            country_behind: exact("country_behind"),
            padded: pattern("padded"),
            season_word: pattern("season_word"),
            word_season: pattern("word_season"),
            also: pattern("also"),
            trailer: pattern("trailer"),
            day: pattern("day"),
            day_behind: pattern("day_behind"),
            month_name: pattern("month_name"),
            dash: pattern("dash"),
            group_number: pattern("group_number"),
            bracket_number: pattern("bracket_number"),
            later_run: pattern("later_run"),
            stack: pattern("stack"),
            year: pattern("year"),
        }
    }
}

/// A pattern of the file; a test reads all of them, so none can be missing in a binary.
fn pattern(name: &str) -> Regex {
    build(name, true)
}

/// The same, with regard to case.
fn exact(name: &str) -> Regex {
    build(name, false)
}

fn build(name: &str, any_case: bool) -> Regex {
    let written = include_str!("patterns.txt")
        .lines()
        .filter_map(|line| line.split_once(" = "))
        .find(|(found, _)| *found == name)
        .map(|(_, written)| written)
        .expect("the file names every pattern");
    RegexBuilder::new(written).case_insensitive(any_case).build().expect("a pattern is well formed")
}

//! What makes a reading doubtful although the readers agree: names that can be read in two ways.
//!
//! **Invariant:** a doubt only ever turns an answer into a question.

use super::patterns::PATTERNS;
use super::reading::Numbers;
use super::text;
use super::vote::Voted;
use super::words::WORDS;

/// Fewest letters of a random name.
const RANDOM_LETTERS: usize = 10;
/// The latest season that is looked for in a title.
const LAST_SEASON: u16 = 30;

/// Whether that is a number, a season, or a random name, and no title at all.
pub(super) fn is_no_title(title: &str) -> bool {
    let flat = text::flat(title);
    let marks = [&PATTERNS.season_episode, &PATTERNS.cross, &PATTERNS.season, &PATTERNS.episode];
    let at_start = |it: &&regex::Regex| it.find(&flat).is_some_and(|found| found.start() == 0);
    marks.iter().any(at_start) || is_random(&flat)
}

/// One word in which digits and letters change all the time, as in `c48db7d2aeb040e8`.
fn is_random(flat: &str) -> bool {
    let letters: Vec<char> = flat.chars().filter(|it| it.is_alphanumeric()).collect();
    let changes = letters.windows(2).filter(|it| it[0].is_numeric() != it[1].is_numeric()).count();
    let mixed =
        letters.windows(2).filter(|it| it[0].is_lowercase() && it[1].is_uppercase()).count();
    let one = !flat.trim().contains(' ');
    one && letters.len() >= RANDOM_LETTERS && (changes >= 4 || changes + mixed >= 6)
}

/// Whether a reading is doubtful. `confirmed`: a folder has the same title.
pub(super) fn is_doubtful(voted: &Voted, confirmed: bool) -> bool {
    let Some(title) = &voted.title else { return true };
    let known = confirmed || voted.year.is_some() || voted.has_ids();
    has_technical(title)
        || voted.trailer
        || (!confirmed && ends_in_capitals(title))
        || PATTERNS.beside.is_match(title)
        || match &voted.numbers {
            None => is_doubtful_film(title, voted, known),
            Some(Numbers::Date(..)) => !voted.explicit || has_number(title),
            Some(Numbers::Absolute(_)) if !voted.explicit => {
                voted.listed || voted.readings[0].numbers != voted.numbers
            }
            Some(Numbers::Season(season, _)) => ends_with_range(title) || ends_with(title, *season),
            Some(_) => ends_with_range(title) || ends_with_season(title),
        }
}

fn is_doubtful_film(title: &str, voted: &Voted, known: bool) -> bool {
    let dressed = voted.dressed || voted.has_ids();
    !dressed
        || voted.listed
        || (voted.padded && voted.year.is_none())
        || !known && (has_number(title) || title.contains(" - ") || ends_with_part(title))
}

/// Whether a number of two digits or more stands in it behind its first word.
fn has_number(title: &str) -> bool {
    title.split(' ').skip(1).any(|word| {
        let digits = word.chars().filter(char::is_ascii_digit).count();
        digits >= 2 && word.chars().all(|it| it.is_ascii_digit() || "-~.,".contains(it))
    })
}

/// `Title-5` and `Title 5` of season 5: the number may be the season's.
fn ends_with(title: &str, season: u16) -> bool {
    let head = title.trim_end_matches(|it: char| it.is_ascii_digit());
    let number = title[head.len()..].parse() == Ok(season);
    number && head.ends_with([' ', '-']) && !text::key(head).is_empty()
}

/// `Title-5` and `Title 5` of episodes that have a word and no season: it may be that number.
fn ends_with_season(title: &str) -> bool {
    let head = title.trim_end_matches(|it: char| it.is_ascii_digit());
    let digits = &title[head.len()..];
    let season = digits.parse().is_ok_and(|it: u16| (2..=LAST_SEASON).contains(&it));
    season && !digits.starts_with('0') && head.ends_with([' ', '-']) && !text::key(head).is_empty()
}

fn ends_with_range(title: &str) -> bool {
    let last = title.split(' ').skip(1).last().unwrap_or_default();
    last.contains('-') && last.chars().all(|it| it.is_ascii_digit() || it == '-')
}

/// `Title Part 3`: a film of its own, or a part of something.
fn ends_with_part(title: &str) -> bool {
    let mut words = title.rsplit(' ');
    words.next();
    words.next().is_some_and(|word| word.eq_ignore_ascii_case("part"))
}

/// `Title 3D`, `Title DUAL`: the last word may be no part of the title.
fn ends_in_capitals(title: &str) -> bool {
    let (head, last) = title.rsplit_once(' ').unwrap_or_default();
    let capitals = !last.chars().any(char::is_lowercase) && head.chars().any(char::is_lowercase);
    capitals && WORDS.weak.contains(&*last.to_lowercase())
}

/// Something technical, or a word that says that this is no single work.
fn has_technical(title: &str) -> bool {
    let lower = title.to_lowercase();
    let words = lower.split([' ', '[', ']', '(', ')']);
    let words = words.map(|it| it.trim_matches([':', ',']));
    words.skip(1).any(|word| WORDS.technical.contains(word) || WORDS.many.contains(word))
}

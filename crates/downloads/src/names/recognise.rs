//! One name by itself: what measurements compare with other programs.

use super::path::Leaf;
use super::reading::Numbers;
use super::work::{Around, Work};

/// What one name says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recognised {
    /// Whether nothing is in doubt.
    pub sure: bool,
    /// Title.
    pub title: Option<String>,
    /// Year.
    pub year: Option<u16>,
    /// Seasons.
    pub seasons: Vec<u16>,
    /// Episodes.
    pub episodes: Vec<u16>,
    /// Day: year, month, day.
    pub date: Option<(u16, u8, u8)>,
}

/// Reads one name, with the folders before it, as if it were alone in its torrent.
pub fn recognise(path: &str) -> Recognised {
    let path = path.replace('\\', "/");
    let leaf = Leaf::of(&path);
    let around = Around::of(&leaf, "", |_| true);
    let work = Work::of(&leaf, &around);
    let (seasons, episodes, date) = match work.voted.numbers {
        Some(Numbers::Season(season, episodes)) => (vec![season], episodes, None),
        Some(Numbers::Pack(seasons)) => (seasons, vec![], None),
        Some(Numbers::Absolute(episodes)) => (vec![], episodes, None),
        Some(Numbers::Date(year, month, day)) => (vec![], vec![], Some((year, month, day))),
        None => (vec![], vec![], None),
    };
    let (title, year) = (work.voted.title, work.voted.year);
    Recognised { sure: work.sure, title, year, seasons, episodes, date }
}

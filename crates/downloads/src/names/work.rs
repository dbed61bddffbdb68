//! One video, from its own name and those of the folders around it.
//!
//! **Invariant:** numbers come from the file's own name, or from a folder that holds this video
//! alone; a season may come from a folder.

use super::doubt;
use super::path::Leaf;
use super::reading::Numbers;
use super::text;
use super::vote::Voted;
use super::words::WORDS;

/// How many folders above a file are looked at.
const MOST_FOLDERS: usize = 4;

/// What a video is, as far as its names tell.
#[derive(Clone, Debug, Default)]
pub(super) struct Work {
    /// All that was voted on the name that gave the title, with the numbers of the file.
    pub(super) voted: Voted,
    /// Whether a folder says the same title.
    pub(super) confirmed: bool,
    /// Whether only a folder names the season of its numbers.
    pub(super) lent_season: bool,
    /// Whether nothing is in doubt.
    pub(super) sure: bool,
}

/// A folder above a file, or the torrent's name.
struct Level {
    /// The name as it is written.
    name: String,
    voted: Voted,
    /// Whether no other video is below it.
    alone: bool,
}

/// What stands above a file: the folders that say something, the nearest first, then the torrent's
/// own name.
#[derive(Default)]
pub(super) struct Around {
    levels: Vec<Level>,
    /// The season that the nearest of them names.
    pub(super) season: Option<u16>,
    /// Whether one of them is for specials.
    pub(super) special: bool,
}

impl Around {
    /// Looks at the folders of a file. `alone` says of a folder's path whether one video is below it.
    pub(super) fn of(leaf: &Leaf<'_>, torrent: &str, alone: impl Fn(&str) -> bool) -> Self {
        let mut around = Self::default();
        let mut path = leaf.folder;
        for name in leaf.folders().take(MOST_FOLDERS) {
            around.level(name, alone(path));
            path = path.rsplit_once('/').map_or("", |(before, _)| before);
        }
        if leaf.folders().last() != Some(torrent) && !torrent.is_empty() {
            around.level(torrent, alone(""));
        }
        around
    }

    fn level(&mut self, name: &str, alone: bool) {
        let lower = text::flat(&text::cut(name)).trim().to_lowercase();
        let word = lower.as_str();
        if WORDS.special.contains(word) {
            self.special = true;
        }
        let place = [&WORDS.place, &WORDS.sample, &WORDS.special, &WORDS.subtitle_folder];
        if place.iter().any(|it| it.contains(word)) || WORDS.extra_folder.contains_key(word) {
            return;
        }
        let voted = Voted::on(name);
        match &voted.readings[0].numbers {
            Some(Numbers::Pack(seasons)) if seasons.len() == 1 => {
                self.season = self.season.or(seasons.first().copied());
            }
            Some(Numbers::Season(season, _)) => self.season = self.season.or(Some(*season)),
            _ => {}
        }
        self.levels.push(Level { name: name.to_owned(), voted, alone });
    }

    /// The nearest of them that has a title.
    pub(super) fn title(&self) -> Option<&Voted> {
        self.levels.iter().map(|it| &it.voted).find(|it| it.title_sure)
    }

    /// All of them.
    pub(super) fn all(&self) -> impl Iterator<Item = &Voted> {
        self.levels.iter().map(|it| &it.voted)
    }
}

impl Work {
    /// Puts together what the file and its folders say.
    pub(super) fn of(leaf: &Leaf<'_>, around: &Around) -> Self {
        let own = Voted::on(leaf.stem);
        let at = around.levels.iter().position(|it| it.voted.title_sure);
        let outer = at.map(|at| &around.levels[at]);
        let mut work = Self { voted: own, ..Self::default() };
        let scene = is_scene(leaf.stem);
        if let Some(outer) = outer {
            let echo = outer.name.eq_ignore_ascii_case(leaf.stem);
            work.meet(&outer.voted, outer.alone, scene, echo);
            let further = around.levels.iter().skip(at.map_or(0, |at| at + 1));
            for level in further.filter(|it| it.alone && it.voted.title_sure) {
                if level.voted.key() == work.voted.key() {
                    work.inherit(&level.voted, false);
                }
            }
        } else if scene {
            work.voted.title_sure = false;
        }
        work.season(around);
        work.judge(around);
        work
    }

    /// Says whether nothing is in doubt.
    pub(super) fn judge(&mut self, around: &Around) {
        let voted = &self.voted;
        let sure = voted.title_sure && voted.year_sure && voted.numbers_sure;
        // Below a season there are no films.
        let sure = sure && (voted.numbers.is_some() || around.season.is_none());
        self.sure = sure && !doubt::is_doubtful(voted, self.confirmed);
    }

    /// Compares with the nearest folder that has a title. `echo`: it is named as the file is, which
    /// says nothing more.
    fn meet(&mut self, outer: &Voted, alone: bool, scene: bool, echo: bool) {
        let (own, other) = (self.voted.key(), outer.key());
        let says_nothing = !(self.voted.dressed || self.voted.explicit);
        let numbers_only = self.voted.explicit && self.voted.readings[0].title.is_none();
        let longer = own.len() > other.len() && !other.is_empty();
        let differs = match (&self.voted.numbers, &outer.numbers) {
            (Some(own), Some(outer)) => outer.is_episode() && !outer.holds(own),
            _ => false,
        };
        let foreign = |it: &Option<String>| it.as_deref().map(text::has_foreign);
        let scripts = own.is_empty() || foreign(&self.voted.title) == foreign(&outer.title);
        let apart = alone && outer.dressed && scripts && own != other;
        let takes = own.is_empty()
            || numbers_only
            || (scene && longer && own.ends_with(&other))
            || (alone && says_nothing && (outer.dressed || outer.explicit))
            || (longer && own.starts_with(&other) && self.splits());
        if own == other {
            self.voted.title_sure = true;
            self.confirmed = !echo;
            self.voted.title = nicer(self.voted.title.take(), outer.title.clone());
        } else if takes {
            self.voted.title.clone_from(&outer.title);
            self.voted.title_sure = true;
        } else if scene {
            self.voted.title_sure = false;
        }
        // The same in another script is the same only if the years say so.
        let strange = outer.dressed && !scripts && self.voted.year != outer.year;
        if differs || strange || (apart && !takes) {
            self.voted.title_sure = false;
        }
        if own == other || takes {
            self.inherit(outer, takes && alone);
        }
    }

    /// Whether the file's title has two halves, or no sure end.
    fn splits(&self) -> bool {
        let title = self.voted.title.as_deref().unwrap_or_default();
        !self.voted.title_sure || title.contains(" - ") || title.contains(['(', '['])
    }

    /// Takes from a folder of the same title what the file's name does not say.
    fn inherit(&mut self, outer: &Voted, numbers: bool) {
        if self.voted.year.is_none() && outer.year_sure {
            self.voted.year = outer.year;
            self.voted.year_first = outer.year_first;
            self.voted.year_sure = true;
        }
        self.voted.year_first |= outer.year_first && outer.year == self.voted.year;
        self.voted.dressed |= outer.dressed;
        self.voted.edition = self.voted.edition.take().or_else(|| outer.edition.clone());
        let ids = &mut self.voted.ids;
        ids.tmdb = ids.tmdb.or(outer.ids.tmdb);
        ids.tvdb = ids.tvdb.or(outer.ids.tvdb);
        ids.imdb = ids.imdb.take().or_else(|| outer.ids.imdb.clone());
        let whole = outer.numbers.as_ref().is_some_and(Numbers::is_episode);
        if numbers && self.voted.numbers.is_none() && whole {
            self.voted.numbers.clone_from(&outer.numbers);
            self.voted.numbers_sure = outer.numbers_sure;
            self.voted.explicit = outer.explicit;
        }
    }

    /// What is counted in a later run has a season that nobody wrote down.
    pub(super) fn doubt_run(&mut self, around: &Around) {
        let later = self.voted.later_run || around.all().any(|it| it.later_run);
        if later && matches!(self.voted.numbers, Some(Numbers::Absolute(_))) {
            self.voted.numbers_sure = false;
            self.sure = false;
        }
    }

    /// A season that only a folder names.
    fn season(&mut self, around: &Around) {
        let season = around.season.or(around.special.then_some(0));
        if let (Some(season), Some(Numbers::Absolute(list))) = (season, &self.voted.numbers) {
            self.voted.numbers = Some(Numbers::Season(season, list.clone()));
            self.lent_season = true;
        }
    }
}

/// Of two ways to write a title, that with accents or capitals.
fn nicer(own: Option<String>, other: Option<String>) -> Option<String> {
    let accents = |it: &Option<String>| {
        it.as_ref().map_or(0, |it| it.chars().filter(|c| !c.is_ascii()).count())
    };
    let small = own.as_ref().is_none_or(|it| !it.chars().any(char::is_uppercase));
    if small || accents(&other) > accents(&own) { other } else { own }
}

/// `grp-some.film.1080p`: names of scene files begin with their group, all small.
fn is_scene(stem: &str) -> bool {
    let small = !stem.chars().any(|it| it.is_uppercase() || it == ' ');
    let head = stem.split(['.', '_']).next().unwrap_or_default();
    small && head.contains('-')
}

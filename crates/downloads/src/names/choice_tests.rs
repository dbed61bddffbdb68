//! What people say, and what is remembered of it.

use super::{Choice, ChoiceError, Decision, Kind, Memory, Place, apply, decide, learn};
use crate::filing::{Episode, Filing, Ids, Numbering, Role};
use crate::ports::TorrentFile;

fn files(paths: &[&str]) -> Vec<TorrentFile> {
    let file = |(path, index): (&&str, u32)| TorrentFile {
        index,
        path: (*path).to_owned(),
        size_bytes: 900_000_000,
        wanted: true,
        whole: true,
        progress: 1.0,
    };
    paths.iter().zip(0..).map(file).collect()
}

fn choice(kind: Kind, title: &str) -> Choice {
    let (title, ids) = (title.to_owned(), Ids::default());
    Choice { kind, title, year: None, season: None, ids, files: [].into() }
}

fn season(season: u16, episode: u16) -> Numbering {
    Numbering::Season { season, episodes: vec![episode] }
}

#[track_caller]
fn episode(filing: &Filing, index: u32) -> &Episode {
    match filing.roles.get(&index) {
        Some(Role::Episode(episode)) => episode,
        other => panic!("{other:?} is no episode"),
    }
}

#[track_caller]
fn decided(name: &str, files: &[TorrentFile], memory: &Memory) -> Filing {
    match decide(name, files, memory) {
        Decision::Decided(filing) => filing,
        other => panic!("{other:?} is not decided"),
    }
}

#[test]
fn a_question_has_the_likeliest_answers() {
    let files = files(&["show.name.103.hdtv.mkv"]);
    let Decision::Ask(candidates) = decide("show.name.103.hdtv", &files, &Memory::default()) else {
        panic!("it can be read in two ways");
    };
    let kinds: Vec<Kind> = candidates.iter().map(|it| it.kind).collect();
    assert!(kinds.contains(&Kind::Movie), "{candidates:?}");
    assert!(candidates.iter().all(|it| it.filing.roles.contains_key(&0)));
}

#[test]
fn what_a_person_says_wins_over_names() {
    let files = files(&["Wrong.Name.2010.1080p.mkv", "Wrong.Name.2010.1080p.rus.srt"]);
    let mut said = choice(Kind::Movie, "Right Name");
    said.year = Some(2011);
    let filing = apply(&said, "Wrong.Name.2010.1080p", &files).unwrap();
    let Some(Role::Movie(movie)) = filing.roles.get(&0) else { panic!("it is a film") };
    assert_eq!((movie.title.as_str(), movie.year), ("Right Name", Some(2011)));
    assert!(matches!(filing.roles.get(&1), Some(Role::Subtitle { of: 0, .. })));
}

#[test]
fn a_season_is_said_for_all_and_a_file_for_itself() {
    let files = files(&["[G] Name - 01.mkv", "[G] Name - 02.mkv", "[G] Name - 03.mkv"]);
    let mut said = choice(Kind::Series, "Name");
    said.season = Some(4);
    said.files.insert(1, Place::Leave);
    said.files.insert(2, Place::Episode(season(0, 9)));
    let filing = apply(&said, "[G] Name", &files).unwrap();
    assert_eq!(episode(&filing, 0).number, season(4, 1));
    assert_eq!(filing.roles.get(&1), None);
    assert_eq!(episode(&filing, 2).number, season(0, 9));
}

#[test]
fn answers_that_cannot_be_followed_are_refused() {
    let files = files(&["video.mkv", "notes.txt"]);
    let check = |said: &Choice, expected: ChoiceError| {
        assert_eq!(apply(said, "video", &files), Err(expected));
    };
    check(&choice(Kind::Movie, "  "), ChoiceError::Title);
    check(&choice(Kind::Movie, &"a".repeat(201)), ChoiceError::Title);
    check(&choice(Kind::Series, "Name"), ChoiceError::Nothing);
    let mut said = choice(Kind::Series, "Name");
    said.files.insert(1, Place::Leave);
    check(&said, ChoiceError::NoVideo(1));
    said.files = [(0, Place::Episode(Numbering::Absolute(vec![2, 1])))].into();
    check(&said, ChoiceError::Episodes(0));
}

#[test]
fn the_next_file_of_a_series_is_filed_as_the_last_one_was() {
    let mut memory = Memory::default();
    let first = files(&["sh.name.103.hdtv.mkv"]);
    assert!(matches!(decide("sh.name.103.hdtv", &first, &memory), Decision::Ask(_)));
    let mut said = choice(Kind::Series, "Show Name");
    said.year = Some(2014);
    said.ids.tvdb = Some(7);
    said.files.insert(0, Place::Episode(season(1, 3)));
    let filing = apply(&said, "sh.name.103.hdtv", &first).unwrap();
    learn(&mut memory, "sh.name.103.hdtv", &first, &filing);

    let next = files(&["sh.name.104.hdtv.mkv"]);
    let filing = decided("sh.name.104.hdtv", &next, &memory);
    let found = episode(&filing, 0);
    assert_eq!(
        (found.series.as_str(), found.year, found.ids.tvdb),
        ("Show Name", Some(2014), Some(7))
    );
    assert_eq!(found.number, season(1, 4));
}

#[test]
fn a_count_through_all_episodes_becomes_one_in_seasons() {
    let mut memory = Memory::default();
    let learned = |memory: &mut Memory, number: u16, at: (u16, u16)| {
        let files = files(&[&format!("[G] Name - {number:02} [1080p].mkv")]);
        let mut said = choice(Kind::Series, "The Name");
        said.files.insert(0, Place::Episode(season(at.0, at.1)));
        let filing = apply(&said, "Name", &files).unwrap();
        learn(memory, "Name", &files, &filing);
    };
    learned(&mut memory, 2, (1, 2));
    learned(&mut memory, 14, (2, 2));
    for (number, expected) in [(5, season(1, 5)), (13, season(2, 1)), (20, season(2, 8))] {
        let files = files(&[&format!("[G] Name - {number:02} [1080p].mkv")]);
        let filing = decided("Name", &files, &memory);
        assert_eq!(episode(&filing, 0).number, expected, "{number}");
        assert_eq!(episode(&filing, 0).series, "The Name");
    }
    let kept: Memory = serde_json::from_str(&serde_json::to_string(&memory).unwrap()).unwrap();
    assert_eq!(kept, memory);
}

#[test]
fn what_was_decided_without_a_person_is_not_learned() {
    let mut memory = Memory::default();
    let files = files(&["Name.S01E02.1080p.mkv"]);
    let filing = decided("Name.S01E02.1080p", &files, &memory);
    learn(&mut memory, "Name.S01E02.1080p", &files, &filing);
    assert_eq!(memory, Memory::default());
}

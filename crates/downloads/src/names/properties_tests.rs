//! What holds for any names at all.

use proptest::prelude::*;

use super::candidates::MOST;
use super::{Choice, Decision, Kind, Memory, apply, decide, recognise};
use crate::filing::{Filing, Ids, Role};
use crate::ports::TorrentFile;

/// A piece of a name: what releases are made of, or anything.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(vec![
            "Show", "Film", "S01E02", "s3", "2x04", "1080p", "BluRay", "(2010)", "2019", "[Group]",
            "- 07", "Season 2", "сезон", "серия", "Фильм", "Part 2", "CD1", "Subs", "eng", "rus",
            "Extras", "sample", "BDMV", "VIDEO_TS", "{tmdb-12}", "www.site.com - ", "2020.02.30",
            "S01-S99", "E01-E9999", "aka", "12.5", "01.", "x", "Season One", "Director's Cut", "…",
        ]).prop_map(str::to_owned),
        1 => "\\PC{0,12}",
        1 => any::<String>().prop_map(|it| it.chars().take(40).collect()),
    ]
}

fn name() -> impl Strategy<Value = String> {
    (prop::collection::vec(piece(), 0..6), prop::sample::select(vec![" ", ".", "_", "/", "-", ""]))
        .prop_map(|(pieces, between)| pieces.join(between))
}

fn files() -> impl Strategy<Value = Vec<TorrentFile>> {
    let extension = prop::sample::select(vec![
        "mkv", "avi", "srt", "mka", "rar", "exe", "m2ts", "VOB", "nfo", "", "r00", "iso", "İ",
    ]);
    let file = (name(), extension, 0..10_000_000_000_u64, any::<bool>());
    prop::collection::vec(file, 0..8).prop_map(|files| {
        let file =
            |((path, extension, size_bytes, wanted), at): ((String, &str, u64, bool), u32)| {
                let path = format!("{path}.{extension}");
                TorrentFile { index: at * 3, path, size_bytes, wanted, whole: true, progress: 1.0 }
            };
        files.into_iter().zip(0..).map(file).collect()
    })
}

/// A filing stands on files that are wanted; what lies beside something lies beside a video in it.
fn holds(filing: &Filing, files: &[TorrentFile]) {
    for (index, role) in &filing.roles {
        let wanted = files.iter().any(|file| file.index == *index && file.wanted);
        assert!(wanted, "a file that is not there or not wanted is filed");
        match role {
            Role::Subtitle { of, .. } | Role::Audio { of, .. } | Role::Extra { of, .. } => {
                let video = filing.roles.get(of);
                assert!(matches!(video, Some(Role::Movie(_) | Role::Episode(_))));
            }
            Role::Movie(movie) | Role::Disc { movie, .. } => assert!(!movie.title.is_empty()),
            Role::Episode(episode) => assert!(!episode.series.is_empty()),
        }
    }
}

/// Fewer than usual: the libraries compile and run hundreds of patterns over each name.
const CASES: u32 = 64;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(CASES) })]

    #[test]
    fn any_name_is_read(name in name()) {
        let read = recognise(&name);
        prop_assert!(!read.sure || read.title.is_some());
    }

    #[test]
    fn any_files_have_an_answer(name in name(), files in files()) {
        match decide(&name, &files, &Memory::default()) {
            Decision::Decided(filing) => {
                prop_assert!(!filing.roles.is_empty());
                holds(&filing, &files);
            }
            Decision::Ask(candidates) => {
                prop_assert!(candidates.len() <= MOST);
                for (at, candidate) in candidates.iter().enumerate() {
                    holds(&candidate.filing, &files);
                    let others = &candidates[at + 1..];
                    prop_assert!(others.iter().all(|it| it.filing != candidate.filing));
                }
            }
            Decision::Refuse(_) => {}
        }
    }

    #[test]
    fn any_answer_of_a_person_is_followed_or_refused(name in name(), files in files(), film in any::<bool>()) {
        let kind = if film { Kind::Movie } else { Kind::Series };
        let (title, ids) = ("A Title".to_owned(), Ids::default());
        let choice = Choice { kind, title, year: None, season: Some(1), ids, files: [].into() };
        if let Ok(filing) = apply(&choice, &name, &files) {
            prop_assert!(!filing.roles.is_empty());
            holds(&filing, &files);
        }
    }
}

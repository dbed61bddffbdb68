//! Names that parsers are known to get wrong.

use super::{Memory, Recognised, decide, recognise};
use crate::filing::{ExtraKind, Role};
use crate::names::Decision;
use crate::ports::TorrentFile;

/// Reads one name, and says it as `Title (year) S01E02+03`; with `?` if it is in doubt.
fn said(name: &str) -> String {
    let Recognised { sure, title, year, seasons, episodes, date } = recognise(name);
    let join = |list: &[u16]| list.iter().map(ToString::to_string).collect::<Vec<_>>().join("+");
    let part = |is: bool, text: String| if is { text } else { String::new() };
    let year = year.map(|it| format!(" ({it})")).unwrap_or_default();
    let date = date.map(|(year, month, day)| format!(" {year}-{month:02}-{day:02}"));
    let said = [
        title.unwrap_or_default(),
        year,
        part(!seasons.is_empty(), format!(" S{}", join(&seasons))),
        part(!episodes.is_empty(), format!(" E{}", join(&episodes))),
        date.unwrap_or_default(),
    ]
    .concat();
    if sure { said } else { said + " ?" }
}

#[track_caller]
fn check(name: &str, expected: &str) {
    assert_eq!(said(name), expected, "{name}");
}

#[test]
fn films_keep_their_numbers_and_their_parts() {
    check("2012.2009.1080p.BluRay.x264.mkv", "2012 (2009)");
    check("1917.2019.2160p.UHD.mkv", "1917 (2019)");
    check("Blade.Runner.2049.2017.2160p.mkv", "Blade Runner 2049 (2017)");
    check("2001.A.Space.Odyssey.1968.REMASTERED.mkv", "2001 A Space Odyssey (1968)");
    check("Se7en.1995.mkv", "Se7en (1995)");
    check("WALL-E.2008.mkv", "WALL-E (2008)");
    check("Dune.Part.Two.2024.mkv", "Dune Part Two (2024)");
    check(
        "Harry.Potter.and.the.Deathly.Hallows.Part.2.2011.mkv",
        "Harry Potter and the Deathly Hallows Part 2 (2011)",
    );
    check("Title AKA Other Title (1999) 1080p.mkv", "Title (1999)");
    check("www.Site.com - Movie.2008.720p.mkv", "Movie (2008)");
    check("Энола Холмс / Enola Holmes (2020)", "Enola Holmes (2020)");
}

#[test]
fn series_keep_numbers_that_are_their_titles() {
    check("24.S08E01.mkv", "24 S8 E1");
    check("The.100.S03E04.mkv", "The 100 S3 E4");
    check("9-1-1.S05E03.mkv", "9-1-1 S5 E3");
    check("1923.S02E01.mkv", "1923 S2 E1");
}

#[test]
fn several_episodes_are_a_list() {
    check("Show.S02E05E06.mkv", "Show S2 E5+6");
    check("Show.S01E01-E03.mkv", "Show S1 E1+2+3");
    check("Show.S03E01.S03E02.mkv", "Show S3 E1+2");
    check("Show.2x04.2x05.mkv", "Show S2 E4+5");
    check("Show.S6.E1.E2.mkv", "Show S6 E1+2");
    check("Show Season One/Show Season One Episode 2.mkv", "Show S1 E2");
}

#[test]
fn packs_days_and_counts_are_told_apart() {
    check("Show.S01-S05.COMPLETE.1080p", "Show S1+2+3+4+5");
    check("The.Daily.Show.2023.03.15.720p.mkv", "The Daily Show 2023-03-15");
    check("The.Daily.Show.2012.16.02.720p.mkv", "The Daily Show 2012-02-16");
    check("[SubsPlease] One Piece - 1071 (1080p) [ABCDEF12].mkv", "One Piece E1071");
    check("[HorribleSubs] Long Title S3 - 23 [1080p].mkv", "Long Title S3 E23");
    check("[Group] Long Title 2nd Season - 07v2 [720p].mkv", "Long Title S2 E7");
    check("Harbour/Season 02/S02E04.mkv", "Harbour S2 E4");
}

#[test]
fn what_can_be_read_in_two_ways_is_a_question() {
    for name in [
        "show.name.103.hdtv.mkv",
        "the.Series.101.102.hdtv.mkv",
        "Title 12.mkv",
        "video.mkv",
        "Show.S03E21.22.HDTV.mkv",
        "[Group] Title - 02.5 [1080p].mkv",
        "Film.2014.Trailer.1080p.mkv",
        "[FFF] Title - NCOP1 [1080p].mkv",
        "1. First (2010).mkv",
        "Название-8.05.серия.WEBRip.avi",
        "c48db7d2aeb040e8a920a9fd6effcbf4.mkv",
    ] {
        assert!(said(name).ends_with(" ?"), "{name}: {}", said(name));
    }
}

fn files(paths: &[(&str, u64)]) -> Vec<TorrentFile> {
    let file = |(path, megabytes): &(&str, u64)| TorrentFile {
        index: 0,
        path: (*path).to_owned(),
        size_bytes: megabytes * 1_000_000,
        wanted: true,
        whole: true,
        progress: 1.0,
    };
    let mut files: Vec<TorrentFile> = paths.iter().map(file).collect();
    for (file, index) in files.iter_mut().zip(10..) {
        file.index = index;
    }
    files
}

#[test]
fn a_title_may_be_in_brackets() {
    check("[REC].2007.1080p.mkv", "[REC] (2007)");
}

#[test]
fn acronyms_keep_their_dots() {
    check("The.Movie.from.U.N.C.L.E.2015.1080p.mkv", "The Movie from U.N.C.L.E. (2015)");
    check("R.I.P.D.2013.1080p.mkv", "R.I.P.D. (2013)");
}

#[test]
fn a_country_tells_series_of_one_title_apart() {
    let files = files(&[("Show.Name.US.S01E02.720p.mkv", 700)]);
    let Decision::Decided(filing) = decide("Show.Name.US.S01E02.720p", &files, &Memory::default())
    else {
        panic!("it is plain");
    };
    let Some(Role::Episode(episode)) = filing.roles.get(&10) else { panic!("it is an episode") };
    assert_eq!(episode.series, "Show Name (US)");
}

#[test]
fn what_is_not_wanted_is_not_looked_at() {
    let mut files = files(&[("Film.2010.1080p.mkv", 4000), ("setup.exe", 1), ("Film.2010.srt", 1)]);
    files[1].wanted = false;
    let Decision::Decided(filing) = decide("Film.2010.1080p", &files, &Memory::default()) else {
        panic!("the dangerous file was not downloaded");
    };
    assert_eq!(filing.roles.keys().copied().collect::<Vec<_>>(), [10, 12]);
}

#[test]
fn extras_lie_beside_and_keep_their_names() {
    let files = files(&[
        ("Film.2010.1080p/Film.2010.1080p.mkv", 4000),
        ("Film.2010.1080p/Extras/The.Making.mkv", 300),
        ("Film.2010.1080p/NCOP1.mkv", 50),
    ]);
    let Decision::Decided(filing) = decide("Film.2010.1080p", &files, &Memory::default()) else {
        panic!("it is plain");
    };
    let extra =
        |title: &str| Role::Extra { of: 10, kind: ExtraKind::Other, title: title.to_owned() };
    assert_eq!(filing.roles.get(&11), Some(&extra("The Making")));
    assert_eq!(filing.roles.get(&12), Some(&extra("NCOP1")));
}

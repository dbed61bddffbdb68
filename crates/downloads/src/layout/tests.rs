use super::*;
use crate::filing::{Episode, ExtraKind, Ids, Movie, Numbering};

fn file(index: u32, path: &str) -> TorrentFile {
    let path = path.to_owned();
    TorrentFile { index, path, size_bytes: 7, wanted: true, whole: true, progress: 1.0 }
}

fn film(title: &str, year: u16) -> Movie {
    Movie { title: title.to_owned(), year: Some(year), ..Movie::default() }
}

fn episode(number: Numbering) -> Role {
    let (series, title) = ("Severance".to_owned(), Some("Good News".to_owned()));
    Role::Episode(Episode { series, year: Some(2022), number, title, ids: Ids::default() })
}

fn season(season: u16, episodes: &[u16]) -> Role {
    episode(Numbering::Season { season, episodes: episodes.to_vec() })
}

fn subtitle(of: u32, language: Option<&str>, forced: bool, hearing_impaired: bool) -> Role {
    Role::Subtitle { of, language: language.map(str::to_owned), forced, hearing_impaired }
}

fn extra(of: u32, kind: ExtraKind, title: &str) -> Role {
    Role::Extra { of, kind, title: title.to_owned() }
}

fn laid(preset: Preset, roles: &[(&str, Role)]) -> Result<Vec<String>, LayoutError> {
    let files: Vec<TorrentFile> = (0..).zip(roles).map(|(at, (path, _))| file(at, path)).collect();
    let roles = (0..).zip(roles).map(|(at, (_, role))| (at, role.clone())).collect();
    let plan = plan(&Filing { roles }, &files, preset, &Roots::default())?;
    Ok(plan.into_iter().map(|it| it.target.join("/")).collect())
}

/// What both servers are given; the same for both if the second is empty.
fn check(roles: &[(&str, Role)], jellyfin: &[&str], plex: &[&str]) {
    assert_eq!(laid(Preset::Jellyfin, roles), Ok(jellyfin.iter().map(|&it| it.into()).collect()));
    let plex = if plex.is_empty() { jellyfin } else { plex };
    assert_eq!(laid(Preset::Plex, roles), Ok(plex.iter().map(|&it| it.into()).collect()));
}

fn fails(roles: &[(&str, Role)], expected: LayoutError) {
    assert_eq!(laid(Preset::Jellyfin, roles), Err(expected), "{roles:?}");
}

#[test]
fn films_go_to_a_directory_of_their_own() {
    let plain = film("Alien: Romulus", 2024);
    let known = Movie { ids: Ids { tmdb: Some(945_961), ..Ids::default() }, ..plain.clone() };
    let false_id = Ids { imdb: Some("tt1/../..".to_owned()), ..Ids::default() };
    let cut = Movie { edition: Some("Director's Cut".to_owned()), ..known.clone() };
    check(
        &[("a.MKV", Role::Movie(Movie { ids: false_id, ..plain }))],
        &["Movies/Alien - Romulus (2024)/Alien - Romulus (2024).mkv"],
        &[],
    );
    let (jellyfin, plex) =
        ("Alien - Romulus (2024) [tmdbid-945961]", "Alien - Romulus (2024) {tmdb-945961}");
    check(
        &[("a.mkv", Role::Movie(known)), ("b.mkv", Role::Movie(cut))],
        &[
            &format!("Movies/{jellyfin}/{jellyfin}.mkv"),
            &format!("Movies/{jellyfin}/{jellyfin} - Director's Cut.mkv"),
        ],
        &[
            &format!("Movies/{plex}/{plex}.mkv"),
            &format!(
                "Movies/{plex} {{edition-Director's Cut}}/{plex} {{edition-Director's Cut}}.mkv"
            ),
        ],
    );
    check(
        &[("Con/con.avi", Role::Movie(Movie { title: "Con".to_owned(), ..Movie::default() }))],
        &["Movies/Con_/Con_.avi"],
        &[],
    );
}

#[test]
fn parts_of_a_film_stay_together() {
    let part = |part| Role::Movie(Movie { part: Some(part), ..film("Нимфоманка", 2013) });
    check(
        &[
            ("cd1.avi", part(1)),
            ("cd2.avi", part(2)),
            ("cd2.srt", subtitle(1, Some("ru"), false, false)),
        ],
        &[
            "Movies/Нимфоманка (2013)/Нимфоманка (2013)-part1.avi",
            "Movies/Нимфоманка (2013)/Нимфоманка (2013)-part2.avi",
            "Movies/Нимфоманка (2013)/Нимфоманка (2013)-part2.ru.srt",
        ],
        &[
            "Movies/Нимфоманка (2013)/Нимфоманка (2013) - pt1.avi",
            "Movies/Нимфоманка (2013)/Нимфоманка (2013) - pt2.avi",
            "Movies/Нимфоманка (2013)/Нимфоманка (2013) - pt2.ru.srt",
        ],
    );
}

#[test]
fn episodes_go_to_their_seasons() {
    let day = episode(Numbering::Date { year: 2023, month: 3, day: 15 });
    check(
        &[
            ("1.mkv", season(1, &[1])),
            ("2.mkv", season(1, &[2, 3])),
            ("s.mkv", season(0, &[4])),
            ("a.mkv", episode(Numbering::Absolute(vec![1071]))),
            ("b.mkv", episode(Numbering::Absolute(vec![12, 13]))),
            ("d.mkv", day),
        ],
        &[
            "Shows/Severance (2022)/Season 01/Severance (2022) - S01E01 - Good News.mkv",
            "Shows/Severance (2022)/Season 01/Severance (2022) - S01E02-E03 - Good News.mkv",
            "Shows/Severance (2022)/Season 00/Severance (2022) - S00E04 - Good News.mkv",
            "Shows/Severance (2022)/Season 01/Severance (2022) - S01E1071 - Good News.mkv",
            "Shows/Severance (2022)/Season 01/Severance (2022) - S01E012-E013 - Good News.mkv",
            "Shows/Severance (2022)/Season 2023/Severance (2022) - 2023-03-15 - Good News.mkv",
        ],
        &[],
    );
    let ids = Ids { tmdb: Some(95_396), tvdb: Some(371_980), imdb: None };
    let number = Numbering::Season { season: 2, episodes: vec![1] };
    let known = Episode { series: "Severance".into(), year: None, number, title: None, ids };
    check(
        &[("1.mkv", Role::Episode(known))],
        &["Shows/Severance [tvdbid-371980]/Season 02/Severance - S02E01.mkv"],
        &["Shows/Severance {tvdb-371980}/Season 02/Severance - S02E01.mkv"],
    );
}

#[test]
fn what_belongs_to_a_video_is_named_after_it() {
    let sound = Role::Audio { of: 0, language: Some("ru".to_owned()) };
    check(
        &[
            ("a.mkv", Role::Movie(film("Дюна", 2021))),
            ("Subs/2_Russian.srt", subtitle(0, Some("ru"), false, false)),
            ("Subs/3_Russian.srt", subtitle(0, Some("ru"), true, false)),
            ("Subs/4_Russian.SRT", subtitle(0, Some("ru"), false, false)),
            ("Subs/5_English.srt", subtitle(0, Some("en"), false, true)),
            ("Subs/6.srt", subtitle(0, Some("../x"), false, false)),
            ("a.mka", sound),
        ],
        &[
            "Movies/Дюна (2021)/Дюна (2021).mkv",
            "Movies/Дюна (2021)/Дюна (2021).ru.srt",
            "Movies/Дюна (2021)/Дюна (2021).ru.forced.srt",
            "Movies/Дюна (2021)/Дюна (2021).2.ru.srt",
            "Movies/Дюна (2021)/Дюна (2021).en.sdh.srt",
            "Movies/Дюна (2021)/Дюна (2021).srt",
            "Movies/Дюна (2021)/Дюна (2021).ru.mka",
        ],
        &[],
    );
}

#[test]
fn extras_lie_beside_their_film_or_series() {
    check(
        &[
            ("a.mkv", Role::Movie(film("Dune", 2021))),
            ("b.mkv", season(1, &[1])),
            ("t.mkv", extra(0, ExtraKind::Trailer, "Teaser")),
            ("NCOP1.mkv", extra(1, ExtraKind::Other, "?")),
            ("t.srt", subtitle(2, Some("en"), false, false)),
        ],
        &[
            "Movies/Dune (2021)/Dune (2021).mkv",
            "Shows/Severance (2022)/Season 01/Severance (2022) - S01E01 - Good News.mkv",
            "Movies/Dune (2021)/trailers/Teaser.mkv",
            "Shows/Severance (2022)/extras/NCOP1.mkv",
            "Movies/Dune (2021)/trailers/Teaser.en.srt",
        ],
        &[
            "Movies/Dune (2021)/Dune (2021).mkv",
            "Shows/Severance (2022)/Season 01/Severance (2022) - S01E01 - Good News.mkv",
            "Movies/Dune (2021)/Trailers/Teaser.mkv",
            "Shows/Severance (2022)/Other/NCOP1.mkv",
            "Movies/Dune (2021)/Trailers/Teaser.en.srt",
        ],
    );
}

#[test]
fn discs_keep_their_own_names() {
    let disc = |part, path: &str| Role::Disc {
        movie: Movie { part, ..film("Solaris", 1972) },
        path: path.split('/').map(str::to_owned).collect(),
    };
    let (index, stream) = ("BDMV/index.bdmv", "BDMV/STREAM/00001.m2ts");
    check(
        &[
            ("Solaris/BDMV/index.bdmv", disc(None, index)),
            ("Solaris/BDMV/STREAM/00001.m2ts", disc(None, stream)),
        ],
        &["Movies/Solaris (1972)/BDMV/index.bdmv", "Movies/Solaris (1972)/BDMV/STREAM/00001.m2ts"],
        &[],
    );
    let two =
        [("1/BDMV/index.bdmv", disc(Some(1), index)), ("2/BDMV/index.bdmv", disc(Some(2), index))];
    check(
        &two,
        &[
            "Movies/Solaris (1972)/Solaris (1972)-part1/BDMV/index.bdmv",
            "Movies/Solaris (1972)/Solaris (1972)-part2/BDMV/index.bdmv",
        ],
        &[
            "Movies/Solaris (1972)/Solaris (1972) - pt1/BDMV/index.bdmv",
            "Movies/Solaris (1972)/Solaris (1972) - pt2/BDMV/index.bdmv",
        ],
    );
    // Two discs in one directory would become one.
    fails(
        &[
            ("1/BDMV/index.bdmv", disc(None, index)),
            ("2/BDMV/STREAM/00001.m2ts", disc(None, stream)),
        ],
        LayoutError::Clash(1),
    );
    fails(&[("1/BDMV/a?", disc(None, "BDMV/a?"))], LayoutError::BadPath(0));
    fails(&[("../../etc", disc(None, "../etc"))], LayoutError::BadPath(0));
}

#[test]
fn equal_names_are_told_apart_and_take_what_belongs_to_them_along() {
    check(
        &[
            ("1080/a.mkv", Role::Movie(film("Йод", 2019))),
            ("2160/a.mp4", Role::Movie(film("ЙОД", 2019))),
            ("2160/a.srt", subtitle(1, Some("ru"), false, false)),
        ],
        &[
            "Movies/Йод (2019)/Йод (2019).mkv",
            "Movies/ЙОД (2019)/ЙОД (2019) - v2.mp4",
            "Movies/ЙОД (2019)/ЙОД (2019) - v2.ru.srt",
        ],
        &[],
    );
}

#[test]
fn long_titles_are_cut_and_numbers_stay() {
    let (long, ids) = ("Ы".repeat(400), Ids { tvdb: Some(u32::MAX), ..Ids::default() });
    let movie = |edition: &str, part| Movie {
        edition: Some(edition.to_owned()),
        part,
        ids: ids.clone(),
        ..film(&long, 1999)
    };
    let number = Numbering::Season { season: u16::MAX, episodes: vec![u16::MAX - 1, u16::MAX] };
    let (series, title) = (long.clone(), Some(long.clone()));
    let numbered = Episode { series, title, year: Some(1999), number, ids: ids.clone() };
    let roles = [
        ("a.mkv", Role::Movie(movie(&long, Some(255)))),
        ("b.mkv", Role::Movie(movie("Ж", None))),
        ("c.mkv", Role::Episode(numbered)),
        ("c.abcdefgh", subtitle(2, Some("zh-Hant-HK"), true, true)),
    ];
    let laid = laid(Preset::Jellyfin, &roles).unwrap();
    let names: Vec<Vec<&str>> = laid.iter().map(|it| it.split('/').collect()).collect();
    let whole = |name: &&str| name.len() <= 255;
    assert!(names.iter().flatten().all(whole), "{names:?}");
    assert_eq!(names[0][1], names[1][1], "one film, one directory");
    assert!(names[0][1].ends_with(" (1999) [tvdbid-4294967295]"), "{names:?}");
    assert!(names[0][2].starts_with(names[0][1]) && names[0][2].ends_with("Ы-part255.mkv"));
    assert!(names[1][2].starts_with(names[1][1]) && names[1][2].ends_with(" - Ж.mkv"));
    assert!(names[2][3].contains("Ы (1999) - S65535E65534-E65535"), "{names:?}");
    assert!(names[3][3].ends_with(".zh-Hant-HK.forced.sdh.abcdefgh"), "{names:?}");
}

#[test]
fn what_is_not_wanted_is_left_where_it_is() {
    let roles = [(0, season(1, &[1])), (1, season(1, &[2])), (2, subtitle(1, None, false, false))];
    let filing = Filing { roles: roles.into_iter().collect() };
    let mut files = [file(0, "1.mkv"), file(1, "2.mkv"), file(2, "2.srt"), file(3, "more.nfo")];
    files[1].wanted = false;
    let laid = |files: &[TorrentFile]| {
        let plan = plan(&filing, files, Preset::Plex, &Roots::default())?;
        Ok(plan.iter().map(|it| it.file).collect::<Vec<_>>())
    };
    assert_eq!(laid(&files), Ok(vec![0]));
    files[0].whole = false;
    assert_eq!(laid(&files), Err(LayoutError::Missing(0)));
    assert_eq!(laid(&files[1..]), Err(LayoutError::Missing(0)));
    files[0].wanted = false;
    assert_eq!(laid(&files), Err(LayoutError::Nothing));
}

#[test]
fn what_cannot_be_named_fails_the_plan() {
    let movie = |title: &str| Role::Movie(Movie { title: title.to_owned(), ..Movie::default() });
    fails(&[], LayoutError::Nothing);
    fails(&[("a.mkv", movie("..."))], LayoutError::Nameless(0));
    fails(&[("a.mkv", movie("\u{202e}?"))], LayoutError::Nameless(0));
    fails(&[("a.mkv", season(1, &[]))], LayoutError::Nameless(0));
    fails(&[("a.mkv", season(1, &[1, 3]))], LayoutError::Nameless(0));
    let day = |month, day| episode(Numbering::Date { year: 2023, month, day });
    fails(&[("a.mkv", day(13, 1))], LayoutError::Nameless(0));
    fails(&[("a.mkv", day(12, 0))], LayoutError::Nameless(0));
    for path in ["../../etc/passwd", "/etc/passwd", "a//b", "", "a/.", "a\0"] {
        fails(&[(path, movie("A"))], LayoutError::BadPath(0));
    }
    let orphan = subtitle(1, None, false, false);
    fails(&[("a.srt", orphan.clone()), ("b.srt", orphan)], LayoutError::Orphan(0));
    fails(&[("a.mkv", extra(0, ExtraKind::Other, "A"))], LayoutError::Orphan(0));
}

//! For whatever names: an answer, no target twice, and none outside.

use std::collections::HashSet;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use unicode_normalization::is_nfc;

use super::*;
use crate::filing::{Episode, ExtraKind, Ids, Movie, Numbering};

/// Names of a few letters that meet often, and names of anything.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[aAbйЙ]{1,2}",
        1 => "(\\.\\.|/|con|nul|com1|aux\\.|и\u{306}|ß|SS|\u{202e}|\u{200d}|:|\u{0}|\\?| ){1,3}",
        1 => "\\PC{0,12}",
        1 => "[я:. ]{100,300}",
        1 => any::<String>(),
    ]
}

fn ids() -> impl Strategy<Value = Ids> {
    (option::weighted(0.2, any::<u32>()), option::weighted(0.2, any::<u32>()), option::of(name()))
        .prop_map(|(tmdb, tvdb, imdb)| Ids { tmdb, tvdb, imdb })
}

fn film() -> impl Strategy<Value = Movie> {
    let year = option::of(prop_oneof![Just(2000), any::<u16>()]);
    let part = option::weighted(0.2, prop_oneof![1..3u8, any::<u8>()]);
    (name(), year, option::weighted(0.2, name()), part, ids())
        .prop_map(|(title, year, edition, part, ids)| Movie { title, year, edition, part, ids })
}

fn numbering() -> impl Strategy<Value = Numbering> {
    let episodes = || prop_oneof![9 => Just(vec![1]), 1 => vec(any::<u16>(), 0..3)];
    prop_oneof![
        (0..2u16, episodes()).prop_map(|(season, episodes)| Numbering::Season { season, episodes }),
        episodes().prop_map(Numbering::Absolute),
        (any::<u16>(), 0..14u8, 0..33u8).prop_map(|(year, month, day)| Numbering::Date {
            year,
            month,
            day
        }),
    ]
}

fn role(most: u32) -> impl Strategy<Value = Role> {
    let of = 0..most;
    let kind = prop_oneof![Just(ExtraKind::Trailer), Just(ExtraKind::Other)];
    let language = || option::of(prop_oneof![Just("ru".to_owned()), name()]);
    prop_oneof![
        4 => film().prop_map(Role::Movie),
        4 => (name(), option::of(Just(2000)), numbering(), option::of(name()), ids()).prop_map(
            |(series, year, number, title, ids)| {
                Role::Episode(Episode { series, year, number, title, ids })
            }
        ),
        1 => (of.clone(), language(), any::<bool>(), any::<bool>()).prop_map(
            |(of, language, forced, hearing_impaired)| {
                Role::Subtitle { of, language, forced, hearing_impaired }
            }
        ),
        1 => (of.clone(), language()).prop_map(|(of, language)| Role::Audio { of, language }),
        1 => (of, kind, name()).prop_map(|(of, kind, title)| Role::Extra { of, kind, title }),
        1 => (film(), vec(name(), 0..3)).prop_map(|(movie, path)| Role::Disc { movie, path }),
    ]
}

/// Some files with their roles; the first is a film, so that something can belong to it.
fn downloads() -> impl Strategy<Value = (Filing, Vec<TorrentFile>)> {
    let ending = prop_oneof![Just(".mkv"), Just(".srt"), Just("")];
    let files = vec((name(), ending, proptest::bool::weighted(0.95)), 12);
    (film(), vec(role(3), 0..11), files).prop_map(|(first, roles, files)| {
        let roles = (0..).zip(std::iter::once(Role::Movie(first)).chain(roles)).collect();
        let file = |(index, (name, ending, wanted))| {
            let path = format!("{name}{ending}");
            TorrentFile { index, path, size_bytes: 1, wanted, whole: true, progress: 1.0 }
        };
        (Filing { roles }, (0..).zip(files).map(file).collect())
    })
}

/// The names of films and episodes alone, which fail for their own names only.
fn videos() -> impl Strategy<Value = (Filing, Vec<TorrentFile>)> {
    vec("[aAbBйЙёЁ]{1,2}( [иИ]\u{306})?", 1..40).prop_map(|titles| {
        let files = (0..titles.len()).map(|at| TorrentFile {
            index: u32::try_from(at).unwrap_or(u32::MAX),
            path: format!("{at}.mkv"),
            size_bytes: 1,
            wanted: true,
            whole: true,
            progress: 1.0,
        });
        let roles = (0..).zip(&titles).map(|(index, title)| {
            (index, Role::Movie(Movie { title: title.clone(), ..Movie::default() }))
        });
        (Filing { roles: roles.collect() }, files.collect())
    })
}

fn presets() -> impl Strategy<Value = Preset> {
    prop_oneof![Just(Preset::Jellyfin), Just(Preset::Plex)]
}

fn apart(plan: &[Placement]) {
    let exact: HashSet<&[String]> = plan.iter().map(|it| &*it.target).collect();
    assert_eq!(exact.len(), plan.len());
    let small: HashSet<String> = plan.iter().map(|it| it.target.join("/").to_lowercase()).collect();
    let large: HashSet<String> = plan.iter().map(|it| it.target.join("/").to_uppercase()).collect();
    assert_eq!((small.len(), large.len()), (plan.len(), plan.len()));
    for dir in plan.iter().flat_map(|it| (1..it.target.len()).map(|depth| &it.target[..depth])) {
        assert!(!small.contains(&dir.join("/").to_lowercase()), "a file where {dir:?} should be");
    }
}

fn inside(plan: &[Placement]) {
    for segment in plan.iter().flat_map(|it| &it.target) {
        assert!((1..=255).contains(&segment.len()), "{segment:?}");
        assert!(!segment.starts_with(['.', ' ']) && !segment.ends_with(['.', ' ']), "{segment:?}");
        assert!(
            !segment.contains(|c: char| c.is_control() || "<>:\"/\\|?*".contains(c)),
            "{segment:?}"
        );
        assert!(is_nfc(segment), "{segment:?}");
        let stem = segment.split('.').next().unwrap_or_default().trim_end().to_lowercase();
        assert!(!["con", "nul", "aux", "com1"].contains(&&*stem), "{segment:?}");
    }
    for placement in plan {
        assert!(placement.target.len() >= 3, "{placement:?}");
        assert!(["Movies", "Shows"].contains(&&*placement.target[0]), "{placement:?}");
        let single = |name: &String| !["", ".", ".."].contains(&&**name) && !name.contains('/');
        assert!(placement.source.iter().all(single), "{placement:?}");
    }
}

proptest! {
    #[test]
    fn any_names_make_a_safe_plan_or_none((filing, files) in downloads(), preset in presets()) {
        if let Ok(plan) = plan(&filing, &files, preset, &Roots::default()) {
            apart(&plan);
            inside(&plan);
            prop_assert!(plan.iter().all(|it| filing.roles.contains_key(&it.file)));
        }
    }

    #[test]
    fn names_that_meet_are_all_placed((filing, files) in videos(), preset in presets()) {
        let made = plan(&filing, &files, preset, &Roots::default());
        let made = made.expect("every title has letters");
        prop_assert_eq!(made.len(), files.len());
        apart(&made);
        inside(&made);
        let mut turned = files;
        turned.reverse();
        prop_assert_eq!(Ok(made), plan(&filing, &turned, preset, &Roots::default()));
    }
}

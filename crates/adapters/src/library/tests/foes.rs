//! Whoever stands in the way, or would lead elsewhere.

use std::os::unix::fs::symlink;

use super::*;

/// A plan of which the first file can be placed and the second not.
async fn check(world: &World, second: Placement, expected: impl Fn(&LibraryError) -> bool) {
    world.write("good.mkv", "good");
    let before = tree(&world.library);
    let plan = [placement(0, "good.mkv", "Movies/0/0.mkv", 4), second];
    let failed = world.place(&plan).await.unwrap_err();
    assert!(expected(&failed), "{failed:?} for {:?}", plan[1]);
    assert_eq!(tree(&world.library), before, "nothing is left");
    assert!(world.downloads().join("good.mkv").exists());
}

fn is_missing(error: &LibraryError) -> bool {
    matches!(error, LibraryError::SourceMissing { file: 1 })
}

fn is_taken(error: &LibraryError) -> bool {
    matches!(error, LibraryError::Taken { file: 1 })
}

#[tokio::test]
async fn a_download_leads_nowhere_else() {
    let world = World::new();
    fs::write(world.dir.path().join("secret"), "more").unwrap();
    world.write("sub/film.mkv", "film");
    let downloads = world.downloads();
    symlink(world.dir.path().join("secret"), downloads.join("link.mkv")).unwrap();
    symlink(world.dir.path(), downloads.join("dir")).unwrap();
    symlink("sub", downloads.join("inner")).unwrap();
    let fifo = std::process::Command::new("mkfifo").arg(downloads.join("fifo")).status().unwrap();
    assert!(fifo.success());
    let sources = [
        "../../etc/passwd",
        "../secret",
        "/etc/passwd",
        "",
        "sub//film.mkv",
        "./sub/film.mkv",
        "link.mkv",
        "dir/secret",
        "inner/film.mkv",
        "fifo",
        "sub",
        "none.mkv",
        "sub/film.mkv/x",
        "a\0b",
    ];
    for source in sources {
        check(&world, placement(1, source, "Movies/1/1.mkv", 4), is_missing).await;
    }
    let joined = Placement {
        source: vec!["sub/film.mkv".to_owned()],
        ..placement(1, "", "Movies/1/1.mkv", 4)
    };
    check(&world, joined, is_missing).await;
    check(&world, placement(1, "sub/film.mkv", "Movies/1/1.mkv", 5), is_missing).await;
}

#[tokio::test]
async fn a_library_is_not_left() {
    let world = World::new();
    world.write("film.mkv", "film");
    for target in ["../x.mkv", "Movies/../../x.mkv", "/x.mkv", "Movies//x.mkv", "", ".", "Movies/."]
    {
        let bad = placement(1, "film.mkv", target, 4);
        check(&world, bad, |error| matches!(error, LibraryError::Failed(_))).await;
    }
    let outside = world.dir.path().join("outside");
    fs::create_dir(&outside).unwrap();
    symlink(&outside, world.library.join("Shows")).unwrap();
    check(&world, placement(1, "film.mkv", "Shows/A/A.mkv", 4), is_taken).await;
    check(&world, placement(1, "film.mkv", "Shows", 4), is_taken).await;
    assert!(tree(&outside).is_empty());
    // Neither is a link followed when something is taken back.
    fs::create_dir(outside.join("A")).unwrap();
    fs::hard_link(world.downloads().join("film.mkv"), outside.join("A/A.mkv")).unwrap();
    assert_eq!(world.unplace(&[placement(1, "film.mkv", "Shows/A/A.mkv", 4)]).await, 0);
    assert_eq!(tree(&outside), ["A", "A/A.mkv"]);
}

#[tokio::test]
async fn nothing_is_replaced() {
    let mut world = World::new();
    world.write("film.mkv", "film");
    let film = |target: &str| placement(1, "film.mkv", target, 4);
    fs::create_dir_all(world.library.join("Movies/A/dir.mkv")).unwrap();
    fs::write(world.library.join("Movies/A/same.mkv"), "film").unwrap();
    fs::write(world.library.join("Movies/A/other.mkv"), "FILM").unwrap();
    symlink(world.downloads().join("film.mkv"), world.library.join("Movies/A/link.mkv")).unwrap();
    for name in ["dir", "same", "other", "link"] {
        check(&world, film(&format!("Movies/A/{name}.mkv")), is_taken).await;
    }
    check(&world, film("Movies/A/other.mkv/1.mkv"), is_taken).await;
    // Two files for one name, which no plan of ours has.
    check(&world, film("Movies/0/0.mkv"), is_taken).await;
    world.link = Link::Copy;
    check(&world, film("Movies/A/other.mkv"), is_taken).await;
    let copied = world.place(&[film("Movies/A/same.mkv")]).await.unwrap();
    assert_eq!(copied.already, 1, "where copies are made, one that is there is one");
}

#[tokio::test]
async fn a_library_that_is_not_there_is_not_made() {
    let world = World::new();
    world.write("film.mkv", "film");
    let plan = [placement(0, "film.mkv", "Movies/A/A.mkv", 4)];
    fs::remove_dir(&world.library).unwrap();
    assert!(matches!(world.place(&plan).await, Err(LibraryError::NoLibrary)));
    assert!(!world.library.exists());
    assert_eq!(world.place(&[]).await.unwrap(), Filed::default());
}

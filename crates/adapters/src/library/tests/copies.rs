//! A library on another device.

use rustix::fs::{FlockOperation, flock};

use super::super::beneath::{Beneath, Identity, look};
use super::super::copy::{How, copy};
use super::super::same::Plain;
use super::*;

const FILM: &str = "Movies/A/A.mkv";

/// Some bytes that are not all the same.
fn content(bytes: usize) -> Vec<u8> {
    (0..bytes).map(|at| u8::try_from(at % 251).unwrap()).collect()
}

fn leftover(world: &World) -> PathBuf {
    // Its name follows from the target's.
    world.library.join("Movies/A/.verst-9047c75041439017.part")
}

#[tokio::test]
async fn another_device_is_told_unless_copies_are_wished_for() {
    let Some(elsewhere) = other_device() else { return };
    let mut world = World::across(elsewhere.path(), Link::Fail);
    let large = content(3_000_000);
    world.write("a.mkv", &large);
    world.write("empty.srt", "");
    let plan =
        [placement(0, "a.mkv", FILM, 3_000_000), placement(1, "empty.srt", "Movies/A/A.srt", 0)];
    for link in [Link::Fail, Link::Reflink] {
        world.link = link;
        assert!(matches!(world.place(&plan).await, Err(LibraryError::CrossDevice)));
        assert!(tree(&world.library).is_empty(), "nothing is left");
    }

    world.link = Link::Copy;
    let filed = world.place(&plan).await.unwrap();
    assert_eq!(filed, Filed { copied: 2, ..Filed::default() });
    assert!(fs::read(world.library.join(FILM)).unwrap() == large);
    assert_eq!(tree(&world.library), ["Movies", "Movies/A", FILM, "Movies/A/A.srt"]);
    assert_eq!(world.place(&plan).await.unwrap().already, 2);

    // The same size, and one byte near the end that differs.
    let mut changed = large.clone();
    changed[2_999_999] ^= 1;
    fs::write(world.library.join(FILM), changed).unwrap();
    assert!(matches!(world.place(&plan).await, Err(LibraryError::Taken { file: 0 })));
    assert_eq!(world.unplace(&plan).await, 1);
    assert_eq!(tree(&world.library), ["Movies", "Movies/A", FILM], "what was changed stays");
}

#[tokio::test]
async fn a_full_disk_takes_back_what_this_call_made() {
    let Some(small) = memory(&[("size", "2M")], MountAttrFlags::empty()) else { return };
    let world = World::across(&small.path(), Link::Copy);
    world.write("a.mkv", content(1_000_000));
    world.write("b.mkv", content(1_500_000));
    let plan = [
        placement(0, "a.mkv", FILM, 1_000_000),
        placement(1, "b.mkv", "Movies/B/B.mkv", 1_500_000),
    ];
    assert!(matches!(world.place(&plan).await, Err(LibraryError::Full)));
    assert!(tree(&world.library).is_empty());
    assert_eq!(world.place(&plan[1..]).await.unwrap().copied, 1, "and there is room again");
    assert!(matches!(world.place(&plan).await, Err(LibraryError::Full)));
    assert_eq!(tree(&world.library), ["Movies", "Movies/B", "Movies/B/B.mkv"]);
}

#[tokio::test]
async fn a_disk_without_room_for_names_is_full() {
    let Some(small) = memory(&[("nr_inodes", "4")], MountAttrFlags::empty()) else { return };
    let world = World::across(&small.path(), Link::Copy);
    world.write("a.mkv", "film");
    let plan = [placement(0, "a.mkv", "Movies/A/B/A.mkv", 4)];
    assert!(matches!(world.place(&plan).await, Err(LibraryError::Full)));
    assert!(tree(&world.library).is_empty());
}

#[tokio::test]
async fn what_a_killed_run_left_is_cleared_and_what_another_holds_is_not() {
    let Some(elsewhere) = other_device() else { return };
    let world = World::across(elsewhere.path(), Link::Copy);
    world.write("a.mkv", "film");
    let plan = [placement(0, "a.mkv", FILM, 4)];
    fs::create_dir_all(world.library.join("Movies/A")).unwrap();
    fs::write(leftover(&world), "fi").unwrap();
    let other = fs::File::open(leftover(&world)).unwrap();
    flock(&other, FlockOperation::LockExclusive).unwrap();
    let failed = world.place(&plan).await;
    assert!(
        matches!(&failed, Err(LibraryError::Failed(it)) if it.kind() == io::ErrorKind::WouldBlock),
        "{failed:?}"
    );
    assert_eq!(fs::read_to_string(leftover(&world)).unwrap(), "fi");
    drop(other);
    assert_eq!(world.place(&plan).await.unwrap().copied, 1);
    assert_eq!(tree(&world.library), ["Movies", "Movies/A", FILM]);

    fs::write(leftover(&world), "fi").unwrap();
    assert_eq!(world.unplace(&plan).await, 1);
    assert_eq!(tree(&world.library), ["Movies"]);
}

#[test]
fn a_copy_ends_in_its_middle_and_leaves_nothing() {
    let world = World::new();
    let size_bytes = 5_000_000;
    world.write("a.mkv", content(5_000_000));
    let mut downloads = Beneath::open(&world.downloads()).unwrap();
    let mut library = Beneath::open(&world.library).unwrap();
    let dir = downloads.enter(&[]).unwrap();
    let identity = Identity::of(&look(dir, "a.mkv").unwrap());
    let source = Plain { dir, name: "a.mkv", size_bytes, identity };
    let run = Run::new();
    let told = |_| run.end();
    let target = (library.enter(&[]).unwrap(), "a.mkv");
    let ended = copy(source, target, 0, How::Bytes, &run, told);
    assert!(matches!(ended, Err(LibraryError::Interrupted)));
    assert!(tree(&world.library).is_empty());

    // A name that was taken while the copy was made stays as it is.
    let run = Run::new();
    let told = |_| fs::write(world.library.join("a.mkv"), "mine").unwrap();
    let taken = copy(source, target, 7, How::Bytes, &run, told);
    assert!(matches!(taken, Err(LibraryError::Taken { file: 7 })));
    assert_eq!(tree(&world.library), ["a.mkv"]);
    assert_eq!(fs::read_to_string(world.library.join("a.mkv")).unwrap(), "mine");

    // So does a source that was changed while it was read: such a copy does not count.
    fs::remove_file(world.library.join("a.mkv")).unwrap();
    let told = |done: f64| {
        if done >= 1.0 {
            fs::write(world.downloads().join("a.mkv"), content(4_999_999)).unwrap();
        }
    };
    let changed = copy(source, target, 0, How::Bytes, &run, told);
    assert!(matches!(changed, Err(LibraryError::Failed(_))), "{:?}", changed.err());
    assert!(tree(&world.library).is_empty());
}

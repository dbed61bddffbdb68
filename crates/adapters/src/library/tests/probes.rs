//! Trying whether files can be brought over.

use super::*;

async fn probe(world: &World) -> Result<(), LibraryError> {
    let before = (tree(&world.library), tree(&world.downloads()));
    let answer = world.shelves().probe(world.downloads()).await;
    assert_eq!((tree(&world.library), tree(&world.downloads())), before, "nothing is left");
    answer
}

#[tokio::test]
async fn a_library_on_the_same_disk_takes_links() {
    let world = World::new();
    probe(&world).await.unwrap();
    fs::create_dir(world.library.join("Shows")).unwrap();
    probe(&world).await.unwrap();
    std::os::unix::fs::symlink("Shows", world.library.join("Movies")).unwrap();
    assert!(probe(&world).await.is_err(), "nothing could be placed below a link");
    fs::remove_dir_all(&world.library).unwrap();
    let answer = world.shelves().probe(world.downloads()).await;
    assert!(matches!(answer, Err(LibraryError::NoLibrary)));
}

#[tokio::test]
async fn a_library_on_another_device_takes_what_the_policy_says() {
    let Some(elsewhere) = other_device() else { return };
    let mut world = World::across(elsewhere.path(), Link::Fail);
    assert!(matches!(probe(&world).await, Err(LibraryError::CrossDevice)));
    world.link = Link::Reflink;
    assert!(matches!(probe(&world).await, Err(LibraryError::CrossDevice)));
    world.link = Link::Copy;
    probe(&world).await.unwrap();
}

#[tokio::test]
async fn a_download_that_can_only_be_read_is_enough_for_copies() {
    let Some(still) = memory(&[], MountAttrFlags::MOUNT_ATTR_RDONLY) else { return };
    let mut world = World::new();
    let answer = world.shelves().probe(still.path()).await;
    assert!(matches!(answer, Err(LibraryError::Failed(_))), "{answer:?}");
    world.link = Link::Copy;
    world.shelves().probe(still.path()).await.unwrap();
    assert!(tree(&world.library).is_empty());
    world.library = still.path();
    let answer = probe(&world).await;
    assert!(matches!(answer, Err(LibraryError::Failed(_))), "{answer:?}");
}

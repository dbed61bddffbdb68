//! D01 with a real qBittorrent and a real swarm.

use std::os::unix::fs::MetadataExt;

use verst_downloads::ports::{ClientState, Remove};
use verst_testkit::Backend;

use crate::real_shore::RealShore;
use crate::shore::FILM;

on_every_store!(
    d01_1_metadata_arrived_after_magnet_timeout,
    d01_2_complete_after_magnet_timeout_goes_on_to_the_library,
    d01_3_without_metadata_or_a_torrent_it_stays_failed,
    d01_4_what_another_download_owns_is_not_revived,
    d01_5_a_moment_without_data_stops_nothing,
);

async fn d01_1_metadata_arrived_after_magnet_timeout(backend: Backend) {
    let shore = RealShore::slow(backend).await;
    let film = shore.film(FILM);
    let id = shore.magnet(&film).await;
    shore.until(&film, |it| it.state == ClientState::MetaDl && !it.metadata).await;
    shore.harbour.give_up(id, "magnet_timeout").await;
    shore.harbour.tick().await;
    assert_eq!(shore.harbour.state(id).await, "failed/magnet_timeout");
    shore.offer(&film).await;
    shore.until(&film, |it| it.metadata).await;
    shore.harbour.tick().await;
    assert_eq!(shore.harbour.state(id).await, "downloading");
    assert_eq!(shore.magnet(&film).await, id, "it is active again");
    shore.harbour.tick().await;
    assert_eq!(shore.harbour.state(id).await, "downloading");
}

async fn d01_2_complete_after_magnet_timeout_goes_on_to_the_library(backend: Backend) {
    let shore = RealShore::new(backend).await;
    let film = shore.film(FILM);
    let id = shore.magnet(&film).await;
    shore.harbour.give_up(id, "magnet_timeout").await;
    shore.offer(&film).await;
    let whole = |state| matches!(state, ClientState::StalledUp | ClientState::Uploading);
    shore.until(&film, |it| whole(it.state)).await;
    shore.harbour.tick().await;
    assert_eq!(shore.harbour.state(id).await, "done");
    let placed = shore.harbour.store.download(id).await.unwrap().unwrap().placed;
    let target = placed[0].target.iter().fold(shore.harbour.library(), |at, part| at.join(part));
    let inode = |path| std::fs::metadata(path).unwrap().ino();
    assert_eq!(inode(target), inode(shore.client.path_of(FILM)));
    assert_eq!(shore.letters(id), 1, "it is done");
}

async fn d01_3_without_metadata_or_a_torrent_it_stays_failed(backend: Backend) {
    let shore = RealShore::new(backend).await;
    let film = shore.film(FILM);
    let id = shore.magnet(&film).await;
    shore.harbour.give_up(id, "magnet_timeout").await;
    shore.until(&film, |it| it.state == ClientState::MetaDl).await;
    shore.hours_later(1).await;
    assert_eq!(shore.harbour.state(id).await, "failed/magnet_timeout");
    let key = film.torrent.v1.as_ref().unwrap();
    shore.harbour.client.remove(key, Remove::KeepFiles).await.unwrap();
    for _ in 0..3 {
        shore.hours_later(1).await;
    }
    assert!(shore.torrent(&film).await.is_none());
    assert_eq!(shore.harbour.state(id).await, "failed/magnet_timeout");
    assert_eq!(shore.letters(id), 0, "what is not news is not told");
}

async fn d01_4_what_another_download_owns_is_not_revived(backend: Backend) {
    let shore = RealShore::slow(backend).await;
    let film = shore.film(FILM);
    let first = shore.magnet(&film).await;
    shore.harbour.give_up(first, "magnet_timeout").await;
    let second = shore.magnet(&film).await;
    assert_ne!(first, second);
    shore.offer(&film).await;
    shore.until(&film, |it| it.metadata).await;
    shore.harbour.tick().await;
    assert_eq!(shore.harbour.state(first).await, "failed/magnet_timeout");
    assert_eq!(shore.harbour.state(second).await, "downloading");
}

async fn d01_5_a_moment_without_data_stops_nothing(backend: Backend) {
    let shore = RealShore::slow(backend).await;
    let film = shore.film(FILM);
    let id = shore.bytes(&film).await;
    shore.offer(&film).await;
    shore.until(&film, |it| it.received_bytes > 0).await;
    shore.hours_later(80).await;
    shore.swarm.withdraw(&film.torrent);
    shore.until(&film, |it| it.state == ClientState::StalledDl).await;
    shore.harbour.tick().await;
    assert_eq!(shore.harbour.state(id).await, "downloading");
    assert_eq!(shore.letters(id), 0);
}

//! D02 with a real qBittorrent and a real swarm.

use verst_downloads::ports::{ClientState, Remove};
use verst_kernel::WorkId;
use verst_testkit::Backend;

use crate::real_shore::{Film, RealShore};
use crate::shore::FILM;

on_every_store!(
    d02_1_a_healthy_torrent_is_taken_up_again,
    d02_2_after_a_retry_idleness_counts_anew,
    d02_3_whoever_writes_to_the_bot_can_retry,
    d02_4_without_a_torrent_the_source_is_added_again,
    d02_5_a_broken_torrent_is_given_again,
    d02_6_stored_bytes_are_added_as_a_file,
);

/// A retry after which it does not fall on the next tick, and the client has it.
async fn retry(shore: &RealShore, film: &Film, id: WorkId, person: &str) {
    shore.harbour.retry(id, person).await.unwrap();
    assert_eq!(shore.harbour.state(id).await, "downloading");
    assert!(shore.torrent(film).await.is_some());
    shore.harbour.tick().await;
    assert_eq!(shore.harbour.state(id).await, "downloading");
}

async fn lose(shore: &RealShore, film: &Film) {
    let key = film.torrent.v1.as_ref().unwrap();
    shore.harbour.client.remove(key, Remove::KeepFiles).await.unwrap();
    while shore.torrent(film).await.is_some() {
        tokio::task::yield_now().await;
    }
}

/// Given up, and taken up again.
async fn is_taken_up_again(shore: RealShore, person: &str) {
    let film = shore.film(FILM);
    let id = shore.magnet(&film).await;
    shore.until(&film, |it| it.state == ClientState::MetaDl).await;
    shore.harbour.give_up(id, "magnet_timeout").await;
    retry(&shore, &film, id, person).await;
    assert_eq!(shore.harbour.client.list().await.unwrap().torrents.len(), 1);
}

async fn d02_1_a_healthy_torrent_is_taken_up_again(backend: Backend) {
    is_taken_up_again(RealShore::new(backend).await, "anna").await;
}

async fn d02_2_after_a_retry_idleness_counts_anew(backend: Backend) {
    let shore = RealShore::new(backend).await;
    let film = shore.film(FILM);
    let id = shore.bytes(&film).await;
    shore.until(&film, |it| it.state == ClientState::StalledDl).await;
    shore.harbour.give_up(id, "stalled").await;
    assert_eq!(shore.harbour.state(id).await, "stuck");
    retry(&shore, &film, id, "anna").await;
    shore.hours_later(71).await;
    assert_eq!(shore.harbour.state(id).await, "downloading");
}

/// The bot itself is a face of its own; what it will call is this.
async fn d02_3_whoever_writes_to_the_bot_can_retry(backend: Backend) {
    is_taken_up_again(RealShore::new(backend).await, "telegram").await;
}

async fn d02_4_without_a_torrent_the_source_is_added_again(backend: Backend) {
    let shore = RealShore::new(backend).await;
    let film = shore.film(FILM);
    let id = shore.magnet(&film).await;
    shore.harbour.give_up(id, "magnet_timeout").await;
    lose(&shore, &film).await;
    retry(&shore, &film, id, "anna").await;
    assert!(!shore.torrent(&film).await.unwrap().metadata, "as a link");
}

async fn d02_5_a_broken_torrent_is_given_again(backend: Backend) {
    let shore = RealShore::new(backend).await;
    let film = shore.film(FILM);
    let id = shore.bytes(&film).await;
    shore.offer(&film).await;
    let whole = |state| matches!(state, ClientState::StalledUp | ClientState::Uploading);
    shore.until(&film, |it| whole(it.state)).await;
    shore.client.stop();
    std::fs::remove_file(shore.client.path_of(FILM)).unwrap();
    shore.client.start_again().await;
    shore.until(&film, |it| it.state == ClientState::MissingFiles).await;
    shore.harbour.tick().await;
    assert_eq!(shore.harbour.state(id).await, "failed/client_error");
    assert_eq!(shore.letters(id), 1);
    shore.harbour.retry(id, "anna").await.unwrap();
    assert_eq!(shore.harbour.state(id).await, "downloading");
    shore.until(&film, |it| whole(it.state)).await;
    shore.harbour.tick().await;
    assert_eq!(shore.harbour.state(id).await, "done");
}

async fn d02_6_stored_bytes_are_added_as_a_file(backend: Backend) {
    let shore = RealShore::new(backend).await;
    let film = shore.film(FILM);
    let id = shore.bytes(&film).await;
    shore.harbour.give_up(id, "stalled").await;
    lose(&shore, &film).await;
    retry(&shore, &film, id, "anna").await;
    assert!(shore.torrent(&film).await.unwrap().metadata, "with all that a file says");
}

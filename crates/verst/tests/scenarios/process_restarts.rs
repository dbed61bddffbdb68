//! A real qBittorrent that is restarted, or killed, on the way.

use verst_downloads::ports::ClientState;
use verst_testkit::Backend;

use crate::real_shore::RealShore;
use crate::shore::FILM;

on_every_store!(what_a_client_was_doing_when_it_ended_comes_to_its_end);

async fn what_a_client_was_doing_when_it_ended_comes_to_its_end(backend: Backend) {
    let shore = RealShore::slow(backend).await;
    let film = shore.film(FILM);
    let id = shore.bytes(&film).await;
    shore.offer(&film).await;
    shore.until(&film, |it| it.received_bytes > 0).await;
    shore.client.kill();
    shore.harbour.tick().await;
    shore.harbour.tick().await;
    assert_eq!(shore.harbour.state(id).await, "downloading", "silence is no absence");
    shore.client.start_again().await;
    shore.until(&film, |it| it.state == ClientState::Downloading).await;
    shore.harbour.tick().await;
    shore.client.stop();
    shore.harbour.tick().await;
    shore.client.start_again().await;
    let whole = |state| matches!(state, ClientState::StalledUp | ClientState::Uploading);
    shore.until(&film, |it| whole(it.state)).await;
    shore.harbour.reach(id, "done").await;
    assert_eq!(shore.letters(id), 1, "that it is done");
}

//! D02: a person's retry puts a stopped download to `downloading`, with its torrent in the client.
//!
//! Every entrance calls the same use case with the name of whoever asks; here it is called itself.

use verst_downloads::ports::{ClientError, ClientState};
use verst_downloads::retry::RetryError;
use verst_kernel::{Event, WorkId};
use verst_testkit::Backend;
use verst_testkit::torrents::{Deed, Dialect, Torrent, Trick};

use crate::common::HOUR;
use crate::shore::{FILM, PAST_STUCK, Shore, hash};

on_every_store!(
    d02_1_a_healthy_torrent_is_taken_up_again,
    d02_2_after_a_retry_idleness_counts_anew,
    d02_3_whoever_writes_to_the_bot_can_retry,
    d02_4_without_a_torrent_the_source_is_added_again,
    d02_5_a_broken_torrent_is_given_again,
    d02_6_stored_bytes_are_added_as_a_file,
    what_the_client_does_not_take_stays_failed,
);

async fn retry(shore: &Shore, id: WorkId, person: &str) {
    shore.harbour.retry(id, person).await.unwrap();
    assert_eq!(shore.harbour.state(id).await, "downloading");
    let lifted = format!("{person} {} downloading", Event::Lifted.name());
    assert_eq!(shore.story(id).await.last(), Some(&lifted));
    shore.harbour.tick().await;
    assert_eq!(shore.harbour.state(id).await, "downloading", "it does not fall at once");
}

async fn d02_1_a_healthy_torrent_is_taken_up_again(backend: Backend) {
    for dialect in Dialect::ALL {
        let shore = Shore::new(backend, dialect).await;
        let torrent = Torrent::sample(FILM);
        let id = shore.given_up_magnet(&torrent).await;
        retry(&shore, id, "anna").await;
        shore.hours(47).await;
        assert_eq!(shore.harbour.state(id).await, "downloading");
        assert_eq!(shore.additions(&torrent), 1);
        assert_eq!(shore.told(id), ["magnet_timeout"]);
        shore.hours(2).await;
        assert_eq!(shore.told(id), ["magnet_timeout"; 2], "and is told when it is given up again");
    }
}

async fn d02_2_after_a_retry_idleness_counts_anew(backend: Backend) {
    for dialect in Dialect::ALL {
        let shore = Shore::new(backend, dialect).await;
        let torrent = Torrent::sample(FILM);
        let id = shore.stuck(&torrent).await;
        shore.harbour.elapse(PAST_STUCK * 10).await;
        shore.harbour.work().await;
        retry(&shore, id, "anna").await;
        let asked = Deed::Did("reannounce".to_owned(), hash(&torrent).clone());
        assert!(shore.client.deeds().contains(&asked), "its trackers are asked again");
        shore.hours(71).await;
        assert_eq!(shore.harbour.state(id).await, "downloading");
        assert_eq!(shore.additions(&torrent), 1);
        assert_eq!(shore.told(id), ["stalled"]);
        shore.hours(2).await;
        assert_eq!(shore.harbour.state(id).await, "stuck");
    }
}

/// The bot itself is a face of its own; what it will call is this.
async fn d02_3_whoever_writes_to_the_bot_can_retry(backend: Backend) {
    for dialect in Dialect::ALL {
        let shore = Shore::new(backend, dialect).await;
        let torrent = Torrent::sample(FILM);
        let id = shore.given_up_magnet(&torrent).await;
        retry(&shore, id, "telegram").await;
        assert_eq!(shore.told(id), ["magnet_timeout"]);
    }
}

async fn d02_4_without_a_torrent_the_source_is_added_again(backend: Backend) {
    for dialect in Dialect::ALL {
        let shore = Shore::new(backend, dialect).await;
        let torrent = Torrent::sample(FILM);
        let id = shore.given_up_magnet(&torrent).await;
        shore.client.lose(hash(&torrent));
        retry(&shore, id, "anna").await;
        assert_eq!(shore.additions(&torrent), 2);
        assert_eq!(shore.client.held(hash(&torrent)).unwrap().bytes, None, "as a link");

        let torrent = Torrent::sample("Other.Film.2018.mkv");
        let id = shore.stuck(&torrent).await;
        shore.client.lose(hash(&torrent));
        retry(&shore, id, "anna").await;
        assert_eq!(shore.additions(&torrent), 2);
        assert!(shore.client.held(hash(&torrent)).unwrap().bytes.is_some(), "as bytes");
    }
}

async fn d02_5_a_broken_torrent_is_given_again(backend: Backend) {
    for dialect in Dialect::ALL {
        for state in [ClientState::Error, ClientState::MissingFiles] {
            let shore = Shore::new(backend, dialect).await;
            let torrent = Torrent::sample(FILM);
            let id = shore.coming(&torrent).await;
            shore.change(&torrent, |held| held.state = state);
            shore.harbour.tick().await;
            assert_eq!(shore.harbour.state(id).await, "failed/client_error");
            retry(&shore, id, "anna").await;
            let hashes = torrent.hashes();
            let given_again =
                [Deed::Removed { hashes: hashes.clone(), files: false }, Deed::Added(hashes)];
            assert!(shore.client.deeds().ends_with(&given_again), "{:?}", shore.client.deeds());
            assert_eq!(shore.told(id), ["client_error"]);
        }
    }
}

async fn d02_6_stored_bytes_are_added_as_a_file(backend: Backend) {
    for dialect in Dialect::ALL {
        let shore = Shore::new(backend, dialect).await;
        let torrent = Torrent::sample(FILM);
        let id = shore.coming(&torrent).await;
        shore.client.lose(hash(&torrent));
        shore.harbour.reach(id, "failed/torrent_gone").await;
        retry(&shore, id, "anna").await;
        let held = shore.client.held(hash(&torrent)).expect("it is there");
        assert_eq!(held.bytes.as_ref(), Some(&torrent.bytes));
        shore.harbour.elapse(HOUR).await;
        shore.harbour.work().await;
        assert_eq!(shore.harbour.state(id).await, "downloading");
    }
}

async fn what_the_client_does_not_take_stays_failed(backend: Backend) {
    let shore = Shore::new(backend, Dialect::V5_1).await;
    let torrent = Torrent::sample(FILM);
    let id = shore.coming(&torrent).await;
    shore.client.lose(hash(&torrent));
    shore.harbour.reach(id, "failed/torrent_gone").await;
    shore.client.play("torrents/add", Trick::Say(200, "Ok.".to_owned()));
    let refused = shore.harbour.retry(id, "anna").await;
    assert!(matches!(refused, Err(RetryError::Refused)), "{refused:?}");
    shore.client.stop();
    let away = shore.harbour.retry(id, "anna").await;
    assert!(matches!(away, Err(RetryError::Client(ClientError::Unreachable))), "{away:?}");
    assert_eq!(shore.harbour.state(id).await, "failed/torrent_gone");
    shore.client.start_again();
    retry(&shore, id, "anna").await;
}

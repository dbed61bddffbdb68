//! D01: a download that was given up is revived when its source comes alive.

use verst_downloads::hash::Hashes;
use verst_downloads::ports::{ClientState, Given};
use verst_kernel::{Event, WorkId};
use verst_testkit::Backend;
use verst_testkit::torrents::{Dialect, Torrent};

use crate::common::HOUR;
use crate::shore::{FILM, PAST_STUCK, Shore, has};

on_every_store!(
    d01_1_metadata_arrived_after_magnet_timeout,
    d01_2_complete_after_magnet_timeout_goes_on_to_the_library,
    d01_3_without_metadata_or_a_torrent_it_stays_failed,
    d01_4_what_another_download_owns_is_not_revived,
    d01_5_a_moment_without_data_stops_nothing,
);

async fn d01_1_metadata_arrived_after_magnet_timeout(backend: Backend) {
    for dialect in Dialect::ALL {
        let shore = Shore::new(backend, dialect).await;
        let torrent = Torrent::sample(FILM);
        let id = shore.given_up_magnet(&torrent).await;
        shore.client.learn(&torrent);
        shore.change(&torrent, |held| held.state = ClientState::Downloading);
        shore.let_data_come(&torrent, 1);
        shore.harbour.tick().await;
        assert_eq!(shore.harbour.state(id).await, "downloading");
        assert_eq!(shore.harbour.magnet(&torrent).await, id, "it is active again");
        shore.hours(71).await;
        assert_eq!(shore.harbour.state(id).await, "downloading", "it is given its time anew");
        assert_eq!(shore.told(id), ["magnet_timeout"]);
        assert_eq!(shore.additions(&torrent), 1);
    }
}

async fn d01_2_complete_after_magnet_timeout_goes_on_to_the_library(backend: Backend) {
    for dialect in Dialect::ALL {
        for state in [ClientState::StalledUp, ClientState::Uploading] {
            let shore = Shore::new(backend, dialect).await;
            let torrent = shore.film(FILM);
            let id = shore.given_up_magnet(&torrent).await;
            shore.client.learn(&torrent);
            shore.complete(&torrent);
            shore.change(&torrent, |held| held.state = state);
            shore.harbour.tick().await;
            assert_eq!(shore.harbour.state(id).await, "done");
            assert!(has(&shore.story(id).await, Event::Lifted, "completed"));
            assert_eq!(shore.told(id), ["magnet_timeout", "done"]);
        }
    }
}

async fn d01_3_without_metadata_or_a_torrent_it_stays_failed(backend: Backend) {
    for dialect in Dialect::ALL {
        let shore = Shore::new(backend, dialect).await;
        let (there, gone) = (Torrent::sample(FILM), Torrent::sample("Other.Film.2018.mkv"));
        let ids = [shore.magnet(&there).await, shore.magnet(&gone).await];
        shore.harbour.elapse(PAST_STUCK).await;
        shore.harbour.work().await;
        shore.client.lose(gone.v1.as_ref().unwrap());
        shore.hours(5).await;
        for id in ids {
            assert_eq!(shore.harbour.state(id).await, "failed/magnet_timeout");
            assert_eq!(shore.told(id), ["magnet_timeout"]);
        }
    }
}

/// Takes a torrent in by its v2 hash alone.
async fn by_v2(shore: &Shore, torrent: &Torrent) -> WorkId {
    let v2 = torrent.v2.clone().unwrap();
    let magnet = format!("magnet:?xt=urn:btmh:1220{v2}");
    let named = Torrent { v1: None, ..torrent.clone() };
    assert_eq!(named.hashes(), Hashes::from_iter([v2]));
    shore.harbour.catch(Given::Magnet(magnet), &named).await
}

async fn d01_4_what_another_download_owns_is_not_revived(backend: Backend) {
    for dialect in Dialect::ALL {
        for by_another_hash in [false, true] {
            let shore = Shore::new(backend, dialect).await;
            let torrent = Torrent::sample_hybrid(FILM);
            let first = shore.given_up_magnet(&torrent).await;
            let second = if by_another_hash {
                by_v2(&shore, &torrent).await
            } else {
                shore.harbour.magnet(&torrent).await
            };
            assert_ne!(first, second, "what was given up is not active");
            shore.harbour.reach(second, "downloading").await;
            shore.client.learn(&torrent);
            shore.hours(3).await;
            assert_eq!(shore.harbour.state(first).await, "failed/magnet_timeout");
            assert_eq!(shore.harbour.state(second).await, "downloading");
            assert_eq!(shore.told(first), ["magnet_timeout"]);
            assert!(shore.told(second).is_empty());
        }
    }
}

async fn d01_5_a_moment_without_data_stops_nothing(backend: Backend) {
    for dialect in Dialect::ALL {
        let shore = Shore::new(backend, dialect).await;
        let torrent = Torrent::sample(FILM);
        let id = shore.coming(&torrent).await;
        for _ in 0..10 {
            shore.hours(10).await;
            shore.let_data_come(&torrent, 1000);
        }
        shore.change(&torrent, |held| held.state = ClientState::StalledDl);
        shore.harbour.tick().await;
        assert_eq!(shore.harbour.state(id).await, "downloading");
        assert!(shore.told(id).is_empty());
        // Which is not because nothing is ever given up.
        shore.harbour.elapse(PAST_STUCK + HOUR).await;
        shore.harbour.work().await;
        assert_eq!(shore.harbour.state(id).await, "stuck");
        assert_eq!(shore.told(id), ["stalled"]);
    }
}

//! What may happen to a download and its client, and what follows from it.

#![expect(clippy::similar_names, reason = "a shore has a store")]

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::join;
use verst_downloads::model::Product;
use verst_downloads::ports::{ClientState, Given, Retried, RetryBegun};
use verst_downloads::retry::RetryError;
use verst_kernel::Event;
use verst_testkit::torrents::{Dialect, Torrent, Trick};
use verst_testkit::{Backend, Gate};

use crate::common::HOUR;
use crate::shore::{FILM, PAST_STUCK, Shore, has, hash};

on_every_store!(
    an_hour_without_the_client_stops_nothing_and_measures_begin_anew,
    what_is_caught_meanwhile_waits_for_the_client,
    a_client_that_shuts_us_out_is_waited_for,
    while_the_client_reaches_nobody_no_measure_runs,
    a_torrent_is_gone_when_full_listings_say_so,
    a_torrent_that_is_back_in_time_was_not_gone,
    what_the_client_cannot_go_on_with_is_stopped_and_not_revived_by_itself,
    a_torrent_may_be_sorted_and_moved_by_its_owner,
    a_hybrid_is_known_by_all_its_names,
    two_magnets_of_one_torrent_become_one_download,
    a_torrent_that_was_added_before_a_crash_is_adopted,
    of_two_retries_at_once_one_counts,
    a_retry_that_a_tick_overtakes_is_lost,
    a_tick_that_a_retry_overtakes_writes_nothing,
    looks_at_what_does_not_change_write_nothing,
    what_was_added_by_hand_is_adopted,
    a_film_goes_all_the_way_into_the_library,
    a_name_that_says_too_little_is_asked_about,
);

async fn an_hour_without_the_client_stops_nothing_and_measures_begin_anew(backend: Backend) {
    for dialect in Dialect::ALL {
        let shore = Shore::new(backend, dialect).await;
        let torrent = Torrent::sample(FILM);
        let id = shore.coming(&torrent).await;
        shore.change(&torrent, |held| held.state = ClientState::StalledDl);
        shore.hours(71).await;
        shore.client.stop();
        for _ in 0..60 {
            shore.harbour.tick().await;
        }
        shore.hours(2).await;
        assert_eq!(shore.harbour.state(id).await, "downloading");
        shore.client.start_again();
        shore.hours(71).await;
        assert_eq!(shore.harbour.state(id).await, "downloading");
        assert!(shore.told(id).is_empty());
        shore.hours(3).await;
        assert_eq!(shore.told(id), ["stalled"]);
    }
}

async fn what_is_caught_meanwhile_waits_for_the_client(backend: Backend) {
    let shore = Shore::new(backend, Dialect::V4_5_2).await;
    shore.client.stop();
    let torrent = Torrent::sample(FILM);
    let id = shore.harbour.magnet(&torrent).await;
    shore.hours(24).await;
    assert_eq!(shore.harbour.state(id).await, "caught");
    assert!(shore.told(id).is_empty());
    shore.client.start_again();
    shore.harbour.reach(id, "downloading").await;
    assert_eq!(shore.additions(&torrent), 1);
}

async fn a_client_that_shuts_us_out_is_waited_for(backend: Backend) {
    for dialect in Dialect::ALL {
        let shore = Shore::new(backend, dialect).await;
        let torrent = shore.film(FILM);
        let id = shore.coming(&torrent).await;
        let before = shore.client.logins();
        shore.client.ban();
        for _ in 0..150 {
            shore.harbour.tick().await;
        }
        assert_eq!(shore.harbour.state(id).await, "downloading");
        assert!(shore.told(id).is_empty());
        let tries = shore.client.logins() - before;
        assert!((1..=3).contains(&tries), "{tries} in two hours and a half");
        shore.client.pardon();
        shore.complete(&torrent);
        shore.harbour.reach(id, "done").await;
    }
}

async fn while_the_client_reaches_nobody_no_measure_runs(backend: Backend) {
    let shore = Shore::new(backend, Dialect::V5_2).await;
    let torrent = Torrent::sample(FILM);
    let id = shore.coming(&torrent).await;
    shore.client.set_connection("disconnected");
    shore.hours(100).await;
    shore.client.set_connection("connected");
    shore.hours(71).await;
    assert_eq!(shore.harbour.state(id).await, "downloading");
    shore.hours(3).await;
    assert_eq!(shore.told(id), ["stalled"]);
}

async fn a_torrent_is_gone_when_full_listings_say_so(backend: Backend) {
    for dialect in Dialect::ALL {
        let shore = Shore::new(backend, dialect).await;
        let torrent = Torrent::sample(FILM);
        let id = shore.coming(&torrent).await;
        shore.client.lose(hash(&torrent));
        let lost_at = shore.harbour.now();
        shore.harbour.reach(id, "failed/torrent_gone").await;
        let took = shore.harbour.now().since(lost_at);
        assert!((Duration::from_mins(20)..HOUR).contains(&took), "three full listings: {took:?}");
        shore.hours(3).await;
        assert_eq!(shore.told(id), ["torrent_gone"]);
    }
}

async fn a_torrent_that_is_back_in_time_was_not_gone(backend: Backend) {
    let shore = Shore::new(backend, Dialect::V5_1).await;
    let torrent = Torrent::sample(FILM);
    let id = shore.coming(&torrent).await;
    for _ in 0..5 {
        shore.client.lose(hash(&torrent));
        for _ in 0..15 {
            shore.harbour.tick().await;
        }
        shore.client.put(&torrent);
        shore.harbour.tick().await;
    }
    assert_eq!(shore.harbour.state(id).await, "downloading");
    assert!(shore.told(id).is_empty());
}

async fn what_the_client_cannot_go_on_with_is_stopped_and_not_revived_by_itself(backend: Backend) {
    for dialect in Dialect::ALL {
        let shore = Shore::new(backend, dialect).await;
        let torrent = Torrent::sample(FILM);
        let id = shore.coming(&torrent).await;
        shore.change(&torrent, |held| held.state = ClientState::MissingFiles);
        shore.harbour.tick().await;
        let stands = shore.harbour.stands(id).await;
        assert_eq!(stands.state(), "failed/client_error");
        let failure = stands.stop.unwrap().failure;
        assert!(failure.to_string().contains("missing_files"), "{failure}");
        shore.complete(&torrent);
        shore.hours(3).await;
        assert_eq!(shore.harbour.state(id).await, "failed/client_error");
        assert_eq!(shore.told(id), ["client_error"]);
    }
}

async fn a_torrent_may_be_sorted_and_moved_by_its_owner(backend: Backend) {
    for dialect in Dialect::ALL {
        let shore = Shore::new(backend, dialect).await;
        let torrent = shore.film(FILM);
        let id = shore.coming(&torrent).await;
        shore.change(&torrent, |held| "films of anna".clone_into(&mut held.category));
        shore.harbour.tick().await;
        shore.complete(&torrent);
        let elsewhere = shore.harbour.dir().join("elsewhere");
        std::fs::create_dir(&elsewhere).unwrap();
        std::fs::rename(shore.downloads().join(FILM), elsewhere.join(FILM)).unwrap();
        shore.change(&torrent, |held| held.state = ClientState::Moving);
        shore.hours(3).await;
        assert_eq!(shore.harbour.state(id).await, "downloading", "not while it is on its way");
        shore.change(&torrent, |held| {
            elsewhere.to_str().unwrap().clone_into(&mut held.save_path);
            held.state = ClientState::StalledUp;
        });
        shore.harbour.tick().await;
        assert_eq!(shore.harbour.state(id).await, "done");
        assert_eq!(shore.told(id), ["done"]);
        assert_eq!(shore.client.held(hash(&torrent)).unwrap().category, "films of anna");
    }
}

async fn a_hybrid_is_known_by_all_its_names(backend: Backend) {
    for dialect in Dialect::ALL {
        let shore = Shore::new(backend, dialect).await;
        let torrent = Torrent::sample_hybrid(FILM);
        let id = shore.magnet(&torrent).await;
        shore.client.learn(&torrent);
        assert_ne!(shore.client.held(hash(&torrent)).unwrap().key(), *hash(&torrent));
        shore.harbour.tick().await;
        let known = shore.harbour.store.download(id).await.unwrap().unwrap().hashes;
        assert_eq!(known, torrent.hashes());
        let by_v2 = Torrent { v1: None, ..torrent.clone() };
        assert_eq!(shore.harbour.bytes(&by_v2).await, id);
        shore.hours(3).await;
        assert_eq!(shore.harbour.state(id).await, "downloading");
        assert_eq!(shore.additions(&torrent), 1);
    }
}

async fn two_magnets_of_one_torrent_become_one_download(backend: Backend) {
    for dialect in Dialect::ALL {
        let shore = Shore::new(backend, dialect).await;
        let torrent = Torrent::sample_hybrid(FILM);
        let first = shore.magnet(&torrent).await;
        let by_v2 = Torrent { v1: None, ..torrent.clone() };
        let link = format!("magnet:?xt=urn:btmh:1220{}", torrent.v2.as_ref().unwrap());
        let second = shore.harbour.catch(Given::Magnet(link), &by_v2).await;
        shore.harbour.reach(second, "downloading").await;
        assert_ne!(first, second);
        shore.client.learn(&torrent);
        shore.harbour.tick().await;
        let merged = shore.harbour.store.download(second).await.unwrap().unwrap();
        assert_eq!(merged.merged_into, Some(first));
        assert_eq!(shore.harbour.state(second).await, "done");
        assert_eq!(shore.harbour.state(first).await, "downloading");
        shore.hours(3).await;
        assert!(shore.told(first).is_empty() && shore.told(second).is_empty());
        assert_eq!(shore.harbour.bytes(&torrent).await, first);
    }
}

async fn a_torrent_that_was_added_before_a_crash_is_adopted(backend: Backend) {
    for dialect in Dialect::ALL {
        let shore = Shore::new(backend, dialect).await;
        shore.harbour.work().await;
        let torrent = Torrent::sample(FILM);
        let id = shore.harbour.magnet(&torrent).await;
        // A process that ends after the client has it and before that is written.
        let (store, here) = (&shore.harbour.store, &shore.harbour.runtime.instance);
        let claim = store.claim(here).await.unwrap().expect("it is ready");
        assert_eq!(claim.id(), id);
        let given = Given::Magnet(torrent.magnet(None));
        let desk = shore.harbour.line.desk();
        desk.ensure(&torrent.hashes(), &given, None).await.unwrap();
        store.reclaim(here, Arc::new(|_| Duration::ZERO)).await.unwrap();
        shore.harbour.reach(id, "downloading").await;
        assert_eq!(shore.additions(&torrent), 1);
        assert!(shore.told(id).is_empty());
    }
}

async fn of_two_retries_at_once_one_counts(backend: Backend) {
    for dialect in Dialect::ALL {
        let shore = Shore::new(backend, dialect).await;
        let torrent = Torrent::sample(FILM);
        let id = shore.given_up_magnet(&torrent).await;
        shore.client.lose(hash(&torrent));
        let (harbour, other) = (&shore.harbour, &shore.harbour);
        let both = join!(harbour.retry(id, "anna"), other.retry(id, "boris"));
        let well = [&both.0, &both.1].into_iter().filter(|it| it.is_ok()).count();
        assert_eq!(well, 1, "{both:?}");
        for retried in [both.0, both.1] {
            let late = matches!(retried, Ok(()) | Err(RetryError::Lost | RetryError::NotStopped));
            assert!(late, "{retried:?}");
        }
        assert_eq!(shore.client.count(), 1);
        harbour.tick().await;
        assert_eq!(harbour.state(id).await, "downloading");
        let lifts = shore.story(id).await.iter().filter(|it| it.contains("lifted")).count();
        assert_eq!(lifts, 1);
    }
}

async fn a_retry_that_a_tick_overtakes_is_lost(backend: Backend) {
    let shore = Shore::new(backend, Dialect::V5_1).await;
    let torrent = Torrent::sample(FILM);
    let id = shore.given_up_magnet(&torrent).await;
    let store = &shore.harbour.store;
    let RetryBegun::Begun { fence, .. } = store.begin_retry(id).await.unwrap() else {
        panic!("it is stopped")
    };
    assert_eq!(shore.harbour.state(id).await, "failed/magnet_timeout", "the mark stays");
    shore.client.learn(&torrent);
    shore.harbour.tick().await;
    assert_eq!(shore.harbour.state(id).await, "downloading");
    assert_eq!(store.finish_retry(id, fence, "anna").await.unwrap(), Retried::Lost);
    let story = shore.story(id).await;
    assert_eq!(story.last().unwrap(), "lifted downloading");
}

async fn a_tick_that_a_retry_overtakes_writes_nothing(backend: Backend) {
    let shore = Shore::new(backend, Dialect::V5_2).await;
    let torrent = Torrent::sample(FILM);
    let id = shore.given_up_magnet(&torrent).await;
    shore.client.learn(&torrent);
    let (gate, store) = (Gate::default(), &shore.harbour.store);
    shore.client.play("sync/maindata", Trick::Hold(gate.clone()));
    shore.harbour.elapse(HOUR).await;
    join!(shore.harbour.work(), async {
        gate.arrival().await;
        let RetryBegun::Begun { fence, .. } = store.begin_retry(id).await.unwrap() else {
            panic!("it is stopped")
        };
        assert_eq!(store.finish_retry(id, fence, "anna").await.unwrap(), Retried::Done);
        gate.open();
    });
    let story = shore.story(id).await;
    assert_eq!(story.iter().filter(|it| it.contains("lifted")).count(), 1, "{story:?}");
    assert_eq!(story.last().unwrap(), "anna lifted downloading");
    shore.harbour.tick().await;
    let measures = store.download(id).await.unwrap().unwrap().measures;
    assert!(measures.retried_at.is_some(), "and it stays with the download");
}

/// Of any kind that is looked at: coming, without metadata, given up, stopped by a person.
async fn looks_at_what_does_not_change_write_nothing(backend: Backend) {
    for dialect in Dialect::ALL {
        let shore = Shore::new(backend, dialect).await;
        let named = |n| Torrent::sample(&format!("Some.Film.20{n}.1080p.BluRay.x264-GROUP.mkv"));
        shore.stuck(&named(10)).await;
        shore.given_up_magnet(&named(11)).await;
        let stopped = shore.coming(&named(12)).await;
        let (store, here) = (&shore.harbour.store, &shore.harbour.runtime.instance);
        store.stop(here, stopped, "anna").await.unwrap();
        for n in 13..30 {
            shore.coming(&named(n)).await;
            shore.magnet(&named(n + 30)).await;
        }
        shore.harbour.tick().await;
        let writes = shore.harbour.writes();
        // Full listings are among them.
        for _ in 0..30 {
            shore.harbour.tick().await;
        }
        assert_eq!(writes.count(), 0);
        shore.change(&named(13), |held| held.state = ClientState::MissingFiles);
        shore.harbour.tick().await;
        assert_ne!(writes.count(), 0, "or nothing would have been counted");
    }
}

async fn what_was_added_by_hand_is_adopted(backend: Backend) {
    for dialect in Dialect::ALL {
        let shore = Shore::new(backend, dialect).await;
        let torrent = Torrent::sample(FILM);
        shore.client.put(&torrent);
        let id = shore.harbour.magnet(&torrent).await;
        shore.harbour.reach(id, "downloading").await;
        assert_eq!(shore.additions(&torrent), 0);
        assert_eq!(shore.client.held(hash(&torrent)).unwrap().category, "");
    }
}

/// All files below it.
fn files(below: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(below).unwrap().map(|entry| entry.unwrap().path());
    let found = entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] });
    found.collect()
}

fn inode(path: &Path) -> (u64, u64) {
    let data = std::fs::metadata(path).unwrap();
    (data.dev(), data.ino())
}

async fn a_film_goes_all_the_way_into_the_library(backend: Backend) {
    for dialect in Dialect::ALL {
        let shore = Shore::new(backend, dialect).await;
        let torrent = shore.film(FILM);
        let id = shore.magnet(&torrent).await;
        shore.client.learn(&torrent);
        shore.harbour.tick().await;
        let known = shore.harbour.store.download(id).await.unwrap().unwrap();
        assert_eq!(known.name.as_deref(), Some(FILM));
        assert_eq!(known.size_bytes, Some(torrent.size_bytes()));
        shore.complete(&torrent);
        shore.harbour.tick().await;
        assert_eq!(shore.harbour.state(id).await, "done");
        let story = shore.story(id).await;
        for milestone in ["downloading", "completed", "identified", "done"] {
            assert!(has(&story, Event::Advanced, milestone), "{story:?}");
        }
        let filed = files(&shore.harbour.library());
        let [film] = &filed[..] else { panic!("{filed:?}") };
        assert!(film.to_str().unwrap().contains("Some Film (2019)"), "{}", film.display());
        assert_eq!(inode(film), inode(&shore.downloads().join(FILM)));
        assert_eq!(shore.told(id), ["done"]);
    }
}

async fn a_name_that_says_too_little_is_asked_about(backend: Backend) {
    for dialect in Dialect::ALL {
        let shore = Shore::new(backend, dialect).await;
        let torrent = shore.film("home video.mkv");
        let id = shore.coming(&torrent).await;
        shore.complete(&torrent);
        shore.harbour.tick().await;
        assert_eq!(shore.harbour.state(id).await, "failed/needs_choice");
        assert_eq!(shore.told(id), ["needs_choice"]);
        let store = &shore.harbour.store;
        let candidates = store.download(id).await.unwrap().unwrap().candidates;
        let candidate = candidates.first().expect("there is a guess").clone();
        assert_eq!(shore.harbour.magnet(&torrent).await, id, "it waits, and is active");
        shore.harbour.elapse(PAST_STUCK).await;
        shore.harbour.work().await;
        assert_eq!(shore.told(id), ["needs_choice"], "and is not asked about twice");
        let said = Some(Product::Filing(candidate.filing));
        store.go_on(id, "anna", said).await.unwrap();
        shore.harbour.work().await;
        assert_eq!(shore.harbour.state(id).await, "done");
        assert_eq!(files(&shore.harbour.library()).len(), 1);
    }
}

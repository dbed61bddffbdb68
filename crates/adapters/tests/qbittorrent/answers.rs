//! Answers that do not come, come late, or mean nothing; clocks, and changes that tests make.

use std::time::Duration;

use verst_adapters::qbittorrent::{AnswerLimits, QBittorrentConfig};
use verst_downloads::ports::{Added, ClientError, ClientState, Connection, Remove, TorrentClient};
use verst_kernel::Clock;
use verst_testkit::TestClock;
use verst_testkit::torrents::{Deed, Dialect, Torrent, Trick};

use super::bench::{Bench, bytes_of};

const SHORT: Duration = Duration::from_secs(1);

fn impatient(config: QBittorrentConfig) -> QBittorrentConfig {
    QBittorrentConfig { timeout: SHORT, ..config }
}

#[tokio::test]
async fn a_client_that_is_not_there_is_unreachable_and_comes_back() {
    let bench = Bench::new(Dialect::V5_2);
    let torrent = bench.has("it");
    bench.list().await.unwrap();
    bench.server.stop();
    assert_eq!(bench.list().await, Err(ClientError::Unreachable));
    assert_eq!(bench.client.add(&bytes_of(&torrent)).await, Err(ClientError::Unreachable));
    bench.server.start_again();
    let listing = bench.client.list().await.unwrap();
    assert!(listing.full && listing.torrents.len() == 1);
}

#[tokio::test]
async fn an_answer_that_does_not_come_is_not_waited_for() {
    let bench = Bench::with(Dialect::V4_5_2, impatient);
    bench.client.about().await.unwrap();
    bench.server.play("sync/maindata", Trick::Never);
    assert_eq!(bench.list().await, Err(ClientError::Unreachable));
    assert_eq!(bench.list().await, Ok(Vec::new()));
}

#[tokio::test]
async fn an_addition_whose_answer_is_lost_is_found_by_looking() {
    let bench = Bench::with(Dialect::V5_1, impatient);
    let torrent = Torrent::sample("it");
    bench.server.play("torrents/add", Trick::Unheard);
    let added = bench.client.add(&bytes_of(&torrent)).await;
    assert_eq!(added, Err(ClientError::Unreachable));
    assert!(bench.list().await.unwrap()[0].hashes.meets(&torrent.hashes()));
    assert_eq!(bench.server.additions(torrent.v1.as_ref().unwrap()), 1);
}

#[tokio::test]
async fn statuses_and_pages_of_proxies_mean_what_they_say() {
    let bench = Bench::new(Dialect::V5_1);
    bench.client.about().await.unwrap();
    let said = |status, text: &str| Trick::Say(status, text.to_owned());
    for (trick, unreachable) in [
        (said(503, "not there"), true),
        (said(500, "broken"), false),
        (said(302, ""), false),
        (said(404, "no such page"), false),
        (said(200, "<html>welcome</html>"), false),
        (said(200, r#"{"rid":5}"#), false),
    ] {
        bench.server.play("sync/maindata", trick.clone());
        let error = bench.list().await.unwrap_err();
        let unexpected = matches!(error, ClientError::Unexpected(_));
        assert!(
            if unreachable { error == ClientError::Unreachable } else { unexpected },
            "{trick:?}"
        );
    }
    assert_eq!(bench.list().await, Ok(Vec::new()), "and afterwards it goes on");
}

#[tokio::test]
async fn answers_have_a_largest_size() {
    let limits = AnswerLimits { listing_bytes: 2000, files_bytes: 10, torrent_bytes: 10 };
    let bench = Bench::with(Dialect::V5_1, |config| QBittorrentConfig { limits, ..config });
    let torrent = bench.has("it");
    let key = torrent.v1.unwrap();
    bench.list().await.unwrap();
    let large = Err(ClientError::Unexpected("larger than the limit"));
    assert_eq!(bench.client.export(&key).await, large);
    assert!(bench.client.files(&key).await.is_err());
    (0..5).for_each(|nth| drop(bench.has(&format!("it{nth}"))));
    assert!(bench.list().await.is_err());
}

#[tokio::test]
async fn times_are_told_by_our_clock() {
    for ahead_s in [0, 7200, -86_400] {
        let bench = Bench::new(Dialect::V4_5_2);
        bench.server.clock_ahead(ahead_s);
        bench.has("it");
        let torrent = bench.list().await.unwrap().remove(0);
        assert_eq!(torrent.added_on, Some(TestClock::default().now()), "{ahead_s}");
        assert_eq!(bench.list().await.unwrap().remove(0), torrent, "and it shows no change");
    }
}

#[tokio::test]
async fn what_changes_in_the_client_shows() {
    for dialect in Dialect::ALL {
        let bench = Bench::new(dialect);
        let hash = bench.has("it").v1.unwrap();
        bench.list().await.unwrap();
        for state in [
            ClientState::Error,
            ClientState::MissingFiles,
            ClientState::StoppedUp,
            ClientState::StoppedDl,
            ClientState::ForcedMetaDl,
            ClientState::CheckingResume,
            ClientState::Moving,
            ClientState::Unknown,
        ] {
            bench.server.change(&hash, |held| {
                held.state = state;
                held.received_bytes += 1;
            });
            let seen = bench.list().await.unwrap().remove(0);
            assert_eq!(seen.state, state, "{dialect:?}");
        }
        bench.server.set_connection("disconnected");
        bench.server.set_free_bytes(5);
        let listing = bench.client.list().await.unwrap();
        assert_eq!((listing.connection, listing.free_bytes), (Connection::Down, Some(5)));
        assert_eq!(listing.torrents[0].received_bytes, 8);
        bench.server.lose(&hash);
        assert_eq!(bench.list().await, Ok(Vec::new()));
    }
}

#[tokio::test]
async fn a_removal_names_one_torrent_and_says_what_becomes_of_its_files() {
    let bench = Bench::new(Dialect::V5_2);
    let (one, other) = (bench.has("one"), bench.has("other"));
    let key = one.v1.clone().unwrap();
    bench.client.remove(&key, Remove::KeepFiles).await.unwrap();
    let removed = Deed::Removed { hashes: one.hashes(), files: false };
    assert_eq!(bench.server.deeds(), [removed]);
    assert_eq!(bench.list().await.unwrap()[0].key, other.v1.unwrap());
}

#[tokio::test]
async fn everything_is_listed_each_time_if_that_is_wished() {
    let always = |config| QBittorrentConfig { full_every: Duration::ZERO, ..config };
    let bench = Bench::with(Dialect::V5_1, always);
    for _ in 0..2 {
        assert!(bench.client.list().await.unwrap().full);
    }
}

#[tokio::test]
async fn without_a_category_none_is_made() {
    let none = |config| QBittorrentConfig { category: String::new(), ..config };
    let bench = Bench::with(Dialect::V5_2, none);
    let added = bench.client.add(&bytes_of(&Torrent::sample("it"))).await;
    assert_eq!(added, Ok(Added::Taken));
    assert!(!bench.server.heard().contains(&"torrents/createCategory".to_owned()));
    assert_eq!(bench.list().await.unwrap()[0].category, "");
}

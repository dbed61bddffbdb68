//! Being let in, in every dialect, and never asking so often that the client shuts us out.

use std::sync::Arc;
use std::time::Duration;

use verst_adapters::qbittorrent::{QBittorrent, QBittorrentConfig};
use verst_downloads::ports::{ClientError, TorrentClient};
use verst_testkit::TestClock;
use verst_testkit::torrents::{Dialect, Torrent, Trick};

use super::bench::{Bench, bytes_of};

fn refuses<T: std::fmt::Debug>(answer: Result<T, ClientError>) -> Duration {
    match answer {
        Err(ClientError::Refuses { again_in }) => again_in,
        other => panic!("{other:?} is no refusal"),
    }
}

#[tokio::test]
async fn a_wrong_password_is_told_and_not_tried_again() {
    for dialect in Dialect::ALL {
        let wrong = |config| QBittorrentConfig { password: "wrong".to_owned(), ..config };
        let bench = Bench::with(dialect, wrong);
        assert!(refuses(bench.client.list().await) >= Duration::from_mins(5));
        for _ in 0..20 {
            refuses(bench.client.list().await);
            refuses(bench.client.add(&bytes_of(&Torrent::sample("it"))).await);
        }
        assert_eq!(bench.server.logins(), 1, "{dialect:?}");
        assert!(!bench.server.is_banned());
    }
}

#[tokio::test]
async fn a_ban_is_waited_out() {
    for dialect in Dialect::ALL {
        let bench = Bench::new(dialect);
        bench.server.ban();
        assert_eq!(refuses(bench.client.list().await), Duration::from_hours(1));
        refuses(bench.client.about().await);
        assert_eq!(bench.server.logins(), 1, "{dialect:?}");
    }
}

#[tokio::test]
async fn who_was_forgotten_logs_in_once_and_hears_everything_anew() {
    for dialect in Dialect::ALL {
        let bench = Bench::new(dialect);
        bench.has("it");
        assert!(bench.client.list().await.unwrap().full);
        assert!(!bench.client.list().await.unwrap().full);
        bench.server.expire_sessions();
        let all: Vec<_> = (0..20).map(|_| bench.client.about()).collect();
        for version in futures::future::join_all(all).await {
            version.unwrap();
        }
        assert_eq!(bench.server.logins(), 2, "{dialect:?}");
        let listing = bench.client.list().await.unwrap();
        assert!(listing.full && listing.torrents.len() == 1);
        bench.server.expire_sessions();
        assert!(bench.client.list().await.unwrap().full);
    }
}

#[tokio::test]
async fn a_key_opens_without_a_login() {
    let bench = Bench::new(Dialect::V5_2);
    let keyed = |api_key| QBittorrentConfig {
        api_key: Some(api_key),
        ..QBittorrentConfig::at(&bench.server.url())
    };
    let clock = Arc::new(TestClock::default());
    let right = keyed(bench.server.api_key());
    let client = QBittorrent::new(right, clock.clone()).unwrap();
    assert!(client.list().await.unwrap().full);
    assert!(!client.list().await.unwrap().full);
    let wrong = keyed("qbt_wrong".to_owned());
    let client = QBittorrent::new(wrong, clock).unwrap();
    let heard = bench.server.heard().len();
    refuses(client.list().await);
    refuses(client.list().await);
    assert_eq!(bench.server.heard().len(), heard + 1);
    assert_eq!(bench.server.logins(), 0);
}

#[tokio::test]
async fn where_all_are_let_in_nobody_logs_in_and_a_session_is_kept() {
    for dialect in Dialect::ALL {
        let nobody =
            |config| QBittorrentConfig { user: String::new(), password: String::new(), ..config };
        let bench = Bench::with(dialect, nobody);
        assert_eq!(refuses(bench.client.list().await), Duration::from_mins(1), "nor tries to");
        let bench = Bench::with(dialect, nobody);
        bench.server.let_all_in();
        assert!(bench.client.list().await.unwrap().full);
        assert!(!bench.client.list().await.unwrap().full, "{dialect:?}");
        assert_eq!(bench.server.logins(), 0);
    }
}

#[tokio::test]
async fn a_login_that_opens_nothing_is_not_repeated_at_once() {
    let bench = Bench::new(Dialect::V5_1);
    for _ in 0..2 {
        bench.server.play("sync/maindata", Trick::Say(403, "Forbidden".to_owned()));
    }
    assert_eq!(refuses(bench.client.list().await), Duration::from_mins(1));
    refuses(bench.client.list().await);
    assert_eq!(bench.server.logins(), 1);
}

#[tokio::test]
async fn a_login_without_an_answer_is_not_repeated_at_once() {
    let short = |config| QBittorrentConfig { timeout: Duration::from_secs(1), ..config };
    let bench = Bench::with(Dialect::V4_5_2, short);
    bench.server.play("auth/login", Trick::Never);
    assert_eq!(bench.list().await, Err(ClientError::Unreachable));
    assert_eq!(bench.list().await, Err(ClientError::Unreachable));
    assert_eq!(bench.server.logins(), 1);
}

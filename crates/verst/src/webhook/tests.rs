//! Notices to events, with a real store and a real server on this machine.

use serde_json::{Value, json};
use verst_adapters::outward::{OutwardLimits, Reach};
use verst_adapters::webhook::{SigningKeys, WebhookConfig};
use verst_downloads::model::{NewDownload, Sender};
use verst_downloads::ports::Given;
use verst_kernel::{Failure, NoticeId, WorkId};
use verst_recordings::model::Source;
use verst_service::{Entrance, Post};
use verst_testkit::torrents::Torrent;
use verst_testkit::{Backend, Mailbox, Peer, Reply, Setup, World};

use super::*;

const SOON: Duration = Duration::from_mins(1);

fn settings(url: String) -> WebhookSettings {
    let keys = SigningKeys::parse("whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD").unwrap();
    WebhookSettings {
        config: WebhookConfig { url, keys, timeout: SOON, pauses: Vec::new() },
        done: true,
        stopped: true,
        text: false,
        public_url: String::new(),
    }
}

/// A herald of this world with a webhook, and the bot that answers beside it.
fn herald(world: &World, settings: WebhookSettings) -> (Both, Arc<Mailbox>) {
    let bot = Arc::new(Mailbox::new(Source::Telegram));
    let entrances: Vec<Arc<dyn Entrance>> = vec![bot.clone()];
    let post = Arc::new(Post {
        recordings: world.store.clone(),
        downloads: world.store.clone(),
        entrances,
    });
    let outward = Arc::new(Outward::new(Reach::Anywhere, OutwardLimits::up_to(1)));
    let teller = Teller::new(
        settings,
        outward,
        world.clock.clone(),
        Known {
            ledger: world.store.clone(),
            recordings: world.store.clone(),
            downloads: world.store.clone(),
        },
        Instance("here".to_owned()),
        Tongue::new(Some("en")),
    );
    (Both { teller: Some(Arc::new(teller)), post }, bot)
}

fn notice(id: i64, work: WorkId, kind: NoticeKind) -> Notice {
    Notice { id: NoticeId(id), work, kind }
}

fn stopped() -> NoticeKind {
    NoticeKind::Stopped(Failure::new("empty_file"))
}

async fn close(herald: &Both) {
    herald.teller.as_ref().unwrap().close(SOON).await;
}

#[tokio::test]
async fn an_event_says_what_became_of_the_recording() {
    let peer = Peer::start(|_| Reply::status(200));
    let world = World::new(Backend::Sqlite, Setup::default());
    let work = world.accept().await;
    let with_url =
        WebhookSettings { public_url: "https://v.test/".to_owned(), ..settings(peer.url("/")) };
    let (herald, bot) = herald(&world, with_url);
    herald.tell(&notice(7, work, stopped())).await.unwrap();
    let heard = peer.wait_for(1).await.remove(0);
    assert_eq!(heard.header("webhook-id"), Some("here_7"));
    let said: Value = serde_json::from_slice(&heard.body).unwrap();
    let sentence = Tongue::new(Some("en")).failure(&Failure::new("empty_file"));
    let place = format!("https://v.test/api/v1/recordings/{work}");
    assert_eq!(
        said,
        json!({
            "id": "here_7",
            "event": "stopped",
            "at": "2026-11-18T11:06:40Z",
            "recording": {
                "id": work.0,
                "title": null,
                "name": World::NAME,
                "state": "stopped",
                "milestone": "uploaded",
                "duration_s": null,
                "language": null,
                "failure": { "code": "empty_file", "sentence": sentence },
                "links": { "recording": place, "transcript": format!("{place}/transcript") },
            }
        })
    );
    assert_eq!(bot.letters().len(), 1, "the sender is answered as well");
    let logged = world.logs.everything();
    assert!(!logged.contains(World::NAME), "{logged}");
    close(&herald).await;
}

#[tokio::test]
async fn an_event_says_what_became_of_a_download() {
    let peer = Peer::start(|_| Reply::status(200));
    let world = World::new(Backend::Sqlite, Setup::default());
    let torrent = Torrent::sample("secret-film.mkv");
    let new = NewDownload {
        sender: Sender { source: Source::Telegram, reply_to: Some("chat-1".into()), owner: None },
        hashes: torrent.hashes(),
        given: Given::Torrent(torrent.bytes),
        name: Some(torrent.name),
        size_bytes: Some(7),
    };
    let work = world.store.catch(new).await.unwrap().id;
    let with_url =
        WebhookSettings { public_url: "https://v.test".to_owned(), ..settings(peer.url("/")) };
    let (herald, bot) = herald(&world, with_url);
    herald.tell(&notice(7, work, NoticeKind::Stopped(Failure::new("add_refused")))).await.unwrap();
    let said: Value = serde_json::from_slice(&peer.wait_for(1).await.remove(0).body).unwrap();
    let sentence = Tongue::new(Some("en")).failure(&Failure::new("add_refused"));
    assert_eq!(
        said,
        json!({
            "id": "here_7",
            "event": "stopped",
            "at": "2026-11-18T11:06:40Z",
            "download": {
                "id": work.0,
                "name": "secret-film.mkv",
                "state": "failed",
                "milestone": "caught",
                "size_bytes": 7,
                "files": 0,
                "paths": [],
                "candidates": 0,
                "failure": { "code": "add_refused", "sentence": sentence },
                "links": { "download": format!("https://v.test/api/v1/downloads/{work}") },
            }
        })
    );
    let stuck = NoticeKind::Stopped(Failure::new("stalled").int("hours", 7));
    herald.tell(&notice(8, work, stuck)).await.unwrap();
    herald.tell(&notice(9, work, NoticeKind::Done)).await.unwrap();
    let mut states: Vec<(String, String)> = Vec::new();
    for heard in peer.wait_for(3).await.drain(1..) {
        let said: Value = serde_json::from_slice(&heard.body).unwrap();
        let text = |it: &Value| it.as_str().unwrap().to_owned();
        states.push((text(&said["event"]), text(&said["download"]["state"])));
    }
    states.sort();
    let expected = [("done", "done"), ("stopped", "stuck")];
    assert_eq!(states, expected.map(|(event, state)| (event.to_owned(), state.to_owned())));
    assert_eq!(bot.letters().len(), 3, "the sender is answered as well");
    assert!(!world.logs.everything().contains("secret-film"));
    close(&herald).await;
}

#[tokio::test]
async fn only_wanted_events_are_told() {
    let peer = Peer::start(|_| Reply::status(200));
    let world = World::new(Backend::Sqlite, Setup::default());
    let work = world.accept().await;
    let (herald, bot) =
        herald(&world, WebhookSettings { stopped: false, ..settings(peer.url("/")) });
    herald.tell(&notice(1, work, stopped())).await.unwrap();
    // Of a recording that is gone there is nothing to tell, and its sender is not found either.
    let gone = herald.tell(&notice(2, WorkId(999), NoticeKind::Done)).await;
    assert_eq!(gone, Err(Undelivered::SendFailed));
    close(&herald).await;
    assert_eq!(peer.heard(), []);
    assert_eq!(bot.letters().len(), 1);
}

#[tokio::test]
async fn trouble_of_the_webhook_changes_nothing_for_the_sender() {
    let peer = Peer::start(|_| Reply::status(500));
    let world = World::new(Backend::Sqlite, Setup::default());
    let work = world.accept().await;
    let (with, bot) = herald(&world, settings(peer.url("/")));
    with.tell(&notice(1, work, stopped())).await.unwrap();
    close(&with).await;
    let (without, same) = herald(&world, settings("http://127.0.0.1:1/".to_owned()));
    without.tell(&notice(2, work, stopped())).await.unwrap();
    close(&without).await;
    assert_eq!(bot.letters(), same.letters());
    assert_eq!(peer.heard().len(), 1);
}

#[test]
fn the_text_goes_along_where_it_is_wanted_and_is_cut() {
    use verst_recordings::transcript::{Segment, Transcript};
    let world_view = |text: &str| {
        let segment = Segment { start_ms: 0, end_ms: 1, text: text.to_owned(), speaker: None };
        Transcript {
            language: Some("ru".to_owned()),
            model: "m".to_owned(),
            segments: vec![segment],
        }
    };
    let short = payload::text(&world_view("слово"));
    assert_eq!((short.content.as_str(), short.cut), ("слово", false));
    let long = payload::text(&world_view(&format!("x{}", "я".repeat(200_000))));
    assert!(long.cut && long.content.len() <= 256 << 10 && long.content.ends_with('я'));
}

//! Whoever makes a download active waits for whoever has the lock of one of its hashes.

use verst_downloads::hash::{Hashes, InfoHash};
use verst_downloads::model::{Measures, NewDownload, Sender, Source};
use verst_downloads::ports::{DownloadStore, Given, Sight, Turn};
use verst_kernel::{Claim, Fence, Queue};

use super::races::wait_for_a_lock;
use super::*;

const LOCK: &str = "SELECT pg_advisory_xact_lock(
    hashtextextended('verst:hash:' || current_schema() || ':' || $1::text, 0))";

const VERBS: [&str; 7] =
    ["catch", "begin a retry", "finish a retry", "revive", "learn", "go on", "place again"];

fn hash(number: usize) -> InfoHash {
    InfoHash::v1([u8::try_from(number).unwrap(); 20])
}

async fn catch(store: &Postgres, hash: InfoHash) -> WorkId {
    let sender = Sender { source: Source::Http, reply_to: None, owner: None };
    let given = Given::Magnet(format!("magnet:?xt=urn:btih:{hash}"));
    let hashes: Hashes = [hash].into_iter().collect();
    let new = NewDownload { sender, given, hashes, name: None, size_bytes: None };
    store.catch(new).await.unwrap().id
}

async fn ask(store: &Postgres, watch: &Claim, verb: &str, id: WorkId, number: usize) {
    let fence = store.followed().await.unwrap().iter().find(|it| it.id == id).map(|it| it.fence);
    let task = (id, fence.unwrap_or(Fence(0)));
    let mut sight = Sight {
        turn: Turn::Stay,
        measures: Measures::default(),
        learned: Hashes::default(),
        called: None,
        in_client: true,
        bytes: None,
    };
    match verb {
        "catch" => drop(catch(store, hash(number)).await),
        "begin a retry" => drop(store.begin_retry(id).await.unwrap()),
        "finish a retry" => drop(store.finish_retry(id, task.1, "anna").await.unwrap()),
        "go on" => drop(store.go_on(id, "anna", None).await.unwrap()),
        "place again" => drop(store.place_again(id, "anna").await.unwrap()),
        verb => {
            if verb == "revive" {
                sight.turn = Turn::Revive { complete: false };
            } else {
                sight.learned = [hash(number + 100)].into_iter().collect();
            }
            drop(store.observe(watch, task, sight).await.unwrap());
        }
    }
}

#[tokio::test]
async fn whoever_makes_a_download_active_waits_for_its_hashes() {
    let schema = Schema::create();
    let address = format!("{}&application_name={}", schema.address(), schema.name());
    let stages = verst_service::stages();
    let store = Arc::new(Postgres::open(&address, Durability::Full, &stages).await.unwrap());
    let (mut db, look_on) = (look(&schema).await, look(&schema).await);
    store.watch("qbittorrent").await.unwrap();
    let watch = Arc::new(store.claim(&Instance("here".to_owned())).await.unwrap().unwrap());
    for (number, verb) in VERBS.into_iter().enumerate() {
        let id = catch(&store, hash(number)).await;
        let stands = match verb {
            "place again" => "milestone = 'done'",
            _ => {
                "milestone = 'downloading', stopped_at = 1, stop_reason = 'stuck',
                 stop_failure = '{\"code\":\"stalled\",\"params\":{}}'"
            }
        };
        db.execute(&format!("UPDATE work SET {stands} WHERE id = $1"), &[&id.0]).await.unwrap();
        let filed = "UPDATE download SET filing = '{\"roles\":{}}' WHERE id = $1";
        db.execute(filed, &[&id.0]).await.unwrap();
        let owner = db.transaction().await.unwrap();
        let name = if verb == "learn" { hash(number + 100) } else { hash(number) };
        owner.query(LOCK, &[&name.as_str()]).await.unwrap();
        let (asked, watch) = (store.clone(), watch.clone());
        let asking = tokio::spawn(async move { ask(&asked, &watch, verb, id, number).await });
        wait_for_a_lock(&look_on, &schema, || asking.is_finished()).await;
        assert!(!asking.is_finished(), "{verb}");
        owner.commit().await.unwrap();
        asking.await.unwrap();
    }
}

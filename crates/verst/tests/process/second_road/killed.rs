//! kill -9 between what was done outside and its commit: it is not done twice, and told once.

use std::sync::Arc;

use verst_adapters::clock::SystemClock;
use verst_downloads::model::{NewDownload, Sender, Source};
use verst_downloads::ports::{DownloadStore, Given};
use verst_store::{Durability, Sqlite};
use verst_testkit::torrents::Torrent;

use super::super::support::{Place, count};
use super::sluice::Sluice;
use super::{Coast, LOOK_EVERY, bytes, files};

const DONE: [&str; 2] = ["milestone reached", "\"reached\":\"done\""];
/// How the command line's entrance tells, where nobody watches it.
const TOLD: &str = "the text is ready";
/// Files of a download that takes a while to lay out.
const EPISODES: usize = 400;

/// Taken in by somebody who is told, while no process holds the place.
async fn catch(place: &Place, torrent: &Torrent, given: Given) {
    let migrated = place.run(&["migrate"]);
    assert!(migrated.status.success(), "{}", String::from_utf8_lossy(&migrated.stderr));
    let (file, clock) = (place.data().join("verst.sqlite"), Arc::new(SystemClock));
    let stages = verst_service::stages();
    let store = Sqlite::open(&file, Durability::Full, clock, &stages).unwrap();
    let sender = Sender { source: Source::Cli, reply_to: None, owner: None };
    let hashes = torrent.hashes();
    let new = NewDownload { sender, given, hashes, name: None, size_bytes: None };
    assert!(store.catch(new).await.unwrap().fresh);
}

fn state(place: &Place) -> String {
    let listed = place.run(&["downloads"]);
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    String::from_utf8(listed.stdout).unwrap()
}

#[tokio::test]
async fn process_killed_between_add_and_commit_adds_it_once() {
    let coast = Coast::new().await;
    let film = bytes("a film, ");
    let name = "Some.Film.2019.1080p.BluRay.x264-GROUP";
    let part = format!("{name}.mkv");
    let (torrent, _) = coast.swarm.offer(name, &[(&part, &film)]).await;
    catch(&coast.place, &torrent, Given::Magnet(coast.swarm.magnet(&torrent))).await;
    let sluice = Sluice::before(coast.client.address(), b"POST /api/v2/torrents/add ");
    coast.reach_client_at(&sluice.url());

    let mut first = coast.place.start(&["serve"]);
    first.wait_for_step("caught");
    sluice.wait_until_shut();
    // The client has it, and whoever gave it does not know.
    while coast.torrent(&torrent).await.is_none() {
        tokio::time::sleep(LOOK_EVERY).await;
    }
    first.kill();
    sluice.open();
    assert!(state(&coast.place).contains("taken in"), "{}", state(&coast.place));

    let mut second = coast.place.serve();
    second.wait_for(&DONE);
    let (code, _, heard) = second.terminate();
    assert_eq!(code, Some(0));
    assert_eq!(sluice.count(), 1, "it was adopted");
    assert_eq!(count(&heard, &[TOLD]), 1, "{}", heard.join("\n"));
    coast.is_filed(&[&torrent]).await;
}

#[tokio::test]
async fn process_killed_while_it_places_goes_on_and_places_nothing_twice() {
    let coast = Coast::new().await;
    let episodes: Vec<(String, Vec<u8>)> = (0..EPISODES)
        .map(|n| {
            let (season, episode) = (n / 20 + 1, n % 20 + 1);
            let name = format!("Some.Show.S{season:02}E{episode:02}.1080p.WEB-DL.x264-GROUP.mkv");
            (name, format!("episode {n}").into_bytes())
        })
        .collect();
    let parts: Vec<(&str, &[u8])> = episodes.iter().map(|(it, of)| (&**it, &**of)).collect();
    let name = "Some.Show.S01-S20.1080p.WEB-DL.x264-GROUP";
    let (torrent, _) = coast.swarm.offer(name, &parts).await;
    catch(&coast.place, &torrent, Given::Torrent(torrent.bytes.clone())).await;

    let mut first = coast.place.start(&["serve"]);
    first.wait_for_step("identified");
    while files(&coast.library()).is_empty() {
        std::thread::yield_now();
    }
    first.kill();
    let placed = files(&coast.library()).len();
    assert!((1..EPISODES).contains(&placed), "{placed} were placed");
    assert!(state(&coast.place).contains("identified"), "{}", state(&coast.place));

    let mut second = coast.place.serve();
    second.wait_for(&DONE);
    let (code, _, heard) = second.terminate();
    assert_eq!(code, Some(0));
    assert_eq!(count(&heard, &[TOLD]), 1, "{}", heard.join("\n"));
    coast.is_filed(&[&torrent]).await;
}

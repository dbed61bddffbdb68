//! D02 through the bot: a person's retry, by the button under the message.

use std::time::Duration;

use verst_service::WorkId;
use verst_service::download::ClientState;
use verst_testkit::Backend;
use verst_testkit::torrents::{Deed, Torrent};

use crate::support::{ANNA, Scene, anna, until};

const FILM: &str = "Some.Film.2019.1080p.BluRay.x264-GROUP.mkv";
const PAST_MAGNET: Duration = Duration::from_hours(49);
const PAST_STUCK: Duration = Duration::from_hours(73);

on_every_store!(
    d02_1_a_healthy_torrent_is_taken_up_again,
    d02_2_after_a_retry_idleness_counts_anew,
    d02_3_retry_works_from_telegram,
    d02_4_without_a_torrent_the_source_is_added_again,
    d02_5_a_broken_torrent_is_given_again,
    d02_6_stored_bytes_are_added_as_a_file,
);

/// A magnet from a chat, given up because no metadata came.
async fn given_up(scene: &Scene, torrent: &Torrent) -> WorkId {
    scene.server.text(&anna(), &torrent.magnet(None));
    let id = scene.only().await;
    scene.rests().await;
    let harbour = &scene.shore().harbour;
    harbour.reach(id, "downloading").await;
    harbour.tick().await;
    harbour.elapse(PAST_MAGNET).await;
    harbour.work().await;
    assert_eq!(harbour.state(id).await, "failed/magnet_timeout");
    id
}

/// A torrent file from a chat, which is coming.
async fn coming(scene: &Scene, torrent: &Torrent) -> WorkId {
    scene.server.document(&anna(), "film.torrent", &torrent.bytes);
    let id = scene.only().await;
    scene.rests().await;
    let shore = scene.shore();
    shore.harbour.reach(id, "downloading").await;
    shore.client.change(&torrent.v1.clone().unwrap(), |held| {
        held.state = ClientState::Downloading;
    });
    shore.harbour.tick().await;
    id
}

/// Presses the button, after which it downloads and does not fall at once.
async fn retry(scene: &Scene, id: WorkId) {
    let told = scene.says(ANNA, "Stopped at").await;
    scene.server.press(&anna(), told.id, "Retry");
    let harbour = &scene.shore().harbour;
    until("it downloads", || async { harbour.state(id).await == "downloading" }).await;
    scene.rests().await;
    assert_eq!(scene.server.toasts(), ["It goes on."]);
    harbour.tick().await;
    assert_eq!(harbour.state(id).await, "downloading", "it does not fall at once");
}

fn additions(scene: &Scene, torrent: &Torrent) -> usize {
    let deeds = scene.shore().client.deeds();
    let hash = torrent.v1.clone().unwrap();
    let added =
        |deed: &Deed| matches!(deed, Deed::Added(hashes) if hashes.iter().any(|it| *it == hash));
    deeds.iter().filter(|deed| added(deed)).count()
}

async fn d02_1_a_healthy_torrent_is_taken_up_again(backend: Backend) {
    let scene = Scene::ashore(backend).await;
    let torrent = Torrent::sample(FILM);
    let id = given_up(&scene, &torrent).await;
    retry(&scene, id).await;
    assert_eq!(additions(&scene, &torrent), 1, "no second one");
}

async fn d02_2_after_a_retry_idleness_counts_anew(backend: Backend) {
    let scene = Scene::ashore(backend).await;
    let torrent = Torrent::sample(FILM);
    let id = coming(&scene, &torrent).await;
    let (shore, hash) = (scene.shore(), torrent.v1.clone().unwrap());
    shore.client.change(&hash, |held| held.state = ClientState::StalledDl);
    shore.harbour.elapse(PAST_STUCK * 10).await;
    shore.harbour.work().await;
    assert_eq!(shore.harbour.state(id).await, "stuck");
    retry(&scene, id).await;
    assert_eq!(additions(&scene, &torrent), 1);
}

async fn d02_3_retry_works_from_telegram(backend: Backend) {
    let scene = Scene::ashore(backend).await;
    let torrent = Torrent::sample(FILM);
    let id = given_up(&scene, &torrent).await;
    let told = scene.says(ANNA, "Nobody gave the magnet's metadata").await;
    assert!(told.buttons.iter().any(|(text, _)| text == "Retry"), "{:?}", told.buttons);
    retry(&scene, id).await;
    let journal = scene.shore().harbour.journal(id).await;
    let last = journal.last().unwrap();
    assert_eq!(format!("{:?} {}", last.actor, last.milestone), "Person(\"telegram\") downloading");
    let told: Vec<_> = scene.server.texts(ANNA);
    assert!(told.iter().all(|text| !text.contains("Stopped")), "{told:?}");
}

async fn d02_4_without_a_torrent_the_source_is_added_again(backend: Backend) {
    let scene = Scene::ashore(backend).await;
    let torrent = Torrent::sample(FILM);
    let id = given_up(&scene, &torrent).await;
    scene.shore().client.lose(&torrent.v1.clone().unwrap());
    retry(&scene, id).await;
    assert_eq!(additions(&scene, &torrent), 2);
}

async fn d02_5_a_broken_torrent_is_given_again(backend: Backend) {
    let scene = Scene::ashore(backend).await;
    let torrent = Torrent::sample(FILM);
    let id = coming(&scene, &torrent).await;
    let (shore, hash) = (scene.shore(), torrent.v1.clone().unwrap());
    shore.client.change(&hash, |held| held.state = ClientState::MissingFiles);
    shore.harbour.tick().await;
    assert_eq!(shore.harbour.state(id).await, "failed/client_error");
    retry(&scene, id).await;
    assert_eq!(additions(&scene, &torrent), 2);
}

async fn d02_6_stored_bytes_are_added_as_a_file(backend: Backend) {
    let mut scene = Scene::ashore(backend).await;
    let torrent = Torrent::sample(FILM);
    let id = coming(&scene, &torrent).await;
    let hash = torrent.v1.clone().unwrap();
    // Hours pass at once, of which a request that waits would notice too much.
    scene.kill().await;
    let shore = scene.shore();
    shore.client.lose(&hash);
    shore.harbour.reach(id, "failed/torrent_gone").await;
    scene.start();
    retry(&scene, id).await;
    let held = scene.shore().client.held(&hash).expect("it is there");
    assert_eq!(held.bytes.as_ref(), Some(&torrent.bytes));
}

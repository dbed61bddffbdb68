//! Updates come at least once and are acted on once, whatever happens in between.

use verst_testkit::telegram::{Person, Trick};
use verst_testkit::torrents::Torrent;
use verst_testkit::{Backend, tone};

use crate::support::{ANNA, BOB, Scene, anna, until};

on_every_store!(
    a_restart_in_the_middle_of_a_batch_acts_once,
    an_answer_that_is_lost_on_the_way_changes_nothing,
    a_file_that_breaks_off_is_fetched_again,
    chats_do_not_wait_for_one_another,
);

async fn a_restart_in_the_middle_of_a_batch_acts_once(backend: Backend) {
    let mut scene = Scene::ashore(backend).await;
    let films: Vec<_> = (0..4).map(|n| Torrent::sample(&format!("Film.{n}.2018.mkv"))).collect();
    for film in &films {
        scene.server.voice(&anna(), &tone(1));
        scene.server.text(&anna(), &film.magnet(None));
    }
    let mut lives = 0;
    loop {
        let before = scene.everything().await.len();
        if before == 8 {
            break;
        }
        // It dies after whatever it has just done.
        let more = || async { scene.everything().await.len() > before };
        until("something more was done", more).await;
        scene.kill().await;
        scene.start();
        lives += 1;
        assert!(lives < 20, "it gets nowhere");
    }
    scene.rests().await;
    assert_eq!(scene.everything().await.len(), 8, "each once");
    assert!(lives > 1, "it was killed in the middle");
    for id in scene.everything().await {
        let chat = verst_service::ChatId(ANNA);
        let told = scene.world.store.status_message(id, chat).await.unwrap();
        assert!(told.is_some(), "{id} was told of");
    }
}

async fn an_answer_that_is_lost_on_the_way_changes_nothing(backend: Backend) {
    let scene = Scene::scripted(backend).await;
    scene.server.play("getUpdates", Trick::Silence);
    scene.server.play("getFile", Trick::BadGateway);
    scene.server.voice(&anna(), &tone(1));
    scene.only().await;
    scene.rests().await;
    assert_eq!(scene.everything().await.len(), 1);
    assert_eq!(scene.trouble(), None);
}

async fn a_file_that_breaks_off_is_fetched_again(backend: Backend) {
    let scene = Scene::scripted(backend).await;
    scene.server.play("file", Trick::Silence);
    scene.server.voice(&anna(), &tone(1));
    let id = scene.only().await;
    scene.rests().await;
    let size = u64::try_from(tone(1).len()).unwrap();
    assert_eq!(scene.world.view(id).await.recording.given.size_bytes, size, "and whole");
    assert_eq!(scene.server.fetched().len(), 2);
}

async fn chats_do_not_wait_for_one_another(backend: Backend) {
    let scene = Scene::scripted(backend).await;
    for _ in 0..3 {
        scene.server.play("file", Trick::Silence);
    }
    scene.server.voice(&anna(), &tone(1));
    scene.server.text(&anna(), "/help");
    scene.server.text(&Person::alone(BOB, "en"), "/help");
    scene.says(BOB, "Send or forward").await;
    assert!(scene.server.sent(ANNA).is_empty(), "what came later in a chat waits");
    scene.says(ANNA, "Send or forward").await;
    let texts = scene.server.texts(ANNA);
    assert!(texts[0].contains("Recording"), "and comes later: {texts:?}");
}

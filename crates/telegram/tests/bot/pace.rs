//! Messages that move: seldom enough for Telegram, and never over what came last.

use std::time::Duration;

use verst_service::Failure;
use verst_testkit::telegram::Trick;
use verst_testkit::{Backend, Outcome, tone};

use crate::support::{ANNA, Scene, anna, until};

on_every_store!(
    a_message_follows_the_thing_and_keeps_its_pace,
    whoever_wants_silence_gets_it,
    what_somebody_deleted_is_not_sent_again,
);

fn percent(percent: i64) -> Outcome<verst_testkit::OfRecording> {
    let why = Failure::new("recognising").int("percent", percent);
    Outcome::Defer { delay: Duration::ZERO, why, product: None }
}

async fn a_message_follows_the_thing_and_keeps_its_pace(backend: Backend) {
    let scene = Scene::scripted(backend).await;
    scene.server.voice(&anna(), &tone(1));
    let status = scene.says(ANNA, "taken in").await;
    let id = scene.only().await;
    scene.world.reach(id, "submitted").await;
    for step in 1..=40 {
        scene.world.script.once("submitted", percent(step));
        scene.world.turn().await;
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    scene.says(ANNA, "40 %").await;
    let sent = scene.server.sent(ANNA);
    assert_eq!((sent.len(), sent[0].id), (1, status.id));
    let edits = &sent[0].edited;
    assert!(edits.len() >= 2, "{edits:?}");
    for pair in edits.windows(2) {
        let between = pair[1] - pair[0];
        assert!(between >= Duration::from_millis(2900), "{between:?}");
    }
}

async fn whoever_wants_silence_gets_it(backend: Backend) {
    let scene = Scene::scripted(backend).await;
    scene.server.play("sendMessage", Trick::SlowDown(1));
    scene.server.voice(&anna(), &tone(1));
    scene.says(ANNA, "taken in").await;
    assert_eq!(scene.server.called("sendMessage"), 2);
    let id = scene.only().await;
    scene.server.play("editMessageText", Trick::SlowDown(5));
    scene.world.reach(id, "submitted").await;
    scene.says(ANNA, "being recognised").await;
    assert_eq!(scene.server.called("editMessageText"), 2, "and nothing in between");
    // The end is told all the same.
    scene.server.play("editMessageText", Trick::SlowDown(1));
    scene.server.play("editMessageText", Trick::BadGateway);
    scene.world.service.stop(id, "anna").await.unwrap();
    scene.says(ANNA, "Stopped at").await;
}

async fn what_somebody_deleted_is_not_sent_again(backend: Backend) {
    let scene = Scene::scripted(backend).await;
    scene.server.voice(&anna(), &tone(1));
    let status = scene.says(ANNA, "taken in").await;
    let id = scene.only().await;
    scene.server.delete(ANNA, status.id);
    scene.world.reach(id, "submitted").await;
    until("it was tried", || async { scene.server.called("editMessageText") == 1 }).await;
    assert!(scene.server.sent(ANNA).is_empty());
    // But the end is told.
    scene.world.service.stop(id, "anna").await.unwrap();
    scene.says(ANNA, "Stopped at").await;
}

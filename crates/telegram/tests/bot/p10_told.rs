//! P10 through the bot: every stop tells the sender.

use std::time::Duration;

use verst_service::Failure;
use verst_testkit::{Backend, Limits, Outcome, Setup, tone};

use crate::support::{ANNA, Scene, anna, until};

on_every_store!(
    p10_1_a_stop_by_failures_is_told,
    p10_2_a_stop_by_time_is_told,
    a_persons_stop_is_told_and_lifted_by_a_button,
);

async fn p10_1_a_stop_by_failures_is_told(backend: Backend) {
    let scene = Scene::scripted(backend).await;
    scene.world.script.always("uploaded", Outcome::Fail(Failure::new("engine_died")));
    scene.server.voice(&anna(), &tone(1));
    scene.says(ANNA, "taken in").await;
    let id = scene.only().await;
    while scene.world.view(id).await.work.stop.is_none() {
        scene.world.pass_pause(id).await;
        scene.world.turn().await;
    }
    let told = scene.says(ANNA, "Stopped at").await;
    assert!(told.text.contains("recogniser's process ended"), "{}", told.text);
    assert!(!told.silent);
    assert_eq!(scene.server.sent(ANNA).len(), 1, "one message about a thing");
    assert_eq!(scene.world.tally.undelivered(), []);
    assert!(scene.world.logs.everything().contains("reason=failures"));
}

async fn p10_2_a_stop_by_time_is_told(backend: Backend) {
    let limits = Limits { foreign_patience: Duration::from_hours(2), ..Limits::default() };
    let scene = Scene::with(backend, Setup { limits, ..Setup::default() }).await;
    let running = Outcome::Defer {
        delay: Duration::from_hours(1),
        why: Failure::new("recognising"),
        product: None,
    };
    scene.world.script.always("submitted", running);
    scene.server.voice(&anna(), &tone(1));
    scene.says(ANNA, "taken in").await;
    let id = scene.only().await;
    scene.world.reach(id, "submitted").await;
    while scene.world.view(id).await.work.stop.is_none() {
        scene.world.pass_pause(id).await;
        scene.world.turn().await;
    }
    let told = scene.says(ANNA, "Stopped at").await;
    assert!(told.text.contains("being recognised") && told.text.contains('2'), "{}", told.text);
    assert_eq!(scene.world.tally.undelivered(), []);
    assert!(scene.world.logs.everything().contains("reason=stuck"));
}

async fn a_persons_stop_is_told_and_lifted_by_a_button(backend: Backend) {
    let scene = Scene::scripted(backend).await;
    scene.server.voice(&anna(), &tone(1));
    let status = scene.says(ANNA, "taken in").await;
    let id = scene.only().await;
    scene.server.press(&anna(), status.id, "Stop");
    let told = scene.says(ANNA, "Stopped at").await;
    assert_eq!(
        scene.world.view(id).await.work.stop.map(|it| it.failure.code.to_string()).as_deref(),
        Some("stopped_by_person")
    );
    scene.server.press(&anna(), told.id, "Go on");
    until("it goes on", || async { scene.world.view(id).await.work.stop.is_none() }).await;
    scene.rests().await;
    assert_eq!(scene.server.toasts(), ["Stopped.", "It goes on."]);
    let shown = &scene.server.sent(ANNA)[0];
    assert!(shown.buttons.iter().any(|(text, _)| text == "Stop"), "{shown:?}");
    let people = scene.world.journal(id).await;
    let actors: Vec<String> = people.iter().map(|entry| format!("{:?}", entry.actor)).collect();
    assert_eq!(actors, ["Person(\"telegram\")"; 2]);
}

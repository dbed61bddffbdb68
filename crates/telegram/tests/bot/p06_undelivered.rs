//! P06 and P07 through the bot: an undelivered reply fails nothing, and things without owner go their
//! way.

use verst_service::{Source, WorkId};
use verst_testkit::telegram::Person;
use verst_testkit::{Backend, ScriptedProvider, Undelivered, World, tone};

use crate::support::{ANNA, BOB, Scene, anna};

on_every_store!(
    p06_1_a_person_who_blocked_the_bot_is_not_reached_and_the_work_is_done,
    p06_1_a_chat_that_is_gone_is_treated_alike,
    p06_2_a_missing_addressee_is_an_error_and_no_failure,
    p06_3_a_stop_holds_though_nobody_could_be_told,
    p06_4_over_http_there_is_nobody_to_tell,
    p07_2_what_comes_from_an_unlinked_chat_has_no_owner_and_goes_its_way,
);

async fn undelivered(scene: &Scene, id: WorkId, causes: &[Undelivered]) {
    let view = scene.world.view(id).await;
    assert_eq!((view.work.milestone.as_str(), view.work.failures), ("done", 0));
    assert_eq!(view.work.stop, None);
    assert_eq!(scene.world.tally.undelivered(), causes);
    let everything = scene.world.logs.everything();
    for content in [ScriptedProvider::TEXT, World::NAME] {
        assert!(!everything.contains(content), "{content} leaked: {everything}");
    }
}

async fn p06_1_a_person_who_blocked_the_bot_is_not_reached_and_the_work_is_done(backend: Backend) {
    let scene = Scene::real(backend).await;
    scene.server.voice(&anna(), &tone(1));
    scene.says(ANNA, "taken in").await;
    let id = scene.only().await;
    scene.server.block(ANNA);
    scene.world.reach(id, "done").await;
    undelivered(&scene, id, &[Undelivered::SendFailed]).await;
    let records = scene.world.logs.everything();
    assert!(records.contains("reason=blocked"), "with its reason: {records}");
}

async fn p06_1_a_chat_that_is_gone_is_treated_alike(backend: Backend) {
    let scene = Scene::real(backend).await;
    scene.server.voice(&anna(), &tone(1));
    scene.says(ANNA, "taken in").await;
    let id = scene.only().await;
    scene.server.remove_chat(ANNA);
    scene.world.reach(id, "done").await;
    undelivered(&scene, id, &[Undelivered::SendFailed]).await;
    assert!(scene.world.logs.everything().contains("reason=chat_gone"));
}

async fn p06_2_a_missing_addressee_is_an_error_and_no_failure(backend: Backend) {
    let scene = Scene::real(backend).await;
    let id = scene.world.submit_from(Source::Telegram, None, tone(1)).await.unwrap();
    scene.world.reach(id, "done").await;
    undelivered(&scene, id, &[Undelivered::NoAddressee]).await;
    assert!(scene.server.sent(ANNA).is_empty());
}

async fn p06_3_a_stop_holds_though_nobody_could_be_told(backend: Backend) {
    let scene = Scene::scripted(backend).await;
    scene.server.voice(&anna(), &tone(1));
    scene.says(ANNA, "taken in").await;
    let id = scene.only().await;
    scene.server.block(ANNA);
    scene.world.service.stop(id, "anna").await.unwrap();
    assert!(scene.world.view(id).await.work.stop.is_some());
    let records = scene.world.logs.everything();
    assert!(records.contains("reason=blocked") && records.contains(&format!("work={id}")));
}

async fn p06_4_over_http_there_is_nobody_to_tell(backend: Backend) {
    let scene = Scene::real(backend).await;
    let id = scene.world.submit_from(Source::Http, None, tone(1)).await.unwrap();
    scene.world.reach(id, "done").await;
    undelivered(&scene, id, &[]).await;
    assert!(scene.server.sent(ANNA).is_empty());
}

async fn p07_2_what_comes_from_an_unlinked_chat_has_no_owner_and_goes_its_way(backend: Backend) {
    let scene = Scene::real(backend).await;
    let nobodys = {
        scene.server.voice(&anna(), &tone(1));
        scene.says(ANNA, "taken in").await;
        scene.only().await
    };
    let annas = scene.world.accept_from(Source::Http, None, Some("anna")).await;
    assert_eq!(scene.world.view(nobodys).await.recording.given.owner, None);
    scene.world.reach(nobodys, "done").await;
    scene.says(ANNA, ScriptedProvider::TEXT).await;
    // To others in other chats it does not exist.
    scene.server.text(&Person::alone(BOB, "en"), &format!("/text {nobodys}"));
    scene.says(BOB, "no such thing").await;
    scene.server.text(&anna(), &format!("/text {annas}"));
    scene.says(ANNA, "no such thing").await;
}

//! Telegram in trouble: people who run the service see it, and the bot goes on by itself.

use verst_testkit::telegram::Trick;
use verst_testkit::{Backend, tone};

use crate::support::{ANNA, Scene, anna, until};

async fn troubled(scene: &Scene, code: Option<&str>) {
    until(&format!("the trouble is {code:?}"), || async { scene.trouble().as_deref() == code })
        .await;
}

#[tokio::test]
async fn another_program_that_asks_is_told_of_and_outlasted() {
    let scene = Scene::scripted(Backend::Sqlite).await;
    scene.server.text(&anna(), "/help");
    scene.says(ANNA, "Send or forward").await;
    scene.server.rival(true);
    troubled(&scene, Some("telegram_conflict")).await;
    scene.server.voice(&anna(), &tone(1));
    scene.server.rival(false);
    scene.says(ANNA, "taken in").await;
    troubled(&scene, None).await;
}

#[tokio::test]
async fn a_revoked_token_is_told_of_and_recordings_go_on() {
    let scene = Scene::real(Backend::Sqlite).await;
    scene.server.voice(&anna(), &tone(1));
    scene.says(ANNA, "taken in").await;
    scene.server.revoke();
    scene.server.text(&anna(), "/help");
    troubled(&scene, Some("telegram_unauthorised")).await;
    let id = scene.only().await;
    scene.world.reach(id, "done").await;
}

#[tokio::test]
async fn a_gateway_and_a_broken_network_pass() {
    let scene = Scene::scripted(Backend::Sqlite).await;
    until("it asks", || async { scene.server.called("getUpdates") > 0 }).await;
    for trick in [Trick::BadGateway, Trick::Silence, Trick::Refuse(500, "Internal Server Error")] {
        scene.server.play("getUpdates", trick);
    }
    scene.server.text(&anna(), "hello");
    scene.says(ANNA, "no magnet link").await;
    scene.server.play("getUpdates", Trick::BadGateway);
    scene.server.text(&anna(), "hello again");
    troubled(&scene, Some("telegram_unreachable")).await;
    troubled(&scene, None).await;
    until("both are answered", || async { scene.server.sent(ANNA).len() == 2 }).await;
}

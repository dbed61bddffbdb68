//! Nothing that somebody said or typed, and no token, is in a log or a journal.

use std::fmt::Write;

use verst_testkit::telegram::{BotServer, Trick};
use verst_testkit::{Backend, ScriptedProvider, tone};

use crate::support::{ANNA, GROUP, Scene, anna};

on_every_store!(nothing_said_or_typed_and_no_token_is_written_down);

async fn nothing_said_or_typed_and_no_token_is_written_down(backend: Backend) {
    let mut scene = Scene::real(backend).await;
    scene.server.text(&anna(), "canary-typed and more");
    scene.server.text(&anna(), "/find canary-typed");
    scene.server.text(&anna(), "/link canary-typed");
    scene.server.document(&anna(), "canary-name.ogg", &tone(1));
    scene.says(ANNA, "canary-name").await;
    scene.server.play("getUpdates", Trick::BadGateway);
    scene.server.play("file", Trick::Silence);
    scene.server.voice(&anna().within(GROUP), &tone(1));
    scene.says(GROUP, "taken in").await;
    let ids = scene.everything().await;
    scene.world.reach(ids[0], "done").await;
    scene.says(ANNA, ScriptedProvider::TEXT).await;
    scene.server.block(GROUP);
    scene.world.service.stop(ids[1], "anna").await.unwrap();
    scene.kill().await;
    let mut written = scene.world.logs.everything();
    for id in ids {
        writeln!(written, "{:?}", scene.world.journal(id).await).unwrap();
    }
    assert!(written.contains("blocked"), "there is something to look through: {written}");
    let secret = BotServer::TOKEN.split_once(':').unwrap().1;
    for canary in ["canary-typed", "canary-name", ScriptedProvider::TEXT, secret, "/bot123456"] {
        assert!(!written.contains(canary), "{canary} leaked: {written}");
    }
}

//! A chat is linked to an account by a code.

use std::time::Duration;

use verst_service::accounts::Role;
use verst_service::link_code;
use verst_testkit::telegram::Person;
use verst_testkit::{Backend, ScriptedProvider, tone};

use crate::support::{ANNA, BOB, Scene, anna};

on_every_store!(a_code_links_a_chat_and_what_came_from_it, a_code_is_good_once_and_for_ten_minutes);

async fn code(scene: &Scene, owner: &str) -> String {
    let (chats, random) = (&*scene.world.store, &*scene.world.service.random);
    link_code(chats, random, owner, scene.world.now()).await.unwrap()
}

async fn a_code_links_a_chat_and_what_came_from_it(backend: Backend) {
    let scene = Scene::real(backend).await;
    let add = scene.world.service.add_account("anna", "a long enough password", Role::Owner);
    let account = add.await.unwrap();
    scene.server.voice(&anna(), &tone(1));
    scene.says(ANNA, "taken in").await;
    let before = scene.only().await;
    scene.server.text(&anna(), "/link");
    scene.says(ANNA, "Ask whoever runs Verst for a code").await;
    let code = code(&scene, "anna").await;
    scene.server.text(&anna(), &format!("/link {}", code.to_uppercase()));
    scene.says(ANNA, "linked to the account “anna”").await;
    assert_eq!(scene.world.view(before).await.recording.given.owner.as_deref(), Some("anna"));
    scene.server.voice(&anna(), &tone(1));
    scene.rests().await;
    let after = scene.everything().await[1];
    assert_eq!(scene.world.view(after).await.recording.given.owner.as_deref(), Some("anna"));
    scene.world.reach(after, "done").await;
    let word = ScriptedProvider::TEXT.split_whitespace().next().unwrap();
    scene.server.text(&anna(), &format!("/find {word}"));
    scene.says(ANNA, &format!("{after}.")).await;
    // An account by which nobody comes in shows nothing here either.
    scene.world.service.add_account("root", "a long enough password", Role::Admin).await.unwrap();
    scene.world.service.disable_account(account).await.unwrap();
    scene.server.text(&anna(), &format!("/find {word}"));
    scene.says(ANNA, "To search, link").await;
    scene.server.text(&anna(), "/unlink");
    scene.says(ANNA, "The link is off").await;
    scene.server.text(&anna(), "/unlink");
    scene.says(ANNA, "not linked").await;
    scene.server.voice(&anna(), &tone(1));
    scene.rests().await;
    let later = scene.everything().await[2];
    assert_eq!(scene.world.view(later).await.recording.given.owner, None);
}

async fn a_code_is_good_once_and_for_ten_minutes(backend: Backend) {
    let scene = Scene::scripted(backend).await;
    let used = code(&scene, "anna").await;
    let late = code(&scene, "anna").await;
    scene.server.text(&anna(), &format!("/link {used}"));
    scene.says(ANNA, "linked to the account").await;
    let bob = Person::alone(BOB, "en");
    scene.server.text(&bob, &format!("/link {used}"));
    scene.world.pass(Duration::from_mins(11));
    scene.server.text(&bob, &format!("/link {late}"));
    scene.server.text(&bob, "/link nonsense");
    scene.rests().await;
    let wrong = scene.server.texts(BOB);
    assert_eq!(wrong.len(), 3);
    assert!(wrong.iter().all(|text| text.contains("links nothing")), "{wrong:?}");
    let linked = scene.world.store.linked_chats(None).await.unwrap();
    assert_eq!(linked.len(), 1);
}

//! Commands and buttons, and who may see what.

use std::sync::Arc;

use verst_service::Source;
use verst_testkit::telegram::Person;
use verst_testkit::torrents::Torrent;
use verst_testkit::{Backend, ScriptedProvider, Setup, tone};

use crate::support::{ADMIN, ANNA, BOB, GROUP, Scene, anna};

on_every_store!(
    a_list_is_of_what_came_from_the_chat,
    an_admin_finds_everything_where_nobody_reads_along,
    a_long_text_comes_as_its_beginning_and_a_file,
    buttons_do_nothing_to_what_is_not_seen,
    commands_are_said_in_the_language_of_who_asks,
);

async fn a_list_is_of_what_came_from_the_chat(backend: Backend) {
    let scene = Scene::ashore(backend).await;
    scene.server.text(&anna(), "/list");
    scene.says(ANNA, "Nothing has come yet").await;
    let film = Torrent::sample("A <Film> 2018.mkv");
    scene.server.document(&anna(), "a.torrent", &film.bytes);
    scene.server.voice(&Person::alone(BOB, "en"), &tone(1));
    scene.rests().await;
    scene.server.text(&anna(), "/list");
    let list = scene.says(ANNA, ". A <Film> 2018").await;
    assert!(!list.text.contains("Recording"), "{}", list.text);
    scene.server.text(&anna().within(GROUP), "/list@verst_test_bot");
    scene.says(GROUP, "Nothing has come yet").await;
}

async fn an_admin_finds_everything_where_nobody_reads_along(backend: Backend) {
    let scene = Scene::real(backend).await;
    let id = scene.world.submit_from(Source::Http, None, tone(1)).await.unwrap();
    scene.world.reach(id, "done").await;
    let word = ScriptedProvider::TEXT.split_whitespace().next().unwrap();
    let admin = Person::alone(ADMIN, "en");
    scene.server.text(&admin, &format!("/find {word}"));
    let found = scene.says(ADMIN, &format!("{id}.")).await;
    assert!(found.text.contains(word), "{}", found.text);
    scene.server.text(&admin, "/find zzzz");
    scene.says(ADMIN, "Nothing was found").await;
    scene.server.text(&admin, "/find ?");
    scene.says(ADMIN, "Say what to look for").await;
    scene.server.text(&admin, &format!("/text {id}"));
    scene.says(ADMIN, ScriptedProvider::TEXT).await;
    scene.server.text(&admin.within(GROUP), &format!("/find {word}"));
    scene.says(GROUP, "Others read along").await;
    scene.server.text(&anna(), &format!("/find {word}"));
    scene.says(ANNA, "link this chat").await;
}

async fn a_long_text_comes_as_its_beginning_and_a_file(backend: Backend) {
    let text = "<слово> & ".repeat(2000);
    let provider = ScriptedProvider::new(0).hearing(text.trim());
    let recognisers = vec![Arc::new(provider) as Arc<_>];
    let scene = Scene::with(backend, Setup { recognisers, ..Setup::default() }).await;
    let asked = scene.server.voice(&anna(), &tone(1));
    scene.says(ANNA, "taken in").await;
    let id = scene.only().await;
    scene.world.reach(id, "done").await;
    let told = scene.says(ANNA, "whole text is in the file").await;
    assert!(told.text.starts_with("<слово> & "), "{}", told.text);
    assert!(told.text.encode_utf16().count() <= 4096);
    let sent = scene.server.sent(ANNA);
    let (name, bytes) = sent.last().unwrap().document.clone().expect("a file");
    assert_eq!(sent.last().unwrap().answers, Some(asked));
    assert_eq!(name, format!("verst-{id}.txt"));
    assert_eq!(String::from_utf8(bytes).unwrap().trim(), text.trim());
    assert_eq!(sent.len(), 2);
}

async fn buttons_do_nothing_to_what_is_not_seen(backend: Backend) {
    let scene = Scene::scripted(backend).await;
    scene.server.voice(&anna(), &tone(1));
    scene.says(ANNA, "taken in").await;
    let id = scene.only().await;
    let bob = Person::alone(BOB, "en");
    for data in [format!("s:{id}"), "s:999".to_owned(), "rm -rf".to_owned(), String::new()] {
        scene.server.press_data(&bob, 1, &data);
    }
    scene.rests().await;
    assert_eq!(scene.server.toasts(), ["There is no such thing here, or it was deleted."; 4]);
    assert_eq!(scene.world.view(id).await.work.stop, None);
}

async fn commands_are_said_in_the_language_of_who_asks(backend: Backend) {
    let scene = Scene::scripted(backend).await;
    scene.server.text(&Person::alone(ANNA, "ru-RU"), "/start");
    scene.says(ANNA, "Пришлите голосовое").await;
    scene.server.text(&Person::alone(BOB, "de"), "/help");
    scene.says(BOB, "Send or forward").await;
    scene.server.text(&anna(), "/dance");
    scene.says(ANNA, "Send or forward").await;
    assert_eq!(scene.server.called("setMyCommands"), 2, "in both languages");
}

//! The server of the tests against the types of the library, which others use against the real one.

use frankenstein::types::{File, Message, User};
use frankenstein::updates::Update;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use verst_testkit::{Backend, tone};

use crate::support::{ANNA, Scene, anna};

/// Reads as this type, and nothing of it is lost on the way.
#[track_caller]
fn strictly<T: Serialize + DeserializeOwned>(method: &str, said: &Value) {
    let read: T = serde_json::from_value(said.clone())
        .unwrap_or_else(|error| panic!("{method}: {error}: {said}"));
    assert_eq!(&serde_json::to_value(&read).unwrap(), said, "{method}");
}

#[tokio::test]
async fn what_the_server_says_reads_strictly_as_the_library_s_types() {
    let scene = Scene::ashore(Backend::Sqlite).await;
    scene.server.voice(&anna(), &tone(1));
    let status = scene.says(ANNA, "taken in").await;
    let id = scene.only().await;
    scene.server.press_data(&anna(), status.id, &format!("s:{id}"));
    scene.says(ANNA, "Stopped").await;
    scene.server.document(&anna(), "a.txt", b"nothing in it");
    scene.server.text(&anna(), "/list");
    scene.rests().await;
    let mut seen = std::collections::BTreeSet::new();
    for (method, said) in scene.server.said() {
        match method.as_str() {
            "getMe" => strictly::<User>(&method, &said),
            "getUpdates" => strictly::<Vec<Update>>(&method, &said),
            "getFile" => strictly::<File>(&method, &said),
            "sendMessage" | "editMessageText" | "sendDocument" => {
                strictly::<Message>(&method, &said);
            }
            "setMyCommands" | "answerCallbackQuery" | "deleteMessage" => {
                assert_eq!(said, json!(true), "{method}");
            }
            other => panic!("{other} is compared with nothing"),
        }
        seen.insert(method);
    }
    for method in ["getMe", "getUpdates", "getFile", "sendMessage", "editMessageText"] {
        assert!(seen.contains(method), "{method} was never called");
    }
}

//! What people send, and what comes back.

use serde_json::json;
use verst_testkit::telegram::Person;
use verst_testkit::torrents::Torrent;
use verst_testkit::{Backend, ScriptedProvider, tone};

use crate::support::{ANNA, GROUP, PANEL, Scene, anna};

on_every_store!(
    a_voice_message_becomes_a_text,
    a_file_is_known_by_its_bytes,
    magnets_anywhere_in_a_text_are_taken,
    what_is_under_a_file_is_read_too,
    a_text_with_nothing_gets_help_where_nobody_else_reads,
    a_file_that_is_too_large_is_told_at_once,
    strangers_hear_one_answer_and_cost_nothing,
    a_local_server_hands_files_over_on_the_disk,
);

async fn a_voice_message_becomes_a_text(backend: Backend) {
    let scene = Scene::real(backend).await;
    let asked = scene.server.voice(&anna(), &tone(1));
    let status = scene.says(ANNA, "taken in").await;
    assert!(status.silent, "nobody needs to be called for that");
    assert_eq!(status.answers, Some(asked));
    assert!(status.buttons.iter().any(|(text, _)| text == "Stop"), "{:?}", status.buttons);
    let id = scene.only().await;
    let view = scene.world.view(id).await;
    assert_eq!(view.recording.given.reply_to, Some(format!("{ANNA}:{asked}")));
    assert_eq!((view.recording.given.owner, view.recording.given.name), (None, None));
    scene.world.reach(id, "done").await;
    let result = scene.says(ANNA, ScriptedProvider::TEXT).await;
    assert_eq!(result.id, status.id, "one message about a thing");
    let open = format!("{PANEL}/recordings/{id}");
    assert_eq!(result.buttons, [("Open in the panel".to_owned(), open)]);
    assert_eq!(scene.server.sent(ANNA).len(), 1);

    // Later, whoever waits is called by a new message in its place.
    let asked = scene.server.voice(&anna(), &tone(1));
    scene.says(ANNA, "taken in").await;
    scene.world.pass(std::time::Duration::from_hours(1));
    let id = scene.everything().await[1];
    scene.world.reach(id, "done").await;
    let sent = scene.server.sent(ANNA);
    assert_eq!(sent.len(), 2, "{sent:?}");
    assert_eq!((sent[1].answers, sent[1].silent), (Some(asked), false));
}

async fn a_file_is_known_by_its_bytes(backend: Backend) {
    let scene = Scene::ashore(backend).await;
    scene.server.document(&anna(), "report.pdf", &tone(1));
    scene.says(ANNA, "report.pdf").await;
    let film = Torrent::sample("Some.Film.2019.1080p.BluRay.x264-GROUP.mkv");
    scene.server.document(&anna(), "song.mp3", &film.bytes);
    scene.says(ANNA, "Some.Film.2019").await;
    let none = scene.server.document(&anna(), "song.mp3", b"%PDF-1.7 nothing to hear in here");
    let refused = scene.says(ANNA, "not an audio or video file").await;
    assert_eq!(refused.answers, Some(none));
    scene.rests().await;
    assert_eq!(scene.everything().await.len(), 2);
    // However it was sent.
    let mut song = scene.server.file(&tone(1), "music/file_9.oga");
    song["duration"] = json!(1);
    song["title"] = json!("<Song> & more");
    let origin = json!({"type": "hidden_user", "date": 1, "sender_user_name": "B"});
    scene.server.write(&anna(), &json!({"audio": song, "forward_origin": origin}));
    scene.says(ANNA, "<Song> & more").await;
}

async fn magnets_anywhere_in_a_text_are_taken(backend: Backend) {
    let scene = Scene::ashore(backend).await;
    let films = ["One.2018.mkv", "Two.2019.mkv"].map(Torrent::sample);
    let links = films.each_ref().map(|film| film.magnet(None));
    let text = format!("these two: {}, {} and magnet:?broken, please", links[0], links[1]);
    scene.server.text(&anna(), &text);
    scene.says(ANNA, "1 more link looked like a magnet").await;
    scene.rests().await;
    assert_eq!(scene.everything().await.len(), 2);
    let about = scene.server.sent(ANNA).iter().filter(|it| it.text.contains("taken in")).count();
    assert_eq!(about, 2, "{:?}", scene.server.texts(ANNA));
    scene.server.text(&anna(), &links[0]);
    scene.rests().await;
    assert_eq!(scene.everything().await.len(), 2, "the same download");
    let about = scene.server.sent(ANNA).iter().filter(|it| it.text.contains("taken in")).count();
    assert_eq!(about, 3, "and its sender is told how it stands");
}

async fn what_is_under_a_file_is_read_too(backend: Backend) {
    let scene = Scene::ashore(backend).await;
    let film = Torrent::sample("One.2018.mkv");
    let mut voice = scene.server.file(&tone(1), "voice/file_1.oga");
    voice["duration"] = json!(1);
    scene.server.write(&anna(), &json!({"voice": voice, "caption": film.magnet(None)}));
    scene.rests().await;
    assert_eq!(scene.everything().await.len(), 2);
}

async fn a_text_with_nothing_gets_help_where_nobody_else_reads(backend: Backend) {
    let scene = Scene::ashore(backend).await;
    let asked = scene.server.text(&anna(), "hello <there>");
    let help = scene.says(ANNA, "no magnet link").await;
    assert_eq!(help.answers, Some(asked));
    scene.server.text(&Person::alone(ANNA, "ru"), "привет");
    scene.says(ANNA, "делать нечего").await;
    scene.server.text(&anna().within(GROUP), "hello");
    scene.server.write(&anna(), &json!({"photo": []}));
    scene.says(ANNA, "This kind of message").await;
    scene.rests().await;
    assert_eq!(scene.server.sent(GROUP).len(), 0, "people talk with one another");
}

async fn a_file_that_is_too_large_is_told_at_once(backend: Backend) {
    let scene = Scene::scripted(backend).await;
    let mut voice = scene.server.file(&tone(1), "voice/file_1.oga");
    (voice["duration"], voice["file_size"]) = (json!(1), json!(20_971_521));
    let asked = scene.server.write(&anna(), &json!({"voice": voice}));
    let told = scene.says(ANNA, "larger than 20 MB").await;
    assert!(told.text.contains(PANEL), "{}", told.text);
    assert_eq!(told.answers, Some(asked));
    // Where its size is not said, Telegram knows it.
    let mut large = scene.server.file(&vec![0; 20_971_521], "voice/file_2.oga");
    large["duration"] = json!(1);
    large.as_object_mut().unwrap().remove("file_size");
    scene.server.write(&anna(), &json!({"voice": large}));
    scene.rests().await;
    assert_eq!(scene.server.sent(ANNA).len(), 2);
    assert!(scene.server.fetched().is_empty(), "and nothing was fetched");
    assert!(scene.everything().await.is_empty());
}

async fn strangers_hear_one_answer_and_cost_nothing(backend: Backend) {
    let scene = Scene::ashore(backend).await;
    let stranger = Person::alone(66, "ru");
    scene.server.voice(&stranger, &tone(1));
    scene.says(66, "бот не знает").await;
    for text in ["/start", "magnet:?xt=urn:btih:dd8255ecdc7ca55fb0bbf81323d87062db1f6d1c"] {
        scene.server.text(&stranger, text);
    }
    scene.server.text(&stranger.within(-9), "hello");
    scene.server.press_data(&stranger, 1, "s:1");
    scene.server.text(&anna(), "hello");
    scene.says(ANNA, "no magnet link").await;
    scene.rests().await;
    assert_eq!(scene.server.sent(66).len(), 1, "one answer");
    assert!(scene.server.sent(66)[0].text.contains("66"), "with the number to be added");
    assert!(scene.server.sent(-9).is_empty() && scene.server.toasts().is_empty());
    assert!(scene.server.fetched().is_empty() && scene.server.called("getFile") == 0);
    assert!(scene.everything().await.is_empty());
    let known = scene.world.store.chat(verst_service::ChatId(66)).await.unwrap();
    assert_eq!(known, None, "nothing is remembered of them");
}

async fn a_local_server_hands_files_over_on_the_disk(backend: Backend) {
    let place = tempfile::tempdir().unwrap();
    let scene = Scene::scripted(backend).await;
    let mut voice = scene.server.file(&tone(1), "123456/voice/file_1.oga");
    voice["duration"] = json!(1);
    let mut outside = scene.server.file(&tone(1), "123456/voice/file_2.oga");
    outside["duration"] = json!(1);
    scene.server.put_files_under(place.path());
    scene.server.write(&anna(), &json!({"voice": voice}));
    scene.says(ANNA, "taken in").await;
    assert!(scene.server.fetched().is_empty(), "it is read from the disk");
    scene.server.name_file("F2", "/etc/hostname");
    scene.server.write(&anna(), &json!({"voice": outside}));
    scene.says(ANNA, "telegram_files").await;
    assert_eq!(scene.everything().await.len(), 1);
}

//! The bot of the real binary: killed with kill -9 in the middle of what was sent to it, and silent
//! about its token.

use std::io::Write;
use std::process::Stdio;
use std::time::Duration;

use verst_testkit::telegram::{BotServer, Person};
use verst_testkit::tone;

use super::support::{Place, sample};

const ANNA: i64 = 700;
const SENT: usize = 12;

fn place(server: &BotServer) -> Place {
    let url = server.url();
    let token = BotServer::TOKEN;
    Place::with_settings(&format!(
        "workers = 0\ntelegram_token = \"{token}\"\ntelegram_api_url = \"{url}\"\n\
         telegram_allow = \"{ANNA}\"\n"
    ))
}

/// Waits until something holds; whoever waits in vain has failed.
async fn until(what: &str, holds: impl Fn() -> bool) {
    let waited = tokio::time::timeout(Duration::from_mins(2), async {
        while !holds() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
    waited.await.unwrap_or_else(|_| panic!("waited in vain until {what}"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_in_the_middle_of_a_batch_it_acts_once() {
    let server = BotServer::start().await;
    let (place, anna) = (place(&server), Person::alone(ANNA, "en"));
    let mut service = place.serve();
    server.text(&anna, "/help");
    until("it answers", || server.texts(ANNA).iter().any(|text| text.contains("Send or forward")))
        .await;
    for _ in 0..SENT {
        server.voice(&anna, &tone(1));
    }
    let about = |server: &BotServer| {
        let texts = server.texts(ANNA);
        texts.iter().filter(|text| text.contains("taken in")).count()
    };
    for taken in [2, 5, 9] {
        until("some are taken in", || about(&server) >= taken).await;
        service.kill();
        service = place.serve();
    }
    until("all are taken in", || about(&server) >= SENT).await;
    server.text(&anna, "/list");
    until("it lists", || server.texts(ANNA).iter().any(|text| text.contains(". Recording"))).await;
    service.kill();
    // The store has a runtime of its own.
    let views = tokio::task::spawn_blocking(move || place.views()).await.unwrap();
    assert_eq!(views.len(), SENT, "each once");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_doctor_asks_for_the_bot_and_nobody_tells_its_token() {
    let server = BotServer::start().await;
    let place = place(&server);
    let told = |output: std::process::Output| {
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    let secret = BotServer::TOKEN.split_once(':').unwrap().1;
    let said = told(place.run(&["doctor"]));
    assert!(said.contains("the bot @verst_test_bot answers"), "{said}");
    let shown = told(place.run(&["config", "show"]));
    // A code is for an account that is there.
    place.run(&["submit", &sample("server-ru.ogg")]);
    let mut adds = place.command(&["user", "add", "anna"]);
    let mut adds = adds.stdin(Stdio::piped()).spawn().unwrap();
    adds.stdin.take().unwrap().write_all(b"a long password\n").unwrap();
    assert!(adds.wait().unwrap().success());
    let code = told(place.run(&["telegram", "code", "anna"]));
    assert!(code.contains("/link "), "{code}");
    server.revoke();
    let refused = told(place.run(&["doctor"]));
    assert!(refused.contains("does not know the bot"), "{refused}");
    for text in [said, shown, code, refused] {
        assert!(!text.contains(secret), "{text}");
    }
}

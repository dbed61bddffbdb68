//! Errors: what each means for the recording and for the others.

use std::time::Duration;

use verst_adapters::openai::OpenAiConfig;
use verst_kernel::Failure;
use verst_recordings::codes;
use verst_recordings::ports::{Called, Hearing, Obstacle, Recogniser, Wish};
use verst_testkit::{OpenAiServer, Served};

use super::bench::Bench;

fn paused(reason: &str, seconds: u64) -> Called {
    let failure = Failure::new(codes::PROVIDER_PAUSED).term("reason", reason);
    Called::NotMade(Obstacle::Paused { delay: Duration::from_secs(seconds), failure })
}

fn refused(code: &'static str) -> Called {
    Called::NotMade(Obstacle::Refused(Failure::new(code)))
}

#[tokio::test]
async fn each_error_has_its_consequence() {
    let page = || Served::Say(200, "text/html", "<html>Log in</html>".to_owned());
    let wait = Served::SayWith(429, ("retry-after", "7".to_owned()), String::new());
    let failed = Called::NotMade(Obstacle::Failed(Failure::new(codes::PROVIDER_FAILED)));
    let unknown = Called::Unknown(Failure::new(codes::PROVIDER_FAILED));
    for (reply, expected) in [
        (Served::error(401, "invalid_api_key", "", "Incorrect API key"), paused("key", 300)),
        (Served::error(429, "insufficient_quota", "", "You exceeded"), paused("quota", 300)),
        (wait, paused("rate", 7)),
        (
            Served::error(404, "model_not_found", "", "The model does not exist"),
            paused("model", 300),
        ),
        (Served::Say(404, "text/plain", "404".to_owned()), paused("address", 300)),
        (page(), paused("address", 300)),
        (
            Served::error(400, "", "file", "Invalid file format."),
            refused(codes::RECOGNISER_REFUSED),
        ),
        (Served::Say(500, "text/plain", "secret text".to_owned()), failed),
        (Served::Say(502, "text/html", "<html>".to_owned()), unknown.clone()),
        (Served::CutAfterBody, unknown),
    ] {
        let bench = Bench::new().await;
        bench.server.order(reply.clone());
        assert_eq!(bench.call().await, expected, "{reply:?}");
        assert_eq!(bench.server.asked().len(), 1, "nothing is repeated");
    }
}

#[tokio::test]
async fn a_paused_provider_is_left_alone_by_the_other_recordings() {
    let bench = Bench::new().await;
    bench.server.order(Served::error(401, "invalid_api_key", "", "Incorrect API key"));
    bench.call().await;
    let hearing = bench.ask().await;
    let Hearing::Obstacle(Obstacle::Paused { delay, failure }) = hearing else {
        panic!("{hearing:?}")
    };
    assert!(delay > Duration::from_mins(4) && failure.code == codes::PROVIDER_PAUSED);
    assert_eq!(bench.server.asked().len(), 1);
}

#[tokio::test]
async fn a_model_or_language_of_its_own_is_the_recordings_trouble() {
    let wish = Wish { language: Some("xx".to_owned()), model: Some("own".to_owned()) };
    let bench = Bench::with(wish, 1, |config| config).await;
    bench.server.order(Served::error(404, "model_not_found", "model", "no such model"));
    assert_eq!(bench.call().await, refused(codes::OWN_MODEL_UNUSABLE));
    bench.server.order(Served::error(400, "", "language", "Invalid language"));
    let unknown = Failure::new(codes::LANGUAGE_UNSUPPORTED).term("language", "xx");
    assert_eq!(bench.call().await, Called::NotMade(Obstacle::Refused(unknown)));
}

#[tokio::test]
async fn a_language_that_was_only_heard_is_not_insisted_on() {
    let longest = Some(Duration::from_secs(20));
    let set = |config| OpenAiConfig { longest, ..config };
    let mut bench = Bench::with(Wish::default(), 1, set).await;
    bench.server.order(Served::Hear);
    bench.server.order(Served::error(400, "", "language", "Invalid language"));
    bench.hear_out().await;
    let asked = bench.server.asked();
    let languages: Vec<_> = asked.iter().map(|it| it.fields.contains_key("language")).collect();
    assert_eq!(languages[..3], [false, true, false]);
    assert!(languages.len() > 3 && !languages[3..].contains(&true), "it is learned");
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let (bench, elsewhere) = (Bench::new().await, OpenAiServer::start());
    let place = format!("{}/audio/transcriptions", elsewhere.url());
    bench.server.order(Served::SayWith(307, ("location", place), String::new()));
    assert_eq!(bench.call().await, paused("address", 300));
    assert!(elsewhere.asked().is_empty(), "neither key nor recording went there");
}

#[tokio::test]
async fn nobody_at_the_address_is_a_definite_no() {
    let set = |config| OpenAiConfig { url: OpenAiServer::nowhere(), ..config };
    let bench = Bench::with(Wish::default(), 1, set).await;
    assert_eq!(bench.call().await, paused("unreachable", 30));
    let trouble = bench.recogniser.check(&Wish::default()).await.err();
    assert_eq!(trouble, Some(Failure::new(codes::PROVIDER_PAUSED).term("reason", "unreachable")));
}

/// A file large enough that it does not fit into the sockets' buffers.
#[tokio::test]
async fn a_connection_that_breaks_before_the_end_was_sent_is_a_definite_no() {
    let bench = Bench::new().await;
    let file = std::fs::OpenOptions::new().append(true).open(&bench.audio).unwrap();
    file.set_len(20_000_000).unwrap();
    bench.server.order(Served::CutBeforeBody);
    let called = bench.call().await;
    let failed = Failure::new(codes::PROVIDER_FAILED);
    assert_eq!(called, Called::NotMade(Obstacle::Failed(failed)));
}

#[tokio::test]
async fn a_ticket_of_another_is_refused() {
    let mut bench = Bench::new().await;
    bench.ticket = verst_recordings::ports::Ticket("operation-1".to_owned());
    let hearing = bench.ask().await;
    assert!(matches!(hearing, Hearing::Obstacle(Obstacle::Refused(_))), "{hearing:?}");
}

//! The client against programs that are not the engine: what it says when things break. The
//! conversation itself is tested against the real binary, elsewhere.

use std::os::unix::ffi::OsStringExt;

use tokio::sync::Notify;
use tokio::time::timeout;
use verst_engine::protocol::{self, Param, Reply};
use verst_engine::{Plan, Slice};

use super::*;

/// Is interrupted when told to.
#[derive(Default)]
struct Interruptible(Notify);

#[async_trait]
impl Supervisor for Interruptible {
    fn interrupted(&self) -> bool {
        false
    }

    async fn interruption(&self) {
        self.0.notified().await;
    }

    fn progress(&self, _fraction: f64) {}
}

fn shell(script: &str) -> EmbeddedRecogniser {
    recogniser("/bin/sh", &["-c", script])
}

fn recogniser(command: &str, args: &[&str]) -> EmbeddedRecogniser {
    EmbeddedRecogniser::new(config(command, args))
}

fn config(command: &str, args: &[&str]) -> EngineConfig {
    EngineConfig {
        command: command.into(),
        args: args.iter().map(ToString::to_string).collect(),
        models: ModelsConfig {
            directories: vec!["/nowhere".into()],
            model: "model.bin".into(),
            ..ModelsConfig::default()
        },
        vad: "/nowhere/vad.bin".into(),
        vad_sha256: None,
        threads: 1,
        idle: Duration::from_mins(1),
        answer_timeout: Duration::from_millis(300),
        memory_limit_bytes: Some(1 << 30),
    }
}

async fn begun(recogniser: &EmbeddedRecogniser, supervisor: &dyn Supervisor) -> Obstacle {
    match recogniser.begin(Path::new("/nowhere"), &Wish::default(), supervisor).await {
        Begun::NotBegun(obstacle) => obstacle,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn ends_of_the_process_are_told_apart() {
    let protocol = || Obstacle::Failed(Failure::new(codes::ENGINE_DIED).term("reason", "protocol"));
    let failed = |code| Obstacle::Failed(Failure::new(code));
    let died = || Failure::new(codes::ENGINE_DIED);
    let paused =
        |code| Obstacle::Paused { delay: Duration::from_secs(30), failure: Failure::new(code) };
    let cases = [
        (shell("kill -ILL $$"), failed(codes::ENGINE_ILLEGAL_INSTRUCTION)),
        (shell("kill -KILL $$"), failed(codes::ENGINE_KILLED)),
        (shell("kill -SEGV $$"), Obstacle::Failed(died().term("signal", "SIGSEGV"))),
        (shell("exit 3"), Obstacle::Failed(died().int("status", 3))),
        (shell("echo this is no frame; cat"), protocol()),
        (shell("echo this is no frame; exit 3"), Obstacle::Failed(died().int("status", 3))),
        (shell("exec >&-; exec sleep 60"), protocol()),
        (recogniser("/nowhere/verst", &[]), paused(codes::ENGINE_UNAVAILABLE)),
        (recogniser("/bin/cat", &[]), protocol()),
        (
            recogniser("/bin/sleep", &["60"]),
            Obstacle::Failed(Failure::new(codes::ENGINE_SILENT).int("seconds", 0)),
        ),
    ];
    for (recogniser, expected) in cases {
        assert_eq!(begun(&recogniser, &Unsupervised).await, expected);
        assert_eq!(begun(&recogniser, &Unsupervised).await, expected, "and again");
    }
}

#[tokio::test]
async fn an_interruption_ends_it_within_a_second_and_others_do_not_wait() {
    let config = config("/bin/sleep", &["60"]);
    let answer_timeout = Duration::from_mins(1);
    let recogniser = EmbeddedRecogniser::new(EngineConfig { answer_timeout, ..config });
    let supervisor = Interruptible::default();
    let interrupted = async {
        let busy = begun(&recogniser, &Unsupervised).await;
        assert_eq!(busy, Obstacle::Busy { delay: BUSY });
        supervisor.0.notify_one();
    };
    let both = async { tokio::join!(begun(&recogniser, &supervisor), interrupted) };
    let (obstacle, ()) = timeout(Duration::from_secs(1), both).await.unwrap();
    assert_eq!(obstacle, Obstacle::Failed(Failure::new(codes::INTERRUPTED)));
}

/// An engine that gives this reply to everything.
fn answering(reply: &Reply) -> EmbeddedRecogniser {
    let frame = protocol::encode(reply).unwrap();
    let octal: Vec<String> = frame.iter().map(|byte| format!("\\{byte:03o}")).collect();
    shell(&format!("printf '{}'; exec sleep 60", octal.concat()))
}

#[tokio::test]
async fn an_unusable_model_of_its_own_is_refused_and_the_houses_pauses() {
    let failed = |role: Option<&str>| {
        let role = role.map(|role| ("model".to_owned(), Param::Term(role.to_owned())));
        Reply::Failed { code: "model_missing".to_owned(), params: role.into_iter().collect() }
    };
    let refused = Obstacle::Refused(Failure::new(codes::OWN_MODEL_UNUSABLE));
    let missing = Failure::new(codes::MODEL_MISSING);
    let paused = |failure| Obstacle::Paused { delay: Duration::from_secs(30), failure };
    for (wished, role, expected) in [
        (None, None, paused(missing.clone())),
        (Some("model.bin"), None, paused(missing.clone())),
        (Some("other.bin"), None, refused.clone()),
        (Some("other.bin"), Some("vad"), paused(missing.clone().term("model", "vad"))),
    ] {
        let wish = Wish { model: wished.map(Into::into), ..Wish::default() };
        let begun = answering(&failed(role)).begin(Path::new("/a"), &wish, &Unsupervised).await;
        assert_eq!(begun, Begun::NotBegun(expected));
    }
    for (model, expected) in [("model.bin", paused(missing)), ("old.bin", refused)] {
        let slices = vec![Slice { pieces: vec![(0, 1000).into()] }];
        let plan = Plan { duration_ms: 1000, slices, whole: false, level_dbfs: -9.0 };
        let ticket = Kept { model: model.to_owned(), language: None, diariser: None, plan };
        let ticket = ticket.ticket().unwrap();
        let wish = Wish::default();
        let inquiry = Inquiry {
            ticket: &ticket,
            audio: Path::new("/a"),
            wish: &wish,
            parts: &[],
            calls: &[],
        };
        let heard = answering(&failed(None)).ask(inquiry, &Unsupervised).await;
        assert_eq!(heard, Hearing::Obstacle(expected));
    }
}

#[tokio::test]
async fn a_path_that_cannot_be_said_is_that_recordings_trouble() {
    let path = std::ffi::OsString::from_vec(vec![b'/', 0xff]);
    let vad = PathBuf::from(path);
    let recogniser = EmbeddedRecogniser::new(EngineConfig { vad, ..config("/bin/cat", &[]) });
    let failure = Failure::new(codes::ENGINE_FAILED).term("reason", "request_unsayable");
    assert_eq!(begun(&recogniser, &Unsupervised).await, Obstacle::Failed(failure));
}

#[tokio::test]
async fn a_plan_without_slices_is_done_without_a_process() {
    let ticket = Ticket(
        r#"{"model":"base.bin","plan":{"duration_ms":9,"slices":[],"whole":false,"level_dbfs":-100.0}}"#
            .to_owned(),
    );
    let inquiry = Inquiry {
        ticket: &ticket,
        audio: Path::new("/nowhere"),
        wish: &Wish::default(),
        parts: &[],
        calls: &[],
    };
    let Hearing::Done(transcript) = shell("exit 1").ask(inquiry, &Unsupervised).await else {
        panic!("not done");
    };
    assert!(transcript.segments.is_empty());
    assert_eq!(transcript.model, "base.bin");
}

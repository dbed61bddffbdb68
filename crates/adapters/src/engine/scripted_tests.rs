//! The client against an engine that follows a script: which questions it asks, of which model, and
//! what it makes of the answers. The script is a shell's, so that it is a process like any other.

#![expect(
    clippy::unnecessary_wraps,
    reason = "in the place of an answer may be the end of the process"
)]

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use verst_engine::protocol::{self, LONGEST_SLICE_MS, Reply};
use verst_engine::{Plan, Slice};

use super::*;

/// Reads a frame, keeps it as a line, answers with the next file.
const SCRIPT: &str = r#"
while :; do
    n=$(dd bs=1 count=4 2>/dev/null | od -An -tu4)
    [ -n "$n" ] || exit 0
    dd bs=1 count=$((n)) 2>/dev/null >> "$0/requests"
    echo >> "$0/requests"
    i=$(cat "$0/next")
    echo $((i + 1)) > "$0/next"
    cat "$0/$i" 2>/dev/null || exit 9
done
"#;

/// A directory with models and a script.
struct Stage {
    dir: tempfile::TempDir,
    config: EngineConfig,
}

impl Stage {
    /// `None` among the answers is the end of the process.
    fn new(answers: &[Option<Reply>]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        for name in ["base.bin", "ru.bin", "who.gguf"] {
            std::fs::write(dir.path().join(name), "model").unwrap();
        }
        for (i, answer) in answers.iter().enumerate() {
            if let Some(answer) = answer {
                let frame = protocol::encode(answer).unwrap();
                std::fs::write(dir.path().join(i.to_string()), frame).unwrap();
            }
        }
        std::fs::write(dir.path().join("next"), "0").unwrap();
        let path = dir.path().to_str().unwrap().to_owned();
        let config = EngineConfig {
            command: "/bin/sh".into(),
            args: vec!["-c".to_owned(), SCRIPT.to_owned(), path],
            models: ModelsConfig {
                directories: vec![dir.path().to_owned()],
                model: "base.bin".to_owned(),
                by_language: BTreeMap::from([("ru".to_owned(), "ru.bin".to_owned())]),
                ..ModelsConfig::default()
            },
            audio: Vec::new(),
            vad: "/nowhere/vad.bin".into(),
            vad_sha256: None,
            threads: 1,
            idle: Duration::from_mins(1),
            answer_timeout: Duration::from_mins(1),
            memory_limit_bytes: None,
            confinement: Confinement::none(),
        };
        Self { dir, config }
    }

    fn recogniser(&self) -> EmbeddedRecogniser {
        EmbeddedRecogniser::new(self.config.clone())
    }

    async fn begin(&self, wish: &Wish) -> Begun {
        self.recogniser().begin(Path::new("/a"), wish, &Unsupervised).await
    }

    async fn kept(&self, wish: &Wish) -> Kept {
        match self.begin(wish).await {
            Begun::Ticket(ticket) => Kept::read(&ticket).unwrap(),
            other => panic!("{other:?}"),
        }
    }

    /// What was asked, as the name of the request, the file of its model, and its own value.
    fn asked(&self) -> Vec<(String, String, Value)> {
        let lines = std::fs::read_to_string(self.dir.path().join("requests")).unwrap_or_default();
        let asked = |line: &str| {
            let request: Value = serde_json::from_str(line).unwrap();
            let (name, value) = request.as_object().unwrap().iter().next().unwrap();
            let model =
                value["model"]["path"].as_str().map_or("", |path| path.rsplit('/').next().unwrap());
            (name.clone(), model.to_owned(), value.clone())
        };
        lines.lines().map(asked).collect()
    }

    /// The same in short.
    fn questions(&self) -> Vec<String> {
        self.asked()
            .iter()
            .map(|(name, model, _)| format!("{name} {model}").trim().to_owned())
            .collect()
    }

    /// Asks until the end, and gives every part.
    async fn hear_out(&self, kept: &Kept, wish: &Wish) -> (Vec<Part>, Hearing) {
        let (recogniser, ticket) = (self.recogniser(), kept.ticket().unwrap());
        let mut parts: Vec<Part> = Vec::new();
        loop {
            let inquiry = Inquiry {
                ticket: &ticket,
                audio: Path::new("/a"),
                wish,
                parts: &parts,
                calls: &[],
            };
            match recogniser.ask(inquiry, &Unsupervised).await {
                Hearing::Running { part: Some(part), .. } => parts.push(part),
                other => return (parts, other),
            }
        }
    }
}

fn checked(languages: &[&str], longest_slice_ms: u64) -> Option<Reply> {
    let languages = languages.iter().map(ToString::to_string).collect();
    Some(Reply::Checked { description: "scripted".to_owned(), languages, longest_slice_ms })
}

fn plan(slices: &[(u64, u64)]) -> Plan {
    let slices = slices.iter().map(|&piece| Slice { pieces: vec![piece.into()] }).collect();
    Plan { duration_ms: 60_000, slices, whole: false, level_dbfs: -20.0 }
}

fn planned(slices: &[(u64, u64)]) -> Option<Reply> {
    Some(Reply::Planned(plan(slices)))
}

fn heard(text: &str, times: (u64, u64), language: Option<&str>) -> Option<Reply> {
    let (start_ms, end_ms) = times;
    let text = text.to_owned();
    let segments = vec![protocol::Segment { start_ms, end_ms, text, words: Vec::new() }];
    let segments = if segments[0].text.is_empty() { Vec::new() } else { segments };
    Some(Reply::Heard { segments, language: language.map(str::to_owned) })
}

fn wish(language: Option<&str>, model: Option<&str>) -> Wish {
    Wish { language: language.map(str::to_owned), model: model.map(str::to_owned) }
}

#[tokio::test]
async fn the_language_that_is_heard_chooses_the_model_and_its_limit() {
    let (wide, narrow) = ([(0, 29_000), (30_000, 59_000)], [(0, 25_000), (25_000, 29_000)]);
    let stage = Stage::new(&[
        checked(&["en", "ru"], LONGEST_SLICE_MS),
        planned(&wide),
        heard("", (0, 0), None),
        heard("да", (30_000, 31_000), Some("ru")),
        checked(&["ru"], 25_000),
        planned(&narrow),
        heard("Да.", (0, 900), Some("ru")),
        heard("Нет.", (25_000, 25_900), Some("ru")),
    ]);
    let kept = stage.kept(&Wish::default()).await;
    assert_eq!((kept.model.as_str(), kept.language.as_deref()), ("ru.bin", Some("ru")));
    assert_eq!(kept.plan, plan(&narrow));
    let questions =
        ["check base.bin", "plan", "hear base.bin", "hear base.bin", "check ru.bin", "plan"];
    assert_eq!(stage.questions(), questions);
    let asked = stage.asked();
    assert_eq!(asked[1].2["longest_slice_ms"], LONGEST_SLICE_MS);
    assert_eq!(asked[2].2["language"], Value::Null);
    assert_eq!(asked[5].2["longest_slice_ms"], 25_000);

    let (_, end) = stage.hear_out(&kept, &Wish::default()).await;
    let Hearing::Done(transcript) = end else { panic!("{end:?}") };
    assert_eq!(transcript.text(), "Да. Нет.");
    assert_eq!((transcript.model.as_str(), transcript.language.as_deref()), ("ru.bin", Some("ru")));
    for (name, model, value) in &stage.asked()[6..] {
        assert_eq!(
            (name.as_str(), model.as_str(), &value["language"]),
            ("hear", "ru.bin", &json!("ru"))
        );
    }
}

#[tokio::test]
async fn nothing_is_heard_for_a_choice_that_is_made_already() {
    let slices = [(0, 20_000)];
    let cases = [
        (wish(Some("ru"), None), vec!["ru"], "ru.bin"),
        (wish(Some("en"), None), vec!["en", "ru"], "base.bin"),
        (wish(None, Some("who.gguf")), vec!["en", "ru"], "who.gguf"),
        (wish(Some("ru"), Some("base.bin")), vec!["en", "ru"], "base.bin"),
        // A model of one language has nothing to tell.
        (wish(None, None), vec!["en"], "base.bin"),
    ];
    for (wish, languages, model) in cases {
        let stage = Stage::new(&[checked(&languages, 25_000), planned(&slices)]);
        assert_eq!(stage.kept(&wish).await.model, model, "{wish:?}");
        assert_eq!(stage.questions(), [format!("check {model}"), "plan".to_owned()], "{wish:?}");
        assert_eq!(stage.asked()[1].2["longest_slice_ms"], 25_000);
    }
    let mut stage = Stage::new(&[checked(&["en", "ru"], 29_000), planned(&slices)]);
    stage.config.models.by_language.clear();
    assert_eq!(stage.kept(&Wish::default()).await.language, None);
    assert_eq!(stage.questions(), ["check base.bin", "plan"]);
}

#[tokio::test]
async fn the_usual_model_stays_where_no_other_fits() {
    let begin = [checked(&["en", "ru"], 29_000), planned(&[(0, 20_000)])];
    for (language, rest, asked) in [
        (Some("en"), None, 3),
        (None, None, 3),
        // The model for Russian does not know it: nobody wished for that one.
        (Some("ru"), checked(&["en"], 25_000), 4),
    ] {
        let answers = [begin.to_vec(), vec![heard("x", (0, 900), language), rest]].concat();
        let stage = Stage::new(&answers);
        let kept = stage.kept(&Wish::default()).await;
        assert_eq!((kept.model.as_str(), kept.language.as_deref()), ("base.bin", language));
        assert_eq!(stage.questions().len(), asked, "{language:?}");
    }
    let nothing = Stage::new(&[begin[0].clone(), planned(&[])]);
    assert_eq!(nothing.kept(&Wish::default()).await.model, "base.bin");
    assert_eq!(nothing.questions().len(), 2, "nothing to hear");
}

#[tokio::test]
async fn a_language_that_was_wished_for_and_is_unknown_is_a_verdict() {
    let stage = Stage::new(&[checked(&["en"], 29_000)]);
    let failure = Failure::new(codes::LANGUAGE_UNSUPPORTED).term("language", "ru");
    let refused = Begun::NotBegun(Obstacle::Refused(failure));
    assert_eq!(stage.begin(&wish(Some("ru"), None)).await, refused);
    let stage = Stage::new(&[checked(&["en"], 29_000)]);
    let doctor = stage.recogniser().check(&wish(Some("ru"), None)).await;
    assert_eq!(doctor.unwrap_err().code, codes::LANGUAGE_UNSUPPORTED);
}

#[tokio::test]
async fn a_model_of_the_settings_that_is_missing_makes_recordings_wait() {
    let missing =
        Reply::Failed { code: protocol::MODEL_MISSING.to_owned(), params: BTreeMap::new() };
    let stage = Stage::new(&[Some(missing)]);
    let begun = stage.begin(&wish(Some("ru"), None)).await;
    let Begun::NotBegun(Obstacle::Paused { failure, .. }) = begun else { panic!("{begun:?}") };
    assert_eq!(failure, Failure::new(codes::MODEL_MISSING));
}

#[tokio::test]
async fn a_model_that_does_not_fit_is_never_loaded() {
    let mut stage = Stage::new(&[checked(&["en"], 29_000), planned(&[(0, 20_000)])]);
    stage.config.models.by_language.clear();
    stage.config.models.known = vec![KnownModel {
        name: "base".to_owned(),
        file: "base.bin".to_owned(),
        sha256: None,
        working_bytes: 1 << 60,
    }];
    let begun = stage.begin(&Wish::default()).await;
    let Begun::NotBegun(Obstacle::Paused { failure, .. }) = begun else { panic!("{begun:?}") };
    assert_eq!(failure.code, codes::MODEL_TOO_LARGE);
    assert_eq!(failure.params["model"], verst_kernel::Value::Term("base.bin".to_owned()));
    assert_eq!(failure.params["need_mb"], verst_kernel::Value::Int((1 << 60) / 1_000_000));
    assert!(stage.questions().is_empty());
    assert_eq!(
        stage.recogniser().check(&Wish::default()).await.unwrap_err().code,
        codes::MODEL_TOO_LARGE
    );

    // The limit that is set counts as well as what the machine has.
    stage.config.models.known[0].working_bytes = 100_000_000;
    stage.config.memory_limit_bytes = Some(99_000_000);
    let begun = stage.begin(&Wish::default()).await;
    let Begun::NotBegun(Obstacle::Paused { failure, .. }) = begun else { panic!("{begun:?}") };
    assert_eq!(failure.params["free_mb"], verst_kernel::Value::Int(99));
    stage.config.memory_limit_bytes = None;
    stage.kept(&Wish::default()).await;
}

#[tokio::test]
async fn the_next_slice_is_named_where_a_second_copy_fits() {
    let slices = [(0, 20_000), (20_000, 40_000)];
    for (memory_limit_bytes, expected) in [
        (None, [(json!([[20_000, 40_000]]), 2), (Value::Null, 2)]),
        (Some(150_000_000), [(Value::Null, 4), (Value::Null, 4)]),
    ] {
        let mut stage = Stage::new(&[
            checked(&["en"], 29_000),
            planned(&slices),
            heard("one", (0, 900), Some("en")),
            heard("two", (20_000, 20_900), Some("en")),
        ]);
        stage.config.models.by_language.clear();
        stage.config.models.known = vec![KnownModel {
            name: "base".to_owned(),
            file: "base.bin".to_owned(),
            sha256: None,
            working_bytes: 100_000_000,
        }];
        stage.config.threads = 4;
        stage.config.memory_limit_bytes = memory_limit_bytes;
        let kept = stage.kept(&Wish::default()).await;
        stage.hear_out(&kept, &Wish::default()).await;
        for ((_, _, value), (next, threads)) in stage.asked()[2..].iter().zip(expected) {
            assert_eq!((&value["next"], &value["threads"]), (&next, &json!(threads)));
        }
    }
}

fn diarised(turns: &[(u64, u64, u32)]) -> Option<Reply> {
    let turn = |&(start_ms, end_ms, speaker): &(u64, u64, u32)| protocol::Turn {
        start_ms,
        end_ms,
        speaker,
    };
    Some(Reply::Diarised { turns: turns.iter().map(turn).collect() })
}

/// A dialogue in two slices: the first with words, the second without.
fn dialogue() -> [Option<Reply>; 2] {
    let word =
        |start_ms, end_ms, text: &str| protocol::Word { start_ms, end_ms, text: text.to_owned() };
    let words = vec![word(0, 800, "Да?"), word(1000, 2000, "Нет.")];
    let text = "Да? Нет.".to_owned();
    let segments = vec![protocol::Segment { start_ms: 0, end_ms: 2000, text, words }];
    [
        Some(Reply::Heard { segments, language: Some("ru".to_owned()) }),
        heard("Жаль.", (30_000, 31_000), Some("ru")),
    ]
}

async fn told(answers: &[Option<Reply>]) -> (Stage, Vec<Part>, Hearing) {
    let mut stage = Stage::new(answers);
    stage.config.models.by_language.clear();
    stage.config.models.diariser = Some("who.gguf".to_owned());
    let kept = stage.kept(&Wish::default()).await;
    let (parts, end) = stage.hear_out(&kept, &Wish::default()).await;
    (stage, parts, end)
}

#[tokio::test]
async fn speakers_are_told_apart_before_the_text_and_named_in_it() {
    let [first, second] = dialogue();
    let begin = [checked(&["ru", "en"], 29_000), planned(&[(0, 20_000), (30_000, 50_000)])];
    let turns = diarised(&[(0, 900, 2), (950, 2100, 1), (29_500, 31_500, 2)]);
    let (stage, parts, end) = told(&[begin.to_vec(), vec![turns, first, second]].concat()).await;
    let questions =
        ["check base.bin", "plan", "diarise who.gguf", "hear base.bin", "hear base.bin"];
    assert_eq!(stage.questions(), questions);
    let asked = stage.asked();
    assert_eq!(asked[2].2["window"], json!([0, 60_000]));
    assert_eq!(asked[3].2["words"], true);
    let indices: Vec<u32> = parts.iter().map(|part| part.index).collect();
    assert_eq!(indices, [0, 1, 2]);
    let Hearing::Done(transcript) = end else { panic!("{end:?}") };
    let said: Vec<_> =
        transcript.segments.iter().map(|s| (s.text.as_str(), s.speaker.as_deref())).collect();
    // Numbered in the order in which they first speak.
    assert_eq!(said, [("Да?", Some("1")), ("Нет.", Some("2")), ("Жаль.", Some("1"))]);
}

#[tokio::test]
async fn speakers_that_cannot_be_told_apart_cost_no_text() {
    let refused =
        Reply::Failed { code: protocol::MODEL_DAMAGED.to_owned(), params: BTreeMap::new() };
    for trouble in [Some(refused), None, heard("no turns", (0, 1), None)] {
        let [first, second] = dialogue();
        let begin = [checked(&["ru", "en"], 29_000), planned(&[(0, 20_000), (30_000, 50_000)])];
        let (stage, _, end) =
            told(&[begin.to_vec(), vec![trouble.clone(), first, second]].concat()).await;
        let Hearing::Marred { transcript, warning } = end else { panic!("{trouble:?}: {end:?}") };
        assert_eq!(warning, Warning::SpeakersUnknown);
        assert_eq!(transcript.text(), "Да? Нет. Жаль.");
        assert!(transcript.segments.iter().all(|segment| segment.speaker.is_none()));
        assert_eq!(stage.questions().len(), 5, "it is tried once: {trouble:?}");
    }
}

#[tokio::test]
async fn speakers_are_waited_for_where_no_process_can_be_had() {
    let mut stage = Stage::new(&[checked(&["en"], 29_000), planned(&[(0, 20_000)])]);
    stage.config.models.by_language.clear();
    stage.config.models.diariser = Some("who.gguf".to_owned());
    let kept = stage.kept(&Wish::default()).await;
    stage.config.command = "/nowhere/verst".into();
    let (parts, end) = stage.hear_out(&kept, &Wish::default()).await;
    assert!(parts.is_empty());
    let Hearing::Obstacle(Obstacle::Paused { failure, .. }) = end else { panic!("{end:?}") };
    assert_eq!(failure.code, codes::ENGINE_UNAVAILABLE);
}

#[tokio::test]
async fn where_nobody_speaks_nobody_is_told_apart() {
    let (stage, parts, end) = told(&[checked(&["ru"], 29_000), planned(&[])]).await;
    assert!(matches!(end, Hearing::Done(transcript) if transcript.segments.is_empty()));
    assert!(parts.is_empty());
    assert_eq!(stage.questions(), ["check base.bin", "plan"]);
}

//! The engine end to end with the real models, over its protocol.

#![expect(clippy::unwrap_used, reason = "tests")]

mod fixture;

use fixture::{
    Engine, SAMPLE_EN, SAMPLE_RU, chords, decoded, noise, recogniser, recording, silence, text,
    tone, transcribe, words,
};
use verst_engine::Slice;
use verst_engine::protocol::{LONGEST_SLICE_MS, ModelFile, Param, Reply, Request};

#[test]
fn english_and_russian_are_heard_and_told_apart() {
    let mut engine = Engine::start();
    let english = recording(&decoded(SAMPLE_EN));
    let (segments, language) = transcribe(&mut engine, english.path());
    let said = words(&text(&segments));
    assert!(said.contains("it was the best of times"), "{said}");
    assert!(said.contains("it was the worst of times"), "{said}");
    assert_eq!(language.as_deref(), Some("en"));

    let russian = recording(&decoded(SAMPLE_RU));
    let (segments, language) = transcribe(&mut engine, russian.path());
    let said = words(&text(&segments));
    assert!(said.contains("сегодня мы поговорим"), "{said}");
    assert_eq!(language.as_deref(), Some("ru"));
}

#[test]
fn what_is_not_speech_has_no_text() {
    let mut engine = Engine::start();
    for (name, samples) in [
        ("nothing", Vec::new()),
        ("one sample", vec![1]),
        ("silence", silence(60)),
        ("noise", noise(60)),
        ("a tone", tone(60)),
        ("music", chords(60)),
    ] {
        let audio = recording(&samples);
        let (segments, language) = transcribe(&mut engine, audio.path());
        assert_eq!((segments, language), (Vec::new(), None), "{name}");
    }
    let audio = recording(&silence(60));
    let plan = engine.plan(audio.path(), LONGEST_SLICE_MS);
    assert!(plan.slices.is_empty() && !plan.whole, "{plan:?}");
}

#[test]
fn speech_that_voice_activity_missed_passes_the_strict_checks() {
    let audio = recording(&decoded(SAMPLE_EN));
    let slice = Slice { pieces: vec![(0, 29_000).into()] };
    let reply = Engine::start().ask(&fixture::hearing(audio.path(), slice, None, None, true));
    let Reply::Heard { segments, language } = reply else { panic!("{reply:?}") };
    assert!(words(&text(&segments)).contains("it was the best of times"), "{segments:?}");
    assert_eq!(language.as_deref(), Some("en"));
}

#[test]
fn times_are_those_of_the_recording() {
    const GAP_S: usize = 40;
    const TIMES: usize = 3;
    // The first eight seconds: two sentences.
    let speech = decoded(SAMPLE_EN)[..8 * 16_000 + 8_000].to_vec();
    let mut samples = Vec::new();
    for _ in 0..TIMES {
        samples.extend(&speech);
        samples.extend(silence(GAP_S));
    }
    let period_ms = u64::try_from((speech.len() + GAP_S * 16_000) / 16).unwrap();
    let audio = recording(&samples);
    let mut engine = Engine::start();
    let (segments, _) = transcribe(&mut engine, audio.path());
    let starts: Vec<Vec<u64>> = (0..u64::try_from(TIMES).unwrap())
        .map(|period| {
            let of_period = segments.iter().filter(|s| s.start_ms / period_ms == period);
            of_period.map(|s| s.start_ms % period_ms).collect()
        })
        .collect();
    // Two sentences may come as one segment in one repetition and as two in another.
    let sentences = starts.iter().max_by_key(|starts| starts.len()).unwrap();
    for starts in &starts {
        assert!(!starts.is_empty(), "{segments:?}");
        for start in starts {
            assert!(sentences.iter().any(|s| s.abs_diff(*start) <= 1000), "{segments:?}");
        }
    }
    assert!(segments.iter().all(|s| s.end_ms - s.start_ms < 12_000), "{segments:?}");
}

#[test]
fn a_short_word_keeps_its_true_time() {
    // "It was" after a second and a half of silence.
    let mut samples = silence(1);
    samples.extend(&decoded(SAMPLE_EN)[17_300 * 16..18_000 * 16]);
    let audio = recording(&samples);
    let (segments, _) = transcribe(&mut Engine::start(), audio.path());
    assert!(!segments.is_empty());
    assert!(segments.iter().all(|s| s.start_ms >= 800 && s.end_ms <= 1700), "{segments:?}");
}

#[test]
fn a_slice_heard_ahead_is_what_it_is_alone() {
    let audio = recording(&decoded(SAMPLE_EN));
    let slice = |start, end| Slice { pieces: vec![(start, end).into()] };
    let hearing = |slice, next, language: Option<&str>| {
        fixture::hearing(audio.path(), slice, next, language.map(str::to_owned), false)
    };
    let (first, second) = (slice(900, 4800), slice(4800, 8300));
    let mut engine = Engine::start();
    // Ahead it is heard before anybody knows the language, and then asked for in two.
    for language in ["en", "de"] {
        let alone = engine.ask(&hearing(second.clone(), None, Some(language)));
        let Reply::Heard { segments, .. } = &alone else { panic!("{alone:?}") };
        assert!(!segments.is_empty());
        engine.ask(&hearing(first.clone(), Some(second.clone()), None));
        assert_eq!(engine.ask(&hearing(second.clone(), None, Some(language))), alone);
    }
}

#[test]
fn models_that_are_not_there_or_not_whole_are_told_apart() {
    let good = std::fs::read(&recogniser().path).unwrap();
    let truncated = fixture::file(&good[..good.len() / 2]);
    let mut flipped_bytes = good.clone();
    for byte in flipped_bytes[good.len() / 2..].iter_mut().step_by(4096) {
        *byte ^= 0xff;
    }
    let flipped = fixture::file(&flipped_bytes);
    let hash = Some(fixture::sha256(&good));
    let model = |path: &std::path::Path, sha256: &Option<String>| ModelFile {
        path: path.to_owned(),
        sha256: sha256.clone(),
    };
    let mut engine = Engine::start();
    let cases = [
        ("missing", model("/nowhere/model.bin".as_ref(), &None), Some("model_missing")),
        ("truncated", model(truncated.path(), &None), Some("model_damaged")),
        ("flipped", model(flipped.path(), &hash), Some("model_damaged")),
        ("of another kind", fixture::vad(), Some("model_damaged")),
        ("good", model(&recogniser().path, &hash), None),
    ];
    for (name, model, expected) in cases {
        let reply = engine.ask(&Request::Check { model, vad: fixture::vad() });
        match reply {
            Reply::Failed { code, .. } => assert_eq!(Some(code.as_str()), expected, "{name}"),
            Reply::Checked { description, languages, longest_slice_ms } => {
                assert_eq!(expected, None, "{name}");
                assert!(description.contains("whisper"), "{description}");
                assert!(languages.iter().any(|l| l == "ru"));
                assert_eq!(longest_slice_ms, LONGEST_SLICE_MS);
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn requests_that_cannot_be_met_are_answered() {
    let audio = recording(&tone(1));
    let mut engine = Engine::start();
    let reply = engine.hear(audio.path(), &[(0, 1000)], Some("tlh"));
    let Reply::Failed { code, params } = reply else { panic!("{reply:?}") };
    assert_eq!(code, "language_unsupported");
    assert_eq!(params["language"], Param::Term("tlh".to_owned()));
    for reply in [
        engine.hear("/nowhere".as_ref(), &[(0, 1000)], None),
        engine.hear(audio.path(), &[(0, u64::MAX)], None),
        engine.ask(&Request::Plan {
            audio: audio.path().to_owned(),
            vad: fixture::vad(),
            longest_slice_ms: 0,
        }),
    ] {
        let Reply::Failed { code, .. } = reply else { panic!("{reply:?}") };
        assert_eq!(code, "engine_failed");
    }
    let reply = engine.hear(audio.path(), &[(50_000, 51_000)], None);
    assert_eq!(reply, Reply::Heard { segments: Vec::new(), language: None }, "beyond the end");
}

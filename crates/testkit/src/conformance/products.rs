//! What steps write besides the move.

use std::collections::BTreeMap;

use verst_kernel::{Failure, Noted};
use verst_recordings::model::{Product, Recording, Source};
use verst_recordings::ports::{Admission, Lanes, Part, Warning};
use verst_recordings::transcript::{Segment, Transcript};
use verst_service::Edit;

use super::{SECOND, Subject, new, normalised};

pub(super) fn transcript(text: &str) -> Transcript {
    let segment =
        Segment { start_ms: 5, end_ms: 1005, text: text.to_owned(), speaker: Some("B".to_owned()) };
    Transcript {
        language: Some("en".to_owned()),
        model: "base".to_owned(),
        segments: vec![segment],
    }
}

/// Whatever a step writes, and whatever a lift writes.
pub async fn no_product_touches_what_the_owner_owns(s: Subject) {
    let id = s.store.accept(new(Source::Http, Some("anna"))).await.unwrap().id;
    let written = Edit {
        title: Some("a title".to_owned()),
        summary: Some("a summary".to_owned()),
        topics: Some(vec!["a topic".to_owned()]),
        speakers: Some(BTreeMap::from([("1".to_owned(), "Anna".to_owned())])),
    };
    assert!(s.store.edit(id, written).await.unwrap());
    let claim = s.hold().await;
    let before = s.view(id).await.recording;
    let opened = s.store.open_attempt(&claim, "x", Lanes::Unlimited, SECOND).await.unwrap();
    let Admission::Opened(attempt) = opened else { panic!("{opened:?}") };
    let part = Part { index: 0, segments: Vec::new(), language: None };
    let all = [
        normalised(SECOND),
        Product::Submitted,
        Product::Warned { warning: Warning::SpeakersUnknown },
        Product::Part { attempt, part },
        Product::Transcribed { attempt, transcript: transcript("x") },
        Product::KeepWaiting,
        Product::AttemptClosed { attempt, failure: Failure::new("provider_failed") },
        Product::SubmitAgain,
        Product::Finished { original_deleted: true },
    ];
    for product in all {
        assert_eq!(s.store.note(&claim, product.clone()).await.unwrap(), Noted::Held);
        let after = s.view(id).await.recording;
        let owned = |r: &Recording| {
            (
                r.given.clone(),
                r.title.clone(),
                r.summary.clone(),
                r.topics.clone(),
                r.speakers.clone(),
            )
        };
        assert_eq!(owned(&after), owned(&before), "{product:?}");
    }
    assert_eq!(before.title.as_deref(), Some("a title"));
    assert_eq!(before.given.owner.as_deref(), Some("anna"));
}

/// And the claim goes on.
pub async fn notes_are_written_at_once(s: Subject) {
    let id = s.accept().await;
    let claim = s.hold().await;
    let warnings = vec![Warning::CutOff, Warning::TrackChosen { track: 2, of: 3 }];
    let Product::Normalised { audio, .. } = normalised(SECOND) else { panic!("as it is made") };
    let product = Product::Normalised { audio: audio.clone(), warnings: warnings.clone() };
    let held = s.standing(&claim).await;
    assert_eq!(s.store.note(&claim, product).await.unwrap(), Noted::Held);
    let view = s.view(id).await;
    assert_eq!((view.recording.audio, view.recording.warnings), (Some(audio), warnings));
    assert_eq!(view.recording.duration, Some(SECOND));
    assert_eq!(view.work.milestone, "uploaded");
    assert_eq!(s.standing(&claim).await, held, "neither fence nor row moved");

    // Once more says nothing new: a step that is repeated adds nothing.
    for _ in 0..2 {
        let warned = Product::Warned { warning: Warning::SpeakersUnknown };
        s.store.note(&claim, warned).await.unwrap();
        let told = s.view(id).await.recording.warnings;
        let expected =
            [Warning::CutOff, Warning::TrackChosen { track: 2, of: 3 }, Warning::SpeakersUnknown];
        assert_eq!(told, expected);
    }

    s.store.note(&claim, Product::Finished { original_deleted: false }).await.unwrap();
    let recording = s.view(id).await.recording;
    assert_eq!((recording.audio, recording.duration), (None, Some(SECOND)));
}

/// Transcribing again is a new attempt; one text stands in the end.
pub async fn a_transcript_reads_back_and_a_later_one_replaces_it(s: Subject) {
    let claim = s.hold_normalised(SECOND).await;
    let id = claim.id();
    assert_eq!(s.store.transcript(id).await.unwrap(), None);
    let silence = Transcript { language: None, model: "base".to_owned(), segments: Vec::new() };
    for expected in [transcript("первый"), silence, transcript("second")] {
        let opened = s.store.open_attempt(&claim, "x", Lanes::Unlimited, SECOND).await.unwrap();
        let Admission::Opened(attempt) = opened else { panic!("{opened:?}") };
        let product = Product::Transcribed { attempt, transcript: expected.clone() };
        s.store.note(&claim, product).await.unwrap();
        assert_eq!(s.store.transcript(id).await.unwrap(), Some(expected));
        s.store.note(&claim, Product::SubmitAgain).await.unwrap();
    }
}

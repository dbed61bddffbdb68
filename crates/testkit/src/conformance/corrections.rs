//! What people put right in transcripts.

use verst_kernel::{Change, Claim, Lift, WorkId};
use verst_recordings::corrections::{Correction, CorrectionId, Wording};
use verst_recordings::model::{AttemptId, Product, Source};
use verst_recordings::ports::{Admission, Lanes, Wish};
use verst_recordings::search::Query;
use verst_recordings::transcript::{Segment, Transcript};
use verst_service::Product as AnyProduct;
use verst_service::{Filter, Reworded};

use super::{SECOND, Subject, advance, here, new};

fn said(text: &str, from: u64) -> Segment {
    Segment { start_ms: from, end_ms: from + 1000, text: text.to_owned(), speaker: None }
}

fn wording(index: usize, was: &str, text: Option<&str>) -> Wording {
    Wording { index, was: was.to_owned(), text: text.map(str::to_owned) }
}

impl Subject {
    /// Writes a transcript as a step does, from wherever the recording stands.
    async fn hear(&self, id: WorkId, segments: &[Segment]) {
        let lift =
            Lift { to: Some("uploaded"), product: Some(Product::Again(Wish::default()).into()) };
        assert!(self.store.restart(id, "me", lift).await.unwrap());
        let claim = self.hold().await;
        assert_eq!(claim.id(), id, "nothing else may be ready");
        let attempt = self.attempt(&claim).await;
        let transcript =
            Transcript { language: None, model: "m".to_owned(), segments: segments.to_vec() };
        let product: AnyProduct = Product::Transcribed { attempt, transcript }.into();
        self.settle(&claim, Change { product: Some(product), ..advance("done") }).await;
    }

    async fn attempt(&self, claim: &Claim) -> AttemptId {
        let opened = self.store.open_attempt(claim, "x", Lanes::Unlimited, SECOND).await.unwrap();
        let Admission::Opened(attempt) = opened else { panic!("{opened:?}") };
        attempt
    }

    async fn reads(&self, id: WorkId) -> Vec<String> {
        let transcript = self.store.transcript(id).await.unwrap().expect("there is a text");
        transcript.segments.into_iter().map(|it| it.text).collect()
    }

    async fn say(&self, id: WorkId, index: usize, was: &str, text: Option<&str>) -> Reworded {
        self.store.reword(id, wording(index, was, text), "Анна").await.unwrap()
    }

    async fn finds(&self, word: &str) -> bool {
        let search = Query::new(word).unwrap();
        let filter = Filter { limit: 10, search: Some(search.clone()), ..Filter::default() };
        let found = self.store.list(filter).await.unwrap();
        let ids = found.iter().map(|it| it.work.id).collect();
        let glimpses = self.store.glimpses(ids, search).await.unwrap();
        let seen = glimpses.iter().any(|it| it.segments.iter().any(|s| s.text.contains(word)));
        assert_eq!(seen, !found.is_empty(), "what is found is shown: {word}");
        seen
    }
}

/// With the text, what finds it, and where it is found.
pub async fn a_correction_changes_the_text_and_what_finds_it(s: Subject) {
    let id = s.store.accept(new(Source::Http, Some("anna"))).await.unwrap().id;
    assert_eq!(s.say(id, 0, "", Some("x")).await, Reworded::NoText);
    assert_eq!(s.say(WorkId(id.0 + 100), 0, "", Some("x")).await, Reworded::Missing);
    s.hear(id, &[said("кружка", 0), said("стоит «на» столе", 1000), said("конец", 2000)]).await;
    let at = s.store.now().await.unwrap();
    assert_eq!(s.say(id, 0, "кружка", Some("круг, \"и\" ещё")).await, Reworded::Done);
    assert_eq!(s.reads(id).await, ["круг, \"и\" ещё", "стоит «на» столе", "конец"]);
    assert!(s.finds("круг").await && s.finds("столе").await && s.finds("конец").await);
    assert!(!s.finds("кружка").await);
    for (index, was) in [(0, "кружка"), (1, "круг, \"и\" ещё"), (3, "конец")] {
        assert_eq!(s.say(id, index, was, Some("x")).await, Reworded::Changed, "{index} {was}");
    }
    let kept = s.store.corrections(id).await.unwrap();
    assert_eq!(
        kept,
        [Correction {
            id: kept[0].id,
            from_ms: 0,
            until_ms: 1000,
            heard: "кружка".to_owned(),
            text: "круг, \"и\" ещё".to_owned(),
            at,
            by: "Анна".to_owned(),
        }]
    );
    assert_eq!(s.say(id, 0, "круг, \"и\" ещё", Some("блюдце")).await, Reworded::Done);
    assert_eq!(s.store.corrections(id).await.unwrap()[0].heard, "кружка");
    assert_eq!(s.say(id, 0, "блюдце", None).await, Reworded::Done);
    assert_eq!(s.reads(id).await[0], "кружка");
    assert_eq!(s.store.corrections(id).await.unwrap(), []);
    assert!(s.finds("кружка").await && !s.finds("блюдце").await);
    s.say(id, 0, "кружка", Some("блюдце")).await;
    assert!(s.store.remove(id).await.unwrap());
    assert_eq!(s.store.corrections(id).await.unwrap(), []);
}

/// Where the same is heard again it holds; elsewhere it waits, and goes only by a person.
pub async fn corrections_survive_another_transcription(s: Subject) {
    let id = s.store.accept(new(Source::Http, None)).await.unwrap().id;
    s.hear(id, &[said("a", 0), said("b", 1000)]).await;
    s.say(id, 0, "a", Some("A")).await;
    s.say(id, 1, "b", Some("B")).await;
    s.hear(id, &[said("a", 0), said("c", 1000)]).await;
    assert_eq!(s.reads(id).await, ["A", "c"]);
    let segments = s.store.transcript(id).await.unwrap().unwrap().segments;
    let kept = s.store.corrections(id).await.unwrap();
    assert_eq!(kept.iter().map(|it| it.fits(&segments)).collect::<Vec<_>>(), [true, false]);
    s.hear(id, &[said("b", 1000), said("a", 3000)]).await;
    assert_eq!(s.reads(id).await, ["B", "a"]);
    s.hear(id, &[said("a", 0), said("b", 1000)]).await;
    assert_eq!(s.reads(id).await, ["A", "B"]);
    assert_eq!(s.store.withdraw(id, kept[0].id).await.unwrap(), Reworded::Done);
    assert_eq!(s.store.withdraw(id, kept[0].id).await.unwrap(), Reworded::Missing);
    let foreign = CorrectionId(kept[1].id.0 + 100);
    assert_eq!(s.store.withdraw(id, foreign).await.unwrap(), Reworded::Missing);
    let other = s.store.accept(new(Source::Http, None)).await.unwrap().id;
    assert_eq!(s.store.withdraw(other, kept[1].id).await.unwrap(), Reworded::Missing);
    assert_eq!(s.reads(id).await, ["a", "B"]);
}

/// Both survive: the result of the step, and what a person writes while it runs.
pub async fn a_person_writes_while_a_step_runs(s: Subject) {
    let id = s.store.accept(new(Source::Http, None)).await.unwrap().id;
    s.hear(id, &[said("a", 0)]).await;
    let lift = Lift { to: Some("uploaded"), product: Some(Product::Again(Wish::default()).into()) };
    assert!(s.store.restart(id, "me", lift).await.unwrap());
    let claim = s.store.claim(&here()).await.unwrap().expect("it is ready");
    let attempt = s.attempt(&claim).await;
    assert_eq!(s.say(id, 0, "a", Some("A")).await, Reworded::Done);
    let segments = vec![said("a", 0), said("b", 1000)];
    let transcript = Transcript { language: None, model: "n".to_owned(), segments };
    let product: AnyProduct = Product::Transcribed { attempt, transcript }.into();
    s.settle(&claim, Change { product: Some(product), ..advance("done") }).await;
    assert_eq!(s.reads(id).await, ["A", "b"]);
    assert_eq!(s.view(id).await.work.milestone, "done");
}

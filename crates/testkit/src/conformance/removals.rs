//! Recordings that a person deletes.

use verst_kernel::{Noted, Settled, WorkId};
use verst_recordings::model::Product;
use verst_recordings::ports::{Admission, Lanes, Part};

use super::products::transcript;
use super::{SECOND, Subject, advance, normalised, release};

/// And its number is never given again.
pub async fn what_is_removed_is_gone_with_all_its_rows(s: Subject) {
    let claim = s.hold_normalised(SECOND).await;
    let id = claim.id();
    let opened = s.store.open_attempt(&claim, "x", Lanes::Unlimited, SECOND).await.unwrap();
    let Admission::Opened(attempt) = opened else { panic!("{opened:?}") };
    let part = Part { index: 0, segments: Vec::new(), language: None };
    s.store.note(&claim, Product::Part { attempt, part }).await.unwrap();
    let told = Product::Transcribed { attempt, transcript: transcript("x") };
    s.store.note(&claim, told).await.unwrap();
    let original = s.view(id).await.recording.given.original;

    assert!(s.store.remove(id).await.unwrap());
    assert_eq!(s.store.view(id).await.unwrap(), None);
    assert_eq!(s.store.recording(id).await.unwrap(), None);
    assert_eq!(s.store.transcript(id).await.unwrap(), None);
    assert_eq!(s.store.parts(attempt).await.unwrap(), []);
    assert_eq!(s.store.journal(id).await.unwrap(), []);
    let mut discarded = s.store.discarded(9).await.unwrap();
    discarded.sort();
    assert_eq!(discarded, ["normalised/x".to_owned(), original]);
    assert!(!s.store.remove(id).await.unwrap());
    assert!(s.accept().await > id);
}

/// It writes nothing and is told of nothing.
pub async fn a_holder_of_what_is_gone_has_lost(s: Subject) {
    let id = s.accept().await;
    let held = s.hold().await;
    assert!(s.store.remove(id).await.unwrap());
    assert_eq!(s.standing(&held).await, None);
    assert_eq!(s.store.note(&held, normalised(SECOND)).await.unwrap(), Noted::Lost);
    assert_eq!(s.settle(&held, release()).await, Settled::Lost);
    assert!(s.claim().await.is_none());
    assert!(!s.store.remove(WorkId(id.0 + 100)).await.unwrap());
}

/// An original that was not kept is not among them.
pub async fn discarded_keys_are_kept_until_they_are_forgotten(s: Subject) {
    let mut keys = Vec::new();
    for original_deleted in [false, true] {
        let id = s.accept().await;
        let claim = s.hold().await;
        let finished = Product::Finished { original_deleted };
        s.store.note(&claim, finished).await.unwrap();
        s.settle(&claim, advance("done")).await;
        let recording = s.view(id).await.recording;
        assert_eq!(recording.original_deleted, original_deleted);
        if !original_deleted {
            keys.push(recording.given.original);
        }
        assert!(s.store.remove(id).await.unwrap());
    }
    assert_eq!(s.store.discarded(9).await.unwrap(), keys);
    assert_eq!(s.store.discarded(0).await.unwrap(), [""; 0]);
    s.store.forget_discarded(keys).await.unwrap();
    assert_eq!(s.store.discarded(9).await.unwrap(), [""; 0]);
    s.store.forget_discarded(vec!["unknown".to_owned()]).await.unwrap();
}

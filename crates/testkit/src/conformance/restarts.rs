//! Work that begins anew in a person's name.

use verst_kernel::{Actor, Event, Fence, Lift, Settled, WorkId};
use verst_recordings::model::Product;
use verst_recordings::ports::{Admission, Lanes, Part, Wish};
use verst_service::Edit;
use verst_service::Product as AnyProduct;

use super::products::transcript;
use super::{SECOND, Subject, advance, here, normalised, release};

fn anew(wish: Wish) -> Lift<AnyProduct> {
    Lift { to: Some("uploaded"), product: Some(Product::Again(wish).into()) }
}

/// What stands at the end of the road, and what is stopped.
pub async fn what_is_done_begins_anew(s: Subject) {
    let done = s.accept().await;
    let claim = s.hold().await;
    s.settle(&claim, advance("done")).await;
    let stopped = s.accept().await;
    s.store.stop(&here(), stopped, "anna").await.unwrap();
    s.clock.pass(SECOND);
    let now = s.store.now().await.unwrap();
    for id in [done, stopped] {
        assert!(s.store.restart(id, "boris", anew(Wish::default())).await.unwrap());
        let work = s.view(id).await.work;
        assert_eq!((&*work.milestone, work.stop, work.failures), ("uploaded", None, 0));
        assert_eq!((work.entered_at, work.ready_at), (now, now));
        let row = s.store.journal(id).await.unwrap().pop().expect("a row");
        let boris = Actor::Person("boris".to_owned());
        assert_eq!((row.actor, row.event, &*row.milestone), (boris, Event::Restarted, "uploaded"));
        assert_eq!(s.hold().await.id(), id);
    }
    let missing = WorkId(stopped.0 + 100);
    assert!(!s.store.restart(missing, "boris", anew(Wish::default())).await.unwrap());
}

/// And its fence never repeats.
pub async fn a_restart_takes_the_work_from_its_holder(s: Subject) {
    let id = s.accept().await;
    let held = s.hold().await;
    assert!(s.store.restart(id, "boris", anew(Wish::default())).await.unwrap());
    assert_eq!(s.settle(&held, release()).await, Settled::Lost);
    let Fence(before) = held.fence();
    let next = s.hold().await;
    assert!(next.fence().0 > before + 1, "claimed, begun anew, claimed");
    assert_eq!(s.standing(&next).await.unwrap().failures, 1);
}

/// The text that is there, too, until there is another.
pub async fn a_restart_gives_up_what_was_begun_and_keeps_what_people_wrote(s: Subject) {
    let claim = s.hold_normalised(SECOND).await;
    let id = claim.id();
    let opened = s.store.open_attempt(&claim, "x", Lanes::Unlimited, SECOND).await.unwrap();
    let Admission::Opened(attempt) = opened else { panic!("{opened:?}") };
    let part = Part { index: 0, segments: Vec::new(), language: None };
    s.store.note(&claim, Product::Part { attempt, part }).await.unwrap();
    let text = transcript("первый");
    let told = Product::Transcribed { attempt, transcript: text.clone() };
    s.store.note(&claim, told).await.unwrap();
    let titled = Edit { title: Some("a title".to_owned()), ..Edit::default() };
    s.store.edit(id, titled).await.unwrap();

    let wish = Wish { language: Some("ru".to_owned()), model: None };
    assert!(s.store.restart(id, "boris", anew(wish.clone())).await.unwrap());
    let recording = s.view(id).await.recording;
    assert_eq!((recording.given.wish, recording.audio), (wish, None));
    assert_eq!(recording.title.as_deref(), Some("a title"));
    assert_eq!(s.store.transcript(id).await.unwrap(), Some(text));
    assert_eq!(s.store.open_attempt_of(id).await.unwrap(), None);
    assert_eq!(s.store.parts(attempt).await.unwrap(), []);
    assert_eq!(s.store.discarded(9).await.unwrap(), ["normalised/x"]);
    let again = s.hold().await;
    s.settle(&again, advance("normalized")).await;
    let claim = s.hold().await;
    s.store.note(&claim, normalised(SECOND)).await.unwrap();
    let opened = s.store.open_attempt(&claim, "x", Lanes::Unlimited, SECOND).await.unwrap();
    assert!(matches!(opened, Admission::Opened(_)), "{opened:?}");
}

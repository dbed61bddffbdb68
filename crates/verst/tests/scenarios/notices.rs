//! A notice is told at most once; what a crash left behind is counted, not sent.

use std::sync::Arc;

use tracing::Level;
use verst_kernel::{Event, NoticeKind, Outcome, Settled, Undelivered};
use verst_recordings::LINE;
use verst_recordings::model::Product;
use verst_testkit::{Backend, World};

use crate::common::{verdict, with_bot};

on_every_store!(
    what_a_crash_left_untold_is_counted_as_interrupted_and_not_sent,
    what_another_instance_left_is_not_ours_to_count,
    a_letter_carries_the_text_and_goes_to_whoever_sent_the_recording,
);

/// The settle of a run that reached `done` or stopped, as a process does it that dies right after.
async fn settle_and_die(world: &World, outcome: Outcome<Product>) {
    let stage = LINE.stages()[usize::from(matches!(outcome, Outcome::Advance(_))) * 3];
    let claim = world.store.claim(&world.runtime.instance).await.unwrap().unwrap();
    let standing = world.store.standing(&claim).await.unwrap().unwrap();
    assert_eq!(standing.milestone, stage.name);
    let roll = verst_kernel::Roll(0);
    let change = verst_kernel::settle(&standing, &stage, outcome, &world.runtime.limits, roll);
    let settled = world.store.settle(&claim, &change).await.unwrap();
    assert!(matches!(settled, Settled::Done(Some(_))), "{settled:?}");
}

async fn what_a_crash_left_untold_is_counted_as_interrupted_and_not_sent(backend: Backend) {
    let (bot, setup) = with_bot();
    let world = World::new(backend, setup);
    let done = world.accept().await;
    world.reach(done, "transcribed").await;
    settle_and_die(&world, Outcome::Advance(Product::Finished { original_deleted: false })).await;
    let stopped = world.accept().await;
    settle_and_die(&world, verdict("damaged_file")).await;

    let restarted = world.another("here");
    restarted.runtime.recover().await.unwrap();
    assert_eq!(bot.letters(), [], "there is no deferred delivery");
    assert_eq!(restarted.tally.undelivered(), [Undelivered::Interrupted; 2]);
    let records = restarted.logs.at_least(Level::WARN);
    assert_eq!(records.len(), 2, "{records:?}");
    for (record, id) in records.iter().zip([done, stopped]) {
        assert_eq!(record.level, Level::WARN);
        assert!(record.text.contains(&format!("work={id}")), "{record:?}");
        assert!(record.text.contains("cause=interrupted"), "{record:?}");
    }
    assert!(restarted.view(stopped).await.work.stop.is_some(), "the stop holds");
    assert_eq!(restarted.journal(stopped).await[0].event, Event::Stopped);

    restarted.runtime.recover().await.unwrap();
    assert_eq!(restarted.tally.undelivered().len(), 2, "and counted once");
}

async fn what_another_instance_left_is_not_ours_to_count(backend: Backend) {
    let (_, setup) = with_bot();
    let world = World::new(backend, setup);
    world.accept().await;
    settle_and_die(&world, verdict("damaged_file")).await;
    let other = world.another("there");
    other.runtime.recover().await.unwrap();
    assert_eq!(other.tally.undelivered(), []);
    let ours = world.another("here");
    ours.runtime.recover().await.unwrap();
    assert_eq!(ours.tally.undelivered(), [Undelivered::Interrupted]);
}

async fn a_letter_carries_the_text_and_goes_to_whoever_sent_the_recording(backend: Backend) {
    let (bot, mut setup) = with_bot();
    setup.recognisers = vec![Arc::new(verst_testkit::ScriptedProvider::new(0))];
    let world = World::new(backend, setup);
    let id = world.submit().await;
    world.reach(id, "done").await;
    let letters = bot.letters();
    assert_eq!(letters.len(), 1);
    let (addressee, letter) = &letters[0];
    assert_eq!((addressee.as_deref(), letter.work), (Some("chat-1"), id));
    assert_eq!(letter.kind, NoticeKind::Done);
    assert_eq!(letter.name.as_deref(), Some(World::NAME));
    let text = letter.transcript.as_ref().map(verst_recordings::transcript::Transcript::text);
    assert_eq!(text.as_deref(), Some(verst_testkit::ScriptedProvider::TEXT));
}

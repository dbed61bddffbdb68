//! A notice is told at most once; what a crash left behind is counted, not sent.

use std::sync::Arc;

use tracing::Level;
use verst_kernel::{Event, NoticeKind, Undelivered};
use verst_runtime::Turn;
use verst_testkit::{Backend, Layer, World};

use crate::common::{verdict, with_bot};

on_every_store!(
    what_a_crash_left_untold_is_counted_as_interrupted_and_not_sent,
    what_another_instance_left_is_not_ours_to_count,
    a_letter_carries_the_text_and_goes_to_whoever_sent_the_recording,
);

/// A turn of a process that dies between the commit and the telling.
async fn commit_and_die(world: &World) {
    let layer = Arc::new(Layer::new(world.store.clone()));
    layer.fail_takes(1);
    assert_eq!(world.through(layer).turn(&world.shutdown).await.unwrap(), Turn::Worked);
}

async fn what_a_crash_left_untold_is_counted_as_interrupted_and_not_sent(backend: Backend) {
    let (bot, setup) = with_bot();
    let world = World::new(backend, setup);
    let done = world.accept().await;
    world.reach(done, "transcribed").await;
    commit_and_die(&world).await;
    let stopped = world.accept().await;
    world.script.once("uploaded", verdict("damaged_file"));
    commit_and_die(&world).await;

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
    world.script.once("uploaded", verdict("damaged_file"));
    commit_and_die(&world).await;
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

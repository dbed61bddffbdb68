//! P10: every stop tells the sender, and the owner's log.

use tracing::Level;
use verst_kernel::{Failure, Limits, NoticeKind, StopReason, WorkId};
use verst_testkit::{Backend, Mailbox, Setup, World};

use crate::common::{HOUR, fail, running, stopped, verdict, with_bot};

on_every_store!(
    p10_1_a_stop_by_failures_is_told_and_logged,
    p10_2_a_stop_by_time_is_told_and_logged,
    a_verdict_is_told_and_logged,
    a_persons_stop_is_told_and_logged,
);

/// One letter to the sender with this failure, after which the mark was there; one record of the
/// stop with the reason.
async fn check(world: &World, bot: &Mailbox, id: WorkId, reason: StopReason, failure: Failure) {
    assert_eq!(stopped(&world.view(id).await), Some(reason));
    let letters = bot.letters();
    assert_eq!(letters.len(), 1, "{letters:?}");
    let (addressee, letter) = &letters[0];
    assert_eq!((addressee.as_deref(), letter.work), (Some("chat-1"), id));
    assert_eq!((&letter.kind, &letter.transcript), (&NoticeKind::Stopped(failure), &None));
    // What a person did on purpose is no error, but it is there to be found.
    let level = if reason == StopReason::Person { Level::INFO } else { Level::ERROR };
    let part = format!("reason={}", reason.name());
    let mut records = world.logs.at_least(level);
    records.retain(|record| record.text.contains(&part));
    assert_eq!(records.len(), 1, "{}", world.logs.everything());
    assert!(records[0].text.contains(&format!("work={id}")), "{records:?}");
    assert_eq!(world.tally.undelivered(), []);
}

async fn p10_1_a_stop_by_failures_is_told_and_logged(backend: Backend) {
    let (bot, setup) = with_bot();
    let world = World::new(backend, setup);
    let id = world.accept().await;
    world.script.always("uploaded", fail("engine_died"));
    while stopped(&world.view(id).await).is_none() {
        assert_eq!(bot.letters(), [], "a failure that is retried is nobody's news");
        world.pass_pause(id).await;
        world.turn().await;
    }
    check(&world, &bot, id, StopReason::Failures, Failure::new("engine_died")).await;
}

async fn p10_2_a_stop_by_time_is_told_and_logged(backend: Backend) {
    let (bot, setup) = with_bot();
    let limits = Limits { foreign_patience: HOUR * 2, ..Limits::default() };
    let world = World::new(backend, Setup { limits, ..setup });
    let id = world.accept().await;
    world.script.always("submitted", running(HOUR));
    world.reach(id, "submitted").await;
    while stopped(&world.view(id).await).is_none() {
        world.pass_pause(id).await;
        world.turn().await;
    }
    let stuck = Failure::new(Failure::STUCK).int("hours", 2);
    check(&world, &bot, id, StopReason::Stuck, stuck).await;
}

async fn a_verdict_is_told_and_logged(backend: Backend) {
    let (bot, setup) = with_bot();
    let world = World::new(backend, setup);
    let id = world.accept().await;
    world.script.once("uploaded", verdict("damaged_file"));
    world.turn().await;
    check(&world, &bot, id, StopReason::Verdict, Failure::new("damaged_file")).await;
}

async fn a_persons_stop_is_told_and_logged(backend: Backend) {
    let (bot, setup) = with_bot();
    let world = World::new(backend, setup);
    let id = world.accept().await;
    world.service.stop(id, "anna").await.unwrap();
    check(&world, &bot, id, StopReason::Person, Failure::new(Failure::BY_PERSON)).await;
}

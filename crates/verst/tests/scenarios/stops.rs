//! A person's stop and lift.

use tracing::Level;
use verst_kernel::{Actor, Event, Failure, NoticeKind, StopReason, Undelivered, WorkId};
use verst_service::{LiftError, StopAnswer};
use verst_testkit::{Backend, Gate, Setup, World};

use crate::common::{fail, stopped, with_bot};

on_every_store!(
    a_persons_stop_ends_the_running_step_and_is_told,
    a_persons_stop_that_nobody_hears_of_is_logged_and_counted,
    what_is_stopped_finished_or_missing_is_not_stopped,
    what_is_moving_finished_or_missing_is_not_lifted,
);

async fn a_persons_stop_ends_the_running_step_and_is_told(backend: Backend) {
    let (bot, setup) = with_bot();
    let world = World::new(backend, setup);
    let id = world.accept().await;
    let gate = Gate::default();
    world.script.once_interrupted("uploaded", &gate, fail("interrupted"));
    let stop = async {
        gate.arrival().await;
        world.service.stop(id, "anna").await.unwrap()
    };
    // The turn ends only because the step was interrupted.
    let (_, answer) = tokio::join!(world.turn(), stop);
    assert_eq!(answer, StopAnswer::Stopped(Ok(())));
    let work = world.view(id).await.work;
    assert_eq!((work.milestone.as_str(), work.held), ("uploaded", false));
    let mark = work.stop.expect("stopped");
    let by_person = Failure::new(Failure::BY_PERSON);
    assert_eq!((mark.reason, &mark.failure), (StopReason::Person, &by_person));

    let journal = world.journal(id).await;
    assert_eq!(journal.len(), 1);
    assert_eq!(journal[0].actor, Actor::Person("anna".to_owned()));
    assert_eq!((journal[0].event, &journal[0].failure), (Event::Stopped, &Some(by_person.clone())));
    let kinds: Vec<_> = bot.letters().into_iter().map(|(_, letter)| letter.kind).collect();
    assert_eq!(kinds, [NoticeKind::Stopped(by_person)]);
    assert_eq!(work.why, None, "the interrupted step left nothing");
}

async fn a_persons_stop_that_nobody_hears_of_is_logged_and_counted(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let id = world.accept().await;
    let answer = world.service.stop(id, "anna").await.unwrap();
    assert_eq!(answer, StopAnswer::Stopped(Err(Undelivered::NotConfigured)));
    assert_eq!(stopped(&world.view(id).await), Some(StopReason::Person));
    assert_eq!(world.tally.undelivered(), [Undelivered::NotConfigured]);
    let warnings: Vec<_> =
        world.logs.at_least(Level::WARN).into_iter().filter(|r| r.level == Level::WARN).collect();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    for part in [&format!("work={id}"), "cause=not_configured"] {
        assert!(warnings[0].text.contains(part), "{warnings:?}");
    }
}

async fn what_is_stopped_finished_or_missing_is_not_stopped(backend: Backend) {
    let (bot, setup) = with_bot();
    let world = World::new(backend, setup);
    let finished = world.accept().await;
    world.reach(finished, "done").await;
    let twice = world.accept().await;
    world.service.stop(twice, "anna").await.unwrap();
    let letters = bot.letters();
    let before = (world.view(finished).await, world.view(twice).await);
    world.pass(crate::common::HOUR);

    let missing = WorkId(twice.0 + 1);
    for (id, answer) in [
        (finished, StopAnswer::Finished),
        (twice, StopAnswer::AlreadyStopped),
        (missing, StopAnswer::Missing),
    ] {
        assert_eq!(world.service.stop(id, "boris").await.unwrap(), answer);
    }
    assert_eq!((world.view(finished).await, world.view(twice).await), before);
    assert_eq!(world.journal(twice).await.len(), 1, "the earlier mark stays, and its row");
    assert_eq!(bot.letters(), letters);
}

async fn what_is_moving_finished_or_missing_is_not_lifted(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let finished = world.accept().await;
    world.reach(finished, "done").await;
    let moving = world.accept().await;
    let before = (world.view(finished).await, world.view(moving).await);
    for id in [finished, moving] {
        let answer = world.service.lift(id, "anna", None).await;
        assert!(matches!(answer, Err(LiftError::NotStopped)), "{answer:?}");
    }
    let answer = world.service.lift(WorkId(moving.0 + 1), "anna", None).await;
    assert!(matches!(answer, Err(LiftError::Missing)), "{answer:?}");
    assert_eq!((world.view(finished).await, world.view(moving).await), before);
    assert_eq!(world.journal(moving).await, []);
}

//! P15: the journal is written on a change of milestone, a stop and a lift, and never else.

use std::time::Duration;

use verst_kernel::{Actor, Entry, Event, Failure, Outcome};
use verst_recordings::model::Product;
use verst_testkit::{Backend, ScriptedProvider, Setup, World, act};

use crate::common::{running, with_provider};

on_every_store!(
    p15_1_a_change_of_milestone_leaves_a_row_with_step_outcome_and_duration,
    p15_2_many_deferrals_leave_no_row,
    p15_3_a_lift_leaves_a_row_that_names_the_person,
);

async fn p15_1_a_change_of_milestone_leaves_a_row_with_step_outcome_and_duration(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let id = world.accept().await;
    world.reach(id, "normalized").await;
    let clock = world.clock.clone();
    world.script.once_do(
        "normalized",
        act(move |_| {
            clock.pass(Duration::from_secs(42));
            Box::pin(async { Outcome::Advance(Product::Submitted) })
        }),
    );
    world.turn().await;
    let row = world.journal(id).await.pop().expect("a row");
    assert_eq!(
        row,
        Entry {
            at: world.now(),
            actor: Actor::Step("submit".to_owned()),
            event: Event::Advanced,
            milestone: "submitted".to_owned(),
            duration: Duration::from_secs(42),
            failure: None,
        }
    );
    world.reach(id, "done").await;
    let rows: Vec<_> =
        world.journal(id).await.into_iter().map(|e| (e.actor, e.milestone)).collect();
    let step = |step: &str, reached: &str| (Actor::Step(step.to_owned()), reached.to_owned());
    assert_eq!(
        rows,
        [
            step("normalise", "normalized"),
            step("submit", "submitted"),
            step("poll", "transcribed"),
            step("finish", "done"),
        ]
    );
}

async fn p15_2_many_deferrals_leave_no_row(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let id = world.accept().await;
    world.script.always("submitted", running(Duration::ZERO));
    world.reach(id, "submitted").await;
    let before = world.journal(id).await;
    for _ in 0..200 {
        world.turn().await;
    }
    assert_eq!(world.tally.of("submitted", "deferred"), 200);
    assert_eq!(world.journal(id).await, before);
}

async fn p15_3_a_lift_leaves_a_row_that_names_the_person(backend: Backend) {
    let (_, setup) = with_provider(ScriptedProvider::new(0));
    let world = World::new(backend, setup);
    let id = world.submit().await;
    world.reach(id, "transcribed").await;
    world.service.stop(id, "anna").await.unwrap();
    world.pass(Duration::from_mins(5));
    world.service.lift(id, "boris", None).await.unwrap();
    let rows = world.journal(id).await.split_off(3);
    let row = |person: &str, event, at, failure| Entry {
        at,
        actor: Actor::Person(person.to_owned()),
        event,
        milestone: "transcribed".to_owned(),
        duration: Duration::ZERO,
        failure,
    };
    let by_person = Some(Failure::new(Failure::BY_PERSON));
    assert_eq!(rows[0], row("anna", Event::Stopped, rows[0].at, by_person));
    assert_eq!(rows[1], row("boris", Event::Lifted, world.now(), None));
    assert_eq!(rows[1].at.since(rows[0].at), Duration::from_mins(5));

    // Nothing of the recording stands in any row, though there is a text by now.
    let text = world.store.transcript(id).await.unwrap().expect("a text to leak").text();
    let journal = format!("{:?}", world.journal(id).await);
    assert!(!journal.contains(&text) && !journal.contains(World::NAME), "{journal}");
}

//! Three hundred recordings at once: a long wait for our own workers is never a false stop.

use std::time::Duration;

use verst_kernel::{Event, StopReason, WorkId};
use verst_runtime::Turn;
use verst_testkit::{Backend, Setup, World};

use crate::common::{HOUR, fail, running, stopped};

on_every_store!(
    three_hundred_recordings_and_a_night_without_workers_all_end_done,
    recordings_that_were_tried_before_the_night_are_not_judged_for_it,
    a_weekend_off_in_the_middle_of_an_operation_is_not_held_against_it,
);

const MANY: usize = 300;

async fn accept_many(world: &World) -> Vec<WorkId> {
    let mut ids = Vec::new();
    for _ in 0..MANY {
        ids.push(world.accept().await);
        world.pass(Duration::from_millis(10));
    }
    ids
}

/// Works while anything is ready. A turn takes half a minute, so that at each milestone the last
/// one waits for more than twice as long as our own work is given.
async fn work_through(world: &World) {
    while world.turn().await == Turn::Worked {
        world.pass(Duration::from_secs(30));
    }
}

async fn all_done_without_a_stop(world: &World, ids: &[WorkId]) {
    for id in ids {
        assert_eq!(world.view(*id).await.work.milestone, "done");
        let events: Vec<_> = world.journal(*id).await.into_iter().map(|e| e.event).collect();
        assert_eq!(events, [Event::Advanced; 4], "{id}");
    }
}

async fn three_hundred_recordings_and_a_night_without_workers_all_end_done(backend: Backend) {
    let evening = World::new(backend, Setup::default());
    let ids = accept_many(&evening).await;
    evening.pass(HOUR * 10);
    let morning = evening.another("here");
    morning.runtime.recover().await.unwrap();
    work_through(&morning).await;
    all_done_without_a_stop(&morning, &ids).await;
}

async fn recordings_that_were_tried_before_the_night_are_not_judged_for_it(backend: Backend) {
    let evening = World::new(backend, Setup::default());
    let ids = accept_many(&evening).await;
    for _ in 0..MANY {
        evening.script.once("uploaded", fail("disk_full"));
        assert_eq!(evening.turn().await, Turn::Worked);
    }
    assert_eq!(evening.tally.of("uploaded", "failure"), MANY);
    evening.pass(HOUR * 10);
    let morning = evening.another("here");
    morning.runtime.recover().await.unwrap();
    work_through(&morning).await;
    all_done_without_a_stop(&morning, &ids).await;
}

/// Polled before the weekend and many times after it: the days off do not count, the hours of
/// service do.
async fn a_weekend_off_in_the_middle_of_an_operation_is_not_held_against_it(backend: Backend) {
    let friday = World::new(backend, Setup::default());
    let id = friday.accept().await;
    friday.reach(id, "submitted").await;
    friday.script.always("submitted", running(HOUR));
    friday.turn().await;
    friday.pass(HOUR * 64);

    let monday = friday.another("here");
    monday.runtime.recover().await.unwrap();
    monday.script.always("submitted", running(HOUR));
    let mut hours = 0;
    while stopped(&monday.view(id).await).is_none() {
        monday.turn().await;
        monday.pass(HOUR);
        hours += 1;
        assert!(hours < 100, "an operation that hangs is stopped some day");
    }
    assert_eq!(stopped(&monday.view(id).await), Some(StopReason::Stuck));
    assert!((24..=27).contains(&hours), "after {hours} hours of service");
}

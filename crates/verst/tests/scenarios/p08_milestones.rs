//! P08: a milestone names what is achieved.

use verst_runtime::Turn;
use verst_testkit::{Backend, ScriptedProvider, Setup, World};

use crate::common::{HOUR, with_provider};

on_every_store!(
    p08_1_after_normalisation_the_milestone_says_normalised,
    p08_2_a_normalised_record_is_submitted_and_not_normalised_again,
    p08_3_a_finished_record_is_neither_handed_out_nor_stopped,
);

async fn p08_1_after_normalisation_the_milestone_says_normalised(backend: Backend) {
    let (_, setup) = with_provider(ScriptedProvider::new(0));
    let world = World::new(backend, setup);
    let id = world.submit().await;
    assert_eq!(world.view(id).await.work.milestone, "uploaded");
    assert_eq!(world.view(id).await.recording.audio, None);
    world.turn().await;
    let view = world.view(id).await;
    assert_eq!(view.work.milestone, "normalized");
    let audio = view.recording.audio.expect("what the milestone says is there");
    assert_eq!(audio.duration.as_secs(), 1);
}

async fn p08_2_a_normalised_record_is_submitted_and_not_normalised_again(backend: Backend) {
    let (provider, setup) = with_provider(ScriptedProvider::new(0));
    let world = World::new(backend, setup);
    let id = world.submit().await;
    let normalised = world.reach(id, "normalized").await.recording.audio;
    assert_eq!(provider.begun(), 0);
    assert_eq!(world.turn().await, Turn::Worked);
    assert_eq!(provider.begun(), 1);
    let view = world.view(id).await;
    assert_eq!(view.work.milestone, "submitted");
    assert_eq!(view.recording.audio, normalised, "the audio is the one made before");
    assert_eq!(world.tally.of("uploaded", "success"), 1);
    let steps: Vec<_> = world.journal(id).await.into_iter().map(|e| e.milestone).collect();
    assert_eq!(steps, ["normalized", "submitted"]);
}

async fn p08_3_a_finished_record_is_neither_handed_out_nor_stopped(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let id = world.accept().await;
    let before = world.reach(id, "done").await;
    world.pass(HOUR * 10_000);
    assert_eq!(world.turn().await, Turn::Idle);
    let restarted = world.another("here");
    restarted.runtime.recover().await.unwrap();
    assert_eq!(restarted.turn().await, Turn::Idle);
    assert_eq!(restarted.view(id).await, before);
    assert_eq!(before.work.stop, None);
}

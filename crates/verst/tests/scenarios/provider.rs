//! Trouble of a provider as a whole: recordings wait, the owner is told, nobody pays.

use std::time::Duration;

use tracing::Level;
use verst_kernel::Failure;
use verst_recordings::codes;
use verst_recordings::ports::{Obstacle, Warning};
use verst_testkit::{Backend, Order, ScriptedProvider, World};

use crate::common::{HOUR, with_provider};

on_every_store!(
    a_paused_provider_stops_nothing_in_a_hundred_hours,
    a_provider_that_pauses_before_it_begins_is_asked_again,
    audio_that_cannot_be_read_is_no_unknown_submission,
    what_a_text_lacks_is_told_and_the_text_is_kept,
);

const DELAY: Duration = Duration::from_mins(30);

fn paused() -> Obstacle {
    Obstacle::Paused { delay: DELAY, failure: Failure::new(codes::PROVIDER_PAUSED) }
}

async fn a_paused_provider_stops_nothing_in_a_hundred_hours(backend: Backend) {
    let (provider, setup) = with_provider(ScriptedProvider::new(2));
    let world = World::new(backend, setup);
    let id = world.submit().await;
    world.reach(id, "submitted").await;
    provider.obstruct(Some(Obstacle::Failed(Failure::new(codes::PROVIDER_FAILED))));
    world.turn().await;
    world.pass_pause(id).await;
    assert_eq!(world.view(id).await.work.failures, 1, "an earlier failure stays");
    let journal = world.journal(id).await;
    let warned = world.logs.at_least(Level::WARN).len();

    provider.obstruct(Some(paused()));
    for _ in 0..200 {
        world.turn().await;
        let work = world.view(id).await.work;
        assert_eq!((work.failures, work.stop), (1, None));
        assert_eq!(work.why, Some(Failure::new(codes::PROVIDER_PAUSED)));
        assert_eq!(work.ready_at, world.now().after(DELAY));
        world.pass(DELAY);
    }
    assert_eq!(world.tally.of("submitted", "trouble"), 200, "a hundred hours");
    let warnings = world.logs.at_least(Level::WARN).split_off(warned);
    assert_eq!(warnings.len(), 200);
    let parts = [codes::PROVIDER_PAUSED.to_owned(), format!("work={id}")];
    assert!(parts.iter().all(|part| warnings[0].text.contains(part)), "{:?}", warnings[0]);
    assert_eq!(world.journal(id).await, journal);

    provider.obstruct(None);
    world.reach(id, "done").await;
    assert_eq!(provider.begun(), 1);
}

async fn a_provider_that_pauses_before_it_begins_is_asked_again(backend: Backend) {
    let (provider, setup) = with_provider(ScriptedProvider::new(0));
    let world = World::new(backend, setup);
    let id = world.submit().await;
    world.reach(id, "normalized").await;
    for _ in 0..60 {
        provider.order(Order::Decline(paused()));
        world.turn().await;
        world.pass(HOUR);
        let view = world.view(id).await;
        assert_eq!((view.work.failures, view.work.stop), (0, None));
        // A definite no closes the intent, so that no one takes it for an unknown one.
        assert_eq!(world.store.open_attempt_of(id).await.unwrap(), None);
    }
    world.reach(id, "done").await;
    assert_eq!(provider.begun(), 1);
}

/// The attempt row is there, but the provider was certainly not called: nobody has to decide.
async fn audio_that_cannot_be_read_is_no_unknown_submission(backend: Backend) {
    let (provider, setup) = with_provider(ScriptedProvider::new(0));
    let world = World::new(backend, setup);
    let id = world.submit().await;
    world.reach(id, "normalized").await;
    let key = world.view(id).await.recording.audio.unwrap().key;
    let file = world.service.objects.local(&key).await.unwrap().path().to_owned();
    let away = file.with_extension("away");
    std::fs::rename(&file, &away).unwrap();
    world.turn().await;
    let work = world.view(id).await.work;
    assert_eq!((work.failures, work.stop), (1, None));
    assert_eq!(work.why, Some(Failure::new(codes::AUDIO_MISSING)));

    std::fs::rename(&away, &file).unwrap();
    world.reach(id, "done").await;
    assert_eq!(provider.begun(), 1);
}

async fn what_a_text_lacks_is_told_and_the_text_is_kept(backend: Backend) {
    let (provider, setup) = with_provider(ScriptedProvider::new(0));
    let world = World::new(backend, setup);
    provider.mar(Warning::SpeakersUnknown);
    let id = world.submit().await;
    world.reach(id, "transcribed").await;
    let transcript = world.store.transcript(id).await.unwrap().unwrap();
    assert_eq!(transcript.text(), ScriptedProvider::TEXT);
    let view = world.view(id).await;
    assert_eq!(view.recording.warnings.last(), Some(&Warning::SpeakersUnknown));
    assert_eq!((view.work.failures, view.work.stop), (0, None));
    assert!(!world.logs.everything().contains(ScriptedProvider::TEXT));
}

//! What an owner does to recordings of theirs: transcribe again, delete.

use verst_recordings::model::Source;
use verst_recordings::ports::Wish;
use verst_service::{AgainError, Caller, Edit};
use verst_testkit::{Backend, ScriptedProvider, Setup, World};

use crate::common::{HOUR, while_it_begins, with_provider};

on_every_store!(
    transcribing_again_costs_once_more_and_only_with_consent,
    transcribing_again_takes_the_work_from_the_run_under_way,
    what_is_done_keeps_its_text_until_there_is_another,
    what_is_deleted_is_gone_with_its_audio,
    what_is_deleted_under_a_run_stays_gone,
    a_deletion_that_a_crash_interrupted_is_finished_by_the_sweep,
    callers_see_their_own,
);

fn wish() -> Wish {
    Wish { language: Some("ru".to_owned()), model: None }
}

async fn transcribing_again_costs_once_more_and_only_with_consent(backend: Backend) {
    let (provider, setup) = with_provider(ScriptedProvider::new(0));
    let world = World::new(backend, setup);
    let id = world.submit().await;
    world.reach(id, "done").await;
    let refused = world.service.again(id, "anna", wish(), false).await;
    assert!(matches!(refused, Err(AgainError::CostsMoney)), "{refused:?}");
    assert_eq!((world.view(id).await.work.milestone.as_str(), provider.begun()), ("done", 1));
    world.service.again(id, "anna", wish(), true).await.unwrap();
    world.reach(id, "done").await;
    assert_eq!(provider.begun(), 2);
    assert_eq!(world.view(id).await.recording.given.wish, wish());
}

async fn transcribing_again_takes_the_work_from_the_run_under_way(backend: Backend) {
    let (provider, setup) = with_provider(ScriptedProvider::new(0));
    let world = World::new(backend, setup);
    let id = world.submit().await;
    world.reach(id, "normalized").await;
    while_it_begins(&world, &provider, async {
        world.service.again(id, "anna", wish(), true).await.unwrap();
    })
    .await;
    let work = world.view(id).await.work;
    assert_eq!((work.milestone.as_str(), work.held, work.failures), ("uploaded", false, 0));
    world.reach(id, "done").await;
    assert_eq!(provider.begun(), 2, "the first was given up with consent");
}

async fn what_is_done_keeps_its_text_until_there_is_another(backend: Backend) {
    let (provider, setup) = with_provider(ScriptedProvider::new(1));
    let world = World::new(backend, setup);
    let id = world.submit().await;
    world.reach(id, "done").await;
    let edit = Edit { title: Some("a title".to_owned()), ..Edit::default() };
    world.service.edit(id, edit).await.unwrap();
    let before = world.store.transcript(id).await.unwrap();
    world.service.again(id, "anna", wish(), true).await.unwrap();
    world.reach(id, "submitted").await;
    assert_eq!(world.store.transcript(id).await.unwrap(), before);
    provider.refuse_all();
    world.pass(HOUR);
    world.turn().await;
    let view = world.view(id).await;
    assert!(view.work.stop.is_some(), "the new one failed");
    assert_eq!(world.store.transcript(id).await.unwrap(), before, "and took nothing with it");
    assert_eq!(view.recording.title.as_deref(), Some("a title"));
}

async fn what_is_deleted_is_gone_with_its_audio(backend: Backend) {
    let (_, setup) = with_provider(ScriptedProvider::new(0));
    let world = World::new(backend, setup);
    let id = world.submit().await;
    world.reach(id, "normalized").await;
    let recording = world.view(id).await.recording;
    let keys = [recording.given.original, recording.audio.unwrap().key];
    let exists = async |key: &str| world.service.objects.local(key).await.is_ok();
    assert!(exists(&keys[0]).await && exists(&keys[1]).await);
    assert!(world.service.delete(id).await.unwrap());
    assert!(!exists(&keys[0]).await && !exists(&keys[1]).await);
    assert_eq!(world.store.view(id).await.unwrap(), None);
    assert_eq!(world.store.discarded(9).await.unwrap(), [""; 0]);
    assert!(!world.service.delete(id).await.unwrap());
    world.pass(HOUR * 24 * 30);
    let swept = world.service.sweep().await.unwrap();
    assert_eq!((swept.removed, swept.set_aside), (0, 0));
}

async fn what_is_deleted_under_a_run_stays_gone(backend: Backend) {
    let (provider, setup) = with_provider(ScriptedProvider::new(0));
    let world = World::new(backend, setup);
    let id = world.submit().await;
    world.reach(id, "normalized").await;
    while_it_begins(&world, &provider, async {
        assert!(world.service.delete(id).await.unwrap());
    })
    .await;
    assert_eq!(world.store.view(id).await.unwrap(), None);
    assert_eq!(world.turn().await, verst_runtime::Turn::Idle);
}

async fn a_deletion_that_a_crash_interrupted_is_finished_by_the_sweep(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let id = world.submit().await;
    let key = world.view(id).await.recording.given.original;
    // As far as a process came that was killed right after the commit.
    assert!(world.store.remove(id).await.unwrap());
    assert!(world.service.objects.local(&key).await.is_ok());
    world.service.sweep().await.unwrap();
    assert!(world.service.objects.local(&key).await.is_err(), "gone, and not set aside");
    assert_eq!(world.store.discarded(9).await.unwrap(), [""; 0]);
}

async fn callers_see_their_own(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let hers = world.accept_from(Source::Http, None, Some("anna")).await;
    let nobodys = world.accept_from(Source::Http, None, None).await;
    let (_, secret) = world.service.add_token("phone", Some("anna"), None).await.unwrap();
    let anna = world.service.authenticate(&secret).await.unwrap().expect("it opens");
    let all = Caller::at_home("admin");
    let seen = async |caller: &Caller, id| world.service.look(caller, id).await.unwrap().is_some();
    assert!(seen(&anna, hers).await && !seen(&anna, nobodys).await);
    assert!(seen(&all, hers).await && seen(&all, nobodys).await);
    assert_eq!(world.service.authenticate("verst_guess").await.unwrap(), None);
    assert_eq!(world.service.offer_setup().await.unwrap(), None, "there is a token");
}

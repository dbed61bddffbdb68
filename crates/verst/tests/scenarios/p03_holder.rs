//! P03: only the holder of the claim writes the result.

use verst_kernel::{Event, Failure, Outcome};
use verst_recordings::model::{Audio, Product};
use verst_recordings::ports::Wish;
use verst_service::{Edit, Wording};
use verst_testkit::{Backend, Gate, ScriptedProvider, Setup, World};

use crate::common::{
    SOON, busy, fail, lease, running, there, verdict, while_it_begins, with_bot, with_provider,
};

on_every_store!(
    p03_1_the_result_and_the_owners_edit_both_survive,
    p03_1_a_text_put_right_while_it_is_heard_again_survives_it,
    p03_1_an_edit_during_any_step_survives_it,
    p03_2_a_claim_that_went_to_another_writes_and_sends_nothing,
    p03_3_a_lift_under_a_running_step_leaves_it_nothing_to_write,
);

fn titled(title: &str) -> Edit {
    Edit { title: Some(title.to_owned()), ..Edit::default() }
}

async fn p03_1_the_result_and_the_owners_edit_both_survive(backend: Backend) {
    let (provider, setup) = with_provider(ScriptedProvider::new(0));
    let world = World::new(backend, setup);
    let id = world.submit().await;
    world.reach(id, "normalized").await;
    while_it_begins(&world, &provider, async {
        world.service.edit(id, titled("edited meanwhile")).await.unwrap();
    })
    .await;
    let view = world.reach(id, "done").await;
    assert_eq!(view.recording.title.as_deref(), Some("edited meanwhile"));
    assert_eq!(view.recording.duration.map(|d| d.as_secs()), Some(1));
    let transcript = world.store.transcript(id).await.unwrap().expect("the result is there");
    assert_eq!(transcript.text(), ScriptedProvider::TEXT);
}

async fn p03_1_a_text_put_right_while_it_is_heard_again_survives_it(backend: Backend) {
    let (provider, setup) = with_provider(ScriptedProvider::new(0));
    let world = World::new(backend, setup);
    let id = world.submit().await;
    world.reach(id, "done").await;
    world.service.again(id, "anna", Wish::default(), true).await.unwrap();
    world.reach(id, "normalized").await;
    let said = "put right meanwhile";
    while_it_begins(&world, &provider, async {
        let transcript = world.store.transcript(id).await.unwrap().expect("the first text");
        let was = transcript.segments[0].text.clone();
        let wording = Wording { index: 0, was, text: Some(said.to_owned()) };
        world.service.reword(id, wording, "anna").await.unwrap();
    })
    .await;
    world.reach(id, "done").await;
    let transcript = world.store.transcript(id).await.unwrap().expect("the second text");
    assert_eq!(transcript.segments[0].text, said);
    let kept = world.store.corrections(id).await.unwrap();
    assert!(kept.len() == 1 && kept[0].fits(&transcript.segments), "{kept:?}");
    let journal = world.journal(id).await;
    let restarted = journal.iter().filter(|it| it.event == Event::Restarted).count();
    assert_eq!(restarted, 1, "the step's result is there");
}

async fn p03_1_an_edit_during_any_step_survives_it(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let id = world.accept().await;
    let audio = Audio { key: "normalised/x".into(), duration: SOON, level_db: None };
    let steps = [
        ("uploaded", Product::Normalised { audio: audio.clone(), warnings: Vec::new() }),
        ("normalized", Product::Submitted),
        ("submitted", Product::Submitted),
        ("transcribed", Product::Finished { original_deleted: false }),
    ];
    for (milestone, product) in steps {
        let gate = Gate::default();
        world.script.once_held(milestone, &gate, Outcome::Advance(product));
        tokio::join!(world.turn(), async {
            gate.arrival().await;
            world.service.edit(id, titled(&format!("at {milestone}"))).await.unwrap();
            gate.open();
        });
        let view = world.view(id).await;
        assert_ne!(view.work.milestone, milestone, "the step's result is there");
        assert_eq!(view.recording.title, Some(format!("at {milestone}")));
        assert_eq!(view.recording.duration, Some(SOON));
    }
}

/// Whatever a step may say in the end.
fn every_outcome() -> Vec<Outcome<Product>> {
    let audio = Audio { key: "normalised/zombie".into(), duration: SOON, level_db: None };
    vec![
        Outcome::Advance(Product::Normalised { audio, warnings: Vec::new() }),
        running(SOON),
        busy(SOON),
        fail("ffmpeg_failed"),
        verdict("damaged_file"),
        Outcome::Busy { delay: SOON, why: Failure::new("provider_paused"), trouble: true },
    ]
}

async fn p03_2_a_claim_that_went_to_another_writes_and_sends_nothing(backend: Backend) {
    for outcome in every_outcome() {
        let (bot, setup) = with_bot();
        let world = World::new(backend, setup);
        let id = world.accept().await;
        let gate = Gate::default();
        world.script.once_held("uploaded", &gate, outcome.clone());
        let meanwhile = async {
            gate.arrival().await;
            world.pass(lease("uploaded"));
            let successor = world.store.claim(&there()).await.unwrap().expect("the lease is over");
            let before = world.view(id).await;
            gate.open();
            (successor, before)
        };
        let (_, (successor, before)) = tokio::join!(world.turn(), meanwhile);
        assert_eq!(world.view(id).await, before, "{outcome:?} wrote something");
        assert_eq!(world.journal(id).await, [], "{outcome:?} was journalled");
        assert_eq!(bot.letters(), [], "{outcome:?} was sent");
        assert!(world.store.standing(&successor).await.unwrap().is_some(), "{outcome:?}");
    }
}

async fn p03_3_a_lift_under_a_running_step_leaves_it_nothing_to_write(backend: Backend) {
    for outcome in every_outcome() {
        let (bot, setup) = with_bot();
        let world = World::new(backend, setup);
        let id = world.accept().await;
        let gate = Gate::default();
        world.script.once_held("uploaded", &gate, outcome.clone());
        let meanwhile = async {
            gate.arrival().await;
            world.service.stop(id, "anna").await.unwrap();
            world.service.lift(id, "anna", None).await.unwrap();
            let successor = world.store.claim(&there()).await.unwrap().expect("lifted");
            let before = (world.view(id).await, world.journal(id).await, bot.letters());
            gate.open();
            (successor, before)
        };
        let (_, (successor, before)) = tokio::join!(world.turn(), meanwhile);
        let after = (world.view(id).await, world.journal(id).await, bot.letters());
        assert_eq!(after, before, "{outcome:?} left a trace");
        assert!(world.store.standing(&successor).await.unwrap().is_some(), "{outcome:?}");
    }
}

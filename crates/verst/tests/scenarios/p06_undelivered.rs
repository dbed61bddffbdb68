//! P06: an undelivered reply does not fail the step.

use std::sync::Arc;

use tracing::Level;
use verst_kernel::{StopReason, Undelivered, WorkId};
use verst_recordings::model::Source;
use verst_runtime::Turn;
use verst_service::Entrance;
use verst_testkit::{Backend, Mailbox, ScriptedProvider, Setup, World, tone};

use crate::common::{HOUR, stopped, verdict, with_bot, with_provider};

on_every_store!(
    p06_1_without_the_entrance_the_work_is_done_and_a_warning_says_why,
    p06_1_a_refusing_entrance_is_treated_alike_with_its_own_cause,
    p06_2_a_missing_addressee_is_an_error_and_no_failure,
    p06_3_a_stop_holds_though_nobody_could_be_told,
    p06_4_over_http_there_is_nobody_to_tell,
);

/// The real road up to `done`, with these entrances.
async fn arrive(
    backend: Backend,
    entrances: Vec<Arc<dyn Entrance>>,
    source: Source,
    reply_to: Option<&str>,
) -> (World, WorkId) {
    let (_, setup) = with_provider(ScriptedProvider::new(1));
    let world = World::new(backend, Setup { entrances, ..setup });
    let id = world.submit_from(source, reply_to, tone(1)).await.unwrap();
    world.reach(id, "done").await;
    (world, id)
}

/// The work is done, nothing failed, nothing is repeated or stopped, and only one record tells of
/// the reply: at this level, with the id and the cause, without any content.
async fn check(world: &World, id: WorkId, level: Level, cause: Undelivered) {
    let view = world.view(id).await;
    assert_eq!((view.work.milestone.as_str(), view.work.failures), ("done", 0));
    assert_eq!(view.work.stop, None);
    let outcomes: Vec<_> = world.tally.steps().into_iter().map(|count| count.outcome).collect();
    assert_eq!(outcomes, ["success", "success", "deferred", "success", "success"]);
    world.pass(HOUR * 100);
    assert_eq!(world.turn().await, Turn::Idle);

    assert_eq!(world.tally.undelivered(), [cause]);
    let records = world.logs.at_least(Level::WARN);
    assert_eq!(records.len(), 1, "{records:?}");
    assert_eq!(records[0].level, level);
    let (id_part, cause_part) = (format!("work={id}"), format!("cause={}", cause.name()));
    assert!(records[0].text.contains(&id_part) && records[0].text.contains(&cause_part));
    no_content(world, id).await;
}

/// Neither the text nor the name stands in any record, of any level.
async fn no_content(world: &World, id: WorkId) {
    let text = world.store.transcript(id).await.unwrap().expect("there is a text to leak").text();
    let everything = world.logs.everything();
    assert!(everything.contains("milestone reached"), "there are records to look through");
    for content in [text.as_str(), World::NAME, "chat-1"] {
        assert!(!everything.contains(content), "{content} leaked: {everything}");
    }
}

async fn p06_1_without_the_entrance_the_work_is_done_and_a_warning_says_why(backend: Backend) {
    let (world, id) = arrive(backend, Vec::new(), Source::Telegram, Some("chat-1")).await;
    check(&world, id, Level::WARN, Undelivered::NotConfigured).await;
}

async fn p06_1_a_refusing_entrance_is_treated_alike_with_its_own_cause(backend: Backend) {
    let entrances: Vec<Arc<dyn Entrance>> = vec![Arc::new(Mailbox::broken(Source::Telegram))];
    let (world, id) = arrive(backend, entrances, Source::Telegram, Some("chat-1")).await;
    check(&world, id, Level::WARN, Undelivered::SendFailed).await;
}

async fn p06_2_a_missing_addressee_is_an_error_and_no_failure(backend: Backend) {
    let bot = Arc::new(Mailbox::new(Source::Telegram));
    let up: Vec<Arc<dyn Entrance>> = vec![bot.clone()];
    // Damage is damage, whether the bot is up or not.
    for entrances in [up, Vec::new()] {
        let (world, id) = arrive(backend, entrances, Source::Telegram, None).await;
        check(&world, id, Level::ERROR, Undelivered::NoAddressee).await;
    }
    assert_eq!(bot.letters(), []);
}

async fn p06_3_a_stop_holds_though_nobody_could_be_told(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let id = world.accept().await;
    world.script.once("uploaded", verdict("damaged_file"));
    world.turn().await;
    assert_eq!(stopped(&world.view(id).await), Some(StopReason::Verdict));
    assert_eq!(world.tally.undelivered(), [Undelivered::NotConfigured]);
    let warnings: Vec<_> =
        world.logs.at_least(Level::WARN).into_iter().filter(|r| r.level == Level::WARN).collect();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    for part in [&format!("work={id}"), "cause=not_configured"] {
        assert!(warnings[0].text.contains(part), "{warnings:?}");
    }
    assert!(!world.logs.everything().contains(World::NAME));
    assert_eq!(world.turn().await, Turn::Idle);
}

async fn p06_4_over_http_there_is_nobody_to_tell(backend: Backend) {
    let (bot, setup) = with_bot();
    for entrances in [setup.entrances, Vec::new()] {
        let (world, id) = arrive(backend, entrances, Source::Http, None).await;
        assert_eq!(world.view(id).await.work.milestone, "done");
        assert_eq!(world.tally.undelivered(), []);
        assert_eq!(world.logs.at_least(Level::WARN), []);
        assert_eq!(world.tally.of("transcribed", "success"), 1);
    }
    assert_eq!(bot.letters(), []);
}

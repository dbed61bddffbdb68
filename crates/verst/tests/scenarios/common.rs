//! Worlds and words that many scenarios share.

use std::sync::Arc;
use std::time::Duration;

use verst_kernel::{Failure, Instance, Outcome, StopReason};
use verst_recordings::LINE;
use verst_recordings::model::{Product, Source};
use verst_service::{Entrance, View};
use verst_testkit::{Gate, Mailbox, Order, ScriptedProvider, Setup, World};

pub(crate) const SOON: Duration = Duration::from_secs(30);
pub(crate) const HOUR: Duration = Duration::from_hours(1);
pub(crate) const MOMENT: Duration = Duration::from_micros(1);

/// Runs a story to its end; one that hangs has failed.
pub(crate) async fn in_time(story: impl Future<Output = ()>) {
    verst_testkit::in_time(Duration::from_mins(5), story).await;
}

/// It went wrong this time.
pub(crate) fn fail(code: &'static str) -> Outcome<Product> {
    Outcome::Fail(Failure::new(code))
}

/// It will never go right.
pub(crate) fn verdict(code: &'static str) -> Outcome<Product> {
    Outcome::Verdict(Failure::new(code))
}

/// A foreign operation still runs.
pub(crate) fn running(delay: Duration) -> Outcome<Product> {
    Outcome::Defer { delay, why: Failure::new("recognising"), product: None }
}

/// A resource of ours is taken.
pub(crate) fn busy(delay: Duration) -> Outcome<Product> {
    Outcome::Busy { delay, why: Failure::new("waiting_turn"), trouble: false }
}

/// Scripted steps, and a bot that delivers.
pub(crate) fn with_bot() -> (Arc<Mailbox>, Setup) {
    let bot = Arc::new(Mailbox::new(Source::Telegram));
    let entrances: Vec<Arc<dyn Entrance>> = vec![bot.clone()];
    (bot, Setup { entrances, ..Setup::default() })
}

/// The real steps, and a provider outside.
pub(crate) fn with_provider(provider: ScriptedProvider) -> (Arc<ScriptedProvider>, Setup) {
    let provider = Arc::new(provider);
    (provider.clone(), Setup { recognisers: vec![provider], ..Setup::default() })
}

/// A turn in which something is done after the provider began and before it answers.
pub(crate) async fn while_it_begins(
    world: &World,
    provider: &ScriptedProvider,
    deed: impl Future<Output = ()>,
) {
    let gate = Gate::default();
    provider.order(Order::Hold(gate.clone()));
    tokio::join!(world.turn(), async {
        gate.arrival().await;
        deed.await;
        gate.open();
    });
}

/// The lease that the line declares for a milestone.
pub(crate) fn lease(milestone: &str) -> Duration {
    LINE.leave(milestone).expect("not final").lease
}

/// Another installation on the same store.
pub(crate) fn there() -> Instance {
    Instance("there".to_owned())
}

/// Why it was stopped, if it was.
pub(crate) fn stopped(view: &View) -> Option<StopReason> {
    view.work.stop.as_ref().map(|stop| stop.reason)
}

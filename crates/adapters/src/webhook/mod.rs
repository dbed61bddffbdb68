//! Telling another program what became of a recording, in the manner of Standard Webhooks:
//! <https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md>.
//!
//! **Invariant:** nobody waits for the other side. Handing an event over never blocks and never
//! fails; what could not be delivered is logged and counted, and changes nothing else.

mod schedule;
mod signature;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use metrics::counter;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};
use verst_kernel::{Clock, Roll};
use verst_service::FetchError;

use crate::outward::{Answer, Outward};
use schedule::{Next, next};

pub use schedule::PAUSES;
pub use signature::{KeyError, SigningKeys};

/// Events that were handed over and not yet delivered; what comes beyond is dropped.
const WAITING: usize = 1000;
/// Requests at the same time.
const AT_ONCE: usize = 4;

/// Where events go, and how.
#[derive(Clone)]
pub struct WebhookConfig {
    /// The address.
    pub url: String,
    /// What they are signed with.
    pub keys: SigningKeys,
    /// How long an answer is waited for.
    pub timeout: Duration,
    /// The pauses after the first try and those that follow.
    pub pauses: Vec<Duration>,
}

/// An event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The same at every try, without a full stop in it.
    pub id: String,
    /// JSON.
    pub body: Vec<u8>,
}

/// What the deliveries share.
struct Line {
    config: WebhookConfig,
    outward: Arc<Outward>,
    clock: Arc<dyn Clock>,
    turn: Semaphore,
    closing: CancellationToken,
}

/// The webhook of an installation.
pub struct Webhook {
    line: Arc<Line>,
    under_way: Mutex<JoinSet<()>>,
}

impl Webhook {
    /// A webhook that has sent nothing yet.
    pub fn new(config: WebhookConfig, outward: Arc<Outward>, clock: Arc<dyn Clock>) -> Self {
        let turn = Semaphore::new(AT_ONCE);
        let line = Line { config, outward, clock, turn, closing: CancellationToken::new() };
        Self { line: Arc::new(line), under_way: Mutex::default() }
    }

    /// Hands an event over, to be delivered when it can.
    pub fn offer(&self, event: Event) {
        let mut under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        while under_way.try_join_next().is_some() {}
        if self.line.closing.is_cancelled() {
            warn!(event = event.id, "webhook not delivered before the end");
            counted("undelivered");
            return;
        }
        if under_way.len() >= WAITING {
            warn!(event = event.id, "webhook dropped: too many wait already");
            counted("dropped");
            return;
        }
        under_way.spawn(deliver(Arc::clone(&self.line), event));
    }

    /// Ends deliveries: tries that are under way may end within the grace, and none is repeated.
    pub async fn close(&self, grace: Duration) {
        self.line.closing.cancel();
        let mut left = {
            let mut under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *under_way)
        };
        let ended = async { while left.join_next().await.is_some() {} };
        if tokio::time::timeout(grace, ended).await.is_err() {
            let count = left.len();
            warn!(count, "webhooks not delivered before the end");
            (0..count).for_each(|_| counted("undelivered"));
            left.shutdown().await;
        }
    }
}

impl Line {
    async fn attempt(&self, event: &Event) -> Result<Answer, FetchError> {
        // The semaphore is never closed.
        let _turn = self.turn.acquire().await;
        send(&self.config, &self.outward, self.clock.as_ref(), event).await
    }
}

/// Sends an event once and returns the answer.
pub async fn send(
    config: &WebhookConfig,
    outward: &Outward,
    clock: &dyn Clock,
    event: &Event,
) -> Result<Answer, FetchError> {
    // The time of the try, not of the event: the other side refuses what looks repeated.
    let seconds = clock.now().0.div_euclid(1_000_000);
    let signature = config.keys.sign(&event.id, seconds, &event.body);
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    for (name, value) in [
        ("webhook-id", event.id.clone()),
        ("webhook-timestamp", seconds.to_string()),
        ("webhook-signature", signature),
    ] {
        if let Ok(value) = HeaderValue::try_from(value) {
            headers.insert(HeaderName::from_static(name), value);
        }
    }
    outward.post(&config.url, headers, event.body.clone(), config.timeout).await
}

async fn deliver(line: Arc<Line>, event: Event) {
    let id = event.id.as_str();
    for tries in 0.. {
        let answer = line.attempt(&event).await;
        let cause = match &answer {
            Ok(answer) => format!("status {}", answer.status),
            Err(error) => error.to_string(),
        };
        let roll = Roll(fastrand::u32(..));
        match next(&answer, tries, &line.config.pauses, line.clock.now(), roll) {
            Next::Delivered => {
                counted("delivered");
                info!(event = id, tries = tries + 1, "webhook delivered");
                return;
            }
            Next::GiveUp => {
                counted("failed");
                warn!(event = id, tries = tries + 1, cause, "webhook not delivered");
                return;
            }
            Next::Again(pause) => {
                info!(event = id, tries = tries + 1, cause, "webhook is tried again later");
                tokio::select! {
                    () = tokio::time::sleep(pause) => {}
                    () = line.closing.cancelled() => {
                        counted("undelivered");
                        warn!(event = id, cause, "webhook not delivered before the end");
                        return;
                    }
                }
            }
        }
    }
}

fn counted(outcome: &'static str) {
    counter!("verst_webhooks_total", "outcome" => outcome).increment(1);
}

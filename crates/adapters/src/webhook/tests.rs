//! Deliveries to a real server on this machine, with pauses that are over at once.

use std::sync::atomic::{AtomicUsize, Ordering};

use verst_kernel::Timestamp;
use verst_testkit::{Gate, Peer, Reply, TestClock};

use super::*;
use crate::outward::{OutwardLimits, Reach};

const KEY: &str = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
const LONG: Duration = Duration::from_mins(1);

fn webhook(peer: &Peer, pauses: &[Duration]) -> Webhook {
    reaching(peer, pauses, Reach::Anywhere)
}

fn reaching(peer: &Peer, pauses: &[Duration], reach: Reach) -> Webhook {
    let config = WebhookConfig {
        url: peer.url("/hook"),
        keys: SigningKeys::parse(KEY).unwrap(),
        timeout: LONG,
        pauses: pauses.to_vec(),
    };
    let outward = Arc::new(Outward::new(reach, OutwardLimits::up_to(1)));
    Webhook::new(config, outward, Arc::new(TestClock::default()))
}

fn event(id: &str) -> Event {
    Event { id: id.to_owned(), body: format!("{{\"id\":\"{id}\"}}").into_bytes() }
}

/// Waits until nothing is under way any more.
async fn settled(webhook: &Webhook) {
    let mut all = std::mem::take(&mut *webhook.under_way.lock().unwrap());
    while all.join_next().await.is_some() {}
}

#[tokio::test]
async fn an_event_arrives_signed() {
    let peer = Peer::start(|_| Reply::status(204));
    let webhook = webhook(&peer, &[]);
    webhook.offer(event("here_1"));
    let heard = peer.wait_for(1).await.remove(0);
    let Timestamp(now) = TestClock::default().now();
    let seconds = now / 1_000_000;
    let signature = SigningKeys::parse(KEY).unwrap().sign("here_1", seconds, &heard.body);
    assert_eq!((heard.method.as_str(), heard.target.as_str()), ("POST", "/hook"));
    assert_eq!(heard.body, event("here_1").body);
    assert_eq!(heard.header("content-type"), Some("application/json"));
    assert_eq!(heard.header("webhook-id"), Some("here_1"));
    assert_eq!(heard.header("webhook-timestamp"), Some(seconds.to_string().as_str()));
    assert_eq!(heard.header("webhook-signature"), Some(signature.as_str()));
}

#[tokio::test]
async fn trouble_is_tried_again_under_the_same_id_until_it_is_over() {
    let asked = AtomicUsize::new(0);
    let peer = Peer::start(move |_| match asked.fetch_add(1, Ordering::Relaxed) {
        0 => Reply::status(500),
        1 => Reply::status(429).header("retry-after", "0"),
        _ => Reply::status(200),
    });
    let webhook = webhook(&peer, &[Duration::ZERO; 4]);
    webhook.offer(event("here_1"));
    settled(&webhook).await;
    let heard = peer.heard();
    assert_eq!(heard.len(), 3);
    assert!(heard.iter().all(|heard| heard.header("webhook-id") == Some("here_1")));
}

#[tokio::test]
async fn tries_are_bounded_and_a_refusal_ends_them() {
    let peer = Peer::start(|heard| {
        Reply::status(if heard.header("webhook-id") == Some("here_1") { 503 } else { 410 })
    });
    let webhook = webhook(&peer, &[Duration::ZERO; 4]);
    webhook.offer(event("here_1"));
    settled(&webhook).await;
    assert_eq!(peer.heard().len(), 5);
    webhook.offer(event("here_2"));
    settled(&webhook).await;
    assert_eq!(peer.heard().len(), 6);
}

#[tokio::test]
async fn a_neighbour_is_not_told_unless_that_is_allowed() {
    let peer = Peer::start(|_| Reply::status(200));
    let webhook = reaching(&peer, &[Duration::ZERO; 4], Reach::Public);
    webhook.offer(event("here_1"));
    settled(&webhook).await;
    assert_eq!(peer.heard(), []);
}

#[tokio::test]
async fn what_comes_beyond_the_bound_is_dropped_and_nobody_waits() {
    let peer = Peer::start(|_| Reply::status(200).header("content-length", "9").then_silence());
    let webhook = webhook(&peer, &[LONG]);
    for n in 0..WAITING + 3 {
        webhook.offer(event(&format!("here_{n}")));
    }
    assert_eq!(webhook.under_way.lock().unwrap().len(), WAITING);
    let heard = peer.wait_for(AT_ONCE).await;
    assert_eq!(heard.len(), AT_ONCE, "so many at the same time and no more");
    webhook.close(Duration::ZERO).await;
    webhook.offer(event("late"));
    assert_eq!(webhook.under_way.lock().unwrap().len(), 0, "after the end nothing is taken");
}

#[tokio::test]
async fn at_the_end_a_try_under_way_ends_and_a_pause_is_cut_short() {
    let gate = Gate::default();
    let held = gate.clone();
    let peer = Peer::start(move |heard| {
        if heard.header("webhook-id") == Some("here_1") {
            return Reply::status(500);
        }
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(held.hold());
        Reply::status(200)
    });
    let webhook = webhook(&peer, &[Duration::from_hours(1)]);
    webhook.offer(event("here_1"));
    peer.wait_for(1).await;
    webhook.offer(event("here_2"));
    gate.arrival().await;
    let (closed, ()) = tokio::join!(webhook.close(LONG), async { gate.open() });
    let () = closed;
    let ids: Vec<_> =
        peer.heard().iter().map(|heard| heard.header("webhook-id").map(str::to_owned)).collect();
    assert_eq!(ids, [Some("here_1".to_owned()), Some("here_2".to_owned())]);
}

//! Answers that do not come, do not end, or are no longer waited for.

use std::time::Duration;

use tokio::time::timeout;
use verst_adapters::openai::OpenAiConfig;
use verst_kernel::Failure;
use verst_recordings::codes;
use verst_recordings::ports::{Called, Wish};
use verst_testkit::{Latch, OpenAiServer, Served};

use super::bench::Bench;

fn unknown() -> Called {
    Called::Unknown(Failure::new(codes::PROVIDER_FAILED))
}

#[tokio::test]
async fn an_answer_that_takes_too_long_is_unknown() {
    let set = |config| OpenAiConfig { timeout: Duration::from_secs(1), ..config };
    let bench = Bench::with(Wish::default(), 1, set).await;
    bench.server.order(Served::Silence);
    assert_eq!(bench.call().await, unknown());
}

#[tokio::test]
async fn an_answer_without_an_end_is_cut_off() {
    let bench = Bench::new().await;
    bench.server.order(Served::Endless);
    assert_eq!(bench.call().await, unknown());
}

/// What was sent and costs money is waited for; the time a service has to end is short anyway.
#[tokio::test]
async fn an_interruption_does_not_break_off_what_was_paid_for() {
    let (bench, latch) = (Bench::new().await, Latch::default());
    bench.server.order(Served::Hold(latch.clone()));
    let (called, ()) = tokio::join!(bench.call(), async {
        bench.server.wait_for(1).await;
        bench.link.0.notify_one();
        // The call sees the interruption before the answer is let go.
        tokio::task::yield_now().await;
        tokio::task::yield_now().await;
        latch.open();
    });
    let Called::Heard(part) = called else { panic!("{called:?}") };
    assert_eq!(part.segments[0].text, OpenAiServer::text(1));
}

#[tokio::test]
async fn an_interruption_ends_a_free_call_at_once() {
    let set = |config| OpenAiConfig { paid: false, ..config };
    let bench = Bench::with(Wish::default(), 1, set).await;
    bench.server.order(Served::Silence);
    let (called, ()) = tokio::join!(timeout(Duration::from_secs(30), bench.call()), async {
        bench.server.wait_for(1).await;
        bench.link.0.notify_one();
    });
    assert_eq!(called.expect("long before its time"), unknown());
}

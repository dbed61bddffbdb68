//! What is counted, kept in this process until Prometheus reads it.

use std::sync::OnceLock;

use ::metrics::{Unit, describe_counter, describe_gauge, describe_histogram};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};

/// Seconds that requests and steps take, from a moment to an hour.
const SECONDS: [f64; 12] =
    [0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 30.0, 120.0, 600.0, 3600.0];

/// Counts from now on everything that this process counts. Every call answers the same.
pub fn counting() -> PrometheusHandle {
    static COUNTED: OnceLock<PrometheusHandle> = OnceLock::new();
    COUNTED.get_or_init(install).clone()
}

fn install() -> PrometheusHandle {
    let builder = PrometheusBuilder::new();
    // The list is not empty, which is all that is checked.
    let builder = builder.set_buckets(&SECONDS).unwrap_or_default();
    let recorder = builder.build_recorder();
    let handle = recorder.handle();
    // Whoever has installed another keeps it, and this one stays empty.
    let _ = ::metrics::set_global_recorder(recorder);
    describe();
    handle
}

fn describe() {
    describe_counter!("verst_http_requests_total", "Requests by method, route and status");
    describe_histogram!("verst_http_request_seconds", Unit::Seconds, "Time until an answer began");
    describe_gauge!("verst_uploads", "Recordings that come in over HTTP right now");
    describe_gauge!("verst_workers", "Pieces of work that may run at the same time here");
    describe_gauge!("verst_queue_depth", "Recordings that wait, by milestone");
    describe_gauge!(
        "verst_queue_oldest_seconds",
        Unit::Seconds,
        "Wait of the oldest, by milestone"
    );
    describe_counter!("verst_claims_total", "Claims by milestone");
    describe_counter!("verst_steps_total", "Runs of steps by milestone and outcome");
    describe_histogram!("verst_step_seconds", Unit::Seconds, "Time a run of a step took");
    describe_gauge!(
        "verst_client_last_success_timestamp_seconds",
        Unit::Seconds,
        "When this process last looked at all torrents of the client"
    );
    describe_counter!("verst_telegram_requests_total", "Calls of Telegram by method and outcome");
    describe_counter!("verst_telegram_updates_total", "What came to the bot, by outcome");
    describe_counter!("verst_undelivered_total", "Notices that reached nobody, by cause");
}

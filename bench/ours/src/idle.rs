//! Processor time of the service's own workers when nothing is ready, and of the database server
//! that they ask.

use std::fs;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use tokio_util::sync::CancellationToken;
use verst_runtime::Workers;

use crate::{place, service};

/// As many as the service starts when nobody says otherwise.
const WORKERS: usize = 4;
/// Connections, statements and threads are made in the first moments.
const SETTLING: Duration = Duration::from_secs(3);

pub async fn run(place: &str, seconds: u64, server: Option<u32>) {
    let store = place::open(place).await;
    let runtime = service::runtime(&store).await;
    runtime.recover().await.expect("an answer");
    let workers = Workers::start(&runtime, WORKERS, CancellationToken::new());
    tokio::time::sleep(SETTLING).await;
    let before = (own(), server.map(of_server));
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    let spent = own().saturating_sub(before.0);
    let server = server.zip(before.1).map(|(pid, before)| of_server(pid).saturating_sub(before));
    let rss_kb = resident_kb();
    let ms = |it: Duration| it.as_secs_f64() * 1000.0;
    let system = if place::is_postgres(place) { "verst-postgres" } else { "verst-sqlite" };
    println!(
        "{{\"system\":\"{system}\",\"mode\":\"idle\",\"seconds\":{seconds},\"cpu_ms\":{:.2},\
         \"server_cpu_ms\":{:.2},\"rss_kb\":{rss_kb}}}",
        ms(spent),
        ms(server.unwrap_or_default())
    );
    workers.stop().await;
}

/// Processor time of this process.
pub fn own() -> Duration {
    let spent = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(spent.tv_sec.unsigned_abs(), u32::try_from(spent.tv_nsec).unwrap_or(0))
}

/// All processes of the server that live now, and those that have ended and been counted.
pub fn of_server(postmaster: u32) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{postmaster}/stat")).unwrap_or_default();
    // After the name, which is in brackets: children that have ended are the 14th and 15th.
    let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
    let ticks: u64 = [13, 14].iter().filter_map(|i| fields.get(*i)?.parse::<u64>().ok()).sum();
    let children = format!("/proc/{postmaster}/task/{postmaster}/children");
    let children = fs::read_to_string(children).unwrap_or_default();
    let living = children.split_whitespace().map(|pid| format!("/proc/{pid}/schedstat"));
    let nanos: u64 = living
        .filter_map(|file| fs::read_to_string(file).ok()?.split(' ').next()?.parse::<u64>().ok())
        .sum();
    Duration::from_nanos(nanos) + Duration::from_millis(10 * ticks)
}

fn resident_kb() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|it| it.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

//! The soak: a thousand kills of a busy service, and a count at the end. Not part of the ordinary
//! tests: `make soak`.
//!
//! `VERST_SOAK_KILLS` says how many kills (1000), `VERST_SOAK_IDLE_S` for how long a transaction
//! stays open without doing anything (600), `VERST_SOAK_SEED` repeats the same choices.

#![expect(clippy::unwrap_used, reason = "a soak that cannot go on has failed")]
#![expect(clippy::print_stderr, reason = "its figures are what it is run for")]
#![expect(clippy::disallowed_methods, reason = "what is random here is when things happen")]

mod alone;
mod binary;
mod paid;
mod riot;
mod server;
mod together;

use std::time::Duration;

fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().map_or(usual, |value| value.parse().unwrap())
}

/// How many kills of all are meant for a part of the soak.
fn kills(percent: u64) -> u64 {
    setting("VERST_SOAK_KILLS", 1000) * percent / 100
}

fn dice(part: u64) -> fastrand::Rng {
    let seed = setting("VERST_SOAK_SEED", fastrand::u64(..u64::from(u32::MAX)));
    eprintln!("VERST_SOAK_SEED={seed}");
    fastrand::Rng::with_seed(seed.wrapping_add(part))
}

fn pause(dice: &mut fastrand::Rng, shortest_ms: u64, longest_ms: u64) {
    std::thread::sleep(Duration::from_millis(dice.u64(shortest_ms..longest_ms)));
}

/// The real binary on SQLite: one process, killed again and again.
#[test]
#[ignore = "make soak"]
fn soak_1_one_process() {
    alone::soak(kills(20));
}

/// The real binary on three hosts: PostgreSQL and a bucket, connections cut, the clock put forward,
/// a transaction that stays open, the server restarted.
#[test]
#[ignore = "make soak"]
fn soak_2_three_hosts() {
    together::soak(kills(40));
}

/// Three hosts with a provider that is paid for each beginning.
#[test]
#[ignore = "make soak"]
fn soak_3_paid_work() {
    paid::soak(kills(40));
}

/// One of those hosts: started by the soak above as a process of its own.
#[test]
#[ignore = "make soak"]
fn host_of_paid_work() {
    paid::host();
}

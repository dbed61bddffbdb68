//! What every measured peer has in common: its arguments, its one line of output, and a gate that
//! tells when the last job has been handled.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// `PLACE JOBS WORKERS MODE`: a file or an address, how much, how many at the same time, and how.
#[derive(Clone, Debug)]
pub struct Asked {
    pub place: String,
    pub jobs: u64,
    pub workers: usize,
    pub mode: String,
}

impl Asked {
    pub fn read() -> Self {
        let words: Vec<String> = std::env::args().skip(1).collect();
        let [place, jobs, workers, mode] = &words[..] else {
            panic!("usage: PLACE JOBS WORKERS MODE");
        };
        Self::new(place, jobs, workers, mode)
    }

    pub fn new(place: &str, jobs: &str, workers: &str, mode: &str) -> Self {
        Self {
            place: place.to_owned(),
            jobs: jobs.parse().expect("JOBS is a number"),
            workers: workers.parse().expect("WORKERS is a number"),
            mode: mode.to_owned(),
        }
    }

    pub fn report(&self, system: &str, took: Duration) {
        let Self { jobs, workers, mode, .. } = self;
        let seconds = took.as_secs_f64();
        let rate = *jobs as f64 / seconds;
        println!(
            "{{\"system\":\"{system}\",\"mode\":\"{mode}\",\"workers\":{workers},\
             \"jobs\":{jobs},\"seconds\":{seconds:.4},\"rate\":{rate:.1}}}"
        );
    }
}

/// Counts jobs as they are handled.
#[derive(Debug)]
pub struct Gate {
    wanted: u64,
    seen: AtomicU64,
    first: OnceLock<Instant>,
}

impl Gate {
    pub const fn of(wanted: u64) -> Self {
        Self { wanted, seen: AtomicU64::new(0), first: OnceLock::new() }
    }

    /// One more; says whether it was the last.
    pub fn pass(&self) -> bool {
        self.first.get_or_init(Instant::now);
        self.seen.fetch_add(1, Ordering::Relaxed) + 1 == self.wanted
    }

    pub fn all_passed(&self) -> bool {
        self.seen.load(Ordering::Relaxed) >= self.wanted
    }

    /// Since the first one. What a runtime needs to get going is not held against it.
    pub fn took(&self) -> Duration {
        self.first.get().expect("something was handled").elapsed()
    }
}

/// Nothing that is measured here takes a minute; what does is stuck.
pub const STUCK: Duration = Duration::from_secs(60);

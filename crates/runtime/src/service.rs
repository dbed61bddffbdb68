//! The workers as tasks, and how they end.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};

use verst_kernel::{Depth, Timestamp};

use crate::pulse::BEAT;
use crate::{Runtime, Turn};

/// How often an idle worker looks without being woken.
const POLL: Duration = Duration::from_secs(1);
/// The depth of the queue is measured at every third beat.
const BEATS_PER_DEPTH: u32 = 3;
/// The longest wait of a worker whose store does not answer.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// How long settling what was abandoned may take after the grace.
const LAST_WRITES: Duration = Duration::from_secs(5);

/// Running workers.
pub struct Workers {
    tasks: JoinSet<()>,
    shutdown: CancellationToken,
    grace: Duration,
}

impl Workers {
    /// Starts `count` workers; zero is legal and means that work is accepted and waits.
    pub fn start<P: Clone + Send + Sync + 'static>(
        runtime: &Arc<Runtime<P>>,
        count: usize,
        shutdown: CancellationToken,
    ) -> Self {
        let mut tasks = JoinSet::new();
        for _ in 0..count {
            tasks.spawn(work(Arc::clone(runtime), shutdown.clone()));
        }
        tasks.spawn(measure(Arc::clone(runtime), shutdown.clone()));
        Self { tasks, shutdown, grace: runtime.grace }
    }

    /// Asks everything to end and waits for it. A run that does not end within the grace is
    /// abandoned and its attempt given back. Returns whether all workers ended; those of a store
    /// that does not answer may not, and what they held is taken back at the next start.
    pub async fn stop(mut self) -> bool {
        self.shutdown.cancel();
        let ended = tokio::time::timeout(self.grace + LAST_WRITES, async {
            while let Some(ended) = self.tasks.join_next().await {
                if let Err(failure) = ended {
                    error!(%failure, "a worker ended abnormally");
                }
            }
        })
        .await
        .is_ok();
        if !ended {
            warn!(workers = self.tasks.len(), "workers did not end in time");
            self.tasks.abort_all();
        }
        ended
    }
}

async fn work<P: Clone + Send + Sync + 'static>(
    runtime: Arc<Runtime<P>>,
    shutdown: CancellationToken,
) {
    let mut wait = POLL;
    while !shutdown.is_cancelled() {
        let turn = runtime.turn(&shutdown).await;
        if turn.is_ok() && wait > POLL {
            info!("the queue can be read again");
            wait = POLL;
        }
        let pause = match turn {
            Ok(Turn::Worked) => continue,
            Ok(Turn::Idle) => {
                runtime.ailing.well();
                // Jitter keeps many workers and hosts from asking in step.
                POLL.mul_f64(0.75 + fastrand::f64() / 2.0)
            }
            Err(failure) => {
                runtime.ailing.failed(&failure);
                if wait == POLL {
                    error!(%failure, "the queue cannot be read; trying again");
                }
                wait = (wait * 2).min(LONGEST_WAIT);
                wait
            }
        };
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = runtime.queue.work_arrived() => {}
            () = tokio::time::sleep(pause) => {}
        }
    }
}

async fn measure<P: Clone + Send + Sync + 'static>(
    runtime: Arc<Runtime<P>>,
    shutdown: CancellationToken,
) {
    let mut until_depth = 0;
    while !shutdown.is_cancelled() {
        if let Ok(now) = runtime.queue.now().await {
            runtime.pulse.beat(now);
            if until_depth == 0 {
                depths(&runtime, now).await;
            }
            until_depth = (until_depth + 1) % BEATS_PER_DEPTH;
        }
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = tokio::time::sleep(BEAT) => {}
        }
    }
}

/// Reports every declared milestone, the empty ones too: a gauge keeps its last value otherwise.
async fn depths<P: Clone + Send + Sync + 'static>(runtime: &Runtime<P>, now: Timestamp) {
    let Ok(found) = runtime.queue.depth().await else { return };
    let stages = runtime.roads.iter().flat_map(|road| road.stages());
    for stage in stages.filter(|stage| stage.step.is_some()) {
        let here = |d: &&Depth| d.line == stage.line && d.milestone == stage.name;
        let empty = || Depth {
            line: stage.line.to_owned(),
            milestone: stage.name.to_owned(),
            waiting: 0,
            oldest: None,
        };
        let depth = found.iter().find(here).cloned().unwrap_or_else(empty);
        runtime.meter.depth(&depth, depth.oldest.map(|at| now.since(at)));
    }
}

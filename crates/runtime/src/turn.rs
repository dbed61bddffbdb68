//! One turn of a worker: claim, guards, step, settle, tell.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use tokio_util::sync::CancellationToken;
use tracing::{debug, error, info, warn};
use verst_kernel::{
    Change, Claim, Failure, Guard, Herald, Instance, Limits, Notice, NoticeKind, Outcome, Queue,
    Road, Roll, Settled, Stage, Standing, Stop, StopReason, StoreError, Undelivered, Visit,
    give_back, guards, settle, stop,
};

use crate::limbo::insist;
use crate::running::Link;
use crate::{Ailing, Alarm, Meter, Pulse, Running};

/// Between two looks whether a run still has its claim.
const WATCH: Duration = Duration::from_secs(5);

/// What a turn came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Nothing was ready. Born only from the store's own answer.
    Idle,
    /// Work was claimed and its run ended, however it did.
    Worked,
}

/// Everything a worker needs. Shared by all of them.
pub struct Runtime<P> {
    /// The queue.
    pub queue: Arc<dyn Queue<P>>,
    /// The lines whose steps are run here.
    pub roads: Vec<Arc<dyn Road<P>>>,
    /// Tells senders.
    pub herald: Arc<dyn Herald>,
    /// Counts.
    pub meter: Arc<dyn Meter>,
    /// Patience and retries.
    pub limits: Limits,
    /// This installation.
    pub instance: Instance,
    /// Since when this process works without a break: patience judges only what was tried since.
    pub pulse: Pulse,
    /// How long a run gets to end by itself once the service stops.
    pub grace: Duration,
    /// The runs under way.
    pub running: Running,
    /// What was logged of trouble that all recordings share.
    pub alarm: Alarm,
    /// The store's present trouble.
    pub ailing: Ailing,
}

impl<P: Clone + Send + Sync + 'static> Runtime<P> {
    /// Does one turn. An error is the store's; work that was claimed meanwhile comes back by its
    /// lease.
    pub async fn turn(&self, shutdown: &CancellationToken) -> Result<Turn, StoreError> {
        let Some(claim) = self.queue.claim(&self.instance).await? else { return Ok(Turn::Idle) };
        let standing =
            insist(&self.ailing, shutdown, claim.id(), || self.queue.standing(&claim)).await?;
        let Some(standing) = standing else { return Ok(Turn::Worked) };
        self.meter.claim(&standing.line, &standing.milestone);
        let Some((road, stage)) = self.place(&standing) else {
            self.strand(&claim, &standing, shutdown).await;
            return Ok(Turn::Worked);
        };
        let change = if shutdown.is_cancelled() {
            give_back(&standing)
        } else {
            match guards(&standing, &stage, &self.limits, self.pulse.feel(standing.now)) {
                Guard::Stop(mark) => {
                    self.meter.step(stage.line, stage.name, "stopped", Duration::ZERO);
                    stop(&standing, &stage, mark)
                }
                Guard::Go => self.run(road, &claim, &standing, &stage, shutdown).await,
            }
        };
        self.conclude(&claim, &standing, &stage, change, shutdown).await;
        Ok(Turn::Worked)
    }

    fn place(&self, standing: &Standing) -> Option<(&dyn Road<P>, Stage)> {
        self.roads.iter().find_map(|road| {
            let mut stages = road.stages().into_iter();
            let stage = stages.find(|s| s.line == standing.line && s.name == standing.milestone)?;
            Some((road.as_ref(), stage))
        })
    }

    /// Runs the step and turns its outcome into a change.
    async fn run(
        &self,
        road: &dyn Road<P>,
        claim: &Claim,
        standing: &Standing,
        stage: &Stage,
        shutdown: &CancellationToken,
    ) -> Change<P> {
        let began = tokio::time::Instant::now();
        debug!(work = %claim.id(), milestone = stage.name, "step started");
        let link = self.running.enter(claim, shutdown);
        let visit = Visit { claim, standing, supervisor: &link };
        // A panic is a defect of the step; the claim is ours to settle all the same. So it is when
        // the step does not end in time at the end of the service: only then is it abandoned.
        let outcome = tokio::select! {
            outcome = AssertUnwindSafe(road.step(visit)).catch_unwind() => {
                outcome.unwrap_or_else(|_| Outcome::Fail(Failure::new(Failure::PANICKED)))
            }
            never = self.watch(claim, &link) => match never {},
            () = self.out_of_time(shutdown) => {
                warn!(work = %claim.id(), milestone = stage.name, "step did not end in time");
                self.meter.step(stage.line, stage.name, "given_back", began.elapsed());
                return give_back(standing);
            }
        };
        debug!(work = %claim.id(), milestone = stage.name, outcome = outcome.label(), "step ended");
        let unfinished = matches!(outcome, Outcome::Fail(_) | Outcome::Verdict(_));
        if unfinished && shutdown.is_cancelled() {
            self.meter.step(stage.line, stage.name, "given_back", began.elapsed());
            return give_back(standing);
        }
        self.meter.step(stage.line, stage.name, outcome.label(), began.elapsed());
        if let Outcome::Busy { trouble: true, why, .. } = &outcome
            && self.alarm.rings(&why.code, standing.now)
        {
            warn!(work = %claim.id(), milestone = stage.name, failure = %why,
                  "trouble that is not the recording's; recordings wait");
        }
        self.settled(standing, stage, outcome)
    }

    fn settled(&self, standing: &Standing, stage: &Stage, outcome: Outcome<P>) -> Change<P> {
        let roll = Roll(fastrand::u32(..));
        settle(standing, stage, outcome, &self.limits, self.pulse.started_at(), roll)
    }

    /// Ends a run whose claim went to another, so that nobody works to no end for as long as a
    /// recording is long: after a stop from another process, or a lease that ran out.
    async fn watch(&self, claim: &Claim, link: &Link) -> Infallible {
        loop {
            tokio::time::sleep(WATCH).await;
            if let Ok(None) = self.queue.standing(claim).await {
                debug!(work = %claim.id(), "the claim went to another; the run is ended");
                link.cancel();
                return std::future::pending().await;
            }
        }
    }

    /// Returns when the service stops and the grace is over.
    async fn out_of_time(&self, shutdown: &CancellationToken) {
        shutdown.cancelled().await;
        tokio::time::sleep(self.grace).await;
    }

    /// Settles, and only then logs and tells. A claim that was lost says nothing to anyone.
    async fn conclude(
        &self,
        claim: &Claim,
        standing: &Standing,
        stage: &Stage,
        mut change: Change<P>,
        shutdown: &CancellationToken,
    ) {
        let id = claim.id();
        let mut settled =
            insist(&self.ailing, shutdown, id, || self.queue.settle(claim, &change)).await;
        if let Err(failure) = &settled
            && !failure.may_pass()
        {
            error!(work = %id, %failure, "the result of a step was refused by the store");
            let refused = Failure::new(Failure::RESULT_REFUSED);
            change = self.settled(standing, stage, Outcome::Fail(refused));
            settled =
                insist(&self.ailing, shutdown, id, || self.queue.settle(claim, &change)).await;
        }
        match settled {
            Ok(Settled::Done(notice)) => {
                record(claim, standing, &change);
                if let Some(notice) = notice {
                    // Whoever could not be reached is logged and counted; the work has moved on.
                    let _ = self.tell(&notice).await;
                }
            }
            Ok(Settled::Lost) => {
                debug!(work = %id, "the claim went to another; nothing was written");
            }
            Err(failure) => {
                error!(work = %id, %failure, "a result was not written; the work comes back");
            }
        }
    }

    /// Stops work at a milestone that no line of this binary declares.
    async fn strand(&self, claim: &Claim, standing: &Standing, shutdown: &CancellationToken) {
        let nowhere = Stage {
            line: "",
            name: "",
            position: 0,
            step: Some("guards"),
            lease: Duration::ZERO,
            patience: verst_kernel::Patience::Unlimited,
            next: None,
        };
        let mark =
            Stop { reason: StopReason::Verdict, failure: Failure::new(Failure::UNKNOWN_MILESTONE) };
        let change = stop(standing, &nowhere, mark);
        self.conclude(claim, standing, &nowhere, change, shutdown).await;
    }

    /// Clears the notice, then sends it: at most once, whatever happens in between.
    async fn tell(&self, notice: &Notice) -> Result<(), Undelivered> {
        match self.queue.take_notice(notice.id).await {
            Ok(true) => {
                let told = self.herald.tell(notice).await;
                told.inspect_err(|cause| self.undelivered(notice, *cause))
            }
            Ok(false) => Ok(()),
            Err(failure) => {
                // It stays stored; the next start finds it and counts it.
                debug!(work = %notice.work, %failure, "notice could not be taken");
                Err(Undelivered::Interrupted)
            }
        }
    }

    /// What follows a stop that was written by the step of other work: the owner's log has it, and the
    /// sender is told.
    pub async fn stopped_by_watch(&self, notice: &Notice) -> Result<(), Undelivered> {
        if let NoticeKind::Stopped(failure) = &notice.kind {
            error!(work = %notice.work, %failure, "work stopped");
        }
        self.tell(notice).await
    }

    /// What follows a person's stop, once its mark is saved: the owner's log has it, the run under
    /// way here is ended, and the sender is told.
    pub async fn stopped_by_person(&self, notice: &Notice) -> Result<(), Undelivered> {
        let reason = StopReason::Person.name();
        info!(work = %notice.work, reason, "work stopped");
        self.running.cancel(notice.work);
        self.tell(notice).await
    }

    fn undelivered(&self, notice: &Notice, cause: Undelivered) {
        self.meter.undelivered(cause);
        let (work, cause_name) = (notice.work, cause.name());
        if cause.is_defect() {
            error!(%work, cause = cause_name, "reply not delivered");
        } else {
            warn!(%work, cause = cause_name, "reply not delivered");
        }
    }

    /// The store's trouble, if it has lasted longer than a stumble.
    pub fn store_trouble(&self) -> Option<Failure> {
        self.ailing.lasting(Duration::from_secs(10))
    }

    /// What has to be done before the first claim: takes back what this instance held in its
    /// former life, and counts the notices that it left unsent.
    pub async fn recover(&self) -> Result<(), StoreError> {
        let limits = self.limits.clone();
        let pause = Arc::new(move |failures| {
            verst_kernel::pause(failures, &limits, Roll(fastrand::u32(..)))
        });
        let reclaimed = self.queue.reclaim(&self.instance, pause).await?;
        if reclaimed.0 > 0 {
            info!(count = reclaimed.0, "took back claims of the former run");
        }
        for notice in self.queue.leftover_notices(&self.instance).await? {
            self.undelivered(&notice, Undelivered::Interrupted);
        }
        Ok(())
    }
}

/// One record per failure: a warning when it will be retried, an error when it stopped the work.
fn record<P>(claim: &Claim, standing: &Standing, change: &Change<P>) {
    let (work, milestone) = (claim.id(), standing.milestone.as_str());
    if let Some(mark) = &change.stop {
        let reason = mark.reason.name();
        error!(%work, milestone, reason, failure = %mark.failure, "work stopped");
    } else if let (Some(failure), true) = (&change.last_failure, change.tried) {
        warn!(%work, milestone, %failure, failures = change.failures, "step failed; retried later");
    } else if let Some(reached) = change.advance {
        info!(%work, from = milestone, reached, "milestone reached");
    }
}

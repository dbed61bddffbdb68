//! Follows recordings until each is done or stopped, and shows how far they are.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use verst_kernel::{Failure, Stage, StoreError, WorkId};
use verst_recordings::{NORMALIZED, SUBMITTED, codes};
use verst_service::View;
use verst_words::Arg;

use super::entrance::{CliEntrance, UNITS};
use super::trouble::{Former, Since, Standings, awaits_person};
use crate::house::House;
use crate::inspect::name;
use crate::tongue::Tongue;

/// How long reads may fail before the run is given up.
const STORE_SILENT: Duration = Duration::from_mins(1);
/// How long workers may be kept from the store before the run is given up.
const STORE_TROUBLED: Duration = Duration::from_secs(30);
/// How long recordings may wait for room while none but those in trouble could make it.
const NOTHING_MOVES: Duration = Duration::from_secs(30);
/// How long nobody may work here before this process does: a service that is started again must
/// not find its place taken.
const NOBODY_WORKS: Duration = Duration::from_secs(10);
/// Between two looks at a store that failed.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// How following ended.
pub(super) enum Followed {
    /// Each recording is done or stopped.
    Ended,
    /// Those that are left wait for something that a person has to mend.
    Trouble(Failure),
    /// A signal came.
    Interrupted,
    /// The process that did the work here is gone.
    Vacant,
    /// The store does not answer.
    Lost(StoreError),
}

/// What is followed, and what was said of it already.
pub(super) struct Following<'a> {
    house: &'a House,
    tongue: &'a Tongue,
    entrance: &'a CliEntrance,
    former: Former,
    files: usize,
    pending: BTreeSet<WorkId>,
    retries: BTreeMap<WorkId, u32>,
    troubles: BTreeMap<WorkId, Failure>,
    sick_told: bool,
}

impl<'a> Following<'a> {
    pub(super) fn new(
        house: &'a House,
        ids: &[WorkId],
        former: Former,
        tongue: &'a Tongue,
        entrance: &'a CliEntrance,
    ) -> Self {
        let pending: BTreeSet<WorkId> = ids.iter().copied().collect();
        let files = pending.len();
        Self {
            house,
            tongue,
            entrance,
            former,
            files,
            pending,
            retries: BTreeMap::new(),
            troubles: BTreeMap::new(),
            sick_told: false,
        }
    }

    pub(super) async fn through(mut self, shutdown: &CancellationToken) -> Followed {
        let (mut silent, mut jammed) = (Since::default(), Since::default());
        let (mut sick, mut vacant) = (Since::default(), Since::default());
        loop {
            let looked = self.look().await;
            if looked.is_ok() && self.pending.is_empty() {
                return Followed::Ended;
            }
            if shutdown.is_cancelled() {
                return Followed::Interrupted;
            }
            if vacant.lasts(self.house.is_vacant(), NOBODY_WORKS) {
                return Followed::Vacant;
            }
            let given_up = silent.lasts(looked.is_err(), STORE_SILENT);
            let pause = match looked {
                Ok(Standings { moving, queued, trouble }) => {
                    let long = if queued == 0 { Duration::ZERO } else { NOTHING_MOVES };
                    let stuck = jammed.lasts(moving == 0 && trouble.is_some(), long);
                    if let Some(trouble) = trouble.filter(|_| stuck) {
                        return Followed::Trouble(trouble);
                    }
                    let left = u64::try_from(self.pending.len()).unwrap_or(u64::MAX);
                    Duration::from_millis(left.clamp(200, 5000))
                }
                Err(error) if given_up || !error.may_pass() => return Followed::Lost(error),
                Err(_) => LOOK_AGAIN,
            };
            let sickness = self.store_trouble();
            let long = sick.lasts(sickness.is_some(), STORE_TROUBLED);
            if let Some(sickness) = sickness.filter(|_| long) {
                return Followed::Trouble(sickness);
            }
            tokio::select! {
                () = shutdown.cancelled() => {}
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    /// Looks at each that is left, says what is new, shows how far they are.
    async fn look(&mut self) -> Result<Standings, StoreError> {
        let mut standings = Standings::default();
        let mut under_way = 0;
        let mut message = String::new();
        for id in self.pending.clone() {
            let Some(view) = self.house.service.ledger.view(id).await? else {
                self.pending.remove(&id);
                continue;
            };
            if view.work.stop.is_some() || view.work.milestone == Stage::FINAL {
                tell_end(self.house, &view, self.entrance).await?;
                self.pending.remove(&id);
                continue;
            }
            if let Some(trouble) = self.former.trouble(&view.work) {
                self.tell_trouble(&view, trouble);
                standings.trouble = Some(trouble.clone());
            } else if is_queued(&view) {
                standings.queued += 1;
            } else {
                standings.moving += 1;
            }
            self.tell_retry(&view);
            under_way += units(&view, self.house.runtime.running.fraction(id));
            if view.work.held && message.is_empty() {
                let milestone = self.tongue.milestone(&view.work.milestone);
                message = format!("{}: {milestone}", name(&view));
            }
        }
        let ended = self.files - self.pending.len();
        if self.files > 1 {
            message = format!("{ended}/{} {message}", self.files);
        }
        if !self.pending.is_empty() {
            let position = u64::try_from(ended).unwrap_or(0) * UNITS + under_way;
            self.entrance.show(position, self.files, message);
        }
        Ok(standings)
    }

    /// The trouble that keeps the workers from the store, told once.
    fn store_trouble(&mut self) -> Option<Failure> {
        let trouble = self.house.runtime.store_trouble()?;
        if !std::mem::replace(&mut self.sick_told, true) {
            self.entrance.say(&self.tongue.failure(&trouble));
        }
        Some(trouble)
    }

    /// Tells each trouble of a recording once.
    fn tell_trouble(&mut self, view: &View, trouble: &Failure) {
        let before = self.troubles.insert(view.work.id, trouble.clone());
        if before.is_some_and(|before| before.code == trouble.code) {
            return;
        }
        let (name, reason) = (name(view), self.tongue.failure(trouble));
        let args = [("name", Arg::Text(&name)), ("reason", Arg::Text(&reason))];
        self.entrance.say(&self.tongue.say("cli-in-trouble", &args));
    }

    /// Tells each failed attempt once.
    fn tell_retry(&mut self, view: &View) {
        let (failures, Some(why)) = (view.work.failures, &view.work.why) else { return };
        let waits = [codes::WAITING_TURN, codes::RECOGNISING, codes::AWAITING_TICKET];
        let waits = waits.contains(&why.code.as_ref()) || awaits_person(Some(why));
        if view.work.held || failures == 0 || waits {
            return;
        }
        if self.retries.insert(view.work.id, failures) == Some(failures) {
            return;
        }
        let (name, reason) = (name(view), self.tongue.failure(why));
        self.entrance.say(&self.tongue.say(
            "cli-retry",
            &[
                ("name", Arg::Text(&name)),
                ("reason", Arg::Text(&reason)),
                ("failures", Arg::Int(failures.into())),
            ],
        ));
    }
}

fn is_queued(view: &View) -> bool {
    let why = view.work.why.as_ref();
    !view.work.held && why.is_some_and(|why| why.code == codes::WAITING_TURN)
}

/// What had ended before this run began, or was ended by another process, is told by nobody else.
async fn tell_end(house: &House, view: &View, entrance: &CliEntrance) -> Result<(), StoreError> {
    let (given, warnings) = (&view.recording.given, &view.recording.warnings);
    if let Some(stop) = &view.work.stop {
        entrance.ended(view.work.id, given.name.as_deref(), Err(&stop.failure), warnings);
    } else if let Some(text) = house.service.recordings.transcript(view.work.id).await? {
        entrance.ended(view.work.id, given.name.as_deref(), Ok(&text), warnings);
    }
    Ok(())
}

/// How far one recording is. Decoding is a small part of the way, recognition most of it.
fn units(view: &View, fraction: Option<f64>) -> u64 {
    let percent = view.work.why.as_ref().and_then(|why| match why.params.get("percent") {
        Some(verst_kernel::Value::Int(percent)) => u64::try_from(*percent).ok(),
        Some(verst_kernel::Value::Term(_)) | None => None,
    });
    match view.work.milestone.as_str() {
        NORMALIZED => 100,
        SUBMITTED => 100 + percent.unwrap_or(0).min(100) * 85 / 10,
        "transcribed" => 980,
        _ => {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "clamped to 0..=100 first"
            )]
            let done = (fraction.unwrap_or(0.0) * 100.0).clamp(0.0, 100.0) as u64;
            done
        }
    }
}

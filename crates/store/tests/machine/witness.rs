//! The promises that need no model: they are kept from what the store answered and what its tables
//! show, so that an error which the model shares is still seen.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use verst_kernel::{Lifted, Outcome, Settled};
use verst_recordings::LINE;

use crate::answer::Answer;
use crate::command::{Command, Saw};
use crate::given;
use crate::tables::{Row, Tables};

type Seen = Result<(), TestCaseError>;

#[derive(Default)]
pub(crate) struct Witness {
    before: Tables,
    /// Fences that a claim was handed out with.
    claimed: BTreeSet<(i64, i64)>,
    /// Fences under which a result was accepted.
    accepted: BTreeSet<(i64, i64)>,
    /// Claims less give-backs since the last reset.
    failures: BTreeMap<i64, i64>,
}

impl Witness {
    /// `claim` is the work and fence of the claim that the command is about.
    pub(crate) fn see(
        &mut self,
        command: &Command,
        claim: Option<(i64, i64)>,
        answer: &Answer,
        tables: &Tables,
    ) -> Seen {
        self.see_answer(command, claim, answer)?;
        for row in &tables["work"] {
            self.see_row(row, tables)?;
        }
        if lost(answer) {
            prop_assert_eq!(&self.before, tables, "a lost claim wrote something");
        }
        self.before = tables.clone();
        Ok(())
    }

    fn see_answer(
        &mut self,
        command: &Command,
        claim: Option<(i64, i64)>,
        answer: &Answer,
    ) -> Seen {
        match (command, answer) {
            (_, Answer::Claimed(Some((fence, standing)))) => {
                let id = standing.id.0;
                let row = self.row(id).expect("it was there before");
                prop_assert!(!row.contains_key("stopped_at"), "stopped work was handed out");
                prop_assert!(row["milestone"] != "done", "finished work was handed out");
                prop_assert!(self.claimed.insert((id, fence.0)), "a fence was handed out twice");
                *self.failures.entry(id).or_default() += 1;
            }
            (Command::Settle { saw, .. }, Answer::Settled(Settled::Done(notice))) => {
                let (id, fence) = claim.expect("a settle has a claim");
                prop_assert!(self.accepted.insert((id, fence)), "two results under one fence");
                let failures = self.failures.entry(id).or_default();
                match saw {
                    Saw::Outcome(Outcome::Advance(_) | Outcome::Defer { .. }) => *failures = 0,
                    Saw::Outcome(Outcome::Fail(_) | Outcome::Verdict(_)) => {}
                    // Guards that stopped have written a notice.
                    Saw::Guards if notice.is_some() => {}
                    Saw::Outcome(Outcome::Busy { .. }) | Saw::Shutdown | Saw::Guards => {
                        *failures -= 1;
                    }
                }
            }
            (Command::Lift { work, .. }, Answer::Lifted(Lifted::Lifted))
            | (Command::Anew { work }, Answer::Yes(true)) => {
                self.failures.insert(*work, 0);
            }
            _ => {}
        }
        Ok(())
    }

    fn row(&self, id: i64) -> Option<&Row> {
        self.before.get("work")?.iter().find(|row| number(row, "id") == id)
    }

    fn see_row(&self, row: &Row, tables: &Tables) -> Seen {
        let id = number(row, "id");
        let failures = self.failures.get(&id).copied().unwrap_or(0);
        prop_assert_eq!(number(row, "failures"), failures, "failures of {}", id);
        if let Some(before) = self.row(id) {
            let (was, is) = (number(before, "fence"), number(row, "fence"));
            let held = ["holder", "claimed_at", "milestone", "stopped_at"];
            let moved = held.iter().any(|name| before.get(*name) != row.get(*name));
            prop_assert!(
                was <= is && (was < is || !moved),
                "the fence of {} went {}, {}",
                id,
                was,
                is
            );
        }
        replay(row, &tables["journal"])
    }
}

/// The journal alone tells where the work stands and whether it is stopped.
fn replay(row: &Row, journal: &[Row]) -> Seen {
    let id = number(row, "id");
    let (mut milestone, mut stopped) = (LINE.first(), false);
    for entry in journal.iter().filter(|entry| number(entry, "work_id") == id) {
        let event = &*entry["event"];
        if event != "restarted" {
            prop_assert_eq!(stopped, event == "lifted", "{} follows a stop or not", event);
        }
        stopped = event == "stopped";
        let next = given::stage(milestone).next;
        milestone = match event {
            "advanced" => next.expect("nothing advances from the end"),
            "lifted" | "restarted" => given::stage(&entry["milestone"]).name,
            _ => milestone,
        };
        prop_assert_eq!(&*entry["milestone"], milestone, "{} of {}", event, id);
    }
    let stands = (&*row["milestone"], row.contains_key("stopped_at"));
    prop_assert_eq!(stands, (milestone, stopped), "what the journal says of {}", id);
    Ok(())
}

fn number(row: &Row, name: &str) -> i64 {
    row[name].parse().expect("a number")
}

fn lost(answer: &Answer) -> bool {
    use verst_kernel::Noted;
    use verst_recordings::ports::Admission;
    matches!(
        answer,
        Answer::Settled(Settled::Lost)
            | Answer::Noted(Noted::Lost)
            | Answer::Admitted(Admission::Lost)
    )
}

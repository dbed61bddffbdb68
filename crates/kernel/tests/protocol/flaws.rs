//! One thing left out at a time, and the property that falls.

use stateright::{Checker, HasDiscoveries, Model};

use crate::model::Protocol;
use crate::properties;

/// What the stores do, left out or done wrongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Flaw {
    /// A settle does not compare the fence.
    SettleUnfenced,
    /// A settle compares the name of the holder, and not a number.
    SettleByName,
    /// A settle leaves the fence where it is.
    SettleKeepsFence,
    /// A note does not compare the fence.
    NoteUnfenced,
    /// A lift begins the fence anew.
    LiftResetsFence,
    /// A stop leaves the fence where it is.
    StopKeepsFence,
    /// A restart leaves the fence where it is.
    RestartKeepsFence,
    /// A settle does not notice that the record was removed.
    SettleAfterRemoval,
    /// The number of a record that was removed is given to the next one.
    NumberGivenAgain,
    /// A start takes back what it saw as its own, whatever became of it since.
    ReclaimUnfenced,
    /// A start takes back what anybody holds.
    ReclaimFromAnyone,
    /// Whoever is not heard of loses its claim before its lease ends, and the fence stays.
    EarlyRelease,
    /// A claim does not look at the stop mark.
    ClaimIgnoresStop,
    /// A claim does not count.
    ClaimUncounted,
    /// A claim has no end of its lease.
    ClaimForEver,
    /// A notice is sent first and cleared afterwards.
    ClearAfterSending,
    /// What follows is told before it is stored.
    TellBeforeStoring,
}

/// The search must come upon a path that breaks the property.
fn breaks(flaw: Flaw, homes: [u8; 2], property: &'static str) {
    let protocol = Protocol { records: 1, homes, disturbances: 3, anew: true, flaw: Some(flaw) };
    let found = HasDiscoveries::AllOf([property].into());
    let checker = protocol.checker().finish_when(found).spawn_bfs().join();
    checker.assert_any_discovery(property);
}

const TWO: [u8; 2] = [0, 1];

#[test]
fn a_settle_without_the_fence_writes_for_a_stranger() {
    breaks(Flaw::SettleUnfenced, TWO, properties::NO_STRANGER_WRITES);
    breaks(Flaw::SettleUnfenced, TWO, properties::ONE_RESULT);
}

#[test]
fn a_settle_by_the_holders_name_takes_a_worker_for_its_neighbour() {
    breaks(Flaw::SettleByName, [0, 0], properties::NO_STRANGER_WRITES);
}

#[test]
fn a_settle_that_keeps_the_fence_is_accepted_twice() {
    breaks(Flaw::SettleKeepsFence, TWO, properties::ONE_RESULT);
}

#[test]
fn a_note_without_the_fence_writes_for_a_stranger() {
    breaks(Flaw::NoteUnfenced, TWO, properties::NO_STRANGER_WRITES);
}

#[test]
fn a_lift_that_resets_the_fence_brings_strangers_back() {
    breaks(Flaw::LiftResetsFence, TWO, properties::FENCES_GROW);
    breaks(Flaw::LiftResetsFence, TWO, properties::NO_STRANGER_WRITES);
}

#[test]
fn a_stop_that_keeps_the_fence_is_overruled_by_the_holder() {
    breaks(Flaw::StopKeepsFence, TWO, properties::STOPPED_STAYS);
}

#[test]
fn a_restart_that_keeps_the_fence_is_overruled_by_the_holder() {
    breaks(Flaw::RestartKeepsFence, TWO, properties::NO_STRANGER_WRITES);
}

#[test]
fn a_settle_after_a_removal_brings_back_what_is_gone() {
    breaks(Flaw::SettleAfterRemoval, TWO, properties::REMOVED_IS_GONE);
    breaks(Flaw::SettleAfterRemoval, TWO, properties::NO_STRANGER_WRITES);
}

#[test]
fn a_number_given_again_lets_a_stranger_write_to_the_next_record() {
    breaks(Flaw::NumberGivenAgain, TWO, properties::NO_STRANGER_WRITES);
}

#[test]
fn a_reclaim_without_the_fence_robs_the_next_holder() {
    breaks(Flaw::ReclaimUnfenced, TWO, properties::NOBODY_IS_ROBBED);
}

#[test]
fn a_reclaim_of_what_others_hold_robs_them() {
    breaks(Flaw::ReclaimFromAnyone, TWO, properties::NOBODY_IS_ROBBED);
}

#[test]
fn an_early_release_robs_whoever_is_only_slow() {
    breaks(Flaw::EarlyRelease, TWO, properties::NOBODY_IS_ROBBED);
}

#[test]
fn a_claim_that_ignores_the_stop_hands_out_what_is_stopped() {
    breaks(Flaw::ClaimIgnoresStop, TWO, properties::STOPPED_IS_NOT_HANDED_OUT);
}

#[test]
fn a_claim_that_does_not_count_makes_the_count_wrong() {
    breaks(Flaw::ClaimUncounted, TWO, properties::FAILURES_ARE_CLAIMS);
}

#[test]
fn a_claim_without_an_end_loses_the_record() {
    breaks(Flaw::ClaimForEver, TWO, properties::NOTHING_IS_LOST);
}

#[test]
fn a_notice_cleared_after_sending_ends_twice() {
    breaks(Flaw::ClearAfterSending, TWO, properties::NO_NOTICE_TWICE);
}

#[test]
fn what_is_told_before_it_is_stored_may_never_be() {
    breaks(Flaw::TellBeforeStoring, TWO, properties::NOTHING_TOLD_EARLY);
}

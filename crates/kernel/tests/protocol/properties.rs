//! What must be true in every state.

use stateright::Property;

use crate::model::{Action, Protocol};
use crate::store::Row;
use crate::world::World;

pub(crate) const ONE_RESULT: &str = "a fence gets at most one result";
pub(crate) const FENCES_GROW: &str = "a fence never repeats";
pub(crate) const NO_STRANGER_WRITES: &str = "nobody writes after the claim was lost";
pub(crate) const STOPPED_IS_NOT_HANDED_OUT: &str = "what is stopped is not handed out";
pub(crate) const STOPPED_STAYS: &str = "what is stopped does not move";
pub(crate) const REMOVED_IS_GONE: &str = "nothing is written to what was removed";
pub(crate) const NOBODY_IS_ROBBED: &str = "a claim is lost to its lease, a person or its own end";
pub(crate) const FAILURES_ARE_CLAIMS: &str = "failures are claims less those given back";
pub(crate) const NOTHING_IS_LOST: &str = "where nothing more happens, all is done or stopped";
pub(crate) const NOTHING_TOLD_EARLY: &str = "what is told is stored";
pub(crate) const NO_NOTICE_TWICE: &str = "a notice is sent or counted, and once";

pub(crate) fn all(protocol: Protocol) -> Vec<Property<Protocol>> {
    let mut all = vec![
        Property::always(ONE_RESULT, |_, w: &World| !w.broken.second_result),
        Property::always(FENCES_GROW, |_, w: &World| !w.broken.fence_repeated),
        Property::always(NO_STRANGER_WRITES, |_, w: &World| !w.broken.stranger_wrote),
        Property::always(STOPPED_IS_NOT_HANDED_OUT, |_, w: &World| {
            w.rows.iter().all(|row| !(row.stopped && row.holder.is_some()))
        }),
        Property::always(STOPPED_STAYS, |_, w: &World| !w.broken.stopped_moved),
        Property::always(REMOVED_IS_GONE, |_, w: &World| !w.broken.removed_moved),
        Property::always(NOBODY_IS_ROBBED, |_, w: &World| {
            w.runs().all(|run| !run.entitled || w.rows[usize::from(run.record)].fence == run.fence)
        }),
        Property::always(FAILURES_ARE_CLAIMS, |_, w: &World| {
            w.rows.iter().all(|row| row.failures == row.claims)
        }),
        Property::always(NOTHING_IS_LOST, |protocol, w: &World| {
            goes_on(*protocol, w) || w.is_settled()
        }),
        Property::always(NOTHING_TOLD_EARLY, |_, w: &World| !w.broken.told_early),
        Property::always(NO_NOTICE_TWICE, |_, w: &World| {
            w.notices.iter().all(|notice| notice.ends <= 1)
        }),
        // What makes the others worth something: these things do happen.
        Property::sometimes(
            "a record is done while a stranger still runs for it",
            |_, w: &World| {
                w.runs().any(|run| !run.current && w.rows[usize::from(run.record)].is_done())
            },
        ),
        Property::sometimes(
            "a record is done though an instance never came back",
            |_, w: &World| w.is_down(0) && w.rows.iter().all(Row::is_done),
        ),
        Property::sometimes("a record is done after a stop that was lifted", |_, w: &World| {
            w.notices.iter().any(|notice| !notice.done) && w.rows.iter().all(Row::is_done)
        }),
        Property::sometimes("a record is stopped by its failures", |_, w: &World| {
            w.notices.len() == 1 && w.rows.iter().any(|row| row.stopped && row.failures > 1)
        }),
    ];
    if protocol.anew {
        all.extend([
            Property::sometimes(
                "a record is done again after it was begun anew",
                |_, w: &World| (0..).zip(&w.rows).any(|(record, _)| w.times_done(record) > 1),
            ),
            Property::sometimes(
                "a record is gone while a stranger still runs for it",
                |_, w: &World| {
                    w.runs().any(|run| !run.current && w.rows[usize::from(run.record)].removed)
                },
            ),
        ]);
    }
    all
}

/// Whether anything moves without a person, and without an instance that is away.
fn goes_on(protocol: Protocol, world: &World) -> bool {
    let mut actions = Vec::new();
    protocol.possible(world, &mut actions);
    actions.iter().any(|action| match action {
        Action::Claim { .. }
        | Action::Settle { .. }
        | Action::TimeComes { .. }
        | Action::TakeBack { .. } => true,
        // Somebody has to be there.
        Action::Look { .. } => world.nobody_is_up(),
        _ => false,
    })
}

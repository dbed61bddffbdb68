//! The protocol of claims, checked in every interleaving.
//!
//! Two workers, one or two records, a person, crashes, and answers that do not arrive. What a step
//! saw becomes a change by the kernel's own `guards`, `settle`, `stop` and `give_back`; what a store
//! does with a change is modelled in `store`. Time is no number here: a lease or a pause may end at
//! any moment, so no property rests on a clock. Each `Flaw` leaves out one thing that the stores
//! do, and its test shows which property falls without it.
//!
//! **Invariant:** every path ends. What disturbs the work is rationed, and the rest is bounded by
//! the limit of failures; so the search is exhaustive without cutting anything off.

mod flaws;
mod kernel;
mod model;
mod properties;
mod store;
mod world;

use stateright::{Checker, Model};

use model::Protocol;

/// Visits every state, and demands every property.
fn holds(protocol: Protocol, at_least: usize) {
    let checker = protocol.checker().spawn_bfs().join();
    checker.assert_properties();
    // A model that stopped moving would satisfy everything.
    let states = checker.unique_state_count();
    assert!(states >= at_least, "only {states} states");
}

const ONE: Protocol =
    Protocol { records: 1, homes: [0, 1], disturbances: 3, anew: false, flaw: None };

#[test]
fn one_record() {
    holds(ONE, 250_000);
}

#[test]
fn two_records() {
    holds(Protocol { records: 2, disturbances: 1, anew: true, ..ONE }, 300_000);
}

#[test]
fn two_workers_of_one_instance() {
    holds(Protocol { homes: [0, 0], ..ONE }, 60_000);
}

#[test]
fn one_record_begun_anew_or_removed() {
    holds(Protocol { disturbances: 2, anew: true, ..ONE }, 60_000);
}

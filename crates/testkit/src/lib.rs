//! Development only: a small world with a real store, a clock that tests move, peers that follow
//! a script, and ears on logs, counts and letters.
//!
//! What is scripted here is never a store: every test runs on a real one.

#![expect(clippy::unwrap_used, reason = "a test world that cannot be built fails its test")]

mod clock;
mod ears;
mod provider;
mod script;
mod world;

pub use clock::TestClock;
pub use ears::{Count, Logs, Mailbox, Record, Tally};
pub use provider::{Order, ScriptedProvider};
pub use script::{Act, ScriptedRoad};
pub use world::{Backend, Everything, Setup, World};

//! Development only: a small world with a real store, a clock that tests move, peers that follow
//! a script, and ears on logs, counts and letters.
//!
//! What is scripted here is never a store: every test runs on a real one.

#![expect(
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    reason = "a test world that cannot be built, or is asked in vain, fails its test"
)]

mod caller;
mod clock;
pub mod conformance;
mod crammed;
mod ears;
mod full_disk;
mod full_table;
mod gate;
mod harbour;
mod in_time;
mod layer;
mod media;
pub mod mirror;
mod openai;
mod peer;
mod provider;
mod release;
mod s3;
mod schema;
mod script;
pub mod telegram;
pub mod torrents;
mod world;
mod writes;

pub use caller::{Ring, ScriptedCaller};
pub use clock::TestClock;
pub use ears::{Count, Logs, Mailbox, Record, Tally};
pub use full_disk::FullDisk;
pub use full_table::FullTable;
pub use gate::Gate;
pub use harbour::{Harbour, Stands};
pub use in_time::in_time;
pub use layer::Layer;
pub use media::tone;
pub use openai::{Asked, Latch, OpenAiServer, Served};
pub use peer::{Heard, Peer, Reply};
pub use provider::{Order, ScriptedProvider};
pub use release::release;
pub use s3::S3;
pub use schema::Schema;
pub use script::{Act, ScriptedRoad, act, usual};
pub use world::{Backend, Setup, World};
pub use writes::Writes;

// What tests of faces name of the crates below, which faces do not see.
pub use verst_kernel::{Limits, Outcome, Undelivered};
pub use verst_recordings::model::Product as OfRecording;

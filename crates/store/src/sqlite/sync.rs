//! What the writer is made of. A module of its own, so that a test of the writer can put in its
//! place parts whose schedule it chooses.

pub(super) use std::thread;

pub(super) use tokio::sync::{mpsc, oneshot};

/// Operations that may wait for the thread.
pub(super) const QUEUE: usize = 1024;
/// Operations that share a commit at most.
pub(super) const GROUP: usize = 256;

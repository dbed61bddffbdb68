//! The pure core of Verst: what a piece of work is, who may write to it, and what follows from
//! what a step saw.
//!
//! Nothing here does I/O, reads a clock or rolls dice. Decisions are functions of what is stored
//! and what was seen; the store stamps times, the runtime carries out effects after the commit.
//!
//! **Invariant:** every rule about leases, patience, failures, pauses, stops and fences stands in
//! this crate and nowhere else.

mod claim;
mod failure;
mod guards;
mod held;
mod journal;
mod limits;
mod line;
mod notice;
mod outcome;
mod pause;
mod queue;
mod settle;
mod source;
mod standing;
mod time;

pub use claim::{Claim, Fence, Instance, WorkId};
pub use failure::{Failure, Value};
pub use guards::{Guard, guards};
pub use journal::{Actor, Entry, Event};
pub use limits::Limits;
pub use line::{Leave, Line, Milestone, Patience, Road, Stage, StepName, Supervisor, Visit, widen};
pub use notice::{Herald, Notice, NoticeId, NoticeKind, Undelivered};
pub use outcome::Outcome;
pub use pause::{Roll, pause};
pub use queue::{
    Depth, Lift, Lifted, Noted, Notes, PauseOf, Queue, Reclaimed, Settled, StopByPerson, StoreError,
};
pub use settle::{Change, Wait, give_back, settle, stop};
pub use source::Source;
pub use standing::{Standing, Stop, StopReason};
pub use time::{Clock, Timestamp};

//! The recogniser process: the only room that links C++.
//!
//! The binary runs [`serve`] as `verst engine`, a child of itself, and speaks to it over its
//! standard streams, so that an abort, an illegal instruction or a kill for want of memory inside
//! the native library costs one attempt and not the service. It keeps nothing but loaded models,
//! and for a moment a slice that it heard ahead: whatever must outlive the process (the plan of a
//! recording, the text of its slices) is in the replies, and it may be killed at any instant.
//!
//! It refuses to hear what voice activity did not mark as speech, because a recogniser that is
//! given music invents text for it.
//!
//! *Invariant*: a reply depends on its request and the files it names, never on earlier requests.

mod accept;
mod ahead;
mod audio;
mod diarise;
mod hear;
mod level;
mod models;
mod pack;
mod phrases;
mod plan;
mod planner;
pub mod processor;
pub mod protocol;
mod regions;
mod serve;
mod timeline;
mod trouble;
mod words;
mod worker;

pub use models::sha256;
pub use plan::{Piece, Plan, Slice};
pub use serve::{ServeError, serve};

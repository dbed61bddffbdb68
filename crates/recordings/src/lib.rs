//! The road of a recording: `uploaded -> normalized -> submitted -> transcribed -> done`.
//!
//! The line knows what its steps do and which ports they need. It refuses to know which database,
//! which program and which provider stand behind them.

pub mod codes;
pub mod corrections;
pub mod exports;
pub mod lanes;
pub mod model;
pub mod ports;
mod road;
pub mod search;
pub mod speakers;
mod steps;
pub mod transcript;

pub use road::{FLOOR_RATE, LINE, LONGEST, NORMALIZED, Recordings, SUBMITTED, Step};

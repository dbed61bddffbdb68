//! The road of a download: `caught -> downloading -> completed -> identified -> done`.
//!
//! The line knows what its steps do and which ports they need. It refuses to know which database,
//! which torrent client and which file system stand behind them.

pub mod codes;
pub mod filing;
pub mod hash;
pub mod layout;
pub mod merge;
pub mod model;
pub mod names;
pub mod ports;
pub mod reconcile;
pub mod retry;
mod road;
pub mod source;
pub mod steps;

pub use road::{CAUGHT, CLIENT, COMPLETED, DOWNLOADING, IDENTIFIED, LINE, Step, WatchStep};

//! The ports of the kernel, the lines and the service, on SQLite.
//!
//! Here is SQL, written plainly, and nothing else: every rule that is more than a comparison of
//! fences is a function of the kernel or of a line, called inside the transaction.

mod codec;
pub mod sqlite;

pub use sqlite::{Durability, OpenError, Sqlite};

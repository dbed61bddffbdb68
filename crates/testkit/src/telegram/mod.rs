//! Telegram's Bot API as its documentation and its server's source have it, for a bot to talk to: the
//! real wire, over HTTP, with people whom a test moves.
//!
//! It refuses what Telegram refuses, in Telegram's words: markup that does not close, messages that
//! are too long, changes that change nothing. **Invariant:** its answers read strictly as the types of
//! a library that others use against the real one; a test compares them.

mod markup;
mod methods;
mod people;
mod server;
mod state;

pub use people::Person;
pub use server::BotServer;
pub use state::{Sent, Trick};

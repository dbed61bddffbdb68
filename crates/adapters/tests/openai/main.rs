//! The recogniser with OpenAI's interface against a server that speaks it on the wire.

#![expect(clippy::unwrap_used, reason = "what a test unwraps is what it says must be there")]

mod bench;
mod forms;
mod pieces;
mod refusals;
mod silence;

//! Confined processes in the real: a shell and its tools are started as FFmpeg is, and try what they
//! must not do. Each attempt succeeds without confinement, or its refusal would prove nothing.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod files;
mod kernel;
mod limits;
mod room;

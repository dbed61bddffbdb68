//! FFmpeg itself against the table of tricky inputs, numbered as there. No stand-ins: every input
//! is made with FFmpeg or byte by byte, and decoded by real child processes.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod bench;
mod broken;
mod channels;
mod hostile;
mod kinds;
mod limits;
mod outputs;
mod samples;

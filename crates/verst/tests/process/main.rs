//! The real binary as a process: killed, interrupted, starved, run twice at once.
//!
//! Nothing is simulated: real FFmpeg, the real engine with the bundled model, real signals. Tests
//! wait for what the binary says, never for time to pass.

#![expect(clippy::unwrap_used, reason = "a test may end where its world is not as it must be")]

mod backup;
mod backup_files;
mod command_line;
mod copies;
mod downloads_by_number;
mod engine_dies;
mod evening;
mod folder;
mod health;
mod hosts;
mod inputs;
mod kill;
mod load;
mod models;
mod network;
mod openai;
mod outputs;
mod postgres;
mod process_browser;
mod recogniser;
mod refusals;
mod second_road;
mod serve;
mod support;
mod telegram;
mod terminate;
mod troubles;
mod web;

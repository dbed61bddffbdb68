//! The outside world, one module per system. Each implements a port of a line, of the service or
//! of the runtime, and decides nothing that a pure function elsewhere can decide.

pub mod aftermath;
pub mod clock;
pub mod confine;
pub mod data_dir;
pub mod disk;
pub mod download;
pub mod engine;
pub mod ffmpeg;
pub mod harbour;
pub mod library;
pub mod log_entrance;
pub mod meter;
pub mod objects;
pub mod openai;
pub mod outward;
pub mod passwords;
pub mod qbittorrent;
pub mod random;
mod tether;
mod unsupervised;
pub mod webhook;

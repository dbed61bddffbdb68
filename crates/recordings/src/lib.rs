//! The road of a recording: `uploaded -> normalized -> submitted -> transcribed -> done`.

pub mod codes;
pub mod ports;
pub mod transcript;

//! The tokio shell around the kernel: workers, wake, shutdown, metrics. Generic over what a line
//! writes.
//!
//! The shell carries out what the kernel decides: it claims, asks the guards, runs the step,
//! settles, and only after the commit tells anyone. It decides nothing itself.

mod ailing;
mod alarm;
mod limbo;
mod meter;
mod pulse;
mod running;
mod service;
mod turn;

pub use ailing::Ailing;
pub use alarm::Alarm;
pub use meter::Meter;
pub use pulse::Pulse;
pub use running::Running;
pub use service::Workers;
pub use turn::{Runtime, Turn};

//! qBittorrent's adapter against clients that speak the versions' dialects on the wire.

#![expect(clippy::unwrap_used, reason = "what a test unwraps is what it says must be there")]

mod answers;
mod bench;
mod conformance;
mod doors;
mod real;

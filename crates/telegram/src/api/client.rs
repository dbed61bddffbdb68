//! The client that carries requests to Telegram, by the one implementation of TLS in the house.
//!
//! A proxy of the environment is used: where Telegram is blocked there is no other way to it.
//!
//! **Invariant:** it follows nothing that an answer leads to, and sends nothing twice by itself.

use std::time::Duration;

use reqwest::Client;
use reqwest::redirect::Policy;

/// Until a connection stands.
const CONNECT: Duration = Duration::from_secs(10);
/// Between two bytes; longer than Telegram waits until there is something to say.
const IDLE: Duration = Duration::from_mins(1);
/// A connection that was not used for longer may be dead.
const REST: Duration = Duration::from_secs(20);

pub(super) fn client() -> reqwest::Result<Client> {
    // Only one provider of cryptography is linked; whoever was first has chosen the same.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder()
        .user_agent(concat!("verst/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT)
        .read_timeout(IDLE)
        .redirect(Policy::none())
        .retry(reqwest::retry::never())
        .pool_idle_timeout(REST)
        .http1_only()
        .build()
}

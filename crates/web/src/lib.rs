//! Everything HTTP: the REST interface under `/api/v1`, the interface that OpenAI's clients expect
//! under `/v1`, the panel, health and metrics.
//!
//! It sees `service` and `words` and decides nothing about recordings or downloads. **Invariant:** every input,
//! every list and every connection has a limit, and every answer to what went wrong has a sentence
//! in the caller's language.

mod accounts;
mod app;
mod auth;
mod config;
mod disposition;
mod downloads;
mod events;
mod feed;
mod front;
mod health;
mod input;
mod kinds;
mod languages;
mod linger;
mod metrics;
mod openai;
mod openapi;
mod panel;
mod problem;
mod recordings;
mod routes;
mod seat;
mod serve;
mod setup;
mod shared;
mod throttle;
mod tongue;
mod trouble;
mod visit;

pub use app::House;
pub use config::{Config, ConfigError, Typed};
pub use metrics::counting;
pub use metrics_exporter_prometheus::PrometheusHandle;
pub use openapi::openapi;
pub use serve::serve;

//! What is set about HTTP.

use std::net::SocketAddr;
use std::time::Duration;

use verst_web::{Config, ConfigError, Typed};

use super::Settings;

impl Settings {
    /// Where to listen; `None` when nothing is to be answered over HTTP.
    pub(crate) fn listen(&self) -> Option<&str> {
        (!self.listen.is_empty()).then_some(self.listen.as_str())
    }

    /// What holds for a service that listens here.
    pub(crate) fn web(&self, listening: SocketAddr) -> Result<Config, ConfigError> {
        let typed = Typed {
            public_url: &self.public_url,
            allowed_hosts: &self.allowed_hosts,
            trusted_proxies: &self.trusted_proxies,
            metrics_open: self.metrics_open,
            connections: self.http_connections,
            idle: Duration::from_secs(self.http_idle_s),
            grace: self.shutdown_grace(),
        };
        Config::new(&typed, listening)
    }

    /// Where people find it.
    pub(crate) fn address(&self, listening: SocketAddr) -> String {
        match self.public_url.as_str() {
            "" => format!("http://{listening}"),
            url => url.trim_end_matches('/').to_owned(),
        }
    }
}

//! What is set about HTTP.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use verst_service::accounts::SessionLimits;
use verst_web::{Config, ConfigError, Typed};

use super::Settings;

impl Settings {
    /// Where to listen; `None` when nothing is to be answered over HTTP.
    pub(crate) fn listen(&self) -> Option<&str> {
        (!self.listen.is_empty()).then_some(self.listen.as_str())
    }

    /// Whether what is set to listen at can be such an address. The error is a sentence with the key.
    pub(super) fn check_listen(&self) -> Result<(), String> {
        let Some(listen) = self.listen() else { return Ok(()) };
        let parts = listen.rsplit_once(':').filter(|(host, _)| !host.is_empty());
        match parts.map(|(_, port)| port.parse::<u16>()) {
            Some(Ok(_)) => Ok(()),
            Some(Err(_)) | None => Err(format!(
                "`listen`: “{listen}” is not an address and a port, as in 127.0.0.1:8377"
            )),
        }
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

    /// How long browsers stay signed in.
    pub(crate) fn session_limits(&self) -> SessionLimits {
        let days = |days: u32| Duration::from_hours(24) * days.clamp(1, 3650);
        SessionLimits { idle: days(self.session_idle_days), age: days(self.session_days) }
    }

    /// Where people find it.
    pub(crate) fn address(&self, listening: SocketAddr) -> String {
        match self.public_url.as_str() {
            "" => format!("http://{}", from_here(listening)),
            url => url.trim_end_matches('/').to_owned(),
        }
    }
}

/// Where this machine reaches whoever listens there: on all addresses, that is on its own too.
pub(crate) fn from_here(listening: SocketAddr) -> SocketAddr {
    let ip = match listening.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listening.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_to_listen_at_has_a_port() {
        for (listen, good) in [
            ("", true),
            ("127.0.0.1:8377", true),
            ("[::1]:0", true),
            ("verst.lan:80", true),
            ("127.0.0.1", false),
            ("8377", false),
            (":8377", false),
            ("127.0.0.1:65536", false),
            ("http://127.0.0.1:8377/", false),
        ] {
            let settings = Settings { listen: listen.to_owned(), ..Settings::default() };
            let checked = settings.check_listen();
            assert_eq!(checked.is_ok(), good, "{listen}: {checked:?}");
            assert!(checked.err().is_none_or(|error| error.starts_with("`listen`")));
        }
    }

    #[test]
    fn who_listens_everywhere_is_found_here() {
        for (listening, found) in [
            ("0.0.0.0:8377", "http://127.0.0.1:8377"),
            ("[::]:8377", "http://[::1]:8377"),
            ("192.0.2.7:80", "http://192.0.2.7:80"),
        ] {
            assert_eq!(Settings::default().address(listening.parse().unwrap()), found);
        }
    }
}

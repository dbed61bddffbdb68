//! What the owner set: where to listen, which names and origins are ours, which proxies are trusted.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use ipnet::IpNet;
use thiserror::Error;
use url::Url;

/// Settings of this face.
#[derive(Clone, Debug)]
pub struct Config {
    origin: Option<String>,
    hosts: Vec<Host>,
    trusted: Vec<IpNet>,
    /// Whether anybody may read the metrics.
    pub metrics_open: bool,
    /// Connections at a time.
    pub connections: usize,
    /// How long a caller may send, or take, nothing in the middle of a request.
    pub idle: Duration,
    /// How long requests under way get when the service ends.
    pub grace: Duration,
}

/// As it is typed.
#[derive(Clone, Debug, Default)]
pub struct Typed<'a> {
    /// Address for people, or empty.
    pub public_url: &'a str,
    /// Further hosts, separated by commas.
    pub allowed_hosts: &'a str,
    /// Addresses and networks of proxies, separated by commas.
    pub trusted_proxies: &'a str,
    /// Whether anybody may read the metrics.
    pub metrics_open: bool,
    /// Connections at a time.
    pub connections: usize,
    /// How long a caller may send nothing.
    pub idle: Duration,
    /// How long requests under way get at the end.
    pub grace: Duration,
}

/// What cannot be used of it.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum ConfigError {
    /// The public address.
    #[error("`public_url` has to be an address such as https://verst.example.org")]
    PublicUrl,
    /// A host.
    #[error("`allowed_hosts` has to name hosts such as verst.example.org or 10.0.0.5:8377")]
    AllowedHosts,
    /// A proxy.
    #[error("`trusted_proxies` has to list addresses or networks such as 10.0.0.0/8")]
    TrustedProxies,
}

/// A name of ours. Without a port, any port will do: a proxy may listen on any.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Host {
    name: String,
    port: Option<u16>,
}

impl Host {
    /// Reads `name`, `name:port`, `1.2.3.4:port` and `[::1]:port`.
    fn read(text: &str) -> Option<Self> {
        let (name, port) = match text.rsplit_once(':') {
            Some((name, port)) if !name.contains(':') || name.ends_with(']') => {
                (name, Some(port.parse().ok()?))
            }
            _ => (text, None),
        };
        let plain = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
        let address = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let name = match address {
            // One address is written in many ways.
            Some(address) => format!("[{}]", address.parse::<Ipv6Addr>().ok()?),
            None => name.trim_end_matches('.').to_ascii_lowercase(),
        };
        let good = address.is_some() || (!name.is_empty() && name.chars().all(plain));
        good.then_some(Self { name, port })
    }

    fn covers(&self, other: &Self) -> bool {
        self.name == other.name && (self.port.is_none() || self.port == other.port)
    }
}

impl Config {
    /// What was typed, for a service that listens here.
    pub fn new(typed: &Typed<'_>, listening: SocketAddr) -> Result<Self, ConfigError> {
        let mut hosts = Vec::new();
        let mut origin = None;
        if !typed.public_url.is_empty() {
            let url = Url::parse(typed.public_url).map_err(|_| ConfigError::PublicUrl)?;
            let web = matches!(url.scheme(), "http" | "https");
            let name = url.host_str().filter(|_| web).ok_or(ConfigError::PublicUrl)?;
            let host = Host::read(name).ok_or(ConfigError::PublicUrl)?;
            hosts.push(Host { port: url.port(), ..host });
            origin = Some(url.origin().ascii_serialization());
        }
        for text in list(typed.allowed_hosts) {
            hosts.push(Host::read(text).ok_or(ConfigError::AllowedHosts)?);
        }
        let ip = listening.ip();
        if ip.is_loopback() || ip.is_unspecified() {
            for name in ["localhost", "127.0.0.1", "[::1]"] {
                hosts.push(Host { name: name.to_owned(), port: Some(listening.port()) });
            }
        }
        if !ip.is_unspecified() {
            hosts.extend(Host::read(&listening.to_string()));
        }
        let trusted = list(typed.trusted_proxies).map(network).collect::<Result<_, _>>()?;
        // Who comes through a proxy of this machine comes from loopback as well.
        let proxied = [typed.public_url, typed.allowed_hosts, typed.trusted_proxies];
        let alone = ip.is_loopback() && proxied.iter().all(|typed| typed.is_empty());
        Ok(Self {
            origin,
            hosts,
            trusted,
            metrics_open: typed.metrics_open || alone,
            connections: typed.connections.clamp(1, 65_536),
            idle: typed.idle.max(Duration::from_secs(1)),
            grace: typed.grace,
        })
    }

    pub(crate) fn is_ours(&self, host: &str) -> bool {
        let Some(asked) = Host::read(host) else { return false };
        self.hosts.iter().any(|host| host.covers(&asked))
    }

    pub(crate) fn is_public_origin(&self, origin: &str) -> bool {
        self.origin.as_ref().is_some_and(|public| public.eq_ignore_ascii_case(origin))
    }

    /// Whether people reach it over https.
    pub(crate) fn is_secure(&self) -> bool {
        self.origin.as_ref().is_some_and(|origin| origin.starts_with("https://"))
    }

    pub(crate) fn trusts(&self, address: IpAddr) -> bool {
        self.trusted.iter().any(|net| net.contains(&address))
    }
}

fn list(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ' ']).map(str::trim).filter(|part| !part.is_empty())
}

fn network(text: &str) -> Result<IpNet, ConfigError> {
    let alone = text.parse::<IpAddr>().map(IpNet::from);
    alone.or_else(|_| text.parse()).map_err(|_| ConfigError::TrustedProxies)
}

#[cfg(test)]
mod tests;

//! Requests to addresses that people name: fetching a recording or a torrent, telling a webhook.
//!
//! Whoever can name an address could make this machine ask its neighbours: routers, databases, the
//! key service of a cloud. So only public addresses are asked, unless the owner allows all.
//!
//! **Invariant:** an address is checked where it is connected to: after its name was resolved, in
//! its literal form, and again at each redirect. No proxy of the environment is used, because a
//! proxy resolves names by itself; nothing is decompressed; no cookie and no referrer is sent.

mod addresses;
#[cfg(test)]
mod catch_tests;
mod fetch;
mod name;
mod post;
mod resolver;
mod small;
#[cfg(test)]
mod small_tests;
#[cfg(test)]
mod tests;

use std::net::IpAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use reqwest::header::{ACCEPT_ENCODING, HeaderMap, HeaderValue};
use reqwest::{Client, Url, redirect};
use url::Host;
use verst_service::FetchError;

use resolver::{Admits, Guarded, Lookup, NotAdmitted, System};

pub use post::Answer;

/// The longest address.
const ADDRESS_BYTES: usize = 8 * 1024;

/// Whom requests may go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Addresses of the public Internet.
    Public,
    /// Any, also of this machine and its neighbours.
    Anywhere,
}

/// How long is waited, and how much is taken.
#[derive(Clone, Copy, Debug)]
pub struct OutwardLimits {
    /// Until a connection stands, its name resolved.
    pub connect: Duration,
    /// Between two bytes.
    pub idle: Duration,
    /// Until the bytes begin to come, with all redirects.
    pub head: Duration,
    /// Until the last byte.
    pub total: Duration,
    /// The largest file.
    pub largest_bytes: u64,
}

impl OutwardLimits {
    /// The usual times, and this for the largest file.
    pub fn up_to(largest_bytes: u64) -> Self {
        Self {
            connect: Duration::from_secs(10),
            idle: Duration::from_secs(30),
            head: Duration::from_mins(1),
            total: Duration::from_hours(2),
            largest_bytes,
        }
    }
}

/// The client.
pub struct Outward {
    admits: Admits,
    lookup: Arc<dyn Lookup>,
    limits: OutwardLimits,
    /// Made when it is first needed: reading the certificates that are trusted takes a while.
    client: OnceLock<Option<Client>>,
}

impl Outward {
    /// A client that asks nobody yet.
    pub fn new(reach: Reach, limits: OutwardLimits) -> Self {
        let admits: Admits = match reach {
            Reach::Public => addresses::is_public,
            Reach::Anywhere => |_| true,
        };
        Self { admits, lookup: Arc::new(System), limits, client: OnceLock::new() }
    }

    /// Where an address leads, without sending anything there.
    pub async fn look(&self, url: &str) -> Result<Vec<IpAddr>, FetchError> {
        let url = self.admissible(url)?;
        let Some(Host::Domain(host)) = url.host() else {
            return Ok(url.host().as_ref().and_then(literal).into_iter().collect());
        };
        let found = resolver::admitted(self.lookup.as_ref(), self.admits, host);
        let found = tokio::time::timeout(self.limits.connect, found).await;
        match found.map_err(|_| FetchError::TimedOut)? {
            Ok(found) if found.is_empty() => Err(FetchError::Unreachable),
            Ok(found) => Ok(found),
            Err(error) if error.is::<NotAdmitted>() => Err(FetchError::NotAllowed),
            Err(_) => Err(FetchError::Unreachable),
        }
    }

    /// Reads an address and checks what can be checked before its name is resolved. A literal
    /// address never comes to the resolver.
    fn admissible(&self, url: &str) -> Result<Url, FetchError> {
        let url = read(url)?;
        match url.host().as_ref().and_then(literal) {
            Some(address) if !(self.admits)(address) => Err(FetchError::NotAllowed),
            _ => Ok(url),
        }
    }

    fn client(&self) -> Result<&Client, FetchError> {
        let made = self.client.get_or_init(|| {
            let made = self.make().inspect_err(|failure| {
                tracing::error!(%failure, "there is no client for outgoing requests");
            });
            made.ok()
        });
        made.as_ref().ok_or(FetchError::Unreachable)
    }

    fn make(&self) -> Result<Client, Box<dyn std::error::Error>> {
        // Without certificates there is still http://, which a container without any may need.
        let mut roots = rustls::RootCertStore::empty();
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_no_client_auth();
        let guarded = Guarded { lookup: Arc::clone(&self.lookup), admits: self.admits };
        // What is not decompressed cannot grow; whoever compresses all the same is not understood.
        let plain = HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static("identity"))]);
        let client = Client::builder()
            .tls_backend_preconfigured(tls)
            .dns_resolver(Arc::new(guarded))
            .no_proxy()
            .redirect(redirect::Policy::none())
            .referer(false)
            .no_gzip()
            .no_brotli()
            .no_zstd()
            .no_deflate()
            .default_headers(plain)
            .user_agent(concat!("verst/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(self.limits.connect)
            .read_timeout(self.limits.idle)
            .pool_max_idle_per_host(2)
            .build()?;
        Ok(client)
    }
}

/// Whether this is an address of http or https.
pub fn is_address(url: &str) -> bool {
    read(url).is_ok()
}

fn read(url: &str) -> Result<Url, FetchError> {
    let short = Some(url).filter(|url| url.len() <= ADDRESS_BYTES);
    let url = short.and_then(|url| Url::parse(url).ok());
    url.filter(|url| matches!(url.scheme(), "http" | "https")).ok_or(FetchError::Scheme)
}

fn literal(host: &Host<&str>) -> Option<IpAddr> {
    match host {
        Host::Ipv4(address) => Some(IpAddr::V4(*address)),
        Host::Ipv6(address) => Some(IpAddr::V6(*address)),
        Host::Domain(_) => None,
    }
}

/// What the client's error means.
fn trouble(error: &reqwest::Error) -> FetchError {
    let mut next: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(cause) = next {
        if cause.is::<NotAdmitted>() {
            return FetchError::NotAllowed;
        }
        next = cause.source();
    }
    if error.is_timeout() { FetchError::TimedOut } else { FetchError::Unreachable }
}

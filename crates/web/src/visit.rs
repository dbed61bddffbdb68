//! Where a request comes from and whom it is meant for.
//!
//! A page of another site can make a browser send requests here, and a name that its owner lets
//! point to this machine makes them look like our own. So the host is checked on every request, and
//! the origin on every one that has one. **Invariant:** what a proxy says is believed only if the
//! proxy is trusted.

use std::net::{IpAddr, SocketAddr};

use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, Uri};
use ipnet::IpNet;

use crate::config::Config;
use crate::kinds;
use crate::problem::Problem;

/// The other end of the connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// A request that may be answered.
#[derive(Clone, Debug)]
pub(crate) struct Visit {
    /// The caller's address, as far as it is known.
    pub(crate) address: IpAddr,
}

impl Visit {
    /// Looks at a request before anything else does.
    pub(crate) fn of(
        config: &Config,
        peer: Peer,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Result<Self, Problem> {
        let near = peer.0.ip().to_canonical();
        let trusted = config.trusts(near);
        let told = |name: &str| if trusted { last(headers, name) } else { None };
        let host = match told("x-forwarded-host") {
            Some(host) => host,
            None => only(headers, HOST.as_str()).ok_or(kinds::BAD_REQUEST)?,
        };
        // An address in the request line comes before the header: both have to be ours.
        let named = uri.authority().map(|authority| authority.as_str().to_owned());
        for host in named.iter().chain([&host]) {
            if !config.is_ours(host) {
                return Err(kinds::HOST_UNKNOWN.into());
            }
        }
        let scheme = told("x-forwarded-proto").unwrap_or_else(|| "http".to_owned());
        if headers.contains_key(ORIGIN) {
            let origin = only(headers, ORIGIN.as_str()).ok_or(kinds::ORIGIN_FOREIGN)?;
            let own = format!("{scheme}://{host}");
            if !config.is_public_origin(&origin) && !origin.eq_ignore_ascii_case(&own) {
                return Err(kinds::ORIGIN_FOREIGN.into());
            }
        }
        let address = if trusted { forwarded_for(config, headers) } else { None };
        Ok(Self { address: address.unwrap_or(near) })
    }
}

/// The value of a header that stands once.
fn only(headers: &HeaderMap, name: &str) -> Option<String> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?.to_str().ok()?;
    if values.next().is_some() { None } else { Some(first.trim().to_owned()) }
}

/// The last entry of a list, which is the nearest proxy's own.
fn last(headers: &HeaderMap, name: &str) -> Option<String> {
    let value = headers.get_all(name).iter().next_back()?.to_str().ok()?;
    let entry = value.rsplit(',').next()?.trim();
    (!entry.is_empty()).then(|| entry.to_owned())
}

/// The nearest address in the chain of proxies that is not a trusted one.
fn forwarded_for(config: &Config, headers: &HeaderMap) -> Option<IpAddr> {
    let lines: Vec<&str> =
        headers.get_all("x-forwarded-for").iter().filter_map(|line| line.to_str().ok()).collect();
    let chain = lines.join(",");
    let mut furthest = None;
    for entry in chain.rsplit(',').take(32) {
        let entry = entry.trim();
        let address = entry
            .parse::<IpAddr>()
            .or_else(|_| entry.parse::<SocketAddr>().map(|socket| socket.ip()))
            .ok()?
            .to_canonical();
        furthest = Some(address);
        if !config.trusts(address) {
            break;
        }
    }
    furthest
}

/// What addresses are counted together: one of IPv4, or a network of IPv6 that one customer has.
pub(crate) fn neighbourhood(address: IpAddr) -> IpNet {
    let bits = if address.is_ipv4() { 32 } else { 64 };
    IpNet::new(address, bits).map_or_else(|_| address.into(), |net| net.trunc())
}

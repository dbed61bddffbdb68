//! Names to addresses, of which only those go on that a connection may be opened to.
//!
//! **Invariant:** what is connected to is what was checked: the client connects to the addresses
//! that come from here and asks nobody again.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use async_trait::async_trait;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use thiserror::Error;

/// Of a name with more addresses than this, only so many are looked at.
const ADDRESSES: usize = 32;

/// Which addresses may be connected to.
pub(super) type Admits = fn(IpAddr) -> bool;

/// Finds the addresses of a name.
#[async_trait]
pub(super) trait Lookup: Send + Sync {
    async fn lookup(&self, host: &str) -> io::Result<Vec<IpAddr>>;
}

/// As this machine finds them.
pub(super) struct System;

#[async_trait]
impl Lookup for System {
    async fn lookup(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        let found = tokio::net::lookup_host((host, 0)).await?;
        Ok(found.map(|at| at.ip()).take(ADDRESSES).collect())
    }
}

/// A name leads to addresses that must not be connected to, and to no other.
#[derive(Debug, Error)]
#[error("not a public address")]
pub(super) struct NotAdmitted;

/// The addresses of a name that may be connected to.
pub(super) async fn admitted(
    lookup: &dyn Lookup,
    admits: Admits,
    host: &str,
) -> Result<Vec<IpAddr>, Box<dyn std::error::Error + Send + Sync>> {
    let found = lookup.lookup(host).await?;
    let any = !found.is_empty();
    let admitted: Vec<IpAddr> = found.into_iter().filter(|address| admits(*address)).collect();
    if admitted.is_empty() && any {
        return Err(NotAdmitted.into());
    }
    Ok(admitted)
}

/// The resolver as the client asks it.
pub(super) struct Guarded {
    pub(super) lookup: Arc<dyn Lookup>,
    pub(super) admits: Admits,
}

impl Resolve for Guarded {
    fn resolve(&self, name: Name) -> Resolving {
        let (lookup, admits) = (Arc::clone(&self.lookup), self.admits);
        Box::pin(async move {
            let addresses = admitted(lookup.as_ref(), admits, name.as_str()).await?;
            // The client puts in the port of the address that was asked for.
            let addresses = addresses.into_iter().map(|ip| SocketAddr::new(ip, 0));
            Ok(Box::new(addresses) as Addrs)
        })
    }
}

//! Which client, and how it is spoken with.
//!
//! **Invariant:** who holds a configuration can print it: what opens the door is left out.

use std::fmt;
use std::time::Duration;

use thiserror::Error;
use url::Url;

/// A client, and how it is spoken with.
#[derive(Clone)]
pub struct QBittorrentConfig {
    /// Its address, as in `http://127.0.0.1:8080`, with the path that leads to it behind a proxy.
    pub url: String,
    /// Who logs in. Empty where the client lets this host in without a login.
    pub user: String,
    /// With which password.
    pub password: String,
    /// A key instead of both, from qBittorrent 5.2 on.
    pub api_key: Option<String>,
    /// The category of what is added; empty for none.
    pub category: String,
    /// How long one request may take, its answer included.
    pub timeout: Duration,
    /// How often everything is listed anew, rather than what changed; zero for always.
    pub full_every: Duration,
    /// How large answers may be.
    pub limits: AnswerLimits,
}

/// The largest answers that are read, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct AnswerLimits {
    /// Of the list of torrents: one takes about 1500 bytes.
    pub listing_bytes: usize,
    /// Of the files of one torrent: one takes about 200 bytes.
    pub files_bytes: usize,
    /// Of a .torrent file.
    pub torrent_bytes: usize,
}

impl Default for AnswerLimits {
    fn default() -> Self {
        Self { listing_bytes: 256 << 20, files_bytes: 64 << 20, torrent_bytes: 64 << 20 }
    }
}

impl QBittorrentConfig {
    /// The client at this address, without a login, otherwise as usual.
    pub fn at(url: &str) -> Self {
        Self {
            url: url.to_owned(),
            user: String::new(),
            password: String::new(),
            api_key: None,
            category: "verst".to_owned(),
            timeout: Duration::from_secs(30),
            full_every: Duration::from_mins(10),
            limits: AnswerLimits::default(),
        }
    }

    /// The address under which the verbs stand.
    pub(super) fn base(&self) -> Result<String, NoClient> {
        let url = Url::parse(&self.url).map_err(|_| NoClient::Address)?;
        let plain = url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none();
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() || !plain {
            return Err(NoClient::Address);
        }
        Ok(format!("{}/api/v2", url.as_str().trim_end_matches('/')))
    }
}

impl fmt::Debug for QBittorrentConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // An address may have a password in it, against the rule.
        f.debug_struct("QBittorrentConfig")
            .field("category", &self.category)
            .field("timeout", &self.timeout)
            .field("full_every", &self.full_every)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// Why there can be no client.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum NoClient {
    /// The address is not one of a web page, or has more in it than that.
    #[error("the address of the torrent client is not http://HOST:PORT or https://HOST")]
    Address,
    /// The key has characters that no key has.
    #[error("the API key of the torrent client has characters that no key has")]
    Key,
    /// HTTP cannot be spoken here at all.
    #[error("there is no HTTP client")]
    Http,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_leads_to_a_host_and_has_no_password_in_it() {
        let base = |url| QBittorrentConfig::at(url).base();
        assert_eq!(base("http://127.0.0.1:8080").unwrap(), "http://127.0.0.1:8080/api/v2");
        assert_eq!(base("https://box.example/qb/").unwrap(), "https://box.example/qb/api/v2");
        for bad in ["", "box:8080", "ftp://box", "http://a:b@box", "http://box/?x", "http://box/#x"]
        {
            assert_eq!(base(bad), Err(NoClient::Address), "{bad}");
        }
    }

    #[test]
    fn what_opens_the_door_is_not_printed() {
        let config = QBittorrentConfig {
            user: "somebody".to_owned(),
            password: "hunter2".to_owned(),
            api_key: Some("qbt_secret".to_owned()),
            ..QBittorrentConfig::at("http://inside:pass@box")
        };
        let shown = format!("{config:?}");
        for secret in ["somebody", "hunter2", "qbt_secret", "pass@"] {
            assert!(!shown.contains(secret), "{shown}");
        }
    }
}

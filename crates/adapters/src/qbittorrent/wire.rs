//! The HTTP client: nothing followed, nothing repeated, nothing unbounded. The only file here that
//! touches the network.
//!
//! It sends neither `Origin` nor `Referer`: qBittorrent compares them with `Host` only if they are
//! there, and behind a proxy they would not agree.

use std::time::Duration;

use bytes::Bytes;
use reqwest::header::{
    AUTHORIZATION, CONTENT_TYPE, COOKIE, DATE, HeaderMap, HeaderValue, SET_COOKIE,
};
use reqwest::multipart::{Form, Part};
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, Response};
use verst_downloads::ports::ClientError;

use super::ask::{Ask, AskBody};
use super::config::{NoClient, QBittorrentConfig};
use super::door::{Cookies, Pass};

const CONNECT: Duration = Duration::from_secs(10);

/// What came back.
pub(super) struct Came {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
    /// What time it is there, in seconds since the epoch.
    pub(super) date_s: Option<i64>,
    pub(super) cookies: Cookies,
}

/// Why nothing came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Broken {
    /// Nobody is there.
    NoConnection,
    /// It was sent, or may have been.
    NoAnswer,
    /// There was more of it than we read.
    TooLarge,
}

impl From<Broken> for ClientError {
    fn from(broken: Broken) -> Self {
        match broken {
            Broken::NoConnection | Broken::NoAnswer => Self::Unreachable,
            Broken::TooLarge => Self::Unexpected("larger than the limit"),
        }
    }
}

/// A connection to one client.
pub(super) struct Wire {
    base: String,
    client: Client,
    timeout: Duration,
    key: Option<HeaderValue>,
}

impl Wire {
    pub(super) fn new(config: &QBittorrentConfig) -> Result<Self, NoClient> {
        let key = config.api_key.as_deref().filter(|key| !key.is_empty());
        let key = key.map(|key| HeaderValue::try_from(format!("Bearer {key}"))).transpose();
        let key = key.map_err(|_| NoClient::Key)?.map(|mut key| {
            key.set_sensitive(true);
            key
        });
        let client = client().map_err(|_| NoClient::Http)?;
        Ok(Self { base: config.base()?, client, timeout: config.timeout, key })
    }

    /// Whether a key is sent instead of a login.
    pub(super) fn has_key(&self) -> bool {
        self.key.is_some()
    }

    /// Asks once.
    pub(super) async fn send(&self, ask: &Ask, pass: &Pass) -> Result<Came, Broken> {
        let url = format!("{}/{}", self.base, ask.path);
        let mut request = match &ask.body {
            AskBody::None => self.client.get(url),
            AskBody::Fields(fields) => self
                .client
                .post(url)
                .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
                .body(fields.clone()),
            AskBody::Parts(fields, file) => {
                self.client.post(url).multipart(form(fields, file.as_ref()))
            }
        };
        if let Some(key) = &self.key {
            request = request.header(AUTHORIZATION, key);
        }
        if let Some(cookie) = &pass.cookie {
            request = request.header(COOKIE, cookie);
        }
        exchange(request.timeout(self.timeout), ask.most_bytes).await
    }
}

fn client() -> reqwest::Result<Client> {
    // Only one provider of cryptography is linked; whoever was first has chosen the same.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder()
        .user_agent(concat!("verst/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT)
        // A password must not go to where an answer points, and a torrent not be added twice.
        .redirect(Policy::none())
        .retry(reqwest::retry::never())
        // A connection that was used before may be dead, and a request on it of unknown fate.
        .pool_max_idle_per_host(0)
        // A neighbour: the proxy of the environment is for the world outside.
        .no_proxy()
        .http1_only()
        .build()
}

fn form(fields: &[(&'static str, String)], file: Option<&Bytes>) -> Form {
    let form =
        fields.iter().fold(Form::new(), |form, (name, value)| form.text(*name, value.clone()));
    match file {
        // The name says the format and nothing else.
        Some(bytes) => {
            let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
            let part = Part::stream_with_length(bytes.clone(), length);
            form.part("torrents", part.file_name("it.torrent"))
        }
        None => form,
    }
}

async fn exchange(request: RequestBuilder, most_bytes: usize) -> Result<Came, Broken> {
    let response = request.send().await.map_err(broken)?;
    let (status, headers) = (response.status().as_u16(), response.headers());
    let date = headers.get(DATE).and_then(|date| date.to_str().ok());
    let date_s = date.and_then(|date| httpdate::parse_http_date(date).ok()).and_then(|date| {
        let since = date.duration_since(std::time::UNIX_EPOCH).ok()?;
        i64::try_from(since.as_secs()).ok()
    });
    let cookies = cookies(headers);
    let body = read(response, most_bytes).await?;
    Ok(Came { status, body, date_s, cookies })
}

#[expect(clippy::needless_pass_by_value, reason = "it stands where errors are mapped")]
fn broken(error: reqwest::Error) -> Broken {
    // Kinds only: the text of an error has the address in it.
    let (connect, timeout) = (error.is_connect(), error.is_timeout());
    tracing::debug!(connect, timeout, "no answer from the torrent client");
    if connect { Broken::NoConnection } else { Broken::NoAnswer }
}

/// The names and values of `Set-Cookie` (RFC 6265). Their attributes are for browsers, which speak
/// with more than one server.
fn cookies(headers: &HeaderMap) -> Cookies {
    let set = headers.get_all(SET_COOKIE).iter().filter_map(|value| value.to_str().ok());
    set.filter_map(|cookie| cookie.split(';').next()?.trim().split_once('='))
        .filter(|(name, value)| !name.is_empty() && !value.is_empty())
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

async fn read(mut response: Response, most_bytes: usize) -> Result<Vec<u8>, Broken> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(broken)? {
        if body.len() + chunk.len() > most_bytes {
            return Err(Broken::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

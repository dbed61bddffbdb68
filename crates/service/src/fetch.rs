//! The port that brings what is behind an address which somebody named: a recording, or something
//! small.
//!
//! **Invariant:** whoever implements it opens no connection to an address of this network unless
//! the owner has allowed that, whatever the name leads to and however often it is redirected.

use async_trait::async_trait;
use thiserror::Error;
use verst_recordings::ports::Bytestream;

/// Fetches over HTTP.
#[async_trait]
pub trait Fetch: Send + Sync {
    /// Asks for what is at this address. The bytes come as they are read.
    async fn fetch(&self, url: &str) -> Result<Fetched, FetchError>;

    /// Asks for something small, such as a torrent, and reads it up to `limit_bytes`. All of it comes
    /// within a minute or so, or it is [`FetchError::TimedOut`].
    async fn fetch_small(&self, url: &str, limit_bytes: usize) -> Result<Small, FetchError>;
}

/// What an address has that is expected to be small.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Small {
    /// It leads to this magnet link, at once or after other redirects.
    Magnet(String),
    /// A file.
    File {
        /// Its type, in small letters and without parameters, as the server has it. A server may say
        /// anything.
        kind: Option<String>,
        /// Its bytes; the beginning, if there are more.
        bytes: Vec<u8>,
        /// Whether these are all.
        whole: bool,
    },
}

/// What an address answers with.
pub struct Fetched {
    /// A name for it, as the other side or the address has it. To be shown, never used as a path.
    pub name: Option<String>,
    /// How many bytes are said to come.
    pub length: Option<u64>,
    /// The bytes. An error in their midst means that what came is not whole.
    pub bytes: Bytestream<'static>,
}

/// Why nothing was fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum FetchError {
    /// It leads to an address of this network or of no public one.
    #[error("not a public address")]
    NotAllowed,
    /// It is no address that begins with http:// or https://.
    #[error("not an http or https address")]
    Scheme,
    /// There is no such name, nobody answers there, or the connection broke.
    #[error("the address cannot be reached")]
    Unreachable,
    /// The server answers with this instead of the file.
    #[error("the server answers with {0}")]
    Status(u16),
    /// It leads on and on.
    #[error("too many redirects")]
    TooManyRedirects,
    /// It took too long.
    #[error("the server took too long")]
    TimedOut,
    /// It is larger than what is taken in.
    #[error("larger than {limit_bytes} bytes")]
    TooLarge {
        /// The limit.
        limit_bytes: u64,
    },
}

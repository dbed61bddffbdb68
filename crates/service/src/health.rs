//! The port that tells whether everything is there that recordings and downloads need.

use async_trait::async_trait;
use verst_kernel::Failure;

/// What was found about one thing that is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Which: `database`, `objects`, `ffmpeg`, `recogniser`, `disk`; with a torrent client also
    /// `qbittorrent`, `watch` and `library`.
    pub part: &'static str,
    /// What is wrong with it.
    pub trouble: Option<Failure>,
}

/// Looks at what is needed.
#[async_trait]
pub trait Health: Send + Sync {
    /// A finding for each thing. It takes seconds at most.
    async fn examine(&self) -> Vec<Finding>;
}

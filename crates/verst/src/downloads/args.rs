//! What can be typed about downloads.

use clap::Args;

use crate::cli::{Pages, Place};

/// Links and files to download.
#[derive(Args)]
pub(crate) struct Add {
    /// Magnet links, .torrent files, or addresses that lead to one of them
    #[arg(value_name = "MAGNET|FILE|URL", required = true)]
    pub(crate) what: Vec<String>,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// Which downloads to list.
#[derive(Args)]
pub(crate) struct Downloads {
    #[command(flatten)]
    pub(crate) pages: Pages,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// What a download is.
#[derive(Args)]
pub(crate) struct Choose {
    /// Number of the download, as listed
    pub(crate) id: i64,
    /// The candidate of this number
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["movie", "series"])]
    pub(crate) candidate: Option<usize>,
    /// A film with this title
    #[arg(long, value_name = "TITLE", conflicts_with = "series")]
    pub(crate) movie: Option<String>,
    /// A series with this title
    #[arg(long, value_name = "TITLE")]
    pub(crate) series: Option<String>,
    /// The year of the film, or in which the series began
    #[arg(long)]
    pub(crate) year: Option<u16>,
    /// The season of episodes whose names tell none
    #[arg(long, requires = "series")]
    pub(crate) season: Option<u16>,
    #[command(flatten)]
    pub(crate) place: Place,
}

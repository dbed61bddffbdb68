//! What an event says of a download, as JSON. docs/folders-and-webhooks.md shows it.
//!
//! **Invariant:** it has a length: of many files the number goes along, and the first paths.

use serde::Serialize;
use verst_downloads::codes::STALLED;
use verst_kernel::NoticeKind;
use verst_service::DownloadView;

use super::payload::Trouble;

/// Paths in the library that go along.
const PATHS: usize = 20;

#[derive(Serialize)]
pub(super) struct Download<'a> {
    id: i64,
    name: Option<&'a str>,
    /// As the interface over HTTP has it.
    state: &'static str,
    milestone: &'a str,
    size_bytes: Option<u64>,
    /// Files in the library.
    files: usize,
    /// The first of their paths below the library.
    paths: Vec<String>,
    /// How many candidates a person may choose from.
    candidates: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<Trouble<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    links: Option<Links>,
}

#[derive(Serialize)]
struct Links {
    download: String,
}

impl<'a> Download<'a> {
    pub(super) fn of(
        view: &'a DownloadView,
        kind: &NoticeKind,
        failure: Option<Trouble<'a>>,
        public_url: &str,
    ) -> Self {
        let (work, download) = (&view.work, &view.download);
        let state = match kind {
            NoticeKind::Done => "done",
            NoticeKind::Stopped(failure) if failure.code == STALLED => "stuck",
            NoticeKind::Stopped(_) => "failed",
        };
        let placed = download.placed.iter();
        let base = public_url.trim_end_matches('/');
        let link = format!("{base}/api/v1/downloads/{}", work.id);
        Self {
            id: work.id.0,
            name: download.name.as_deref(),
            state,
            milestone: &work.milestone,
            size_bytes: download.size_bytes,
            files: placed.len(),
            paths: placed.take(PATHS).map(|it| it.target.join("/")).collect(),
            candidates: download.candidates.len(),
            failure,
            links: (!base.is_empty()).then_some(Links { download: link }),
        }
    }
}

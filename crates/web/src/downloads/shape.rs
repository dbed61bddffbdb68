//! A download as it is written in JSON.

use serde::Serialize;
use utoipa::ToSchema;
use verst_service::download::{Given, Placement, Sender, Snapshot};
use verst_service::{Caller, DownloadView};
use verst_words::Words;

use super::live::Live;
use crate::recordings::shape::{Reason, Stop, moment};

/// Names of files in the library that are shown along with a download.
const SHOWN: usize = 20;

/// A download.
#[derive(Serialize, ToSchema)]
pub(crate) struct Download {
    /// Its number.
    id: i64,
    /// Its name, once it is known.
    name: Option<String>,
    /// How it stands: its milestone (`caught`, `downloading`, `completed`, `identified`, `done`), `stuck`
    /// if it was stopped because no data moved, or `failed` if it is stopped for another reason.
    state: String,
    /// Why it is stuck or failed, for programs.
    error_code: Option<String>,
    /// The milestone it has reached, whether or not it is stopped there.
    milestone: String,
    /// Whether a worker has it in hand.
    working: bool,
    /// What it waits for.
    waits_for: Option<Reason>,
    /// Why it is stopped.
    stop: Option<Stop>,
    /// Tries at this milestone since the last success.
    failures: u32,
    /// When it was taken in.
    #[schema(format = DateTime)]
    created_at: String,
    /// Since when it stands at its milestone.
    #[schema(format = DateTime)]
    entered_at: String,
    /// Bytes of the wanted files, once they are known.
    size_bytes: Option<u64>,
    /// What it is known by: `magnet` or `torrent`. A magnet becomes a torrent once its metadata came.
    given: &'static str,
    /// All its info-hashes.
    hashes: Vec<String>,
    /// Whether its torrent is in the client, as far as is known.
    in_client: bool,
    /// What its torrent did when it was last looked at; null if it was not.
    live: Option<Live>,
    /// Who sent it, as far as the caller may see them.
    senders: Vec<SentBy>,
    /// How many candidates there are, if a person has to say what it is.
    candidates: usize,
    /// What is in the library, or about to be.
    placed: Laid,
    /// The download that it turned out to be the same as, and that goes on instead.
    merged_into: Option<i64>,
}

/// Somebody who sent it.
#[derive(Serialize, ToSchema)]
struct SentBy {
    /// The entrance: `cli`, `http`, `telegram` or `folder`.
    source: &'static str,
    /// Whose it is; nobody's in particular if null.
    owner: Option<String>,
}

/// Files in the library.
#[derive(Serialize, ToSchema)]
pub(crate) struct Laid {
    /// How many.
    files: usize,
    /// Their paths below the library; the first 20.
    paths: Vec<String>,
}

impl Laid {
    pub(crate) fn of(plan: &[Placement]) -> Self {
        let path = |it: &Placement| it.target.join("/");
        Self { files: plan.len(), paths: plan.iter().take(SHOWN).map(path).collect() }
    }
}

impl Download {
    pub(crate) fn of(
        view: &DownloadView,
        live: Option<&Snapshot>,
        caller: &Caller,
        words: &Words,
    ) -> Self {
        let (work, download) = (&view.work, &view.download);
        let seen = |it: &&Sender| caller.sees(it.owner.as_deref());
        let sent = |it: &Sender| SentBy { source: it.source.name(), owner: it.owner.clone() };
        Self {
            id: work.id.0,
            name: download.name.clone(),
            state: view.state().to_owned(),
            error_code: work.stop.as_ref().map(|stop| stop.failure.code.to_string()),
            milestone: work.milestone.clone(),
            working: work.held,
            waits_for: work.why.as_ref().map(|why| Reason::of(why, words)),
            stop: work.stop.as_ref().map(|stop| Stop::of(stop, words)),
            failures: work.failures,
            created_at: moment(work.created_at),
            entered_at: moment(work.entered_at),
            size_bytes: download.size_bytes,
            given: match download.given {
                Given::Magnet(_) => "magnet",
                Given::Torrent(_) => "torrent",
            },
            hashes: download.hashes.iter().map(ToString::to_string).collect(),
            in_client: download.in_client,
            live: live.map(Live::of),
            senders: download.senders.iter().filter(seen).map(sent).collect(),
            candidates: download.candidates.len(),
            placed: Laid::of(&download.placed),
            merged_into: download.merged_into.map(|id| id.0),
        }
    }
}

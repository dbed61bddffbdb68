//! What can change: a recording, or a download with what its torrent does.
//!
//! **Invariant:** numbers of both are one sequence, so a number names one thing.

use verst_service::download::Snapshot;
use verst_service::{Caller, DownloadView, Failure, View, WorkId, WorkView};

/// Those who may look at something, by whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Audience(Vec<Option<String>>);

impl Audience {
    pub(super) fn has(&self, caller: &Caller) -> bool {
        caller.sees_of(self.0.iter().map(Option::as_deref))
    }
}

/// A thing that stands somewhere on its road.
pub(crate) trait Stands {
    /// How it stands.
    fn work(&self) -> &WorkView;
    /// Those who may look at it.
    fn audience(&self) -> Audience;
    /// Its number.
    fn id(&self) -> WorkId {
        self.work().id
    }
}

impl Stands for View {
    fn work(&self) -> &WorkView {
        &self.work
    }

    fn audience(&self) -> Audience {
        Audience(vec![self.recording.given.owner.clone()])
    }
}

impl Stands for DownloadView {
    fn work(&self) -> &WorkView {
        &self.work
    }

    fn audience(&self) -> Audience {
        Audience(self.download.senders.iter().map(|sender| sender.owner.clone()).collect())
    }
}

/// One thing as it was looked at.
#[derive(Debug)]
pub(crate) enum Item {
    Recording(Box<View>),
    /// With what its torrent did, if this process watches.
    Download(Box<DownloadView>, Option<Box<Snapshot>>),
}

impl Item {
    pub(super) fn snapshot(&self) -> Option<&Snapshot> {
        match self {
            Self::Recording(_) => None,
            Self::Download(_, snapshot) => snapshot.as_deref(),
        }
    }

    fn title(&self) -> Option<&String> {
        match self {
            Self::Recording(view) => view.recording.title.as_ref(),
            Self::Download(view, _) => view.download.name.as_ref(),
        }
    }
}

impl Stands for Item {
    fn work(&self) -> &WorkView {
        match self {
            Self::Recording(view) => view.work(),
            Self::Download(view, _) => view.work(),
        }
    }

    fn audience(&self) -> Audience {
        match self {
            Self::Recording(view) => view.audience(),
            Self::Download(view, _) => view.audience(),
        }
    }
}

/// The part of a thing whose change is told at once.
#[derive(PartialEq)]
pub(super) struct Seen {
    milestone: String,
    why: Option<Failure>,
    stopped: bool,
    title: Option<String>,
    pub(super) audience: Audience,
}

impl Seen {
    pub(super) fn of(item: &Item) -> Self {
        let work = item.work();
        Self {
            milestone: work.milestone.clone(),
            why: work.why.clone(),
            stopped: work.stop.is_some(),
            title: item.title().cloned(),
            audience: item.audience(),
        }
    }
}

//! What troubles with downloads mean over HTTP.
//!
//! **Invariant:** nobody learns here of a download that they may not see.

use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode};
use tracing::warn;
use verst_service::download::{
    ChoiceError, ClientError, LayoutError, LibraryError, RetryError, client_failure,
};
use verst_service::{
    CatchError, ChooseError, DeleteError, Failure, FetchError, TakeError, UnplaceError, WorkId,
    causes,
};

use super::asker::One;
use crate::kinds;
use crate::problem::Problem;
use crate::trouble::store;

/// Taking in.
pub(crate) fn take(error: TakeError) -> Problem {
    let error = match error {
        TakeError::Store(error) => return store(error),
        TakeError::Catch(error) => error,
    };
    let large = matches!(
        error,
        CatchError::TooLarge
            | CatchError::TextTooLarge
            | CatchError::Fetch(FetchError::TooLarge { .. })
    );
    let status =
        if large { StatusCode::PAYLOAD_TOO_LARGE } else { StatusCode::UNPROCESSABLE_ENTITY };
    Problem::told(status, error.failure())
}

/// The client.
fn client(error: &ClientError) -> Problem {
    let status = match error {
        ClientError::Missing => StatusCode::CONFLICT,
        _ => StatusCode::SERVICE_UNAVAILABLE,
    };
    let problem = Problem::told(status, client_failure(error));
    match error {
        ClientError::Refuses { again_in } => {
            problem.header(RETRY_AFTER, HeaderValue::from(again_in.as_secs() + 1))
        }
        _ => problem,
    }
}

/// Another download has the torrent: which, is said to those who may see it.
async fn owned(one: &One, other: WorkId) -> Problem {
    let problem = Problem::from(kinds::OWNED_BY_OTHER);
    match one.asker.find(other).await {
        Ok(_) => problem.int("download", other.0),
        Err(_) => problem,
    }
}

/// Going on.
pub(crate) async fn retry(one: &One, error: RetryError) -> Problem {
    let unavailable = |code| Problem::told(StatusCode::SERVICE_UNAVAILABLE, Failure::new(code));
    match error {
        RetryError::Owned(other) => owned(one, other).await,
        RetryError::NotStopped => kinds::NOT_STOPPED.into(),
        RetryError::Missing => kinds::NO_SUCH_DOWNLOAD.into(),
        RetryError::Lost => kinds::MOVED_MEANWHILE.into(),
        RetryError::Refused => unavailable("add_refused"),
        RetryError::NoRoom => unavailable("no_room"),
        RetryError::Client(error) => client(&error),
        RetryError::Store(error) => store(error),
    }
}

/// Saying what it is.
pub(crate) async fn chosen(one: &One, error: ChooseError) -> Problem {
    match error {
        ChooseError::Owned(other) => owned(one, other).await,
        error => choose(error),
    }
}

/// Looking at what it may be.
pub(crate) fn choose(error: ChooseError) -> Problem {
    let file = |kind, index: u32| Problem::from(kind).int("file", i64::from(index));
    match error {
        ChooseError::Choice(ChoiceError::Title) => kinds::TITLE_WRONG.into(),
        ChooseError::Choice(ChoiceError::NoVideo(index)) => file(kinds::NO_VIDEO, index),
        ChooseError::Choice(ChoiceError::Episodes(index)) => file(kinds::EPISODES_WRONG, index),
        ChooseError::Choice(ChoiceError::Nothing) | ChooseError::Layout(LayoutError::Nothing) => {
            kinds::NOTHING_LEFT.into()
        }
        ChooseError::Layout(LayoutError::Missing(index) | LayoutError::BadPath(index)) => {
            file(kinds::FILE_NOT_WHOLE, index)
        }
        ChooseError::Layout(LayoutError::Nameless(index)) => file(kinds::FILE_NAMELESS, index),
        ChooseError::Layout(LayoutError::Orphan(index) | LayoutError::Clash(index)) => {
            file(kinds::FILE_CLASHES, index)
        }
        ChooseError::Layout(LayoutError::TooMany) => kinds::TOO_MANY_TO_PLACE.into(),
        ChooseError::NoCandidate => kinds::NO_SUCH_CANDIDATE.into(),
        ChooseError::NothingToChoose => kinds::NOT_ASKED.into(),
        ChooseError::Owned(_) => kinds::OWNED_BY_OTHER.into(),
        ChooseError::Missing => kinds::NO_SUCH_DOWNLOAD.into(),
        ChooseError::Client(error) => client(&error),
        ChooseError::Store(error) => store(error),
    }
}

/// Taking back out of the library.
pub(crate) fn unplace(error: UnplaceError) -> Problem {
    match error {
        UnplaceError::NotPlaced => kinds::NOT_PLACED.into(),
        UnplaceError::OnItsWay => kinds::ON_ITS_WAY.into(),
        UnplaceError::Nowhere => {
            Problem::told(StatusCode::SERVICE_UNAVAILABLE, Failure::new("place_unknown"))
        }
        UnplaceError::Missing => kinds::NO_SUCH_DOWNLOAD.into(),
        UnplaceError::Library(error) => library(&error),
        UnplaceError::Client(error) => client(&error),
        UnplaceError::Store(error) => store(error),
    }
}

fn library(error: &LibraryError) -> Problem {
    warn!(cause = causes(error), "the library could not be changed");
    let code = match error {
        LibraryError::NoLibrary => "library_missing",
        _ => "library_failed",
    };
    Problem::told(StatusCode::SERVICE_UNAVAILABLE, Failure::new(code))
}

/// Deleting.
pub(crate) fn delete(error: DeleteError) -> Problem {
    match error {
        DeleteError::Client(error) => client(&error),
        DeleteError::Store(error) => store(error),
    }
}

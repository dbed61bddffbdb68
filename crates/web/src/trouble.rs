//! What troubles of the service mean over HTTP.

use std::time::Duration;

use axum::http::StatusCode;
use tracing::warn;
use verst_service::accounts::{
    AccountError, NAME_CHARACTERS, NameError, PASSWORD_BYTES, PasswordError,
};
use verst_service::{
    AgainError, EditError, Failure, FetchError, LiftError, ObjectError, RewordError, StoreError,
    SubmitError, WORDING_CHARACTERS, causes,
};

use crate::auth::too_often;
use crate::input::wrong;
use crate::kinds;
use crate::problem::Problem;

/// The database.
pub(crate) fn store(error: StoreError) -> Problem {
    match error {
        StoreError::Full => {
            Problem::told(StatusCode::INSUFFICIENT_STORAGE, Failure::new(Failure::DISK_FULL))
        }
        error if error.may_pass() => {
            warn!(cause = causes(&error), "the database could not be used");
            Problem::told(StatusCode::SERVICE_UNAVAILABLE, Failure::new(Failure::STORE_FAILED))
        }
        error => {
            warn!(cause = causes(&error), "the database refused");
            kinds::INTERNAL.into()
        }
    }
}

/// Taking in.
pub(crate) fn submit(error: SubmitError) -> Problem {
    let failure = error.failure();
    match error {
        SubmitError::Refused(failure) if failure.code == "too_large" => {
            Problem::told(StatusCode::PAYLOAD_TOO_LARGE, failure)
        }
        SubmitError::Refused(failure) => Problem::told(StatusCode::UNPROCESSABLE_ENTITY, failure),
        SubmitError::Objects(ObjectError::Source(error)) => broken(&error),
        SubmitError::Objects(error) => objects(&error, failure),
        SubmitError::Store(error) => store(error),
    }
}

/// Audio.
pub(crate) fn objects(error: &ObjectError, failure: Failure) -> Problem {
    match error {
        ObjectError::Missing => kinds::ORIGINAL_GONE.into(),
        ObjectError::Full => Problem::told(StatusCode::INSUFFICIENT_STORAGE, failure),
        error => {
            warn!(cause = causes(error), "audio could not be used");
            Problem::told(StatusCode::SERVICE_UNAVAILABLE, failure)
        }
    }
}

/// The caller's bytes broke off, or came in no form that is understood.
pub(crate) fn broken(error: &(dyn std::error::Error + 'static)) -> Problem {
    let mut next = Some(error);
    while let Some(cause) = next {
        if let Some(problem) = cause.downcast_ref::<Broken>() {
            return problem.0.clone();
        }
        if cause.is::<tower_http::timeout::TimeoutError>() {
            return kinds::BODY_IDLE.into();
        }
        next = match cause.downcast_ref::<std::io::Error>() {
            Some(io) => io.get_ref().map(|inner| inner as &(dyn std::error::Error + 'static)),
            None => cause.source(),
        };
    }
    kinds::BODY_BROKEN.into()
}

/// A problem on its way through a stream of bytes.
#[derive(Debug, thiserror::Error)]
#[error("the incoming bytes broke off")]
pub(crate) struct Broken(pub(crate) Problem);

/// A change by a person.
pub(crate) fn edit(error: EditError) -> Problem {
    let limit = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    match error {
        EditError::TooLong { field, limit: n } => {
            Problem::from(kinds::TEXT_TOO_LONG).term("parameter", field).int("limit", limit(n))
        }
        EditError::TooMany { field, limit: n } => {
            Problem::from(kinds::TOO_MANY_ENTRIES).term("parameter", field).int("limit", limit(n))
        }
        EditError::Missing => kinds::NO_SUCH_RECORDING.into(),
        EditError::Store(error) => store(error),
    }
}

/// A name of an account.
pub(crate) fn name(_: NameError) -> Problem {
    let limit = i64::try_from(NAME_CHARACTERS).unwrap_or(i64::MAX);
    Problem::from(kinds::NAME_WRONG).int("limit", limit)
}

/// A password of an account.
pub(crate) fn password(_: PasswordError) -> Problem {
    let number = |n: &usize| i64::try_from(*n).unwrap_or(i64::MAX);
    let (least, limit) = (number(PASSWORD_BYTES.start()), number(PASSWORD_BYTES.end()));
    Problem::from(kinds::PASSWORD_LENGTH).int("least", least).int("limit", limit)
}

/// Accounts.
pub(crate) fn account(error: AccountError) -> Problem {
    match error {
        AccountError::Name(error) => name(error),
        AccountError::Password(error) => password(error),
        AccountError::Taken => kinds::NAME_TAKEN.into(),
        AccountError::NotThePassword => kinds::PASSWORD_WRONG.into(),
        AccountError::SetupRefused => kinds::SETUP_REFUSED.into(),
        AccountError::LastAdmin => kinds::LAST_ADMIN.into(),
        AccountError::Missing => kinds::NO_SUCH_ACCOUNT.into(),
        AccountError::Busy(_) => too_often(Duration::from_secs(2), kinds::TOO_MANY_SIGN_INS),
        AccountError::Store(error) => store(error),
    }
}

/// Putting a transcript right.
pub(crate) fn reword(error: RewordError) -> Problem {
    let limit = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    match error {
        RewordError::Empty => wrong("text"),
        RewordError::TooLong => Problem::from(kinds::TEXT_TOO_LONG)
            .term("parameter", "text")
            .int("limit", limit(WORDING_CHARACTERS)),
        RewordError::Changed => kinds::SEGMENT_CHANGED.into(),
        RewordError::NoText => kinds::NO_TEXT_YET.into(),
        RewordError::TooMany => Problem::from(kinds::TOO_MANY_ENTRIES)
            .term("parameter", "corrections")
            .int("limit", limit(10_000)),
        RewordError::Missing => kinds::NO_SUCH_CORRECTION.into(),
        RewordError::Store(error) => store(error),
    }
}

/// Lifting a stop.
pub(crate) fn lift(error: LiftError) -> Problem {
    match error {
        LiftError::ChoiceNeeded => kinds::CHOICE_NEEDED.into(),
        LiftError::OnlyAgain => kinds::ONLY_AGAIN.into(),
        LiftError::NothingToChoose => kinds::NOTHING_TO_CHOOSE.into(),
        LiftError::NotStopped => kinds::NOT_STOPPED.into(),
        LiftError::Missing => kinds::NO_SUCH_RECORDING.into(),
        LiftError::Store(error) => store(error),
    }
}

/// Transcribing once more.
pub(crate) fn again(error: AgainError) -> Problem {
    match error {
        AgainError::OriginalGone => kinds::ORIGINAL_GONE.into(),
        AgainError::CostsMoney => kinds::COSTS_MONEY.into(),
        AgainError::Missing => kinds::NO_SUCH_RECORDING.into(),
        AgainError::Store(error) => store(error),
    }
}

/// Fetching from an address.
pub(crate) fn fetch(error: FetchError) -> Problem {
    match error {
        FetchError::NotAllowed => kinds::URL_PRIVATE.into(),
        FetchError::Scheme => kinds::URL_WRONG.into(),
        FetchError::TooLarge { limit_bytes } => {
            let limit = i64::try_from(limit_bytes).unwrap_or(i64::MAX);
            let failure = Failure::new("too_large").int("limit_bytes", limit);
            Problem::told(StatusCode::PAYLOAD_TOO_LARGE, failure)
        }
        FetchError::Unreachable
        | FetchError::Status(_)
        | FetchError::TooManyRedirects
        | FetchError::TimedOut => kinds::URL_UNREACHABLE.into(),
    }
}

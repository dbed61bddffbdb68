//! From the engine's failures to what the line does about them.
//!
//! A model or a program that is not there is the same for every recording, so it pauses the
//! recogniser; an unknown language is the sender's and final; the rest is this recording's and
//! this time's, because a fault of the process in one recording says nothing about the next.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

use verst_engine::protocol::{self, Param, Reply};
use verst_kernel::{Failure, Value};
use verst_recordings::codes;
use verst_recordings::ports::Obstacle;

/// When to look again whether a missing model or program is there.
const PAUSE: Duration = Duration::from_secs(30);

/// What a failure means for the recording.
pub(super) fn obstacle(failure: Failure) -> Obstacle {
    match failure.code.as_ref() {
        codes::MODEL_MISSING | codes::MODEL_DAMAGED | codes::ENGINE_UNAVAILABLE => {
            Obstacle::Paused { delay: PAUSE, failure }
        }
        codes::LANGUAGE_UNSUPPORTED => Obstacle::Refused(failure),
        _ => Obstacle::Failed(failure),
    }
}

/// The failure in a reply that is not the one asked for. A reply to another question means that
/// the program is not our engine.
pub(super) fn unexpected(reply: Reply) -> Failure {
    let Reply::Failed { code, params } = reply else {
        return Failure::new(codes::ENGINE_UNAVAILABLE);
    };
    let code = match code.as_str() {
        protocol::MODEL_MISSING => codes::MODEL_MISSING,
        protocol::MODEL_DAMAGED => codes::MODEL_DAMAGED,
        protocol::LANGUAGE_UNSUPPORTED => codes::LANGUAGE_UNSUPPORTED,
        _ => codes::ENGINE_FAILED,
    };
    let value = |param| match param {
        Param::Int(n) => Value::Int(n),
        Param::Term(term) => Value::Term(term),
    };
    let params: BTreeMap<Cow<'static, str>, Value> =
        params.into_iter().map(|(name, param)| (Cow::Owned(name), value(param))).collect();
    Failure { code: Cow::Borrowed(code), params }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_the_engine_are_those_of_the_line() {
        assert_eq!(protocol::MODEL_MISSING, codes::MODEL_MISSING);
        assert_eq!(protocol::MODEL_DAMAGED, codes::MODEL_DAMAGED);
        assert_eq!(protocol::LANGUAGE_UNSUPPORTED, codes::LANGUAGE_UNSUPPORTED);
        assert_eq!(protocol::ENGINE_FAILED, codes::ENGINE_FAILED);
    }

    #[test]
    fn failures_become_obstacles() {
        for (code, expected) in [
            (codes::MODEL_MISSING, "paused"),
            (codes::MODEL_DAMAGED, "paused"),
            (codes::ENGINE_UNAVAILABLE, "paused"),
            (codes::LANGUAGE_UNSUPPORTED, "refused"),
            (codes::ENGINE_FAILED, "failed"),
            (codes::ENGINE_DIED, "failed"),
            (codes::ENGINE_KILLED, "failed"),
            (codes::ENGINE_ILLEGAL_INSTRUCTION, "failed"),
            (codes::ENGINE_SILENT, "failed"),
            (codes::INTERRUPTED, "failed"),
        ] {
            let name = match obstacle(Failure::new(code)) {
                Obstacle::Busy { .. } => "busy",
                Obstacle::Paused { .. } => "paused",
                Obstacle::Refused(_) => "refused",
                Obstacle::Failed(_) => "failed",
            };
            assert_eq!(name, expected, "{code}");
        }
    }

    #[test]
    fn replies_become_failures() {
        let params = BTreeMap::from([
            ("language".to_owned(), Param::Term("tlh".to_owned())),
            ("n".to_owned(), Param::Int(5)),
        ]);
        let code = codes::LANGUAGE_UNSUPPORTED.to_owned();
        assert_eq!(
            unexpected(Reply::Failed { code, params }),
            Failure::new(codes::LANGUAGE_UNSUPPORTED).term("language", "tlh").int("n", 5)
        );
        let unknown = Reply::Failed { code: "new".to_owned(), params: BTreeMap::new() };
        assert_eq!(unexpected(unknown), Failure::new(codes::ENGINE_FAILED));
        let other = Reply::Working { done_ms: 0, total_ms: 0 };
        assert_eq!(unexpected(other), Failure::new(codes::ENGINE_UNAVAILABLE));
    }
}

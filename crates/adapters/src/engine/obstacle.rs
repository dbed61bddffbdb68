//! From the engine's failures to what the line does about them.
//!
//! The configured model or a program that is not there is the same for every recording, so it
//! pauses the recogniser; a model of a recording's own is that recording's trouble and final, as
//! is an unknown language; the rest is this recording's and this time's, because a fault of the
//! process in one recording says nothing about the next.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

use verst_engine::protocol::{self, Param, Reply};
use verst_kernel::{Failure, Value};
use verst_recordings::codes;
use verst_recordings::ports::Obstacle;

use super::process::off_protocol;

/// When to look again whether a missing model or program is there.
const PAUSE: Duration = Duration::from_secs(30);

/// Whose the model is that a request named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whose {
    /// Configured: everybody's.
    House,
    /// The recording asked for it, or was begun with it.
    Recording,
}

/// The failure, if it is about the recogniser's model, as that of a recording's own model.
pub(super) fn own(failure: Failure, whose: Whose) -> Failure {
    let about_model = [codes::MODEL_MISSING, codes::MODEL_DAMAGED].contains(&failure.code.as_ref());
    // The voice-activity model is the house's, whatever the recording asked for.
    let vad = failure.params.get(protocol::MODEL_ROLE)
        == Some(&Value::Term(protocol::ROLE_VAD.to_owned()));
    if whose == Whose::Recording && about_model && !vad {
        return Failure::new(codes::OWN_MODEL_UNUSABLE);
    }
    failure
}

/// What a failure means for the recording.
pub(super) fn obstacle(failure: Failure) -> Obstacle {
    match failure.code.as_ref() {
        codes::MODEL_MISSING
        | codes::MODEL_DAMAGED
        | codes::MODEL_TOO_LARGE
        | codes::ENGINE_UNAVAILABLE => Obstacle::Paused { delay: PAUSE, failure },
        codes::LANGUAGE_UNSUPPORTED | codes::OWN_MODEL_UNUSABLE => Obstacle::Refused(failure),
        _ => Obstacle::Failed(failure),
    }
}

/// The failure in a reply that is not the one asked for.
pub(super) fn unexpected(reply: Reply) -> Failure {
    let Reply::Failed { code, params } = reply else {
        return off_protocol();
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
            (codes::MODEL_TOO_LARGE, "paused"),
            (codes::ENGINE_UNAVAILABLE, "paused"),
            (codes::LANGUAGE_UNSUPPORTED, "refused"),
            (codes::OWN_MODEL_UNUSABLE, "refused"),
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
    fn a_model_of_its_own_is_the_recordings_trouble() {
        let unusable = || Failure::new(codes::OWN_MODEL_UNUSABLE);
        for code in [codes::MODEL_MISSING, codes::MODEL_DAMAGED] {
            let failure = || Failure::new(code);
            let of_vad = || failure().term(protocol::MODEL_ROLE, protocol::ROLE_VAD);
            assert_eq!(own(failure(), Whose::Recording), unusable());
            assert_eq!(own(failure(), Whose::House), failure());
            assert_eq!(own(of_vad(), Whose::Recording), of_vad());
        }
        let others = [codes::MODEL_TOO_LARGE, codes::ENGINE_UNAVAILABLE, codes::INTERRUPTED];
        for code in others {
            assert_eq!(own(Failure::new(code), Whose::Recording), Failure::new(code));
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
        assert_eq!(unexpected(other), off_protocol());
    }
}

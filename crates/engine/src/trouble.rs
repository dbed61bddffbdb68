//! What can go wrong in the engine, as it is sent.
//!
//! A trouble carries a code and terms from closed sets, never a path, a text or the words of the
//! native library: the client stores it as a failure.

use std::collections::BTreeMap;

use crate::protocol::{
    ENGINE_FAILED, LANGUAGE_UNSUPPORTED, MODEL_DAMAGED, MODEL_MISSING, Param, Reply,
};

/// Why a request failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Trouble {
    /// A model's file cannot be opened.
    #[error("model file missing")]
    ModelMissing,
    /// A model's file is not what it should be.
    #[error("model file damaged")]
    ModelDamaged,
    /// The model does not know this language.
    #[error("language {0} unsupported")]
    LanguageUnsupported(String),
    /// Anything else, as a term.
    #[error("engine failed: {0}")]
    Failed(&'static str),
}

impl Trouble {
    /// The audio file cannot be read.
    pub(crate) const AUDIO_UNREADABLE: Self = Self::Failed("audio_unreadable");
    /// The request makes no sense.
    pub(crate) const BAD_REQUEST: Self = Self::Failed("bad_request");
    /// The reply is over the limit of a frame.
    pub(crate) const REPLY_TOO_LARGE: Self = Self::Failed("reply_too_large");

    /// A trouble of the native library while it computes.
    pub(crate) fn native(error: &transcribe_cpp::Error) -> Self {
        use transcribe_cpp::ErrorKind as Kind;
        Self::Failed(match error.kind() {
            Kind::OutOfMemory => "out_of_memory",
            Kind::InputTooLong => "input_too_long",
            Kind::InputTooShort => "input_too_short",
            Kind::InvalidArgument => "invalid_argument",
            Kind::Unsupported => "unsupported_request",
            Kind::Backend => "backend",
            _ => "native_error",
        })
    }
}

impl From<Trouble> for Reply {
    fn from(trouble: Trouble) -> Self {
        let (code, param) = match trouble {
            Trouble::ModelMissing => (MODEL_MISSING, None),
            Trouble::ModelDamaged => (MODEL_DAMAGED, None),
            Trouble::LanguageUnsupported(language) => {
                (LANGUAGE_UNSUPPORTED, Some(("language", language)))
            }
            Trouble::Failed(reason) => (ENGINE_FAILED, Some(("reason", reason.to_owned()))),
        };
        let params = param.map(|(name, term)| (name.to_owned(), Param::Term(term)));
        Self::Failed { code: code.to_owned(), params: BTreeMap::from_iter(params) }
    }
}

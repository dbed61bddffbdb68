//! What the settings say of models.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::Settings;
use crate::models::ByLanguage;

/// Whether speakers are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Diarise {
    /// Where a model for it is here.
    Auto,
    Off,
}

impl Settings {
    /// The directory of models, if one is set.
    pub(crate) fn models(&self) -> Option<PathBuf> {
        (!self.models.is_empty()).then(|| PathBuf::from(&self.models))
    }

    /// The model for everything that has no other.
    pub(crate) fn model(&self) -> &str {
        &self.model
    }

    /// Models for certain languages.
    pub(crate) fn models_by_language(&self) -> &ByLanguage {
        &self.models_by_language
    }

    /// Where models are pulled from, without a slash at its end.
    pub(crate) fn models_mirror(&self) -> &str {
        self.models_mirror.trim_end_matches('/')
    }

    /// Whether speakers are told apart where a model for it is here.
    pub(crate) fn diarises(&self) -> bool {
        self.diarise == Diarise::Auto
    }
}

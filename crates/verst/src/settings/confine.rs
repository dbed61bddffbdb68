//! How much confinement is asked for.

use serde::{Deserialize, Serialize};
use verst_adapters::confine::Mode;

use super::Settings;

/// As it is typed.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Confine {
    Auto,
    Off,
    Required,
}

impl Settings {
    /// How much of the confinement of children is demanded.
    pub(crate) fn confine(&self) -> Mode {
        match self.confine {
            Confine::Auto => Mode::Auto,
            Confine::Off => Mode::Off,
            Confine::Required => Mode::Required,
        }
    }
}

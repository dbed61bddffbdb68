//! What the settings say of requests that go out.

use verst_adapters::outward::{OutwardLimits, Reach};

use super::Settings;

impl Settings {
    /// Whom requests may go to.
    pub(crate) fn reach(&self) -> Reach {
        if self.allow_private_addresses { Reach::Anywhere } else { Reach::Public }
    }

    /// How long is waited for an answer, and how much of it is taken.
    pub(crate) fn outward_limits(&self) -> OutwardLimits {
        OutwardLimits::up_to(self.largest_bytes)
    }
}

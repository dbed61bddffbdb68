//! Where the service is reached.

use super::Settings;

impl Settings {
    /// Where to listen; `None` when nothing is to be answered over HTTP.
    pub(crate) fn listen(&self) -> Option<&str> {
        (!self.listen.is_empty()).then_some(self.listen.as_str())
    }
}

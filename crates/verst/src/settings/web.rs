//! Where the service is reached.

use super::Settings;

impl Settings {
    /// Address and port, as typed.
    pub(crate) fn listen(&self) -> &str {
        &self.listen
    }
}

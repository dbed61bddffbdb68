//! What versions of qBittorrent say differently. What 4.5.2 says was heard from it, and most of 5.1;
//! 5.2 is by its description alone.

use verst_downloads::ports::ClientState;

/// A version's way to speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// Its version.
    pub version: &'static str,
    /// The version of its Web API.
    pub webapi: &'static str,
    /// The beginning of the cookie's name; the port follows if it ends in `_`.
    cookie: &'static str,
    /// Whether it has the words of 5.0, stopped for paused, and says of a torrent whether it has its
    /// metadata.
    pub(super) since_5_0: bool,
    /// Whether statuses, rather than words, say what became of a login and an addition, and a key is
    /// taken instead of a login.
    pub(super) since_5_2: bool,
}

impl Dialect {
    /// Debian 12.
    pub const V4_5_2: Self = Self {
        version: "v4.5.2",
        webapi: "2.8.19",
        cookie: "SID",
        since_5_0: false,
        since_5_2: false,
    };
    /// Debian 13.
    pub const V5_1: Self =
        Self { version: "v5.1.4", webapi: "2.11.4", since_5_0: true, ..Self::V4_5_2 };
    /// The one after.
    pub const V5_2: Self = Self {
        version: "v5.2.3",
        webapi: "2.15.1",
        cookie: "QBT_SID_",
        since_5_2: true,
        ..Self::V5_1
    };
    /// All of them.
    pub const ALL: [Self; 3] = [Self::V4_5_2, Self::V5_1, Self::V5_2];

    pub(super) fn cookie(self, port: u16) -> String {
        let cookie = self.cookie;
        if cookie.ends_with('_') { format!("{cookie}{port}") } else { cookie.to_owned() }
    }

    pub(super) fn word(self, state: ClientState) -> &'static str {
        match state {
            ClientState::Error => "error",
            ClientState::MissingFiles => "missingFiles",
            ClientState::Uploading => "uploading",
            ClientState::StoppedUp if self.since_5_0 => "stoppedUP",
            ClientState::StoppedUp => "pausedUP",
            ClientState::QueuedUp => "queuedUP",
            ClientState::StalledUp => "stalledUP",
            ClientState::ForcedUp => "forcedUP",
            ClientState::CheckingUp => "checkingUP",
            ClientState::Downloading => "downloading",
            ClientState::ForcedDl => "forcedDL",
            ClientState::MetaDl => "metaDL",
            ClientState::ForcedMetaDl => "forcedMetaDL",
            ClientState::StoppedDl if self.since_5_0 => "stoppedDL",
            ClientState::StoppedDl => "pausedDL",
            ClientState::QueuedDl => "queuedDL",
            ClientState::StalledDl => "stalledDL",
            ClientState::CheckingDl => "checkingDL",
            ClientState::CheckingResume => "checkingResumeData",
            ClientState::Moving => "moving",
            ClientState::Unknown => "unknown",
        }
    }
}

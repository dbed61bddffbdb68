//! What versions of qBittorrent say differently. Read in the sources of 4.5.2, 5.1.4 and 5.2.3; what
//! 4.5.2 says was heard from it as well.

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
    /// Whether the words of 5.0 are used: stopped for paused.
    pub(super) stops: bool,
    /// Whether statuses say what became of a login and an addition, rather than words.
    pub(super) statuses: bool,
    /// Whether it says of a torrent that it has its metadata.
    pub(super) has_metadata: bool,
    /// Whether it takes a key instead of a login.
    pub(super) keys: bool,
}

impl Dialect {
    /// Debian 12.
    pub const V4_5_2: Self = Self {
        version: "v4.5.2",
        webapi: "2.8.19",
        cookie: "SID",
        stops: false,
        statuses: false,
        has_metadata: false,
        keys: false,
    };
    /// Debian 13.
    pub const V5_1: Self = Self {
        version: "v5.1.4",
        webapi: "2.11.4",
        stops: true,
        has_metadata: true,
        ..Self::V4_5_2
    };
    /// The one after.
    pub const V5_2: Self = Self {
        version: "v5.2.3",
        webapi: "2.15.1",
        cookie: "QBT_SID_",
        statuses: true,
        keys: true,
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
            ClientState::StoppedUp if self.stops => "stoppedUP",
            ClientState::StoppedUp => "pausedUP",
            ClientState::QueuedUp => "queuedUP",
            ClientState::StalledUp => "stalledUP",
            ClientState::ForcedUp => "forcedUP",
            ClientState::CheckingUp => "checkingUP",
            ClientState::Downloading => "downloading",
            ClientState::ForcedDl => "forcedDL",
            ClientState::MetaDl => "metaDL",
            ClientState::ForcedMetaDl => "forcedMetaDL",
            ClientState::StoppedDl if self.stops => "stoppedDL",
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

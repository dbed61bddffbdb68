//! The entrances through which things come, whichever road they take.

/// The entrance something came through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The command line.
    Cli,
    /// The panel or the API; nobody waits for a message.
    Http,
    /// The bot; always names a chat.
    Telegram,
    /// A watched folder; what is to be told is told in a file there.
    Folder,
}

impl Source {
    /// All entrances: the closed list of values in the schema.
    pub const ALL: [Self; 4] = [Self::Cli, Self::Http, Self::Telegram, Self::Folder];

    /// Name in the schema.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cli => "cli",
            Self::Http => "http",
            Self::Telegram => "telegram",
            Self::Folder => "folder",
        }
    }

    /// The entrance of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.name() == name)
    }
}

//! Which protections hold on this machine: a process confines itself as a child would, and tries what
//! it must not do. Nothing is concluded from the version of the kernel.

use std::ffi::OsString;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::net::UdpSocket;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use tokio::time::timeout;

use super::{Bounds, Confinement, Mode};

/// In place of a program.
pub(super) const WANTED: &str = "//trial";

/// Far longer than it takes.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a confined child is not to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Read another file.
    Reading,
    /// Write another file.
    Writing,
    /// Reach a network.
    Network,
    /// Start another program.
    Starting,
}

impl Deed {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Reading, Self::Writing, Self::Network, Self::Starting];

    fn name(self) -> &'static str {
        match self {
            Self::Reading => "reading",
            Self::Writing => "writing",
            Self::Network => "network",
            Self::Starting => "starting",
        }
    }

    /// Tries it. Whether the kernel forbade it; another trouble proves nothing.
    fn is_refused(self, file: &Path) -> bool {
        let error = match self {
            Self::Reading => File::open(file).err(),
            Self::Writing => File::options().append(true).open(file).err(),
            Self::Network => UdpSocket::bind("127.0.0.1:0").err(),
            Self::Starting => {
                let mut other = Command::new("/proc/self/exe");
                other.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
                other.status().err()
            }
        };
        error.is_some_and(|error| error.kind() == ErrorKind::PermissionDenied)
    }
}

/// How a trial went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trial {
    /// Confinement is turned off.
    Off,
    /// All is required and not all can be had: no child is started.
    Denied,
    /// It was tried, and these were not prevented.
    Open(Vec<Deed>),
    /// It could not be tried.
    Failed,
}

impl Confinement {
    /// Tries it, with a file that is there and that the process may use otherwise.
    pub async fn trial(&self, file: &Path) -> Trial {
        if self.mode == Mode::Off || self.helper.is_none() {
            return Trial::Off;
        }
        let bounds = Bounds { open_files: 64, ..Bounds::default() };
        let mut command = self.command(Path::new(WANTED), &bounds);
        command.arg(file).stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
        let Ok(Ok(output)) = timeout(PATIENCE, command.output()).await else {
            return Trial::Failed;
        };
        match output.status.code() {
            Some(0) => {}
            Some(super::NOT_CONFINED) => return Trial::Denied,
            _ => return Trial::Failed,
        }
        let told = String::from_utf8_lossy(&output.stdout);
        let refused = |deed: Deed| told.split_whitespace().any(|word| word == deed.name());
        Trial::Open(Deed::ALL.into_iter().filter(|deed| !refused(*deed)).collect())
    }
}

/// Tries everything and tells what was refused.
pub(super) fn perform(file: Option<OsString>) -> u8 {
    let file = file.unwrap_or_default();
    let refused = Deed::ALL.into_iter().filter(|deed| deed.is_refused(Path::new(&file)));
    let names: Vec<&str> = refused.map(Deed::name).collect();
    let told = std::io::stdout().write_all(names.join(" ").as_bytes());
    u8::from(told.is_err())
}

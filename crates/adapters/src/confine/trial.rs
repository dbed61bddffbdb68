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

/// What is tried, and what it is called when it was refused.
const TRIALS: [(&str, fn(&Path) -> bool); 4] = [
    ("reading", |file| refused(File::open(file).err())),
    ("writing", |file| refused(File::options().append(true).open(file).err())),
    ("network", |_| refused(UdpSocket::bind("127.0.0.1:0").err())),
    ("starting", |_| {
        let mut other = Command::new("/proc/self/exe");
        other.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        refused(other.status().err())
    }),
];

/// What a confined child cannot do here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Protections {
    /// Read other files.
    pub reading: bool,
    /// Write other files.
    pub writing: bool,
    /// Reach a network.
    pub network: bool,
    /// Start other programs.
    pub starting: bool,
}

impl Protections {
    /// Whether all hold.
    pub fn all(self) -> bool {
        self.reading && self.writing && self.network && self.starting
    }
}

/// How a trial went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trial {
    /// Confinement is turned off.
    Off,
    /// All is required and not all can be had: no child is started.
    Denied,
    /// It was tried.
    Held(Protections),
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
        let held = |name: &str| told.split_whitespace().any(|word| word == name);
        Trial::Held(Protections {
            reading: held("reading"),
            writing: held("writing"),
            network: held("network"),
            starting: held("starting"),
        })
    }
}

/// Tries everything and tells what was refused.
pub(super) fn perform(file: Option<OsString>) -> u8 {
    let file = file.unwrap_or_default();
    let refused = TRIALS.iter().filter(|(_, attempt)| attempt(Path::new(&file)));
    let names: Vec<&str> = refused.map(|(name, _)| *name).collect();
    let told = std::io::stdout().write_all(names.join(" ").as_bytes());
    u8::from(told.is_err())
}

/// Whether the kernel forbade it; another trouble proves nothing.
fn refused(error: Option<std::io::Error>) -> bool {
    error.is_some_and(|error| error.kind() == ErrorKind::PermissionDenied)
}

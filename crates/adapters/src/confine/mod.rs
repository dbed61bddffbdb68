//! Children that read what strangers sent, kept apart from everything else on the machine.
//!
//! No child is started as it is: this program is started once more, as `verst confine`, limits itself
//! in every way the kernel knows, and becomes the child. So the limits hold from the child's first
//! instruction, and nothing of the child runs in the service. Where this kernel lacks a means the
//! others still hold, unless all are required; `trial` says which do.
//!
//! **Invariant:** what a confined child starts out with it can give up and never get back.

mod bounds;
mod calls;
mod environment;
mod files;
mod helper;
mod means;
mod program;
mod trial;

use std::path::{Path, PathBuf};

use tokio::process::Command;

pub use helper::{CALLED, run};
pub use trial::{Deed, Trial};

pub(crate) use bounds::Bounds;
pub(crate) use helper::{NOT_CONFINED, NOT_STARTED};

/// How much is demanded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Limits on memory, time and files, and nothing else.
    Off,
    /// Whatever this kernel can do.
    #[default]
    Auto,
    /// Everything, or the child is not started.
    Required,
}

/// How children are started.
#[derive(Clone, Debug, Default)]
pub struct Confinement {
    helper: Option<PathBuf>,
    mode: Mode,
}

impl Confinement {
    /// Not at all: for programs that are stand-ins.
    pub fn none() -> Self {
        Self::default()
    }

    /// By a program that calls [`run`] when its first argument is [`CALLED`].
    pub fn by(helper: impl Into<PathBuf>, mode: Mode) -> Self {
        Self { helper: Some(helper.into()), mode }
    }

    /// By this program. The path leads to it also when an upgrade has replaced its file.
    pub fn by_this_program(mode: Mode) -> Self {
        Self::by("/proc/self/exe", mode)
    }

    /// What is demanded.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// A command for a program within these bounds. None of our variables is among the child's.
    pub(crate) fn command(&self, program: &Path, bounds: &Bounds) -> Command {
        let mut command = match &self.helper {
            Some(helper) => {
                let mut command = Command::new(helper);
                command.arg(CALLED).args(bounds.words(self.mode)).arg("--").arg(program);
                command
            }
            None => Command::new(program),
        };
        environment::clear(&mut command);
        command
    }
}

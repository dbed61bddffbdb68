//! Which files a process may use, by Landlock (Linux 5.13 and later).
//!
//! Landlock binds what is opened, not what is known: that a file exists, and its size, stay visible.
//! Older kernels know fewer kinds of access, and what they do not know is not held; truncating needs
//! 6.2, TCP 6.7, signals 6.12.
//!
//! Source: <https://docs.kernel.org/userspace-api/landlock.html>

use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, Ruleset, RulesetAttr, RulesetCreatedAttr,
    RulesetError, RulesetStatus, Scope, path_beneath_rules,
};

use super::bounds::Bounds;
use super::program;

/// The newest kind of access that is spoken of here.
const KNOWN: ABI = ABI::V6;

/// What libraries ask the machine: its processors and its memory. Nothing about other processes.
const MACHINE: [&str; 7] = [
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/sys/vm/overcommit_memory",
    "/sys/devices/system/cpu",
    "/sys/devices/system/node",
    "/dev/urandom",
    "/dev/zero",
];

/// Holds this process and what it becomes to these files. `false` where the kernel has no means.
pub(super) fn hold(program: &Path, bounds: &Bounds) -> Result<bool, RulesetError> {
    let reading = AccessFs::ReadFile | AccessFs::ReadDir;
    let running: BitFlags<AccessFs> = reading | AccessFs::Execute;
    let writing = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate;
    let status = Ruleset::default()
        .handle_access(AccessFs::from_all(KNOWN))?
        .handle_access(AccessNet::from_all(KNOWN))?
        .scope(Scope::from_all(KNOWN))?
        .create()?
        .add_rules(path_beneath_rules(program::needs(program), running))?
        .add_rules(path_beneath_rules(MACHINE, reading))?
        .add_rules(path_beneath_rules(&bounds.read, reading))?
        .add_rules(path_beneath_rules(["/dev/null"], writing))?
        .add_rules(path_beneath_rules(&bounds.write, writing))?
        .restrict_self()?;
    Ok(status.ruleset != RulesetStatus::NotEnforced)
}

//! The tie to the parent, the open files, the priority, the capabilities and the limits of a process.

use std::os::fd::RawFd;

use rustix::io::{self, Errno};
use rustix::process::{
    Pid, Resource, Rlimit, Signal, getppid, getpriority_process, getrlimit,
    set_parent_process_death_signal, setpriority_process, setrlimit,
};
use rustix::thread::{CapabilitySet, CapabilitySets, capabilities, set_capabilities};

use super::bounds::Bounds;

/// What a superuser keeps: to read what an earlier owner of the files left. The rest reaches beyond
/// files.
const KEPT: CapabilitySet = CapabilitySet::DAC_OVERRIDE.union(CapabilitySet::DAC_READ_SEARCH);

/// Ends with the thread that started it, however that ends.
pub(super) fn tie(parent: i32) -> io::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    // It may have ended before it could be tied to.
    if getppid() == Pid::from_raw(parent) { Ok(()) } else { Err(Errno::SRCH) }
}

/// Gives up what only a superuser has. A program cannot get it back.
pub(super) fn give_up() -> io::Result<()> {
    let mut sets = capabilities(None)?;
    let CapabilitySets { effective, permitted, inheritable } = &mut sets;
    for set in [effective, permitted] {
        *set &= KEPT;
    }
    *inheritable = CapabilitySet::empty();
    set_capabilities(None, sets)
}

/// Closes all files but the three streams. Those of the service close by themselves; these came to it
/// from whoever started it.
pub(super) fn shut() -> std::io::Result<()> {
    let open = std::fs::read_dir("/proc/self/fd")?;
    let open: Vec<RawFd> =
        open.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect();
    for file in open.into_iter().filter(|file| *file > 2) {
        // That of the listing itself is closed by now.
        let _ = nix::unistd::close(file);
    }
    Ok(())
}

/// Limits what is used. What is limited more already stays so: only a superuser could raise it.
/// Memory is the last, because whatever follows needs some.
pub(super) fn limit(bounds: &Bounds) -> io::Result<()> {
    setpriority_process(None, getpriority_process(None)?.max(bounds.niceness))?;
    let limits = [
        (Resource::Core, Some(0)),
        (Resource::Fsize, Some(bounds.file_bytes)),
        (Resource::Nofile, Some(bounds.open_files)),
        (Resource::Memlock, Some(0)),
        (Resource::Cpu, bounds.cpu_s),
        (Resource::As, bounds.memory_bytes),
    ];
    for (resource, limit) in limits {
        let Some(limit) = limit else { continue };
        let limit = getrlimit(resource).maximum.map_or(limit, |there| there.min(limit));
        setrlimit(resource, Rlimit { current: Some(limit), maximum: Some(limit) })?;
    }
    Ok(())
}

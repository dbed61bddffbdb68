//! The tie to the parent, the priority, the capabilities and the limits of a process.

use rustix::io::{self, Errno};
use rustix::process::{
    Pid, Resource, Rlimit, Signal, getppid, set_parent_process_death_signal, setpriority_process,
    setrlimit,
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

/// Limits what is used. Memory is the last, because whatever follows needs some.
pub(super) fn limit(bounds: &Bounds) -> io::Result<()> {
    setpriority_process(None, bounds.niceness)?;
    let limits = [
        (Resource::Core, Some(0)),
        (Resource::Fsize, Some(bounds.file_bytes)),
        (Resource::Nofile, Some(bounds.open_files)),
        (Resource::Memlock, Some(0)),
        (Resource::Cpu, bounds.cpu_s),
        (Resource::As, bounds.memory_bytes),
    ];
    for (resource, limit) in limits {
        if limit.is_some() {
            setrlimit(resource, Rlimit { current: limit, maximum: limit })?;
        }
    }
    Ok(())
}

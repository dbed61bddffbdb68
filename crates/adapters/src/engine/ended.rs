//! Why the engine's process ended, from its exit status.
//!
//! Only for a process that ended by itself while it was expected to answer; one that we killed is
//! never classified.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use rustix::process::Signal;
use verst_kernel::Failure;
use verst_recordings::codes;

use crate::confine::{NOT_CONFINED, NOT_STARTED};

const SIGNALS: [(Signal, &str); 8] = [
    (Signal::ABORT, "SIGABRT"),
    (Signal::BUS, "SIGBUS"),
    (Signal::FPE, "SIGFPE"),
    (Signal::SEGV, "SIGSEGV"),
    (Signal::SYS, "SIGSYS"),
    (Signal::TERM, "SIGTERM"),
    (Signal::INT, "SIGINT"),
    (Signal::HUP, "SIGHUP"),
];

/// The failure that an exit status stands for.
pub(super) fn ended(status: ExitStatus) -> Failure {
    let Some(signal) = status.signal() else {
        let code = status.code().unwrap_or_default();
        match code {
            NOT_STARTED => return Failure::new(codes::ENGINE_UNAVAILABLE),
            NOT_CONFINED => return Failure::new(codes::CONFINEMENT_MISSING),
            _ => {}
        }
        return Failure::new(codes::ENGINE_DIED).int("status", code.into());
    };
    if signal == Signal::ILL.as_raw() {
        return Failure::new(codes::ENGINE_ILLEGAL_INSTRUCTION);
    }
    if signal == Signal::KILL.as_raw() {
        return Failure::new(codes::ENGINE_KILLED);
    }
    let known = SIGNALS.iter().find(|(known, _)| known.as_raw() == signal);
    let name = known.map_or_else(|| signal.to_string(), |(_, name)| (*name).to_owned());
    Failure::new(codes::ENGINE_DIED).term("signal", name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_become_failures() {
        let died = || Failure::new(codes::ENGINE_DIED);
        for (raw, expected) in [
            (Signal::ILL.as_raw(), Failure::new(codes::ENGINE_ILLEGAL_INSTRUCTION)),
            (Signal::KILL.as_raw(), Failure::new(codes::ENGINE_KILLED)),
            (Signal::SEGV.as_raw(), died().term("signal", "SIGSEGV")),
            (Signal::ABORT.as_raw() | 0x80, died().term("signal", "SIGABRT")),
            (Signal::USR2.as_raw(), died().term("signal", Signal::USR2.as_raw().to_string())),
            (0, died().int("status", 0)),
            (NOT_STARTED << 8, Failure::new(codes::ENGINE_UNAVAILABLE)),
            (NOT_CONFINED << 8, Failure::new(codes::CONFINEMENT_MISSING)),
            (101 << 8, died().int("status", 101)),
        ] {
            assert_eq!(ended(ExitStatus::from_raw(raw)), expected);
        }
    }
}

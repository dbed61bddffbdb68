//! Processes that are killed and started again.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::pause;

/// A process, and how it is started.
pub(crate) struct Host {
    start: Box<dyn Fn() -> Command>,
    log: PathBuf,
    child: Option<Child>,
}

impl Host {
    /// Starts it. What it says on standard error is added to `log`.
    pub(crate) fn start(log: &Path, start: impl Fn() -> Command + 'static) -> Self {
        let mut host = Self { start: Box::new(start), log: log.to_owned(), child: None };
        host.revive();
        host
    }

    /// Starts it again if it is not there: it may have ended by itself because its server was gone.
    pub(crate) fn revive(&mut self) {
        if let Some(child) = &mut self.child
            && child.try_wait().unwrap().is_none()
        {
            return;
        }
        let log: File = OpenOptions::new().append(true).create(true).open(&self.log).unwrap();
        let child =
            (self.start)().stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn().unwrap();
        self.child = Some(child);
    }

    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    /// All that it has said.
    pub(crate) fn said(&self) -> String {
        String::from_utf8_lossy(&std::fs::read(&self.log).unwrap()).into_owned()
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Kills one after the other at random moments, at least `shortest_ms` and less than `longest_ms`
/// apart, and does something else in between.
pub(crate) fn riot(
    hosts: &mut [Host],
    dice: &mut fastrand::Rng,
    kills: u64,
    (shortest_ms, longest_ms): (u64, u64),
    mut meanwhile: impl FnMut(u64, &mut fastrand::Rng),
) {
    for n in 0..kills {
        pause(dice, shortest_ms, longest_ms);
        let victim = dice.usize(..hosts.len());
        hosts[victim].kill();
        hosts[victim].revive();
        meanwhile(n, dice);
        if n % 50 == 49 {
            eprintln!("{} of {kills} kills", n + 1);
        }
    }
}

/// Waits until nothing moves, starting again whoever ended.
pub(crate) fn drain(hosts: &mut [Host], mut moving: impl FnMut() -> u64) {
    loop {
        let left = moving();
        if left == 0 {
            return;
        }
        for host in &mut *hosts {
            host.revive();
        }
        std::thread::sleep(std::time::Duration::from_secs(1));
    }
}

//! A real program that ends with the test, however the test ends.
//!
//! **Invariant:** a program is gone when its value is, and is killed when the test's process dies.

use std::fs::File;
use std::path::Path;
use std::process::{Child as Process, Command, Stdio};
use std::sync::LazyLock;
use std::sync::mpsc::{Sender, channel};

use rustix::process::{Pid, Signal, kill_process};

type Job = Box<dyn FnOnce() + Send>;

/// The kernel ends children with the thread that started them, and a test's thread may end before
/// another test has done with what it started.
static STARTER: LazyLock<Sender<Job>> = LazyLock::new(|| {
    let (starter, jobs) = channel::<Job>();
    std::thread::spawn(move || jobs.into_iter().for_each(|job| job()));
    starter
});

/// The user without rights whom no program of a test may harm.
const NOBODY: &str = "65534";

/// A program that runs.
pub(super) struct Child(Process);

impl Child {
    /// Starts a program of this name or path, what it says going to a file.
    pub(super) fn start(program: &str, arguments: &[&str], log: &Path) -> Self {
        Self::under(&[], program, arguments, log)
    }

    /// The same without rights, where there are any.
    pub(super) fn start_as_nobody(program: &str, arguments: &[&str], log: &Path) -> Self {
        let root = rustix::process::geteuid().is_root();
        let (user, group) = (["--reuid", NOBODY], ["--regid", NOBODY, "--clear-groups"]);
        let drop: Vec<&str> = user.into_iter().chain(group).collect();
        Self::under(if root { &drop } else { &[] }, program, arguments, log)
    }

    fn under(rights: &[&str], program: &str, arguments: &[&str], log: &Path) -> Self {
        // util-linux: asks for the signal after it has dropped rights, which would forget it.
        let mut command = Command::new("setpriv");
        command.args(rights).args(["--pdeathsig", "KILL", "--", program]).args(arguments);
        let log = File::options().create(true).append(true).open(log).unwrap();
        command.stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log);
        let (answer, heard) = channel();
        STARTER.send(Box::new(move || drop(answer.send(command.spawn())))).unwrap();
        Self(heard.recv().unwrap().expect("util-linux is there: scripts/bootstrap --tests"))
    }

    /// Sends it a signal.
    pub(super) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.0), signal).unwrap();
    }

    /// Asks it to end, and waits until it has.
    pub(super) fn end(mut self) {
        self.signal(Signal::TERM);
        self.0.wait().unwrap();
    }

    /// Fails if it has ended.
    pub(super) fn must_run(&mut self, log: &Path) {
        if let Some(status) = self.0.try_wait().unwrap() {
            let said = std::fs::read_to_string(log).unwrap_or_default();
            panic!("it ended with {status} and said: {said}");
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // One that has ended already is as good.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

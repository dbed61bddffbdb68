//! Children that do not outlive us, however we end.
//!
//! A kill leaves no time to end a child, so the kernel is asked to: `setpriv` of util-linux sets
//! the signal that a child gets when its parent ends, and becomes the child. The "parent" is the
//! thread that started it, so all are started by one thread that lives as long as the process.
//!
//! Where there is no such `setpriv`, children are started as they are.

use std::ffi::OsStr;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::LazyLock;
use std::sync::mpsc::{Sender, channel};

use tokio::process::{Child, Command};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

type Job = Box<dyn FnOnce() + Send>;

const ARGS: [&str; 3] = ["--pdeathsig", "KILL", "--"];

/// What it takes to tie a child to us.
struct Tether {
    setpriv: PathBuf,
    starter: Sender<Job>,
}

static TETHER: LazyLock<Option<Tether>> = LazyLock::new(|| {
    let setpriv = find(Path::new("setpriv"))?;
    // The one of BusyBox has the name and not the option.
    let mut trial = std::process::Command::new(&setpriv);
    trial.args(ARGS).arg(&setpriv).arg("--version");
    trial.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if !trial.status().is_ok_and(|status| status.success()) {
        return None;
    }
    let (starter, jobs) = channel::<Job>();
    let thread = std::thread::Builder::new().name("starter".to_owned());
    let started = thread.spawn(move || jobs.into_iter().for_each(|job| job()));
    started.ok().map(|_| Tether { setpriv, starter })
});

/// Finds out what this machine can do, so that the first child does not wait for it.
pub(crate) fn prepare() {
    LazyLock::force(&TETHER);
}

/// A command for a program. Where it is not found, it is left to fail as it would.
pub(crate) fn command(program: &Path) -> Command {
    match (&*TETHER, find(program)) {
        (Some(tether), Some(found)) => {
            let mut command = Command::new(&tether.setpriv);
            command.args(ARGS).arg(found);
            command
        }
        _ => Command::new(program),
    }
}

/// Starts such a command.
pub(crate) async fn spawn(mut command: Command) -> io::Result<Child> {
    let Some(tether) = &*TETHER else { return command.spawn() };
    let (answer, heard) = oneshot::channel();
    let runtime = Handle::current();
    let job = Box::new(move || {
        let _inside = runtime.enter();
        // Unheard, the child is dropped, and what happens then is its command's choice.
        drop(answer.send(command.spawn()));
    });
    tether.starter.send(job).map_err(|_| io::Error::other("no starter"))?;
    heard.await.map_err(|_| io::Error::other("not started"))?
}

/// The absolute path of a program, as a search for it would find it.
fn find(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return Some(program.to_owned()).filter(|path| executable(path));
    }
    let path = std::env::var_os("PATH")?;
    let name: &OsStr = program.as_os_str();
    std::env::split_paths(&path).map(|dir| dir.join(name)).find(|path| executable(path))
}

fn executable(path: &Path) -> bool {
    let runs = |m: std::fs::Metadata| m.is_file() && m.permissions().mode() & 0o111 != 0;
    path.is_absolute() && std::fs::metadata(path).is_ok_and(runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_as_a_search_finds_them() {
        let shell = find(Path::new("sh")).unwrap();
        assert!(shell.is_absolute());
        assert_eq!(find(&shell), Some(shell));
        let no_program = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        for absent in ["no-such-program-here", no_program, "./sh", "/"] {
            assert_eq!(find(Path::new(absent)), None, "{absent}");
        }
    }

    #[tokio::test]
    async fn a_child_is_the_program_and_has_the_signal_set() {
        let Some(tether) = &*TETHER else { return };
        let mut command = command(&tether.setpriv);
        command.arg("--dump").stdout(Stdio::piped());
        let said = spawn(command).await.unwrap().wait_with_output().await.unwrap();
        let said = String::from_utf8(said.stdout).unwrap();
        assert!(said.contains("Parent death signal: KILL"), "{said}");
    }

    #[tokio::test]
    async fn what_is_not_there_is_not_started() {
        let error = spawn(command(Path::new("/nowhere/program"))).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}

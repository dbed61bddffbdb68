//! One thread that starts every child and lives as long as the process.
//!
//! A kill leaves no time to end a child, so each child asks the kernel for a signal when its parent
//! ends (see [`crate::confine`]). The "parent" is the thread that started it, and a thread of the
//! runtime may end long before the process does.

use std::io;
use std::sync::LazyLock;
use std::sync::mpsc::{Sender, channel};

use tokio::process::{Child, Command};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

type Job = Box<dyn FnOnce() + Send>;

static STARTER: LazyLock<io::Result<Sender<Job>>> = LazyLock::new(|| {
    let (starter, jobs) = channel::<Job>();
    let thread = std::thread::Builder::new().name("starter".to_owned());
    thread.spawn(move || jobs.into_iter().for_each(|job| job()))?;
    Ok(starter)
});

/// Starts a child.
pub(crate) async fn spawn(mut command: Command) -> io::Result<Child> {
    let Ok(starter) = &*STARTER else { return Err(io::Error::other("no starter")) };
    let (answer, heard) = oneshot::channel();
    let runtime = Handle::current();
    let job = Box::new(move || {
        let _inside = runtime.enter();
        // Unheard, the child is dropped, and what happens then is its command's choice.
        drop(answer.send(command.spawn()));
    });
    starter.send(job).map_err(|_| io::Error::other("no starter"))?;
    heard.await.map_err(|_| io::Error::other("not started"))?
}

#[cfg(test)]
mod tests {
    use std::process::Stdio;

    use super::*;

    #[tokio::test]
    async fn a_child_started_there_speaks_with_us() {
        let mut command = Command::new("/bin/echo");
        command.arg("here").stdout(Stdio::piped());
        let said = spawn(command).await.unwrap().wait_with_output().await.unwrap();
        assert_eq!(said.stdout, b"here\n");
    }

    #[tokio::test]
    async fn what_is_not_there_is_not_started() {
        let error = spawn(Command::new("/nowhere/program")).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}

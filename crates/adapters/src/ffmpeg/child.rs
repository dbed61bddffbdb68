//! Runs one child process to its end, under every limit there is. The only file here that touches
//! processes; what the child's words mean is decided elsewhere.
//!
//! A child has its own process group, the lowest priority, a bounded address space and bounded
//! files, no standard input, and both its outputs are read all the time with bounded memory. It
//! ends with us, where the machine can do that.
//!
//! **Invariant:** when [`run`] returns, or its future is dropped, the whole group has been killed.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{
    Pid, Resource, Rlimit, Signal, kill_process_group, prlimit, setpriority_process,
};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::Command;
use tokio::time::{Instant, sleep_until, timeout};
use verst_kernel::{Failure, Supervisor};
use verst_recordings::codes;

use super::findings::Findings;
use super::limits::MediaLimits;
use super::lines::Lines;
use super::progress::{Watch, out_time};
use super::verdict;
use crate::tether;

/// Most of standard output that is kept; ffprobe's answer about one stream is some 400 bytes.
const KEPT_BYTES: usize = 256 * 1024;
/// How long a killed child is waited for. It is reaped in the background if the kernel needs longer.
const REAPING: Duration = Duration::from_millis(500);

/// What to run.
pub(super) struct Task<'a> {
    /// The program.
    pub(super) program: &'a Path,
    /// Its arguments.
    pub(super) args: Vec<OsString>,
    /// Size of the largest file that it may write, in bytes.
    pub(super) file_bytes: u64,
}

/// A child that ended by itself.
pub(super) struct Ended {
    /// Exit status.
    pub(super) status: i32,
    /// The beginning of standard output.
    pub(super) stdout: Vec<u8>,
    /// Whether standard output was longer than that.
    pub(super) cut: bool,
    /// What it said on standard error.
    pub(super) findings: Findings,
    /// The last output time that it reported.
    pub(super) end: Duration,
}

/// Runs a child. `tick` is called with each output time that it reports. Fails when it cannot be
/// started, is interrupted, stands still, or is ended by a signal.
pub(super) async fn run(
    task: Task<'_>,
    limits: &MediaLimits,
    supervisor: &dyn Supervisor,
    tick: &(dyn Fn(Duration) + Sync),
) -> Result<Ended, Failure> {
    if supervisor.interrupted() {
        return Err(Failure::new(codes::INTERRUPTED));
    }
    let started = Instant::now();
    let mut child = tether::spawn(command(&task)).await.map_err(|error| {
        tracing::debug!(%error, program = %task.program.display(), "cannot start");
        Failure::new(codes::FFMPEG_MISSING)
    })?;
    let mut group = Group(pid(&child));
    let (Some(mut stdout), Some(mut stderr)) = (child.stdout.take(), child.stderr.take()) else {
        return Err(Failure::new(codes::FFMPEG_MISSING));
    };
    group.restrain(limits.memory_bytes, task.file_bytes).map_err(|error| {
        tracing::debug!(%error, "cannot limit a child");
        Failure::new(codes::FFMPEG_FAILED).term("limit", "prlimit")
    })?;

    let mut watch = Watch::new(limits.floor_rate, limits.stall);
    let mut hearing = Hearing::default();
    let (mut out, mut err) = (vec![0; 16 * 1024], vec![0; 16 * 1024]);
    let (mut out_open, mut err_open) = (true, true);
    let mut interruption = supervisor.interruption();
    let status = loop {
        tokio::select! {
            biased;
            () = &mut interruption => break Err(Failure::new(codes::INTERRUPTED)),
            () = sleep_until(started + watch.deadline()) => break Err(stood_still(limits.stall)),
            count = some(&mut stdout, &mut out), if out_open => {
                out_open = count > 0;
                if let Some(time) = hearing.stdout(&out[..count]) {
                    watch.heard(started.elapsed(), time);
                    tick(time);
                }
            }
            count = some(&mut stderr, &mut err), if err_open => {
                err_open = count > 0;
                hearing.stderr(&err[..count]);
            }
            status = child.wait(), if !out_open && !err_open => {
                group.ended();
                break status.map_err(|_| Failure::new(codes::FFMPEG_FAILED));
            }
        }
    };
    drop(group);
    match status {
        Ok(status) => hearing.end(status),
        Err(failure) => {
            // An answer in time matters more than having seen the end: SIGKILL is on its way.
            let _ = timeout(REAPING, child.wait()).await;
            Err(failure)
        }
    }
}

fn command(task: &Task<'_>) -> Command {
    let mut command = tether::command(task.program);
    command
        .args(&task.args)
        // Messages are read, so they have to be the untranslated, uncoloured ones; and no variable
        // may make FFmpeg write a report somewhere.
        .env("LC_ALL", "C")
        .env("AV_LOG_FORCE_NOCOLOR", "1")
        .env_remove("AV_LOG_FORCE_COLOR")
        .env_remove("FFREPORT")
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true);
    command
}

fn pid(child: &tokio::process::Child) -> Option<Pid> {
    child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw)
}

/// Reads what is there. A pipe that cannot be read is as good as closed: the exit status decides.
async fn some(pipe: &mut (impl AsyncRead + Unpin), buffer: &mut [u8]) -> usize {
    pipe.read(buffer).await.unwrap_or(0)
}

fn stood_still(stall: Duration) -> Failure {
    let seconds = i64::try_from(stall.as_secs()).unwrap_or(i64::MAX);
    Failure::new(codes::NO_PROGRESS).int("seconds", seconds)
}

/// The process group of a child that may still run. It dies with this value.
struct Group(Option<Pid>);

impl Group {
    /// Sets limits and priority. A child that is gone already has no use for them.
    fn restrain(&self, memory_bytes: u64, file_bytes: u64) -> Result<(), Errno> {
        let at_most = |bytes| Rlimit { current: Some(bytes), maximum: Some(bytes) };
        let limits =
            [(Resource::As, memory_bytes), (Resource::Fsize, file_bytes), (Resource::Core, 0)];
        let set = || {
            for (resource, bytes) in limits {
                prlimit(self.0, resource, at_most(bytes))?;
            }
            setpriority_process(self.0, 19)
        };
        // Without a process id these calls would mean ourselves.
        match self.0.map_or(Err(Errno::SRCH), |_| set()) {
            Ok(()) | Err(Errno::SRCH) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// The child was waited for: its id may belong to another process by now.
    fn ended(&mut self) {
        self.0 = None;
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(pid) = self.0 {
            // The only possible trouble is that the group is gone.
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }
}

/// What a child has said so far.
#[derive(Default)]
struct Hearing {
    stdout: Vec<u8>,
    cut: bool,
    out_lines: Lines,
    err_lines: Lines,
    findings: Findings,
    end: Duration,
}

impl Hearing {
    /// Takes standard output and gives the last output time in it.
    fn stdout(&mut self, bytes: &[u8]) -> Option<Duration> {
        let room = KEPT_BYTES - self.stdout.len();
        self.cut |= bytes.len() > room;
        self.stdout.extend_from_slice(&bytes[..bytes.len().min(room)]);
        let mut last = None;
        self.out_lines.push(bytes, |line| last = out_time(line).or(last));
        self.end = last.unwrap_or(self.end);
        last
    }

    fn stderr(&mut self, bytes: &[u8]) {
        // Read and dropped: these lines carry titles and names out of the file, which no log may.
        let findings = &mut self.findings;
        let mut each = |line: &[u8]| findings.read(line);
        self.err_lines.push(bytes, &mut each);
        if bytes.is_empty() {
            self.err_lines.finish(&mut each);
        }
    }

    fn end(self, status: ExitStatus) -> Result<Ended, Failure> {
        let Some(code) = status.code() else {
            return Err(verdict::killed(status.signal().unwrap_or(0)));
        };
        let Self { stdout, cut, findings, end, .. } = self;
        Ok(Ended { status: code, stdout, cut, findings, end })
    }
}

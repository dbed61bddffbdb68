//! Runs one child process to its end, under every limit there is. The only file here that touches
//! processes; what the child's words mean is decided elsewhere.
//!
//! A child is confined (see [`crate::confine`]): it reads the one input, writes the one output, and
//! reaches nothing else. It has its own process group, the lowest priority, no standard input, and
//! both its outputs are read all the time with bounded memory. It ends with us.
//!
//! **Invariant:** when [`run`] returns, or its future is dropped, the whole group has been killed.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
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
use crate::confine::{Bounds, Confinement, NOT_CONFINED, NOT_STARTED};
use crate::tether;

/// Least consideration for others: decoding is never what somebody waits for at this moment.
const NICENESS: i32 = 19;
/// Files that FFmpeg and its hundred libraries have open at a time, with room.
const OPEN_FILES: u64 = 64;
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
    /// The file that it may read.
    pub(super) input: Option<PathBuf>,
    /// The file that it may write, which is there already, and the largest size of it in bytes.
    pub(super) output: Option<(PathBuf, u64)>,
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
    confinement: &Confinement,
    limits: &MediaLimits,
    supervisor: &dyn Supervisor,
    tick: &(dyn Fn(Duration) + Sync),
) -> Result<Ended, Failure> {
    if supervisor.interrupted() {
        return Err(Failure::new(codes::INTERRUPTED));
    }
    let started = Instant::now();
    let mut child = tether::spawn(command(&task, confinement, limits)).await.map_err(|error| {
        tracing::debug!(%error, program = %task.program.display(), "cannot start");
        Failure::new(codes::FFMPEG_MISSING)
    })?;
    let mut group = Group(pid(&child));
    let (Some(mut stdout), Some(mut stderr)) = (child.stdout.take(), child.stderr.take()) else {
        return Err(Failure::new(codes::FFMPEG_MISSING));
    };

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

fn command(task: &Task<'_>, confinement: &Confinement, limits: &MediaLimits) -> Command {
    let (write, file_bytes) = task.output.clone().unzip();
    let bounds = Bounds {
        niceness: NICENESS,
        memory_bytes: Some(limits.memory_bytes),
        file_bytes: file_bytes.unwrap_or(0),
        cpu_s: Some(limits.cpu_s()),
        open_files: OPEN_FILES,
        read: task.input.clone().into_iter().collect(),
        write: write.into_iter().collect(),
    };
    let mut command = confinement.command(task.program, &bounds);
    command
        .args(&task.args)
        // Messages are read, so they have to be the untranslated, uncoloured ones.
        .env("LC_ALL", "C")
        .env("AV_LOG_FORCE_NOCOLOR", "1")
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
        match code {
            NOT_STARTED => return Err(Failure::new(codes::FFMPEG_MISSING)),
            NOT_CONFINED => return Err(Failure::new(codes::CONFINEMENT_MISSING)),
            _ => {}
        }
        let Self { stdout, cut, findings, end, .. } = self;
        Ok(Ended { status: code, stdout, cut, findings, end })
    }
}

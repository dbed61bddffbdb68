//! The engine's process and one conversation with it. The only file here that touches processes.
//!
//! The child is confined (see [`crate::confine`]) to the files of its [`Reach`]: it writes none and
//! reaches no network. It has its own process group, so that Ctrl-C at the terminal is ours to
//! handle, a lower priority than the service, no core dumps (they would hold what was said), and,
//! where set, a bounded address space. What it says on standard error is dropped.
//!
//! *Invariant*: when a request fails or its future is dropped, the whole group has been killed.

use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::time::timeout;
use verst_engine::protocol::{self, FrameError, LENGTH_BYTES, Reply, Request};
use verst_kernel::{Failure, Supervisor};
use verst_recordings::codes;

use super::EngineConfig;
use super::ended::ended;
use super::reach::Reach;
use crate::confine::Bounds;
use crate::tether;

/// Niceness: the service stays responsive, and the engine still goes before FFmpeg.
const NICENESS: i32 = 5;

/// Models are mapped or read one by one.
const OPEN_FILES: u64 = 64;

/// How long a process that ended its side is given to be gone.
const REAPING: Duration = Duration::from_millis(500);

/// What tells the allocator of glibc to give back at once what a slice took: tens of megabytes in a
/// few pieces. By itself it keeps them, and one set for each thread that ever heard a slice.
const THRIFTY: [(&str, &str); 3] = [
    ("MALLOC_ARENA_MAX", "1"),
    ("MALLOC_MMAP_THRESHOLD_", "262144"),
    ("MALLOC_TRIM_THRESHOLD_", "262144"),
];

/// A running engine.
#[derive(Debug)]
pub(super) struct Process {
    // Goes first when this is dropped: once the child is reaped, its id may be another's.
    group: Group,
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    reach: Reach,
}

/// Why a conversation has no reply.
enum Broken {
    /// The request cannot be said; nothing was sent.
    Request,
    Silent,
    Stream,
    Protocol,
}

impl Process {
    /// Starts it, with its limits.
    pub(super) async fn start(config: &EngineConfig, reach: Reach) -> Result<Self, Failure> {
        let unavailable = || Failure::new(codes::ENGINE_UNAVAILABLE);
        let bounds = Bounds {
            niceness: NICENESS,
            memory_bytes: config.memory_limit_bytes,
            file_bytes: 0,
            cpu_s: None,
            open_files: OPEN_FILES,
            read: reach.paths(),
            write: Vec::new(),
        };
        let mut command = config.confinement.command(&config.command, &bounds);
        command
            .args(&config.args)
            // Where a debugger is installed, ggml runs it when an assertion fails, and the debugger
            // writes to the standard output that is our conversation.
            .env("GGML_NO_BACKTRACE", "1")
            .envs(THRIFTY)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // What the native library says may quote what it heard; the way it ended is enough.
            .stderr(Stdio::null())
            .process_group(0)
            .kill_on_drop(true);
        let mut child = tether::spawn(command).await.map_err(|error| {
            tracing::debug!(%error, program = %config.command.display(), "cannot start");
            unavailable()
        })?;
        let group = Group(child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw));
        let pipes = (child.stdin.take(), child.stdout.take());
        let (Some(input), Some(output)) = pipes else { return Err(unavailable()) };
        Ok(Self { group, child, input, output, reach })
    }

    /// Whether it can read the files of a request.
    pub(super) fn reaches(&self, request: &Request) -> bool {
        self.reach.covers(request)
    }

    /// Itself, unless it has ended.
    pub(super) fn running(mut self) -> Option<Self> {
        if matches!(self.child.try_wait(), Ok(None)) {
            return Some(self);
        }
        self.group.reaped();
        None
    }

    /// One request and its reply. After an error the process is gone.
    pub(super) async fn ask(
        &mut self,
        request: &Request,
        patience: Duration,
        supervisor: &dyn Supervisor,
    ) -> Result<Reply, Failure> {
        let broken = tokio::select! {
            biased;
            () = supervisor.interruption() => Err(Failure::new(codes::INTERRUPTED)),
            answer = self.converse(request, patience, supervisor) => match answer {
                Ok(reply) => return Ok(reply),
                Err(broken) => Ok(broken),
            },
        };
        let failure = match broken {
            Err(interrupted) => interrupted,
            Ok(Broken::Silent) => {
                let seconds = i64::try_from(patience.as_secs()).unwrap_or(i64::MAX);
                Failure::new(codes::ENGINE_SILENT).int("seconds", seconds)
            }
            Ok(Broken::Request) => {
                Failure::new(codes::ENGINE_FAILED).term("reason", "request_unsayable")
            }
            // A fault of this run, not of the program: it counts, so that it ends some day.
            Ok(Broken::Stream | Broken::Protocol) => {
                match timeout(REAPING, self.child.wait()).await {
                    Ok(Ok(status)) => {
                        self.group.reaped();
                        return Err(ended(status));
                    }
                    // It goes on, and nobody can talk with it.
                    _ => off_protocol(),
                }
            }
        };
        self.kill().await;
        Err(failure)
    }

    /// Ends it; it owes nothing.
    pub(super) async fn end(mut self) {
        self.kill().await;
    }

    async fn kill(&mut self) {
        self.group.kill();
        // An answer in time matters more than having seen the end: SIGKILL is on its way.
        if timeout(REAPING, self.child.wait()).await.is_ok() {
            self.group.reaped();
        }
    }

    async fn converse(
        &mut self,
        request: &Request,
        patience: Duration,
        supervisor: &dyn Supervisor,
    ) -> Result<Reply, Broken> {
        let frame = protocol::encode(request).map_err(|error| {
            // Such as a path that is not UTF-8.
            tracing::debug!(%error, "a request cannot be written as a message");
            Broken::Request
        })?;
        let sent = timeout(patience, self.input.write_all(&frame)).await;
        sent.map_err(|_| Broken::Silent)?.map_err(|_| Broken::Stream)?;
        loop {
            match timeout(patience, read(&mut self.output)).await {
                Err(_) => return Err(Broken::Silent),
                // Only a sign of life: how far it is, it does not know.
                Ok(Ok(Reply::Working { total_ms: 0, .. })) => {}
                Ok(Ok(Reply::Working { done_ms, total_ms })) => {
                    let seconds = |ms| Duration::from_millis(ms).as_secs_f64();
                    let fraction = seconds(done_ms) / seconds(total_ms);
                    supervisor.progress(fraction.clamp(0.0, 1.0));
                }
                Ok(Ok(reply)) => return Ok(reply),
                Ok(Err(FrameError::Stream(_))) => return Err(Broken::Stream),
                Ok(Err(error)) => {
                    tracing::debug!(%error, "the engine does not speak our protocol");
                    return Err(Broken::Protocol);
                }
            }
        }
    }
}

/// What it said is not an answer.
pub(super) fn off_protocol() -> Failure {
    Failure::new(codes::ENGINE_DIED).term("reason", "protocol")
}

async fn read(output: &mut ChildStdout) -> Result<Reply, FrameError> {
    let mut head = [0; LENGTH_BYTES];
    output.read_exact(&mut head).await.map_err(FrameError::Stream)?;
    let mut body = vec![0; protocol::length(head)?];
    output.read_exact(&mut body).await.map_err(FrameError::Stream)?;
    protocol::decode(&body)
}

/// The process group of a child that may still run. It dies with this value.
#[derive(Debug)]
struct Group(Option<Pid>);

impl Group {
    fn kill(&self) {
        if let Some(pid) = self.0 {
            // The only possible trouble is that the group is gone.
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }

    /// The child was waited for: its id may belong to another process by now.
    fn reaped(&mut self) {
        self.0 = None;
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}

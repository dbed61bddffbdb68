//! Starting the binary, listening to it, looking at what it left.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use verst_adapters::clock::SystemClock;
use verst_recordings::LINE;
use verst_recordings::ports::RecordingStore;
use verst_service::{Filter, Ledger, View};
use verst_store::{Durability, Sqlite};

/// Longer than anything here takes, on a machine that also compiles.
const PATIENCE: Duration = Duration::from_mins(4);

/// A data directory with settings of its own.
pub(crate) struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self::with_settings("pause_base_s = 1\n")
    }

    pub(crate) fn with_settings(settings: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("data")).unwrap();
        let place = Self { dir };
        place.set(settings);
        place
    }

    pub(crate) fn set(&self, settings: &str) {
        std::fs::write(self.data().join("verst.toml"), settings).unwrap();
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.dir.path().join("data")
    }

    /// The binary on this place, in English, with all of its log on standard error as JSON.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_verst"));
        command.args(args).args(["--lang", "en", "--log", "verst=debug", "--log-format", "json"]);
        command.env("VERST_DATA", self.data()).env_remove("VERST_CONFIG").stdin(Stdio::null());
        // Many services on one machine, each on a port of its own.
        command.env("VERST_LISTEN", "127.0.0.1:0");
        command
    }

    /// Runs to the end.
    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// Starts and goes on.
    pub(crate) fn start(&self, args: &[&str]) -> Running {
        Self::spawn(self.command(args))
    }

    /// Starts the service and waits until it works.
    pub(crate) fn serve(&self) -> Running {
        let mut running = self.start(&["serve"]);
        running.wait_for(&["Verst works in"]);
        running
    }

    /// Starts a command that runs the binary.
    pub(crate) fn spawn(mut command: Command) -> Running {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (say, lines) = channel();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        std::thread::spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                if say.send(line).is_err() {
                    break;
                }
            }
        });
        Running { child, lines, heard: Vec::new() }
    }

    /// What the store says, once no process holds the place.
    pub(crate) fn views(&self) -> Vec<View> {
        let filter = Filter { limit: 1000, ..Filter::default() };
        block_on(self.store().list(filter)).unwrap()
    }

    /// How many slices the plan of the only recording's open attempt has, by its ticket.
    pub(crate) fn planned_slices(&self) -> usize {
        let attempt = block_on(self.store().open_attempt_of(self.view().work.id)).unwrap();
        let ticket = attempt.expect("an attempt is open").ticket.expect("it has its ticket");
        let ticket: serde_json::Value = serde_json::from_str(&ticket.0).unwrap();
        ticket["plan"]["slices"].as_array().unwrap().len()
    }

    fn store(&self) -> Sqlite {
        let file = self.data().join("verst.sqlite");
        let clock = Arc::new(SystemClock);
        Sqlite::open(&file, Durability::Full, clock, &LINE.stages()).unwrap()
    }

    /// Waits until the last connection has folded the write-ahead log into the file.
    pub(crate) fn wait_until_checkpointed(&self) {
        drop(self.store());
        while self.data().join("verst.sqlite-wal").exists() {
            std::thread::yield_now();
        }
    }

    /// The only recording.
    pub(crate) fn view(&self) -> View {
        let mut views = self.views();
        assert_eq!(views.len(), 1, "one recording and no copy of it");
        views.remove(0)
    }
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

/// A running binary.
pub(crate) struct Running {
    child: Child,
    lines: Receiver<String>,
    heard: Vec<String>,
}

impl Running {
    /// Waits for a message that contains this, or finds it among those that were heard.
    pub(crate) fn wait_for_line(&mut self, part: &str) -> String {
        let found = |heard: &[String]| heard.iter().find(|line| line.contains(part)).cloned();
        if found(&self.heard).is_none() {
            self.wait_for(&[part]);
        }
        found(&self.heard).unwrap()
    }

    /// Waits for a log record or message that contains all of these.
    pub(crate) fn wait_for(&mut self, parts: &[&str]) {
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            let found = parts.iter().all(|part| line.contains(part));
            self.heard.push(line);
            if found {
                return;
            }
        }
        panic!("never heard {parts:?} in:\n{}", self.heard.join("\n"));
    }

    /// Whether a message that contains this was heard so far.
    pub(crate) fn has_heard(&self, part: &str) -> bool {
        self.heard.iter().any(|line| line.contains(part))
    }

    /// Waits for a step that leaves this milestone to start.
    pub(crate) fn wait_for_step(&mut self, milestone: &str) {
        let milestone = format!("\"milestone\":\"{milestone}\"");
        self.wait_for(&["step started", &milestone]);
    }

    pub(crate) fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).unwrap();
    }

    /// Ends it as a service manager does.
    pub(crate) fn terminate(self) -> (Option<i32>, String, Vec<String>) {
        self.signal(Signal::TERM);
        self.end()
    }

    /// Ends it as a crash would, and waits until it is gone.
    pub(crate) fn kill(mut self) {
        self.signal(Signal::KILL);
        self.child.wait().unwrap();
    }

    /// Waits for the end: exit code, standard output, everything on standard error.
    pub(crate) fn end(mut self) -> (Option<i32>, String, Vec<String>) {
        let mut text = String::new();
        self.child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
        let status = self.child.wait().unwrap();
        self.heard.extend(self.lines.iter());
        (status.code(), text, std::mem::take(&mut self.heard))
    }

    /// The engine's process, a child of the binary.
    pub(crate) fn engine(&self) -> Pid {
        let engine = children(self.pid()).into_iter().find(|pid| {
            let command = std::fs::read(format!("/proc/{}/cmdline", pid.as_raw_pid()));
            command.is_ok_and(|c| c.ends_with(b"engine\0"))
        });
        engine.expect("the engine runs")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // A test that failed must not leave a process behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn children(parent: Pid) -> Vec<Pid> {
    let tasks = std::fs::read_dir(format!("/proc/{}/task", parent.as_raw_pid())).unwrap();
    let lists = tasks.filter_map(|t| std::fs::read_to_string(t.ok()?.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        .filter_map(|pid| Pid::from_raw(pid.parse().ok()?))
        .collect()
}

/// Waits until a process computes: for a tenth of a second more than it has so far.
pub(crate) fn wait_until_busy(pid: Pid) {
    // Time in user mode, in hundredths of a second: proc(5), the 14th field of `stat`.
    let ticks = || -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_pid())).unwrap();
        let after_name = stat.rsplit_once(')').unwrap().1;
        after_name.split_whitespace().nth(11).unwrap().parse().unwrap()
    };
    let begun = ticks();
    while ticks() < begun + 10 {
        std::thread::yield_now();
    }
}

/// How often this was logged.
pub(crate) fn count(lines: &[String], parts: &[&str]) -> usize {
    lines.iter().filter(|line| parts.iter().all(|part| line.contains(part))).count()
}

/// Slices that were heard, by the log.
pub(crate) fn slices(lines: &[String]) -> usize {
    count(lines, &["step ended", "\"milestone\":\"submitted\"", "\"outcome\":\"deferred\""])
}

pub(crate) fn sample(name: &str) -> String {
    format!("{}/../../samples/{name}", env!("CARGO_MANIFEST_DIR"))
}

pub(crate) fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").canonicalize().unwrap()
}

/// Three seconds of the English sample, from this second on.
pub(crate) fn clip(place: &Place, from: u32) -> String {
    let file = place.path().join(format!("clip-{from}.ogg"));
    let status = Command::new("ffmpeg")
        .args(["-nostdin", "-v", "error", "-y", "-ss", &from.to_string(), "-t", "3", "-i"])
        .arg(sample("two-cities-en.ogg"))
        .arg(&file)
        .status()
        .unwrap();
    assert!(status.success());
    file.to_str().unwrap().to_owned()
}

/// The English sample `times` times over.
pub(crate) fn long_recording(place: &Place, times: u32) -> String {
    let file = place.path().join("long.ogg");
    let status = Command::new("ffmpeg")
        .args(["-nostdin", "-v", "error", "-stream_loop", &(times - 1).to_string(), "-i"])
        .arg(sample("two-cities-en.ogg"))
        .args(["-c", "copy"])
        .arg(&file)
        .status()
        .unwrap();
    assert!(status.success());
    file.to_str().unwrap().to_owned()
}

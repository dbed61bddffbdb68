//! The real binary with real files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A data directory with settings.
pub(crate) struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    pub(crate) fn new(settings: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
        // A kill is a failure like any other; with the usual six most would be stopped for it.
        let settings = format!(
            "models = \"{}\"\nfailures = 60\npause_base_s = 1\npause_cap_s = 2\nthreads = 1\n{settings}",
            models.canonicalize().unwrap().display()
        );
        std::fs::create_dir(dir.path().join("data")).unwrap();
        std::fs::write(dir.path().join("data/verst.toml"), settings).unwrap();
        Self { dir }
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.dir.path().join("data")
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.dir.path().join("log")
    }

    /// How the binary is called here.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        call(&self.data(), args)
    }

    /// Hands a file in; its number if that was promised.
    pub(crate) fn submit(&self, file: &Path) -> Option<u64> {
        let output = self.command(&["submit", file.to_str().unwrap()]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        said.split('\t').next().and_then(|id| id.parse().ok())
    }
}

pub(crate) fn call(data: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_verst"));
    command.args(args).args(["--lang", "en", "--log-format", "json"]);
    command.env("VERST_DATA", data).env_remove("VERST_CONFIG").stdin(Stdio::null());
    command.env("VERST_LISTEN", "127.0.0.1:0");
    command
}

/// Real recordings, all different: pieces of the two samples.
pub(crate) fn recordings(dir: &Path, how_many: u64) -> Vec<PathBuf> {
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples");
    (0..how_many)
        .map(|n| {
            let sample = if n % 2 == 0 { "two-cities-en.ogg" } else { "server-ru.ogg" };
            let file = dir.join(format!("{n}.ogg"));
            let from = format!("{}ms", n % 40 * 370);
            let length = format!("{}ms", 1500 + n * 10);
            let made = Command::new("ffmpeg")
                .args(["-nostdin", "-v", "error", "-ss", &from, "-t", &length, "-i"])
                .arg(format!("{samples}/{sample}"))
                .arg(&file)
                .status();
            assert!(made.unwrap().success());
            file
        })
        .collect()
}

/// How often each work's sender was told, by the hosts' logs.
pub(crate) fn told<'a>(logs: impl Iterator<Item = &'a str>) -> BTreeMap<String, u64> {
    let mut told = BTreeMap::new();
    for line in logs.flat_map(str::lines) {
        if !line.contains("the text is ready") && !line.contains("sender told") {
            continue;
        }
        let work = line.split("\"work\":\"").nth(1).and_then(|rest| rest.split('"').next());
        *told.entry(work.unwrap().to_owned()).or_default() += 1;
    }
    told
}

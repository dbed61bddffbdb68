//! A directory with a file that may be read, one that may be written, and others.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Output};

use tempfile::TempDir;

/// What confines.
const HELPER: &str = env!("CARGO_BIN_EXE_verst-confine");

/// What is given to a process, and how it is started.
pub(crate) struct Room {
    dir: TempDir,
}

impl Room {
    pub(crate) fn new() -> Self {
        let room = Self { dir: tempfile::tempdir().unwrap() };
        for name in ["input", "output", "secret"] {
            std::fs::write(room.path(name), format!("the {name}")).unwrap();
        }
        room
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// A program within the usual bounds and these words besides, which hold over them.
    pub(crate) fn confined(&self, mode: &str, words: &[&str], program: &[&str]) -> Output {
        self.started(Command::new(HELPER), mode, words, program)
    }

    /// The same where a shell has done this before.
    pub(crate) fn confined_after(&self, line: &str, mode: &str, program: &[&str]) -> Output {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", &format!("{line} \"$0\" \"$@\""), HELPER]);
        self.started(shell, mode, &[], program)
    }

    fn started(
        &self,
        mut command: Command,
        mode: &str,
        words: &[&str],
        program: &[&str],
    ) -> Output {
        let place = |name: &str, path| {
            let mut word = OsString::from(name);
            word.push(self.path(path));
            word
        };
        command.arg("confine").arg(format!("mode={mode}"));
        command.arg(format!("parent={}", std::process::id()));
        command.args(["nice=0", "file=1000", "open=64", "memory=1000000000", "cpu=20"]);
        command.args([place("read=", "input"), place("write=", "output")]);
        command.args(words).arg("--").args(program);
        command.current_dir("/").output().unwrap()
    }

    /// A line of Python, where `ROOM` is the directory. Fails unless it cannot be done with
    /// confinement and can without.
    pub(crate) fn forbids(&self, line: &str) {
        let line = line.replace("ROOM", self.dir.path().to_str().unwrap());
        let python = ["/usr/bin/python3", "-IS", "-c", &line];
        let held = self.confined("required", &[], &python);
        let said = String::from_utf8_lossy(&held.stderr);
        assert!(!held.status.success() && said.contains("PermissionError"), "{line}: {said}");
        let free = self.confined("off", &[], &python);
        assert!(free.status.success(), "{line}: {}", String::from_utf8_lossy(&free.stderr));
    }

    /// The same for what a confined process can do.
    pub(crate) fn allows(&self, line: &str) {
        let line = line.replace("ROOM", self.dir.path().to_str().unwrap());
        let held = self.confined("required", &[], &["/usr/bin/python3", "-IS", "-c", &line]);
        assert!(held.status.success(), "{line}: {}", String::from_utf8_lossy(&held.stderr));
    }
}

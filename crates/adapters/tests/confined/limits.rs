//! Limits, and how the helper says that it did not come to anything.

use std::os::unix::process::ExitStatusExt;

use crate::room::Room;

fn python(line: &str) -> [&str; 4] {
    ["/usr/bin/python3", "-IS", "-c", line]
}

#[test]
fn memory_ends_at_its_limit() {
    let room = Room::new();
    let line = "try:\n bytearray(400_000_000)\nexcept MemoryError:\n raise SystemExit(9)";
    for (limit, expected) in [("memory=1000000000", 0), ("memory=300000000", 9)] {
        for mode in ["required", "off"] {
            let ended = room.confined(mode, &[limit], &python(line));
            assert_eq!(ended.status.code(), Some(expected), "{limit} {mode}");
        }
    }
}

#[test]
fn a_file_ends_at_its_limit() {
    let room = Room::new();
    let output = room.path("output");
    let line = format!("open({output:?}, 'wb', 0).write(bytes(1001))");
    room.confined("required", &[], &python(&line));
    assert_eq!(std::fs::metadata(output).unwrap().len(), 1000);
}

#[test]
fn computing_ends_at_its_limit() {
    let ended = Room::new().confined("required", &["cpu=1"], &python("while True: pass"));
    let signals = [Some(libc::SIGXCPU), Some(libc::SIGKILL)];
    assert!(signals.contains(&ended.status.signal()), "{ended:?}");
}

#[test]
fn open_files_end_at_their_limit() {
    let room = Room::new();
    let line = "x = [open('/dev/null') for _ in range(50)]";
    assert!(room.confined("required", &[], &python(line)).status.success());
    let ended = room.confined("required", &["open=32"], &python(line));
    assert!(String::from_utf8_lossy(&ended.stderr).contains("Too many open files"), "{ended:?}");
}

#[test]
fn a_limit_that_is_narrower_already_stays_as_it_is() {
    let line = "import os, resource as r\n\
                assert r.getrlimit(r.RLIMIT_AS)[1] == 500_000_000 // 1024 * 1024\n\
                assert r.getrlimit(r.RLIMIT_NOFILE)[1] == 40\n\
                assert os.getpriority(os.PRIO_PROCESS, 0) == 10";
    let before = "ulimit -v 488281; ulimit -n 40; exec nice -n 10";
    for mode in ["required", "off"] {
        let ended = Room::new().confined_after(before, mode, &python(line));
        assert!(ended.status.success(), "{mode} {ended:?}");
    }
}

#[test]
fn how_it_went_is_the_exit_code() {
    let room = Room::new();
    for (words, program, expected) in [
        (vec![], vec!["/bin/sh", "-c", "exit 7"], 7),
        (vec![], vec!["/nowhere/ffmpeg"], 126),
        (vec![], vec!["no-such-program-here"], 126),
        // A process of another parent: its own is gone.
        (vec!["parent=1"], vec!["/bin/true"], 126),
        (vec!["what=1"], vec!["/bin/true"], 2),
        (vec![], vec![], 2),
    ] {
        let ended = room.confined("required", &words, &program);
        assert_eq!(ended.status.code(), Some(expected), "{words:?} {program:?}");
        assert!(ended.stdout.is_empty() && ended.stderr.is_empty(), "{ended:?}");
    }
}

#[test]
fn a_child_does_not_outlive_whoever_started_it() {
    let told = Room::new().confined(
        "required",
        &[],
        &python(
            "import ctypes as c; v = c.c_int(); c.CDLL(None).prctl(2, c.byref(v)); print(v.value)",
        ),
    );
    assert_eq!(told.stdout, b"9\n", "the signal it gets is SIGKILL");
}

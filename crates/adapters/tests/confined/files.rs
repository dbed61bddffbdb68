//! Files: the one input, the one output, the system's libraries, and no other.

use crate::room::Room;

#[test]
fn other_files_are_not_read() {
    let room = Room::new();
    room.allows("assert open('ROOM/input').read() == 'the input'");
    for file in
        ["ROOM/secret", "/etc/passwd", "/proc/self/environ", "/proc/1/cmdline", "/etc/hostname"]
    {
        room.forbids(&format!("open('{file}', 'rb').read(1)"));
    }
    room.forbids("import os; os.listdir('ROOM')");
}

#[test]
fn other_files_are_not_written() {
    let room = Room::new();
    room.allows("open('ROOM/output', 'w').write('new')");
    assert_eq!(std::fs::read(room.path("output")).unwrap(), b"new");
    for line in [
        "open('ROOM/input', 'a')",
        "open('ROOM/secret', 'w').write('the secret')",
        "open('ROOM/another', 'w')",
        "import os; os.truncate('ROOM/secret', 10)",
        "import os; os.symlink('ROOM/secret', 'ROOM/link')",
        "import os; os.mkfifo('ROOM/pipe')",
        "import os; os.mkdir('ROOM/directory')",
        "import os; os.chmod('ROOM/secret', 0o644)",
        "import os; os.utime('ROOM/secret')",
        "import os; os.setxattr('ROOM/secret', 'user.a', b'b')",
        "import os; os.rename('ROOM/secret', 'ROOM/renamed')",
        "import os; os.unlink('ROOM/renamed')",
    ] {
        room.forbids(line);
    }
    assert_eq!(std::fs::read(room.path("output")).unwrap(), b"new");
}

#[test]
fn what_whoever_started_it_had_open_is_shut() {
    let room = Room::new();
    let before = format!("exec 7<{} 9>>{0}; exec", room.path("secret").display());
    let line = "import os\nfor f in range(3, 64):\n try:\n  os.fstat(f)\n except OSError:\n  pass\n \
                else:\n  raise SystemExit(f)";
    for mode in ["required", "auto", "off"] {
        let ended = room.confined_after(&before, mode, &["/usr/bin/python3", "-IS", "-c", line]);
        assert_eq!(ended.status.code(), Some(0), "{mode} {ended:?}");
    }
}

#[test]
fn a_link_in_place_of_the_input_opens_what_was_meant_and_no_more() {
    let room = Room::new();
    std::os::unix::fs::symlink(room.path("secret"), room.path("link")).unwrap();
    room.forbids("open('ROOM/link').read()");
}

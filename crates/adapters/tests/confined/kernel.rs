//! Networks, other processes, and the rest of the kernel.

use crate::room::Room;

#[test]
fn no_socket_is_had() {
    let room = Room::new();
    for family in ["AF_INET", "AF_INET6", "AF_UNIX", "AF_NETLINK"] {
        for kind in ["SOCK_STREAM", "SOCK_DGRAM"] {
            let kind = if family == "AF_NETLINK" { "SOCK_RAW" } else { kind };
            room.forbids(&format!("from socket import *; socket({family}, {kind})"));
        }
    }
    room.forbids("import socket; socket.socketpair()");
}

#[test]
fn no_process_is_started_and_none_is_touched() {
    let room = Room::new();
    room.forbids("import os; os.fork() or os._exit(0)");
    room.forbids("import os; os.posix_spawn('/bin/true', ['true'], {})");
    room.forbids("import os; os.setpgid(0, 0)");
    room.forbids("import os; os.kill(os.getppid(), 0)");
    room.forbids("import os; os.pidfd_open(os.getppid())");
    // What it needs: threads, and to end itself.
    room.allows("import threading as t; x = t.Thread(target=print); x.start(); x.join()");
    room.allows("import os; os.kill(os.getpid(), 0)");
    room.allows("import resource as r; assert r.getrlimit(r.RLIMIT_CORE) == (0, 0)");
    let line = "import resource as r\ntry:\n r.setrlimit(r.RLIMIT_CORE, (0, 0))\nexcept ValueError:\n pass\nelse:\n raise SystemExit(1)";
    room.allows(line);
}

/// A call by its number, with arguments that do no harm where it is let through.
fn refused(room: &Room, number: libc::c_long, error: i32) {
    let line = format!(
        "import ctypes as c; l = c.CDLL(None, use_errno=True); \
         r = l.syscall({number}, 0, 0, 0, 0, 0); assert (r, c.get_errno()) == (-1, {error}), \
         (r, c.get_errno())"
    );
    room.allows(&line);
}

#[test]
fn large_doors_of_the_kernel_are_shut() {
    let room = Room::new();
    for number in [
        libc::SYS_ptrace,
        libc::SYS_bpf,
        libc::SYS_mount,
        libc::SYS_unshare,
        libc::SYS_keyctl,
        libc::SYS_io_uring_setup,
        libc::SYS_perf_event_open,
        libc::SYS_userfaultfd,
        libc::SYS_process_vm_readv,
    ] {
        refused(&room, number, libc::EPERM);
    }
    refused(&room, libc::SYS_clone3, libc::ENOSYS);
}

#[test]
fn what_a_superuser_has_is_given_up() {
    let room = Room::new();
    // CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH are the second and third bit.
    let line = "import ctypes as c; l = c.CDLL(None); h = (c.c_uint * 2)(0x20080522, 0); \
                d = (c.c_uint * 6)(); l.capget(h, d); \
                assert (d[0] | d[1]) & ~6 == 0 and (d[3] | d[4]) == 0, list(d)";
    room.allows(line);
}

//! Which system calls a process may make, by a seccomp filter: a list of those that a decoder or a
//! recogniser has no use for and that reach beyond it. They fail, and the program goes on.
//!
//! A list of what is allowed would hold more and break with the next version of a library. What can
//! be done with files is Landlock's matter.
//!
//! **Invariant:** there is no way from here to another process, to a network, or out of the group of
//! processes that is killed as a whole.

use std::collections::BTreeMap;

use libc::c_long;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule,
};

/// Calls that always fail.
const REFUSED: &[c_long] = &[
    // Other machines and other programs. An io_uring makes sockets without calling for one.
    libc::SYS_socket,
    libc::SYS_socketpair,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_shmget,
    libc::SYS_semget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_kcmp,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_pidfd_send_signal,
    libc::SYS_tkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    // Out of the group, out of the room, into another's place.
    libc::SYS_setsid,
    libc::SYS_setpgid,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_chroot,
    libc::SYS_pivot_root,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_execveat,
    libc::SYS_setuid,
    libc::SYS_setgid,
    libc::SYS_setreuid,
    libc::SYS_setregid,
    libc::SYS_setresuid,
    libc::SYS_setresgid,
    libc::SYS_setgroups,
    // What Landlock does not hold: the outside of files.
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_fanotify_init,
    libc::SYS_quotactl,
    // Large doors of the kernel that few programs need.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_personality,
    libc::SYS_setrlimit,
    // The machine as a whole.
    libc::SYS_acct,
    libc::SYS_syslog,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_reboot,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_vhangup,
];

/// The same by names that only this architecture has.
#[cfg(target_arch = "x86_64")]
const OLD: &[c_long] = &[
    libc::SYS_fork,
    libc::SYS_vfork,
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
    libc::SYS_mknod,
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_modify_ldt,
    libc::SYS_kexec_file_load,
];
#[cfg(not(target_arch = "x86_64"))]
const OLD: &[c_long] = &[];

/// Second doors to the same calls. Where the kernel has the x32 interface, its numbers are these
/// with a bit set, and those of `ptrace` and of `process_vm_*` are 521, 539 and 540.
#[cfg(target_arch = "x86_64")]
fn doors(call: c_long) -> Vec<c_long> {
    const X32: c_long = 0x4000_0000;
    let own = match call {
        libc::SYS_ptrace => Some(521),
        libc::SYS_process_vm_readv => Some(539),
        libc::SYS_process_vm_writev => Some(540),
        _ => None,
    };
    [Some(call), Some(call | X32), own.map(|call| call | X32)].into_iter().flatten().collect()
}
#[cfg(not(target_arch = "x86_64"))]
fn doors(call: c_long) -> Vec<c_long> {
    vec![call]
}

/// The filters for this process and what it becomes. Fails on an architecture they are not known for.
pub(super) fn filters() -> Result<[BpfProgram; 2], BackendError> {
    let mut refused: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    for call in REFUSED.iter().chain(OLD).flat_map(|call| doors(*call)) {
        refused.insert(call, Vec::new());
    }
    for (call, rule) in conditional()? {
        for call in doors(call) {
            refused.insert(call, vec![rule.clone()]);
        }
    }
    // Its arguments cannot be seen. Told that there is none, every library takes `clone`.
    let absent = doors(libc::SYS_clone3).into_iter().map(|call| (call, Vec::new())).collect();
    Ok([filter(refused, libc::EPERM)?, filter(absent, libc::ENOSYS)?])
}

/// Calls that fail with certain arguments.
fn conditional() -> Result<Vec<(c_long, SeccompRule)>, BackendError> {
    let rule = |argument, length, how, value| {
        SeccompRule::new(vec![SeccompCondition::new(argument, length, how, value)?])
    };
    let thread = u64::from(libc::CLONE_THREAD.unsigned_abs());
    let ours = u64::from(std::process::id());
    let dword = || SeccompCmpArgLen::Dword;
    Ok(vec![
        // Threads, and no processes.
        (libc::SYS_clone, rule(0, dword(), SeccompCmpOp::MaskedEq(thread), 0)?),
        // It may end itself, as `abort` does; its id stays when it becomes another program.
        (libc::SYS_kill, rule(0, dword(), SeccompCmpOp::Ne, ours)?),
        (libc::SYS_tgkill, rule(0, dword(), SeccompCmpOp::Ne, ours)?),
        // Limits may be asked for and not set.
        (libc::SYS_prlimit64, rule(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0)?),
    ])
}

fn filter(calls: BTreeMap<i64, Vec<SeccompRule>>, error: i32) -> Result<BpfProgram, BackendError> {
    let fails = SeccompAction::Errno(error.unsigned_abs());
    let machine = std::env::consts::ARCH.try_into()?;
    SeccompFilter::new(calls, SeccompAction::Allow, fails, machine)?.try_into()
}

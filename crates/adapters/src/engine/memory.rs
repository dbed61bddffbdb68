//! How much memory a process started now could get: what the machine has to spare, and what the
//! control groups this process is in leave it (a container's limit, a unit's `MemoryMax`).
//!
//! It is asked before a model is loaded, because a process that is killed for want of memory says
//! nothing and is started again. It is an estimate: what is free now may be taken a second later.

use std::path::{Path, PathBuf};

/// Levels of control groups that are looked at.
const LEVELS: usize = 16;

/// Bytes that could be had; `None` where the system does not say.
pub fn free_bytes() -> Option<u64> {
    free_under(Path::new("/"))
}

fn free_under(root: &Path) -> Option<u64> {
    let read = |path: &Path| std::fs::read_to_string(path).ok();
    let machine = read(&root.join("proc/meminfo")).and_then(|text| available(&text));
    let groups = read(&root.join("proc/self/cgroup")).unwrap_or_default();
    let left = groups.lines().filter_map(|line| group(root, line)).flat_map(|group| {
        let levels: Vec<PathBuf> = group.ancestors().take(LEVELS).map(Path::to_owned).collect();
        levels.into_iter().filter_map(|level| left(&level))
    });
    machine.into_iter().chain(left).min()
}

/// `MemAvailable` of proc(5), which counts what the kernel could give up of its caches.
fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib.saturating_mul(1024))
}

/// The directory of a control group from its line of `/proc/self/cgroup`: `0::/path` for version 2,
/// `4:memory:/path` for version 1.
fn group(root: &Path, line: &str) -> Option<PathBuf> {
    let mut parts = line.splitn(3, ':');
    let (number, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
    let base = match controllers {
        "" if number == "0" => root.join("sys/fs/cgroup"),
        controllers if controllers.split(',').any(|name| name == "memory") => {
            root.join("sys/fs/cgroup/memory")
        }
        _ => return None,
    };
    Some(base.join(path.trim_start_matches('/')))
}

/// What a control group leaves of its limit; `None` if it has none. Pages of files are given up before
/// anybody is killed, and reading a large recording twice makes all of it count as in use.
fn left(group: &Path) -> Option<u64> {
    let number = |name: &str| -> Option<u64> {
        std::fs::read_to_string(group.join(name)).ok()?.trim().parse().ok()
    };
    let limit = number("memory.max").or_else(|| number("memory.limit_in_bytes"))?;
    let used = number("memory.current").or_else(|| number("memory.usage_in_bytes"))?;
    let stat = std::fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
    let pages = |name: &str| -> u64 {
        let bytes = stat.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        bytes.and_then(|bytes| bytes.trim().parse().ok()).unwrap_or(0)
    };
    // With all groups below it, where the first version counts those apart.
    let files = [["inactive_file", "active_file"], ["total_inactive_file", "total_active_file"]];
    let files = files.map(|names| names.map(pages).into_iter().fold(0, u64::saturating_add));
    let files = files.into_iter().max().unwrap_or(0);
    Some(limit.saturating_sub(used.saturating_sub(files)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(files: &[(&str, &str)]) -> Option<u64> {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = root.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        free_under(root.path())
    }

    const MEMINFO: (&str, &str) =
        ("proc/meminfo", "MemTotal:  9000 kB\nMemAvailable:    5000 kB\nSwapFree: 1 kB\n");

    #[test]
    fn the_machine_and_the_narrowest_group_decide() {
        let two = ("proc/self/cgroup", "0::/a.slice/b.service\n");
        let limit = ("sys/fs/cgroup/a.slice/memory.max", "3000000\n");
        let current = ("sys/fs/cgroup/a.slice/memory.current", "2000000\n");
        let stat = (
            "sys/fs/cgroup/a.slice/memory.stat",
            "anon 5\ninactive_file 300000\nactive_file 200000\n",
        );
        let none = ("sys/fs/cgroup/a.slice/b.service/memory.max", "max\n");
        assert_eq!(machine(&[MEMINFO]), Some(5_120_000));
        assert_eq!(machine(&[MEMINFO, two, none]), Some(5_120_000));
        assert_eq!(machine(&[MEMINFO, two, none, limit, current]), Some(1_000_000));
        assert_eq!(machine(&[MEMINFO, two, limit, current, stat]), Some(1_500_000));
        assert_eq!(machine(&[two, limit, current]), Some(1_000_000));
        assert_eq!(machine(&[]), None);
    }

    #[test]
    fn groups_of_the_first_version_are_understood() {
        let one = ("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/docker/1\n");
        let limit = ("sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes", "4000000\n");
        let used = ("sys/fs/cgroup/memory/docker/1/memory.usage_in_bytes", "3500000\n");
        assert_eq!(machine(&[MEMINFO, one, limit, used]), Some(500_000));
        let kept = "active_file 1\ntotal_inactive_file 300000\ntotal_active_file 200000\n";
        let stat = ("sys/fs/cgroup/memory/docker/1/memory.stat", kept);
        assert_eq!(machine(&[MEMINFO, one, limit, used, stat]), Some(1_000_000));
        let over = ("sys/fs/cgroup/memory/docker/1/memory.usage_in_bytes", "4500000\n");
        assert_eq!(machine(&[MEMINFO, one, limit, over]), Some(0));
    }

    #[test]
    fn this_machine_says_something() {
        assert!(free_bytes().is_some_and(|bytes| bytes > 0));
    }
}

//! What is free on the disk that a file or a directory is on, or will be on.

use std::path::Path;

/// What is free there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Free {
    /// For everybody, not for root alone.
    pub bytes: u64,
    /// Files and directories that can be made; `None` where the file system counts none.
    pub files: Option<u64>,
}

/// What is free where this is, or where its nearest ancestor is that is there already. `None` when
/// the system does not say.
pub fn free(place: &Path) -> Option<Free> {
    let there = place.ancestors().find(|dir| dir.exists()).unwrap_or(Path::new("."));
    let disk = rustix::fs::statvfs(there).ok()?;
    let bytes = disk.f_bavail.saturating_mul(disk.f_frsize);
    Some(Free { bytes, files: (disk.f_files > 0).then_some(disk.f_favail) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_yet_is_on_the_disk_of_what_is() {
        let dir = tempfile::tempdir().unwrap();
        let deep = free(&dir.path().join("not/yet/there")).expect("the system says");
        let stat = rustix::fs::statvfs(dir.path()).unwrap();
        let all = stat.f_blocks.saturating_mul(stat.f_frsize);
        assert!(deep.bytes > 0 && deep.bytes <= all, "{deep:?} of {all}");
    }
}

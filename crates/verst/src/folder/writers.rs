//! Which files other programs have open for writing, as far as the system tells: on Linux, of the
//! programs that run under the same account, or of all for root. Elsewhere nothing is known.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The lowest two bits of a file's flags say how it was opened; 0 is for reading alone.
const ACCESS: u32 = 0b11;

/// Device and inode of each such file.
pub(super) fn open_for_writing() -> BTreeSet<(u64, u64)> {
    let mut found = BTreeSet::new();
    for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let dir = process.path();
        let Ok(descriptors) = fs::read_dir(dir.join("fd")) else { continue };
        for descriptor in descriptors.flatten() {
            let Ok(meta) = fs::metadata(descriptor.path()) else { continue };
            if meta.is_file() && writes(&dir.join("fdinfo").join(descriptor.file_name())) {
                found.insert((meta.dev(), meta.ino()));
            }
        }
    }
    found
}

/// Reads `flags: 0100001`, in octal: proc_pid_fdinfo(5).
fn writes(info: &Path) -> bool {
    let text = fs::read_to_string(info).unwrap_or_default();
    let flags = text.lines().find_map(|line| line.strip_prefix("flags:"));
    let flags = flags.and_then(|flags| u32::from_str_radix(flags.trim(), 8).ok());
    flags.is_some_and(|flags| flags & ACCESS != 0)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_written_to_is_known() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        let id = |file: &fs::File| file.metadata().map(|meta| (meta.dev(), meta.ino())).unwrap();
        let writer = fs::File::create(&path).unwrap();
        assert!(open_for_writing().contains(&id(&writer)));
        drop(writer);
        let reader = fs::File::open(&path).unwrap();
        assert!(!open_for_writing().contains(&id(&reader)));
    }
}

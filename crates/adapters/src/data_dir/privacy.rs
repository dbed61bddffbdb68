//! Recordings are private. A directory that we made lets nobody else in; in one that was there
//! and lets others in, each thing that holds what was said keeps them out by itself.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Name of the SQLite file; its companions have names that begin so.
pub(super) const DATABASE: &str = "verst.sqlite";

/// The permissions of everybody but the owner.
const OTHERS: u32 = 0o077;

/// Closes what is open to others. The directory itself is left as it is: others may have a reason
/// to enter it, such as settings beside.
pub(super) fn restrict(root: &Path) -> io::Result<()> {
    for part in ["objects", "scratch"] {
        owner_only(&root.join(part), 0o700)?;
    }
    if fs::metadata(root)?.permissions().mode() & OTHERS == 0 {
        return Ok(());
    }
    for entry in fs::read_dir(root)? {
        let entry = entry?;
        let ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(DATABASE));
        if ours && entry.file_type()?.is_file() {
            owner_only(&entry.path(), 0o600)?;
        }
    }
    Ok(())
}

fn owner_only(path: &Path, mode: u32) -> io::Result<()> {
    if fs::metadata(path)?.permissions().mode() & OTHERS == 0 {
        return Ok(());
    }
    match fs::set_permissions(path, Permissions::from_mode(mode)) {
        // Another account's, by the choice of whoever runs this machine: it can be used all the same.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            tracing::warn!(path = %path.display(), "open to other accounts, and not ours to close");
            Ok(())
        }
        other => other,
    }
}

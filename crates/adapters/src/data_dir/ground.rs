//! Whose a directory is, from what lies in it. Only [`found`] writes.

use std::fs::{self, DirEntry, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;

use verst_kernel::Instance;

/// The file that carries the lock.
pub(super) const LOCK: &str = "lock";
/// The file that visitors share.
pub(super) const VISITORS: &str = "visitors";
/// The file that makes a directory an installation.
const INSTANCE: &str = "instance";
/// That file before it is whole.
const INSTANCE_PART: &str = "instance.part";
/// More than any small file of ours holds.
const SMALL_BYTES: u64 = 256;

/// What a directory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ground {
    /// An installation.
    Installation,
    /// As good as empty: an installation may be made here.
    Vacant,
    /// Somebody else's.
    Foreign,
}

/// Looks around.
pub(super) fn survey(root: &Path) -> io::Result<Ground> {
    if instance(root)?.is_some() {
        return Ok(Ground::Installation);
    }
    for entry in fs::read_dir(root)? {
        if !harmless(&entry?) {
            // Another process may have made its installation while we looked.
            let made = instance(root)?.is_some();
            return Ok(if made { Ground::Installation } else { Ground::Foreign });
        }
    }
    Ok(Ground::Vacant)
}

/// The installation's id; `None` where no installation is.
pub(super) fn instance(root: &Path) -> io::Result<Option<Instance>> {
    let id = small(&root.join(INSTANCE))?.unwrap_or_default();
    let id = id.trim();
    Ok((!id.is_empty()).then(|| Instance(id.to_owned())))
}

/// Makes an installation's id that survives a loss of power.
pub(super) fn found(root: &Path) -> io::Result<Instance> {
    let id = format!("{:032x}", fastrand::u128(..));
    let making = root.join(INSTANCE_PART);
    let mut file = File::create(&making)?;
    writeln!(file, "{id}")?;
    file.sync_all()?;
    fs::rename(making, root.join(INSTANCE))?;
    // Without its name the file is lost, and with it the directory is nobody's.
    File::open(root)?.sync_all()?;
    Ok(Instance(id))
}

/// Whether something may lie where an installation is made: settings, what a creation left that
/// was interrupted, and what every new file system of its own has.
fn harmless(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    let content = || small(&entry.path()).ok().flatten();
    let all = |text: &str, of: fn(&u8) -> bool| text.trim().as_bytes().iter().all(of);
    match name.to_str() {
        Some("verst.toml" | "lost+found") => true,
        Some(LOCK) => content().is_some_and(|text| all(&text, u8::is_ascii_digit)),
        Some(INSTANCE_PART) => content().is_some_and(|text| all(&text, u8::is_ascii_hexdigit)),
        _ => false,
    }
}

/// The text of a small file; `None` if it is not there or something else.
fn small(path: &Path) -> io::Result<Option<String>> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() && metadata.len() < SMALL_BYTES => {}
        Ok(_) => return Ok(None),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    }
    let mut text = String::new();
    match File::open(path)?.take(SMALL_BYTES).read_to_string(&mut text) {
        Ok(_) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::InvalidData => Ok(None),
        Err(error) => Err(error),
    }
}

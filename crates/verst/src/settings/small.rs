//! Reading the files that settings and secrets lie in. They are small; whatever else a path leads to,
//! such as a device that never ends, is refused before it fills the memory.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// Far more than all keys with long comments take.
pub(super) const LARGEST_BYTES: u64 = 1 << 20;

/// The text of a small file.
pub(super) fn read(path: &Path) -> Result<String> {
    let mut text = String::new();
    // One byte more tells a file that is too large from one that just fits.
    File::open(path)?.take(LARGEST_BYTES + 1).read_to_string(&mut text)?;
    if u64::try_from(text.len()).unwrap_or(u64::MAX) > LARGEST_BYTES {
        let limit = LARGEST_BYTES >> 10;
        return Err(Error::new(ErrorKind::FileTooLarge, format!("larger than {limit} KiB")));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_small_file_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("verst.toml");
        let largest = usize::try_from(LARGEST_BYTES).unwrap();
        for (size, fits) in [(0, true), (largest, true), (largest + 1, false)] {
            std::fs::write(&file, "#".repeat(size)).unwrap();
            assert_eq!(read(&file).is_ok(), fits, "{size}");
        }
        let endless = read(Path::new("/dev/zero")).unwrap_err();
        assert_eq!(endless.kind(), ErrorKind::FileTooLarge);
        assert_eq!(read(&dir.path().join("none")).unwrap_err().kind(), ErrorKind::NotFound);
    }
}

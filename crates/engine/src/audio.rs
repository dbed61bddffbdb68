//! Reading normalised audio: headerless signed 16-bit little-endian samples, 16 kHz, one channel.
//!
//! It is read in bounded stretches and never whole: twelve hours are 1.4 GB. A half sample at the
//! end of a file that broke off is ignored. Sixteen bits hold no infinity and no not-a-number, and
//! every value is scaled into [-1, 1), which the native library does not check itself.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use crate::trouble::Trouble;

/// Samples in a millisecond.
pub(crate) const SAMPLES_PER_MS: u64 = 16;

const SAMPLE_BYTES: u64 = 2;

/// An open recording.
#[derive(Debug)]
pub(crate) struct Pcm {
    file: File,
    samples: u64,
}

impl Pcm {
    /// Opens a recording.
    pub(crate) fn open(path: &Path) -> Result<Self, Trouble> {
        let file = File::open(path).map_err(|_| Trouble::AUDIO_UNREADABLE)?;
        let metadata = file.metadata().map_err(|_| Trouble::AUDIO_UNREADABLE)?;
        if !metadata.is_file() {
            return Err(Trouble::AUDIO_UNREADABLE);
        }
        Ok(Self { file, samples: metadata.len() / SAMPLE_BYTES })
    }

    /// Length in samples.
    pub(crate) fn samples(&self) -> u64 {
        self.samples
    }

    /// Length in whole milliseconds.
    pub(crate) fn duration_ms(&self) -> u64 {
        self.samples / SAMPLES_PER_MS
    }

    /// Appends `[start, start + count)` to `out`, as much of it as the recording has.
    pub(crate) fn read(
        &mut self,
        start: u64,
        count: u64,
        out: &mut Vec<f32>,
    ) -> Result<(), Trouble> {
        let count = count.min(self.samples.saturating_sub(start));
        let bytes = usize::try_from(count * SAMPLE_BYTES).map_err(|_| Trouble::BAD_REQUEST)?;
        let mut buffer = vec![0; bytes];
        self.file
            .seek(SeekFrom::Start(start.saturating_mul(SAMPLE_BYTES)))
            .and_then(|_| self.file.read_exact(&mut buffer))
            .map_err(|_| Trouble::AUDIO_UNREADABLE)?;
        let samples = buffer.chunks_exact(2).map(|b| i16::from_le_bytes([b[0], b[1]]));
        out.extend(samples.map(|s| f32::from(s) / 32_768.0));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recording(bytes: &[u8]) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        file
    }

    #[test]
    fn stretches_are_scaled_and_cut_at_the_end() {
        let bytes = [0, 0, 0, 0x40, 0, 0x80, 0xff];
        let file = recording(&bytes);
        let mut pcm = Pcm::open(file.path()).unwrap();
        assert_eq!(pcm.samples(), 3, "the half sample at the end does not count");
        for (start, count, expected) in [
            (0, 3, vec![0.0, 0.5, -1.0]),
            (1, 1, vec![0.5]),
            (2, 100, vec![-1.0]),
            (3, 1, vec![]),
            (900, 5, vec![]),
        ] {
            let mut out = Vec::new();
            pcm.read(start, count, &mut out).unwrap();
            assert_eq!(out, expected, "{start} {count}");
        }
    }

    #[test]
    fn an_empty_file_has_no_samples_and_a_missing_one_is_an_error() {
        let file = recording(&[]);
        assert_eq!(Pcm::open(file.path()).unwrap().duration_ms(), 0);
        assert_eq!(Pcm::open(Path::new("/nowhere")).unwrap_err(), Trouble::AUDIO_UNREADABLE);
        assert_eq!(Pcm::open(Path::new("/tmp")).unwrap_err(), Trouble::AUDIO_UNREADABLE);
    }
}

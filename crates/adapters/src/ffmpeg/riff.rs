//! How long a WAV says it is. FFmpeg shortens the answer to what the file holds, so a file that
//! breaks off is only found by reading the header ourselves. Nothing but the header is read.
//!
//! Source: "Multimedia Programming Interface and Data Specifications 1.0" (RIFF), EBU Tech 3306 (RF64).
//!
//! **Invariant:** a size that a writer left open (a placeholder) is no statement about duration.

use std::time::Duration;

/// The duration by the header of a PCM WAV or RF64; `None` when it is none, or says nothing.
pub(super) fn declared_duration(head: &[u8]) -> Option<Duration> {
    let data = data(head)?;
    duration(data.bytes?, data.rate)
}

/// Whether a plain WAV holds so much more than its header can say that the size in it has wrapped.
/// FFmpeg would believe it and stop early.
pub(super) fn wrapped(head: &[u8], size_bytes: u64) -> bool {
    const WRAP: u64 = 1 << 32;
    // What may stand before and after the samples.
    const AROUND: u64 = 1 << 16;
    let stated = data(head).and_then(|data| data.bytes);
    head.starts_with(b"RIFF")
        && stated.is_some_and(|s| size_bytes.saturating_add(AROUND) >= s + WRAP)
}

/// What a header says about its data chunk.
struct Data {
    /// Size in bytes, unless left open.
    bytes: Option<u64>,
    /// Bytes per second.
    rate: u32,
}

fn data(head: &[u8]) -> Option<Data> {
    let long = head.starts_with(b"RF64");
    if !(long || head.starts_with(b"RIFF")) || head.get(8..12)? != b"WAVE" {
        return None;
    }
    let (mut at, mut rate, mut long_bytes) = (12, None, None);
    loop {
        let name = head.get(at..at + 4)?;
        let size = u32_at(head, at + 4)?;
        let body = at + 8;
        match name {
            b"fmt " => rate = Some(byte_rate(head.get(body..)?)?),
            b"ds64" => long_bytes = u64_at(head, body + 8),
            b"data" => {
                let bytes = if long && size == u32::MAX { long_bytes } else { stated(size) };
                return Some(Data { bytes, rate: rate? });
            }
            _ => {}
        }
        // Chunks are padded to an even size.
        at = body
            .checked_add(usize::try_from(size).ok()?)?
            .checked_add(usize::from(size % 2 == 1))?;
    }
}

/// Bytes per second, of uncompressed kinds only: of the others it is an average.
fn byte_rate(fmt: &[u8]) -> Option<u32> {
    const PCM: u16 = 1;
    const FLOAT: u16 = 3;
    const A_LAW: u16 = 6;
    const MU_LAW: u16 = 7;
    const EXTENSIBLE: u16 = 0xfffe;
    let kind = u16::from_le_bytes(fmt.get(..2)?.try_into().ok()?);
    matches!(kind, PCM | FLOAT | A_LAW | MU_LAW | EXTENSIBLE).then(|| u32_at(fmt, 8)).flatten()
}

/// Writers that cannot seek back leave the highest value, or the highest signed one less a bit.
fn stated(size: u32) -> Option<u64> {
    (!matches!(size, 0 | 0x7fff_f000..=0x7fff_ffff | 0xffff_f000..=0xffff_ffff))
        .then_some(u64::from(size))
}

fn duration(bytes: u64, rate: u32) -> Option<Duration> {
    #[expect(clippy::cast_precision_loss, reason = "a millisecond is exact enough")]
    let seconds = bytes as f64 / f64::from(rate);
    Duration::try_from_secs_f64(seconds).ok()
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wav(form: &[u8], ds64: Option<u64>, kind: u16, data: u32) -> Vec<u8> {
        let mut head = Vec::new();
        head.extend_from_slice(form);
        head.extend_from_slice(&[0; 4]);
        head.extend_from_slice(b"WAVE");
        if let Some(bytes) = ds64 {
            head.extend_from_slice(b"ds64\x1c\0\0\0");
            head.extend_from_slice(&[0; 8]);
            head.extend_from_slice(&bytes.to_le_bytes());
            head.extend_from_slice(&[0; 12]);
        }
        head.extend_from_slice(b"LIST\x03\0\0\0abc\0fmt \x10\0\0\0");
        head.extend_from_slice(&kind.to_le_bytes());
        head.extend_from_slice(&[1, 0, 0x80, 0x3e, 0, 0]);
        head.extend_from_slice(&32_000u32.to_le_bytes());
        head.extend_from_slice(&[2, 0, 16, 0]);
        head.extend_from_slice(b"data");
        head.extend_from_slice(&data.to_le_bytes());
        head
    }

    #[test]
    fn the_declared_duration_is_read() {
        let five = Some(Duration::from_secs(5));
        let day = Some(Duration::from_hours(72));
        let cases = [
            (wav(b"RIFF", None, 1, 160_000), five),
            (wav(b"RIFF", None, 3, 160_000), five),
            (wav(b"RF64", Some(32_000 * 86_400 * 3), 1, u32::MAX), day),
            // MP3 in WAV: the rate is an average.
            (wav(b"RIFF", None, 0x55, 160_000), None),
            // Placeholders of FFmpeg and SoX writing into a pipe, and of a recorder that was cut.
            (wav(b"RIFF", None, 1, u32::MAX), None),
            (wav(b"RIFF", None, 1, 0x7fff_f000), None),
            (wav(b"RIFF", None, 1, 0), None),
            (wav(b"OggS", None, 1, 160_000), None),
        ];
        for (head, expected) in cases {
            assert_eq!(declared_duration(&head), expected, "{}", head.escape_ascii());
        }
    }

    #[test]
    fn a_wrapped_size_is_told_from_junk_at_the_end() {
        let gigabytes = |n: u64| n << 30;
        let head = wav(b"RIFF", None, 1, 160_000);
        assert!(wrapped(&head, gigabytes(4) + 160_044));
        assert!(wrapped(&head, gigabytes(8) + 160_044));
        assert!(!wrapped(&head, gigabytes(3)));
        assert!(!wrapped(&wav(b"RIFF", None, 1, 0xefff_fff0), gigabytes(4)));
        assert!(!wrapped(&wav(b"RIFF", None, 1, u32::MAX), gigabytes(8)));
        assert!(!wrapped(&wav(b"RF64", Some(gigabytes(8)), 1, u32::MAX), gigabytes(8)));
    }

    proptest::proptest! {
        /// Each chunk is at least its own name and size long, so that looking ends.
        #[test]
        fn any_header_is_read_to_an_end(
            begins in 0..3_usize,
            chunks in proptest::collection::vec((0..5_usize, proptest::num::u32::ANY), 0..500),
            rest in proptest::collection::vec(proptest::num::u8::ANY, 0..100),
            size_bytes in proptest::num::u64::ANY,
        ) {
            let mut head = [b"RIFF", b"RF64", b"RIFX"][begins].to_vec();
            head.extend_from_slice(b"\0\0\0\0WAVE");
            for (name, size) in chunks {
                head.extend_from_slice([b"fmt ", b"ds64", b"data", b"LIST", b"\0\0\0\0"][name]);
                // Small sizes lead on to the next chunk, and large ones out of the file.
                let size = if size % 2 == 0 { size % 64 } else { size };
                head.extend_from_slice(&size.to_le_bytes());
                head.extend_from_slice(&rest);
            }
            declared_duration(&head);
            wrapped(&head, size_bytes);
        }
    }

    #[test]
    fn a_header_that_breaks_off_says_nothing() {
        let head = wav(b"RIFF", None, 1, 160_000);
        for length in 0..head.len() {
            assert_eq!(declared_duration(&head[..length]), None, "{length}");
        }
    }
}

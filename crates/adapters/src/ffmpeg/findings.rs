//! What FFmpeg and ffprobe said on their standard error, as facts. The text itself is forgotten:
//! it holds paths and strings from the file, and has no place in a failure.
//!
//! Messages about an error number are looked for at the end of a line only, because the line begins
//! with a path. Wordings are those of FFmpeg 4.4 to 7.1.
//!
//! **Invariant:** reading a line costs constant memory.

use super::heard::Heard;
use super::silences::Silences;

/// Facts from one run.
#[derive(Clone, Debug, Default)]
pub(super) struct Findings {
    /// Levels that were measured.
    pub(super) heard: Heard,
    /// Where it was quiet.
    pub(super) silences: Silences,
    /// Facts that were seen at least once.
    seen: u16,
    /// Packets that could not be decoded.
    pub(super) lost_packets: u64,
}

/// One fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub(super) enum Fact {
    /// The disk is full.
    DiskFull = 1,
    /// Memory could not be had, or a shared library not be mapped.
    NoMemory = 1 << 1,
    /// The file is of a kind, or refers to a protocol, that is not on the whitelist.
    NotWhitelisted = 1 << 2,
    /// An MP4 without its index.
    NoIndex = 1 << 3,
    /// The content is encrypted.
    Encrypted = 1 << 4,
    /// This FFmpeg has no decoder for it.
    NoDecoder = 1 << 5,
    /// The duration in the probe is a guess from the bit rate.
    Estimated = 1 << 6,
    /// A signal asked FFmpeg to end and it obeyed.
    Asked = 1 << 7,
    /// The input was read and makes no sense.
    BadInput = 1 << 8,
    /// The input could not be read.
    Unreadable = 1 << 9,
}

/// Texts and what they mean. The flag says whether a text has to stand at the end of the line.
const TEXTS: [(&str, bool, Fact); 19] = [
    (": No space left on device", true, Fact::DiskFull),
    (": Disk quota exceeded", true, Fact::DiskFull),
    ("Cannot allocate memory", true, Fact::NoMemory),
    ("error while loading shared libraries", false, Fact::NoMemory),
    ("Format not on whitelist", false, Fact::NotWhitelisted),
    ("not on whitelist", false, Fact::NotWhitelisted),
    ("moov atom not found", true, Fact::NoIndex),
    ("DRM protected stream", false, Fact::Encrypted),
    ("Unsupported codec with id", false, Fact::NoDecoder),
    ("not found for input stream", false, Fact::NoDecoder),
    ("no decoder found for", false, Fact::NoDecoder),
    ("Decoder not found", true, Fact::NoDecoder),
    ("Estimating duration from bitrate", false, Fact::Estimated),
    ("Exiting normally, received signal", false, Fact::Asked),
    (": Invalid data found when processing input", true, Fact::BadInput),
    (": Invalid argument", true, Fact::BadInput),
    (": End of file", true, Fact::BadInput),
    (": Permission denied", true, Fact::Unreadable),
    (": Input/output error", true, Fact::Unreadable),
];

/// Texts of FFmpeg itself (not of a decoder that conceals) about a packet that gave no sound.
const LOST: [&str; 4] = [
    "Error while decoding stream #",
    "Error submitting packet to decoder",
    "Decoding error:",
    "corrupt decoded frame in stream",
];

impl Findings {
    /// Reads one line of standard error, printed with `-v repeat+level+...`.
    pub(super) fn read(&mut self, line: &[u8]) {
        let line = String::from_utf8_lossy(line);
        let line = line.trim_end();
        self.heard.read(line);
        self.silences.read(line);
        for (text, at_end, fact) in TEXTS {
            if if at_end { line.ends_with(text) } else { line.contains(text) } {
                self.seen |= fact as u16;
            }
        }
        if LOST.iter().any(|text| line.contains(text)) {
            self.lost_packets += 1;
        }
    }

    /// Whether a fact was seen.
    pub(super) fn saw(&self, fact: Fact) -> bool {
        self.seen & fact as u16 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Findings {
        let mut findings = Findings::default();
        findings.read(line.as_bytes());
        findings
    }

    #[test]
    fn each_wording_gives_its_fact() {
        let cases = [
            ("[error] av_interleaved_write_frame(): No space left on device", Fact::DiskFull),
            ("[error] Error closing file file:/dev/full: No space left on device", Fact::DiskFull),
            ("[hls @ 0x5] [error] Format not on whitelist 'mov,mp3'", Fact::NotWhitelisted),
            ("[mov,mp4,m4a,3gp,3g2,mj2 @ 0x5] [error] moov atom not found", Fact::NoIndex),
            (
                "[aac @ 0x5] [warning] Estimating duration from bitrate, this may be",
                Fact::Estimated,
            ),
            ("[error] file:/a/b: Invalid data found when processing input", Fact::BadInput),
            ("[error] file:/a/b: End of file", Fact::BadInput),
            ("[info] Exiting normally, received signal 15.", Fact::Asked),
            ("[error] Error while decoding stream #0:0: Cannot allocate memory", Fact::NoMemory),
            (
                "ffmpeg: error while loading shared libraries: libavcodec.so.59: failed to map",
                Fact::NoMemory,
            ),
            ("[fatal] Decoder (codec ac4) not found for input stream #0:1", Fact::NoDecoder),
            ("[asf @ 0x5] [warning] DRM protected stream detected, decoding", Fact::Encrypted),
        ];
        for (line, fact) in cases {
            assert!(read(line).saw(fact), "{line}");
        }
    }

    #[test]
    fn a_path_cannot_pretend_to_be_a_message() {
        let findings = read("[error] file:/x/: No space left on device/y: Invalid argument");
        assert!(!findings.saw(Fact::DiskFull) && findings.saw(Fact::BadInput));
    }

    #[test]
    fn lost_packets_are_counted_in_every_version() {
        let mut findings = Findings::default();
        for line in [
            "[error] Error while decoding stream #0:0: Invalid data found when processing input",
            "[aist#0:0/aac @ 0x5] [error] Error submitting packet to decoder: Invalid data found",
            "[aist#0:0/aac @ 0x5] [dec:aac @ 0x6] [error] Decoding error: Invalid data found",
            "[warning] Last message repeated 3 times",
            "[mp3float @ 0x5] [error] Header missing",
        ] {
            findings.read(line.as_bytes());
        }
        assert_eq!(findings.lost_packets, 3);
    }
}

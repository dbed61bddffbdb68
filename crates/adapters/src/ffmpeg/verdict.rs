//! From an end of a child to what it means for the recording: a verdict about the file, or trouble
//! of ours that may pass. Pure, and the only place that makes this module's failures.
//!
//! **Invariant:** a file is only condemned for a reason that was seen. An end without a known reason
//! is `ffmpeg_failed` and may be tried again.

use std::time::Duration;

use verst_kernel::Failure;
use verst_recordings::codes;
use verst_recordings::ports::{MediaError, Warning};

use super::findings::{Fact, Findings};
use super::probe::Probe;

/// Fewer lost packets than this at the edges of a file (junk before the first frame, a last frame
/// that breaks off) are not worth a warning: one is some 20 to 100 ms.
const NOTABLE_PACKETS: u64 = 3;

/// A verdict.
pub(super) fn unusable(code: &'static str) -> MediaError {
    MediaError::Unusable(Failure::new(code))
}

/// Trouble.
pub(super) fn failed(code: &'static str) -> MediaError {
    MediaError::Failed(Failure::new(code))
}

/// An end that explains nothing.
pub(super) fn ended(status: i32) -> Failure {
    Failure::new(codes::FFMPEG_FAILED).int("status", i64::from(status))
}

/// An end by a signal.
pub(super) fn killed(signal: i32) -> Failure {
    Failure::new(codes::FFMPEG_FAILED).term("signal", signal_name(signal))
}

/// The recording is too long.
pub(super) fn too_long(longest: Duration) -> MediaError {
    let limit_s = i64::try_from(longest.as_secs()).unwrap_or(i64::MAX);
    MediaError::Unusable(Failure::new(codes::TOO_LONG).int("limit_s", limit_s))
}

/// Trouble of ours that makes any result worthless, whatever the exit status. FFmpeg ends with 0
/// when the disk fills up at the very end, or when a decoder lacked memory for single packets.
pub(super) fn trouble(status: i32, findings: &Findings) -> Option<MediaError> {
    if findings.saw(Fact::DiskFull) {
        return Some(failed(codes::DISK_FULL));
    }
    let ours = findings.saw(Fact::NoMemory) || findings.saw(Fact::Asked);
    ours.then(|| MediaError::Failed(ended(status)))
}

/// Why a file could not be opened or decoded, after an exit status that is not 0.
pub(super) fn of_input(status: i32, findings: &Findings, begins_as_media: bool) -> MediaError {
    if let Some(trouble) = trouble(status, findings) {
        return trouble;
    }
    if findings.saw(Fact::Unreadable) {
        return failed(codes::OBJECTS_FAILED);
    }
    let unsupported = [Fact::NotWhitelisted, Fact::NoDecoder, Fact::Encrypted];
    if unsupported.into_iter().any(|fact| findings.saw(fact)) {
        return unusable(codes::UNSUPPORTED_FORMAT);
    }
    if findings.saw(Fact::NoIndex) || (findings.saw(Fact::BadInput) && begins_as_media) {
        return unusable(codes::DAMAGED_FILE);
    }
    if findings.saw(Fact::BadInput) {
        return unusable(codes::UNSUPPORTED_FORMAT);
    }
    MediaError::Failed(ended(status))
}

/// Why a file that was probed well cannot be used; `None` when it can.
pub(super) fn of_probe(probe: &Probe, findings: &Findings) -> Option<MediaError> {
    if probe.tracks.iter().any(|track| track.usable) {
        return None;
    }
    let unknown = !probe.known_codec || findings.saw(Fact::NoDecoder);
    Some(unusable(if probe.tracks.is_empty() {
        codes::NO_AUDIO_TRACK
    } else if unknown || findings.saw(Fact::Encrypted) {
        codes::UNSUPPORTED_FORMAT
    } else {
        codes::DAMAGED_FILE
    }))
}

/// Why decoding gave no sound although it ended well. `promised` says that a header states a
/// duration: then something is missing.
pub(super) fn of_nothing(findings: &Findings, promised: bool) -> MediaError {
    unusable(if findings.saw(Fact::Encrypted) {
        codes::UNSUPPORTED_FORMAT
    } else if findings.lost_packets > 0 || promised {
        codes::DAMAGED_FILE
    } else {
        codes::NO_SAMPLES
    })
}

/// What to tell about a recording that could be decoded.
pub(super) fn warnings(
    track: (usize, usize),
    stated: Option<Duration>,
    decoded: Duration,
    lost_packets: u64,
) -> Vec<Warning> {
    let short = stated.is_some_and(|stated| {
        let missing = stated.saturating_sub(decoded);
        missing > Duration::from_secs(1) && missing > stated.mul_f64(0.02)
    });
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let (index, of) = track;
    let chosen = Warning::TrackChosen { track: number(index + 1), of: number(of) };
    [
        (of > 1).then_some(chosen),
        short.then_some(Warning::CutOff),
        (lost_packets >= NOTABLE_PACKETS).then_some(Warning::DamagedParts),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Names of Linux's signals that end a process by themselves.
fn signal_name(signal: i32) -> String {
    let name = match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        15 => "SIGTERM",
        24 => "SIGXCPU",
        25 => "SIGXFSZ",
        31 => "SIGSYS",
        other => return format!("SIG{other}"),
    };
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(lines: &[&str]) -> Findings {
        let mut findings = Findings::default();
        for line in lines {
            findings.read(line.as_bytes());
        }
        findings
    }

    /// Lines as FFmpeg 5.1 printed them.
    #[test]
    fn an_end_that_is_not_0_is_classified() {
        const BAD: &str = "[error] file:/o: Invalid data found when processing input";
        let cases: [(i32, &[&str], bool, MediaError); 10] = [
            (1, &["[mov @ 0x1] [error] moov atom not found", BAD], true, unusable("damaged_file")),
            (1, &[BAD], true, unusable("damaged_file")),
            (1, &[BAD], false, unusable("unsupported_format")),
            (
                1,
                &[
                    "[hls @ 0x1] [error] Format not on whitelist 'mov,mp3'",
                    "[error] file:/o: Invalid argument",
                ],
                true,
                unusable("unsupported_format"),
            ),
            (1, &["[error] file:/o: End of file"], true, unusable("damaged_file")),
            (1, &["[error] file:/o: Permission denied"], true, failed("objects_failed")),
            (
                1,
                &["[error] file:/o: Cannot allocate memory", BAD],
                true,
                MediaError::Failed(ended(1)),
            ),
            (
                127,
                &["ffmpeg: error while loading shared libraries: libx.so: failed to map"],
                true,
                MediaError::Failed(ended(127)),
            ),
            (
                255,
                &[BAD, "[info] Exiting normally, received signal 15."],
                true,
                MediaError::Failed(ended(255)),
            ),
            (1, &["[fatal] Unknown encoder 'libopus'"], true, MediaError::Failed(ended(1))),
        ];
        for (status, lines, media, expected) in cases {
            assert_eq!(of_input(status, &findings(lines), media), expected, "{lines:?}");
        }
    }

    #[test]
    fn a_full_disk_is_seen_even_after_a_good_end() {
        let full = findings(&["[error] Error closing file file:/o.part: No space left on device"]);
        assert_eq!(trouble(0, &full), Some(failed("disk_full")));
        assert_eq!(trouble(0, &findings(&["[info] video:0kB audio:520kB"])), None);
    }

    #[test]
    fn no_sound_at_all_has_its_reasons() {
        let lost = findings(&["[error] Error while decoding stream #0:0: Invalid data found"]);
        let none = findings(&[]);
        assert_eq!(of_nothing(&lost, false), unusable("damaged_file"));
        assert_eq!(of_nothing(&none, true), unusable("damaged_file"));
        assert_eq!(of_nothing(&none, false), unusable("no_samples"));
    }

    #[test]
    fn warnings_need_a_notable_difference() {
        let s = Duration::from_secs_f64;
        let check = |stated: Option<f64>, decoded: f64, lost, expected: &[Warning]| {
            assert_eq!(warnings((0, 1), stated.map(s), s(decoded), lost), expected);
        };
        check(None, 5.0, 2, &[]);
        check(Some(10.0), 9.1, 0, &[]);
        check(Some(10.0), 8.9, 0, &[Warning::CutOff]);
        check(Some(1000.0), 981.0, 0, &[]);
        check(Some(1000.0), 979.0, 3, &[Warning::CutOff, Warning::DamagedParts]);
        check(Some(5.0), 60.0, 0, &[]);
        let chosen = warnings((1, 3), None, s(1.0), 0);
        assert_eq!(chosen, [Warning::TrackChosen { track: 2, of: 3 }]);
    }

    #[test]
    fn signals_have_names() {
        assert_eq!(killed(9).to_string(), "ffmpeg_failed signal=SIGKILL");
        assert_eq!(killed(35).to_string(), "ffmpeg_failed signal=SIG35");
    }
}

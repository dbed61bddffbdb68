//! Every failure code of this line. `words` has a sentence for each, in every language.

use verst_kernel::Failure;

/// The file has no bytes.
pub const EMPTY_FILE: &str = "empty_file";
/// There is a picture or nothing, but no sound.
pub const NO_AUDIO_TRACK: &str = "no_audio_track";
/// The file breaks off or its structure is broken (an M4A without its index).
pub const DAMAGED_FILE: &str = "damaged_file";
/// Not media, or a kind that is not taken (playlists never are).
pub const UNSUPPORTED_FORMAT: &str = "unsupported_format";
/// Decoding succeeded and gave no sound at all.
pub const NO_SAMPLES: &str = "no_samples";
/// Longer than `limit_s` seconds.
pub const TOO_LONG: &str = "too_long";
/// Larger than `limit_bytes`.
pub const TOO_LARGE: &str = "too_large";
/// The file was still being written while it was taken in.
pub const FILE_CHANGING: &str = "file_changing";
/// Decoding made no progress for `seconds`.
pub const NO_PROGRESS: &str = "no_progress";
/// FFmpeg ended with `status`, or by `signal`, without an explanation known to us.
pub const FFMPEG_FAILED: &str = "ffmpeg_failed";
/// FFmpeg is not installed or cannot be started.
pub const FFMPEG_MISSING: &str = "ffmpeg_missing";
/// The disk is full.
pub const DISK_FULL: &str = Failure::DISK_FULL;
/// An object that the row names is not there.
pub const AUDIO_MISSING: &str = "audio_missing";
/// The store of all objects refuses or cannot be reached.
pub const OBJECTS_UNREACHABLE: &str = "objects_unreachable";
/// Objects could not be read or written.
pub const OBJECTS_FAILED: &str = "objects_failed";
/// The database could not be used.
pub const STORE_FAILED: &str = Failure::STORE_FAILED;
/// The run was ended from outside before it had a result.
pub const INTERRUPTED: &str = "interrupted";
/// The engine's process ended: `signal` or `status`.
pub const ENGINE_DIED: &str = "engine_died";
/// The engine's process ended by an illegal instruction: it was built for another processor.
pub const ENGINE_ILLEGAL_INSTRUCTION: &str = "engine_illegal_instruction";
/// The engine's process was killed, most likely for want of memory.
pub const ENGINE_KILLED: &str = "engine_killed";
/// The engine's process could not be started.
pub const ENGINE_UNAVAILABLE: &str = "engine_unavailable";
/// The engine did not answer for `seconds`.
pub const ENGINE_SILENT: &str = "engine_silent";
/// The engine could not work through this audio.
pub const ENGINE_FAILED: &str = "engine_failed";
/// A model's file is not there.
pub const MODEL_MISSING: &str = "model_missing";
/// A model's file is not what it should be.
pub const MODEL_DAMAGED: &str = "model_damaged";
/// The model needs `need_mb` of memory, and `free_mb` can be had.
pub const MODEL_TOO_LARGE: &str = "model_too_large";
/// The model that this recording asked for, or was begun with, is missing or damaged.
pub const OWN_MODEL_UNUSABLE: &str = "own_model_unusable";
/// The model does not know the language `language`.
pub const LANGUAGE_UNSUPPORTED: &str = "language_unsupported";
/// It is not known whether a paid operation was begun.
pub const UNKNOWN_SUBMISSION: &str = "unknown_submission";
/// The recogniser refused this recording for good.
pub const RECOGNISER_REFUSED: &str = "recogniser_refused";
/// The provider refuses our credentials or quota.
pub const PROVIDER_PAUSED: &str = "provider_paused";
/// The provider could not be reached or answered with an error.
pub const PROVIDER_FAILED: &str = "provider_failed";
/// The attempt row that this milestone needs is not there.
pub const ATTEMPT_MISSING: &str = "attempt_missing";

/// Waiting, not failing: the engine works on other recordings.
pub const WAITING_TURN: &str = "waiting_turn";
/// Waiting, not failing: the recogniser works on this recording.
pub const RECOGNISING: &str = "recognising";
/// Waiting, not failing: a person chose to wait for an operation without a ticket.
pub const AWAITING_TICKET: &str = "awaiting_ticket";

/// Held when a backup was restored: its recognition may have been begun since the backup.
pub const RESTORED: &str = "restored";
/// That a failure is about one part of a recording, whose other parts are kept: its number, from 1.
pub const PART: &str = "part";

/// The failure, as one about the part at this place.
pub fn of_part(failure: Failure, index: u32) -> Failure {
    failure.term("of", PART).int(PART, i64::from(index) + 1)
}

/// Whether a failure is about one part.
pub fn is_of_part(failure: &Failure) -> bool {
    failure.params.contains_key(PART)
}

/// Whether this trouble is the same for every recording until a person mends something outside:
/// recordings then wait, at no cost to them, and none is stopped for it.
pub fn awaits_person(code: &str) -> bool {
    let house = [DISK_FULL, OBJECTS_UNREACHABLE, FFMPEG_MISSING, ENGINE_UNAVAILABLE];
    let provider = [MODEL_MISSING, MODEL_DAMAGED, MODEL_TOO_LARGE, PROVIDER_PAUSED];
    house.contains(&code) || provider.contains(&code)
}

/// All codes.
pub const CODES: [&str; 37] = [
    EMPTY_FILE,
    NO_AUDIO_TRACK,
    DAMAGED_FILE,
    UNSUPPORTED_FORMAT,
    TOO_LONG,
    TOO_LARGE,
    FILE_CHANGING,
    NO_PROGRESS,
    FFMPEG_FAILED,
    FFMPEG_MISSING,
    DISK_FULL,
    AUDIO_MISSING,
    OBJECTS_UNREACHABLE,
    OBJECTS_FAILED,
    STORE_FAILED,
    INTERRUPTED,
    ENGINE_DIED,
    ENGINE_ILLEGAL_INSTRUCTION,
    ENGINE_KILLED,
    ENGINE_UNAVAILABLE,
    ENGINE_SILENT,
    ENGINE_FAILED,
    MODEL_MISSING,
    MODEL_DAMAGED,
    OWN_MODEL_UNUSABLE,
    LANGUAGE_UNSUPPORTED,
    UNKNOWN_SUBMISSION,
    RECOGNISER_REFUSED,
    PROVIDER_PAUSED,
    PROVIDER_FAILED,
    ATTEMPT_MISSING,
    WAITING_TURN,
    RECOGNISING,
    AWAITING_TICKET,
    NO_SAMPLES,
    RESTORED,
    MODEL_TOO_LARGE,
];

//! Failure codes of this line. Stable: they stand in logs, in the database and in the API.

/// No metadata came for so long.
pub const MAGNET_TIMEOUT: &str = "magnet_timeout";
/// No data moved for so long.
pub const STALLED: &str = "stalled";
/// The client cannot go on with the torrent: an error of its own, or files that are gone.
pub const CLIENT_ERROR: &str = "client_error";
/// The torrent is no longer in the client.
pub const TORRENT_GONE: &str = "torrent_gone";
/// The client does not answer.
pub const CLIENT_UNREACHABLE: &str = "client_unreachable";
/// The client does not let us in.
pub const CLIENT_REFUSES: &str = "client_refuses";
/// The client did not take the torrent.
pub const ADD_REFUSED: &str = "add_refused";
/// What came is neither a magnet nor a torrent.
pub const NOT_A_TORRENT: &str = "not_a_torrent";
/// There is no room for it where it is downloaded to.
pub const NO_ROOM: &str = "no_room";
/// A person has to say what it is.
pub const NEEDS_CHOICE: &str = "needs_choice";
/// There is nothing in it that a library holds.
pub const NOTHING_TO_FILE: &str = "nothing_to_file";
/// It has files that run programs.
pub const DANGEROUS_FILES: &str = "dangerous_files";
/// It is packed.
pub const NEEDS_UNPACK: &str = "needs_unpack";
/// A file is not where the client says it is.
pub const FILES_MISSING: &str = "files_missing";
/// There is something else where it should go.
pub const NAME_TAKEN: &str = "name_taken";
/// The library is on another file system, and the settings say not to copy.
pub const CROSS_DEVICE: &str = "cross_device";
/// The library cannot be written.
pub const LIBRARY_FAILED: &str = "library_failed";
/// No library is configured.
pub const LIBRARY_MISSING: &str = "library_missing";
/// It turned out to be another download's torrent.
pub const MERGED: &str = "merged_into";
/// Its torrent belongs to another download by now.
pub const OWNED_BY_OTHER: &str = "owned_by_other";

// What is said at once to whoever sends something, and never stands on a row.

/// The .torrent file is larger than `limit_bytes`.
pub const TORRENT_TOO_LARGE: &str = "torrent_too_large";
/// It lists more than `limit` files.
pub const TOO_MANY_FILES: &str = "too_many_files";
/// More than `limit` magnets in one text.
pub const TOO_MANY_MAGNETS: &str = "too_many_magnets";
/// The text is larger than `limit_bytes`.
pub const TEXT_TOO_LARGE: &str = "text_too_large";
/// The address leads into a private network.
pub const URL_PRIVATE: &str = "url_private";
/// Not an address that can be fetched.
pub const URL_WRONG: &str = "url_wrong";
/// The server behind the address cannot be reached.
pub const URL_UNREACHABLE: &str = "url_unreachable";
/// It answers with `status` instead of the file.
pub const URL_REFUSED: &str = "url_refused";
/// It leads on and on.
pub const URL_REDIRECTS: &str = "url_redirects";
/// It took too long.
pub const URL_SLOW: &str = "url_slow";
/// The client answered with something that is not understood.
pub const CLIENT_UNEXPECTED: &str = "client_unexpected";
/// What the client calls its directory is nowhere on this machine.
pub const PLACE_UNKNOWN: &str = "place_unknown";
/// No failure: the client is looked at.
pub const WATCHING: &str = "watching";

/// The watch of the client has failed so many `times` in a row.
pub const WATCH_FAILING: &str = "watch_failing";
/// Nobody has looked at the client for so many `minutes` longer than meant.
pub const WATCH_LATE: &str = "watch_late";

/// All of them.
pub const CODES: [&str; 35] = [
    MAGNET_TIMEOUT,
    STALLED,
    CLIENT_ERROR,
    TORRENT_GONE,
    CLIENT_UNREACHABLE,
    CLIENT_REFUSES,
    ADD_REFUSED,
    NOT_A_TORRENT,
    NO_ROOM,
    NEEDS_CHOICE,
    NOTHING_TO_FILE,
    DANGEROUS_FILES,
    NEEDS_UNPACK,
    FILES_MISSING,
    NAME_TAKEN,
    CROSS_DEVICE,
    LIBRARY_FAILED,
    LIBRARY_MISSING,
    MERGED,
    OWNED_BY_OTHER,
    TORRENT_TOO_LARGE,
    TOO_MANY_FILES,
    TOO_MANY_MAGNETS,
    TEXT_TOO_LARGE,
    URL_PRIVATE,
    URL_WRONG,
    URL_UNREACHABLE,
    URL_REFUSED,
    URL_REDIRECTS,
    URL_SLOW,
    CLIENT_UNEXPECTED,
    PLACE_UNKNOWN,
    WATCHING,
    WATCH_FAILING,
    WATCH_LATE,
];

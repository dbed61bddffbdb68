//! Every problem of this face that is none of the service: its status and its code.
//!
//! **Invariant:** each code has a sentence in every language; a test compares them.

use axum::http::StatusCode;

/// A kind of problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    pub(crate) status: StatusCode,
    pub(crate) code: &'static str,
}

/// Declares the kinds, and the list of all of them for the test.
macro_rules! kinds {
    ($($(#[$doc:meta])+ $name:ident = $status:ident $code:literal;)+) => {
        $($(#[$doc])+ pub(crate) const $name: Kind =
            Kind { status: StatusCode::$status, code: $code };)+

        #[cfg(test)]
        pub(crate) const ALL: &[Kind] = &[$($name),+];
    };
}

kinds! {
    /// Not understood at all.
    BAD_REQUEST = BAD_REQUEST "bad_request";
    /// A parameter of the address or a field of the body: `parameter`.
    PARAMETER_WRONG = BAD_REQUEST "parameter_wrong";
    /// Nothing that can be looked for.
    QUERY_WRONG = BAD_REQUEST "query_wrong";
    /// The body is no JSON.
    BODY_NOT_JSON = BAD_REQUEST "body_not_json";
    /// The body ends early or is not in the form it is said to be in.
    BODY_BROKEN = BAD_REQUEST "body_broken";
    /// JSON, but not what is expected here.
    BODY_WRONG = UNPROCESSABLE_ENTITY "body_wrong";
    /// A form without the field `parameter`.
    FIELD_MISSING = BAD_REQUEST "field_missing";
    /// No token.
    TOKEN_MISSING = UNAUTHORIZED "token_missing";
    /// A token that opens nothing.
    TOKEN_INVALID = UNAUTHORIZED "token_invalid";
    /// Nobody is signed in.
    SESSION_NEEDED = UNAUTHORIZED "session_needed";
    /// Only for those who sign in with a password.
    SIGN_IN_FOR_THIS = FORBIDDEN "sign_in_for_this";
    /// Name or password.
    SIGN_IN_WRONG = FORBIDDEN "sign_in_wrong";
    /// The account is disabled.
    ACCOUNT_DISABLED = FORBIDDEN "account_disabled";
    /// The password that was to be changed is another.
    PASSWORD_WRONG = FORBIDDEN "password_wrong";
    /// A request by a session that does not vouch for itself.
    NOT_VOUCHED = FORBIDDEN "not_vouched";
    /// Only for those who see everything.
    ADMIN_ONLY = FORBIDDEN "admin_only";
    /// A request from another site's page.
    ORIGIN_FOREIGN = FORBIDDEN "origin_foreign";
    /// The setup token is wrong, used, or no longer needed.
    SETUP_REFUSED = FORBIDDEN "setup_refused";
    /// No such address.
    NO_SUCH_ROUTE = NOT_FOUND "no_such_route";
    /// No such recording, as far as the caller can see.
    NO_SUCH_RECORDING = NOT_FOUND "no_such_recording";
    /// No such download, as far as the caller can see.
    NO_SUCH_DOWNLOAD = NOT_FOUND "no_such_download";
    /// No such account.
    NO_SUCH_ACCOUNT = NOT_FOUND "no_such_account";
    /// No such session of the caller's.
    NO_SUCH_SESSION = NOT_FOUND "no_such_session";
    /// No such token, as far as the caller can see, that opens anything.
    NO_SUCH_TOKEN = NOT_FOUND "no_such_token";
    /// No such correction of this recording.
    NO_SUCH_CORRECTION = NOT_FOUND "no_such_correction";
    /// No such link to this recording that still opens it.
    NO_SUCH_SHARE = NOT_FOUND "no_such_share";
    /// A link that opens nothing.
    NO_SUCH_LINK = NOT_FOUND "no_such_link";
    /// There is no text yet.
    NO_TEXT_YET = NOT_FOUND "no_text_yet";
    /// A model that is not installed: `model` is not repeated.
    MODEL_UNKNOWN = NOT_FOUND "model_unknown";
    /// The address is right and the method is not.
    METHOD_NOT_ALLOWED = METHOD_NOT_ALLOWED "method_not_allowed";
    /// The caller sent nothing for too long.
    BODY_IDLE = REQUEST_TIMEOUT "body_idle";
    /// It costs money and nobody agreed.
    COSTS_MONEY = CONFLICT "costs_money";
    /// Another account is called so.
    NAME_TAKEN = CONFLICT "name_taken";
    /// The last admin that can come in.
    LAST_ADMIN = CONFLICT "last_admin";
    /// A segment reads differently by now, or is not there.
    SEGMENT_CHANGED = CONFLICT "segment_changed";
    /// As many links lead to a recording as may.
    TOO_MANY_SHARES = CONFLICT "too_many_shares";
    /// Lifting needs a choice.
    CHOICE_NEEDED = CONFLICT "choice_needed";
    /// There is nothing to choose about.
    NOTHING_TO_CHOOSE = CONFLICT "nothing_to_choose";
    /// The operation cannot be asked about: it can only be submitted again.
    ONLY_AGAIN = CONFLICT "only_again";
    /// It is not stopped.
    NOT_STOPPED = CONFLICT "not_stopped";
    /// It is stopped already.
    ALREADY_STOPPED = CONFLICT "already_stopped";
    /// It is done already.
    ALREADY_DONE = CONFLICT "already_done";
    /// Another download has its torrent: `download`, for those who may see that one.
    OWNED_BY_OTHER = CONFLICT "owned_by_other";
    /// Somebody else moved it meanwhile.
    MOVED_MEANWHILE = CONFLICT "moved_meanwhile";
    /// It does not wait for a person to say what it is.
    NOT_ASKED = CONFLICT "not_asked";
    /// A file, `file`, is not whole or not where it can be used.
    FILE_NOT_WHOLE = CONFLICT "file_not_whole";
    /// Nobody has said or found out what it is.
    NOT_IDENTIFIED = CONFLICT "not_identified";
    /// Nothing of it is in the library.
    NOT_PLACED = CONFLICT "not_placed";
    /// It is neither done nor stopped.
    ON_ITS_WAY = CONFLICT "on_its_way";
    /// Data is deleted only when it is asked for twice: the number of the `download` is needed again.
    CONFIRM_NEEDED = CONFLICT "confirm_needed";
    /// The audio that was handed in is gone.
    ORIGINAL_GONE = GONE "original_gone";
    /// A body larger than such bodies may be.
    BODY_TOO_LARGE = PAYLOAD_TOO_LARGE "body_too_large";
    /// A body of a kind that is not taken.
    MEDIA_TYPE = UNSUPPORTED_MEDIA_TYPE "media_type";
    /// A range outside of the file: its size is `size_bytes`.
    RANGE_OUTSIDE = RANGE_NOT_SATISFIABLE "range_outside";
    /// The request was meant for another host.
    HOST_UNKNOWN = MISDIRECTED_REQUEST "host_unknown";
    /// No name for an account: `limit` is how many characters it may have.
    NAME_WRONG = UNPROCESSABLE_ENTITY "name_wrong";
    /// A password shorter than `least` or longer than `limit` bytes.
    PASSWORD_LENGTH = UNPROCESSABLE_ENTITY "password_length";
    /// No code of a language.
    LANGUAGE_UNKNOWN = UNPROCESSABLE_ENTITY "language_unknown";
    /// A text longer than `limit` characters.
    TEXT_TOO_LONG = UNPROCESSABLE_ENTITY "text_too_long";
    /// More than `limit` entries.
    TOO_MANY_ENTRIES = UNPROCESSABLE_ENTITY "too_many_entries";
    /// The address leads into a private network.
    URL_PRIVATE = UNPROCESSABLE_ENTITY "url_private";
    /// Not an address that can be fetched.
    URL_WRONG = UNPROCESSABLE_ENTITY "url_wrong";
    /// The server behind the address does not give the file.
    URL_UNREACHABLE = UNPROCESSABLE_ENTITY "url_unreachable";
    /// What is there is no torrent but a recording.
    IS_RECORDING = UNPROCESSABLE_ENTITY "is_recording";
    /// No title, or one that is too long.
    TITLE_WRONG = UNPROCESSABLE_ENTITY "title_wrong";
    /// Something is said of a file, `file`, that is no video.
    NO_VIDEO = UNPROCESSABLE_ENTITY "no_video";
    /// The episodes of a file, `file`, are none or not in their order.
    EPISODES_WRONG = UNPROCESSABLE_ENTITY "episodes_wrong";
    /// Of such a choice nothing would go to the library.
    NOTHING_LEFT = UNPROCESSABLE_ENTITY "nothing_left";
    /// No name can be made for a file, `file`.
    FILE_NAMELESS = UNPROCESSABLE_ENTITY "file_nameless";
    /// A file, `file`, would have the name of another.
    FILE_CLASHES = UNPROCESSABLE_ENTITY "file_clashes";
    /// More files than are laid out.
    TOO_MANY_TO_PLACE = UNPROCESSABLE_ENTITY "too_many_to_place";
    /// No candidate of that number.
    NO_SUCH_CANDIDATE = UNPROCESSABLE_ENTITY "no_such_candidate";
    /// Too many wrong tokens from this address.
    TOO_MANY_ATTEMPTS = TOO_MANY_REQUESTS "too_many_attempts";
    /// Too many attempts to sign in.
    TOO_MANY_SIGN_INS = TOO_MANY_REQUESTS "too_many_sign_ins";
    /// Too many that listen.
    TOO_MANY_LISTENERS = SERVICE_UNAVAILABLE "too_many_listeners";
    /// No torrent client is configured.
    NO_CLIENT = SERVICE_UNAVAILABLE "no_client";
    /// The service ends.
    ENDING = SERVICE_UNAVAILABLE "ending";
    /// A defect of ours.
    INTERNAL = INTERNAL_SERVER_ERROR "internal";
}

/// What an error means of which only the status is known.
pub(crate) fn of_status(status: StatusCode) -> Kind {
    match status {
        StatusCode::NOT_FOUND => NO_SUCH_ROUTE,
        StatusCode::METHOD_NOT_ALLOWED => METHOD_NOT_ALLOWED,
        StatusCode::PAYLOAD_TOO_LARGE => BODY_TOO_LARGE,
        StatusCode::UNSUPPORTED_MEDIA_TYPE => MEDIA_TYPE,
        StatusCode::UNPROCESSABLE_ENTITY => BODY_WRONG,
        StatusCode::REQUEST_TIMEOUT => BODY_IDLE,
        status if status.is_server_error() => INTERNAL,
        _ => BAD_REQUEST,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use verst_words::{Language, Words};

    #[test]
    fn every_kind_has_sentences_in_both_languages() {
        for words in Language::ALL.map(Words::new) {
            for kind in ALL {
                let problem = format!("problem-{}", kind.code.replace('_', "-"));
                let status = format!("status-{}", kind.status.as_u16());
                assert!(words.knows(&problem), "{problem}");
                assert!(words.knows(&status), "{status}");
            }
        }
    }
}

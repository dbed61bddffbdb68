//! A question as it can be asked twice: after the login that the first time called for.

use bytes::Bytes;
use url::form_urlencoded::Serializer;

/// Answers whose length is no matter of the configuration.
const SHORT_BYTES: usize = 64 << 10;

/// What is sent to the client.
#[derive(Clone)]
pub(super) struct Ask {
    /// The verb, as in `torrents/info`, its query included.
    pub(super) path: String,
    pub(super) body: AskBody,
    /// The largest answer that is read.
    pub(super) most_bytes: usize,
}

#[derive(Clone)]
pub(super) enum AskBody {
    /// The question only reads.
    None,
    /// Fields of a form, written as addresses are.
    Fields(String),
    /// Fields of a form, and perhaps the bytes of a .torrent file (RFC 7578).
    Parts(Vec<(&'static str, String)>, Option<Bytes>),
}

impl Ask {
    pub(super) fn read(path: &str, query: &[(&str, &str)], most_bytes: usize) -> Self {
        let query = fields(query);
        let path = if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") };
        Self { path, body: AskBody::None, most_bytes }
    }

    /// A short answer to a question that only reads.
    pub(super) fn short(path: &str) -> Self {
        Self::read(path, &[], SHORT_BYTES)
    }

    pub(super) fn write(path: &str, body: &[(&str, &str)]) -> Self {
        Self { path: path.to_owned(), body: AskBody::Fields(fields(body)), most_bytes: SHORT_BYTES }
    }

    pub(super) fn parts(
        path: &str,
        fields: Vec<(&'static str, String)>,
        file: Option<Bytes>,
    ) -> Self {
        let body = AskBody::Parts(fields, file);
        Self { path: path.to_owned(), body, most_bytes: SHORT_BYTES }
    }
}

fn fields(pairs: &[(&str, &str)]) -> String {
    Serializer::new(String::new()).extend_pairs(pairs).finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_a_password_is_it_stays_one_field() {
        let ask = Ask::write("auth/login", &[("username", "a b"), ("password", "x&y=ü+")]);
        let AskBody::Fields(fields) = ask.body else { panic!("fields") };
        assert_eq!(fields, "username=a+b&password=x%26y%3D%C3%BC%2B");
    }
}

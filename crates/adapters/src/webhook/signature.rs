//! Signatures of Standard Webhooks, the symmetric scheme `v1`: HMAC-SHA256 over
//! `{id}.{timestamp}.{body}`.
//!
//! **Invariant:** a key is never printed.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use thiserror::Error;

/// Sizes of a key that the specification admits, in bytes.
const KEY_BYTES: std::ops::RangeInclusive<usize> = 24..=64;
/// More would not fit into a header sensibly.
const KEYS: usize = 4;

/// What is no key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum KeyError {
    /// There is none.
    #[error("no key")]
    Missing,
    /// More than a few.
    #[error("more than {KEYS} keys")]
    TooMany,
    /// Not as it has to be.
    #[error("a key is “whsec_” and 24 to 64 bytes in base64")]
    Form,
}

/// Keys that everything is signed with: one, or a new and an old one while it is being changed.
#[derive(Clone)]
pub struct SigningKeys(Vec<Hmac<Sha256>>);

impl SigningKeys {
    /// Reads keys that are separated by white space. The prefix `whsec_` may be absent.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        let keys: Result<Vec<Hmac<Sha256>>, KeyError> = text.split_whitespace().map(key).collect();
        match keys? {
            keys if keys.is_empty() => Err(KeyError::Missing),
            keys if keys.len() > KEYS => Err(KeyError::TooMany),
            keys => Ok(Self(keys)),
        }
    }

    /// The signatures, separated by spaces as the header wants them.
    pub(super) fn sign(&self, id: &str, seconds: i64, body: &[u8]) -> String {
        let sign = |mac: &Hmac<Sha256>| {
            let mut mac = mac.clone();
            mac.update(format!("{id}.{seconds}.").as_bytes());
            mac.update(body);
            format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
        };
        let signatures: Vec<String> = self.0.iter().map(sign).collect();
        signatures.join(" ")
    }
}

fn key(text: &str) -> Result<Hmac<Sha256>, KeyError> {
    let encoded = text.strip_prefix("whsec_").unwrap_or(text);
    let key = STANDARD.decode(encoded).map_err(|_| KeyError::Form)?;
    if !KEY_BYTES.contains(&key.len()) {
        return Err(KeyError::Form);
    }
    Hmac::new_from_slice(&key).map_err(|_| KeyError::Form)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The vectors of the reference libraries.
    #[test]
    fn the_published_vectors_hold() {
        let rust = SigningKeys::parse("whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD").unwrap();
        assert_eq!(
            rust.sign(
                "msg_27UH4WbU6Z5A5EzD8u03UvzRbpk",
                1_649_367_553,
                br#"{"email":"test@example.com","username":"test_user"}"#
            ),
            "v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw="
        );
        let go = SigningKeys::parse("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        assert_eq!(
            go.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, br#"{"test": 2432232314}"#),
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        );
    }

    #[test]
    fn two_keys_make_two_signatures() {
        let (new, old) =
            ("whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        let sign = |keys: &str| SigningKeys::parse(keys).unwrap().sign("a", 1, b"{}");
        assert_eq!(sign(&format!("{new}\n {old}")), format!("{} {}", sign(new), sign(old)));
    }

    #[test]
    fn what_is_no_key_is_refused() {
        let refused = |text: &str| SigningKeys::parse(text).err();
        assert_eq!(refused(" "), Some(KeyError::Missing));
        for text in ["whsec_", "hunter2", "whsec_c2hvcnQ=", "whsk_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"]
        {
            assert_eq!(refused(text), Some(KeyError::Form), "{text}");
        }
        let bytes = |count: usize| STANDARD.encode(vec![7; count]);
        for (count, error) in
            [(23, Some(KeyError::Form)), (24, None), (64, None), (65, Some(KeyError::Form))]
        {
            assert_eq!(refused(&bytes(count)), error, "{count} bytes");
        }
        let five = vec![bytes(24); 5].join(" ");
        assert_eq!(refused(&five), Some(KeyError::TooMany));
    }
}

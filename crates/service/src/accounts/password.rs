//! What a password has to be like, and the port that hashes it.
//!
//! **Invariant:** a password is limited in length and nothing else is asked of it.

use std::ops::RangeInclusive;

use async_trait::async_trait;
use thiserror::Error;

/// How long a password is, in bytes of UTF-8.
pub const PASSWORD_BYTES: RangeInclusive<usize> = 10..=1000;

/// Why a password will not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PasswordError {
    /// Too short to last.
    #[error("a password that is too short")]
    TooShort,
    /// Longer than is hashed.
    #[error("a password that is too long")]
    TooLong,
}

/// Too many passwords are looked at already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("too many passwords are being looked at")]
pub struct Busy;

/// Hashes passwords, slowly and with much memory, a few at a time.
#[async_trait]
pub trait Passwords: Send + Sync {
    /// A hash with its salt and parameters, as text.
    async fn seal(&self, password: &str) -> Result<String, Busy>;
    /// Whether this is the password of that hash. Takes as long where there is none.
    async fn fits(&self, password: &str, sealed: Option<&str>) -> Result<bool, Busy>;
}

pub(super) fn check(password: &str) -> Result<(), PasswordError> {
    match password.len() {
        len if len < *PASSWORD_BYTES.start() => Err(PasswordError::TooShort),
        len if len > *PASSWORD_BYTES.end() => Err(PasswordError::TooLong),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_length_matters() {
        for (password, good) in [
            ("123456789".to_owned(), Err(PasswordError::TooShort)),
            ("1234567890".to_owned(), Ok(())),
            ("пароль".to_owned(), Ok(())),
            (" ".repeat(1000), Ok(())),
            ("x".repeat(1001), Err(PasswordError::TooLong)),
        ] {
            assert_eq!(check(&password), good, "{} bytes", password.len());
        }
    }
}

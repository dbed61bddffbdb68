//! Chance from the operating system.

use std::fmt::Write;

use verst_service::Random;

/// The operating system's generator, which nobody can guess.
pub struct SystemRandom;

/// Digits of base64url: <https://www.rfc-editor.org/rfc/rfc4648#section-5>.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

impl Random for SystemRandom {
    fn key(&self) -> String {
        let mut hex = String::new();
        for byte in bytes::<16>() {
            let _ = write!(hex, "{byte:02x}");
        }
        hex
    }

    fn secret(&self) -> String {
        // 43 digits of six bits each carry 256 bits and two.
        bytes::<43>().map(|byte| char::from(DIGITS[usize::from(byte % 64)])).iter().collect()
    }
}

fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    // Fails only before the system has gathered any entropy at all, long before programs run.
    getrandom::fill(&mut bytes).expect("the system has no source of randomness");
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_fit_a_header_and_never_repeat() {
        let secrets: std::collections::HashSet<String> =
            (0..1000).map(|_| SystemRandom.secret()).collect();
        assert_eq!(secrets.len(), 1000);
        let digits = |secret: &String| secret.bytes().all(|byte| DIGITS.contains(&byte));
        assert!(secrets.iter().all(|secret| secret.len() == 43 && digits(secret)));
        assert_eq!(SystemRandom.key().len(), 32);
    }
}

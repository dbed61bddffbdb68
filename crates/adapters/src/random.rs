//! Chance from the operating system.

use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine as _};
use verst_service::Random;

/// The operating system's generator, which nobody can guess.
pub struct SystemRandom;

impl Random for SystemRandom {
    fn key(&self) -> String {
        base16ct::lower::encode_string(&bytes::<16>())
    }

    fn secret(&self) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(bytes::<32>())
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
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let digits = |secret: &String| secret.chars().all(fits);
        assert!(secrets.iter().all(|secret| secret.len() == 43 && digits(secret)));
        assert_eq!(SystemRandom.key().len(), 32);
    }
}

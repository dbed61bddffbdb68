//! Passwords, hashed with argon2id: <https://www.rfc-editor.org/rfc/rfc9106>.
//!
//! Each hash takes 19 MiB and a moment of a processor, on a thread that may block. **Invariant:** at
//! most two are computed at a time and few more wait, so that a flood of strangers takes
//! neither the memory nor the threads.

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use async_trait::async_trait;
use tokio::sync::{OnceCell, Semaphore, SemaphorePermit};
use tokio::task::spawn_blocking;
use verst_service::accounts::{Busy, Passwords};

/// Hashes that are computed at a time.
const AT_ONCE: usize = 2;
/// Hashes that are computed or waited for.
const TOGETHER: usize = 32;

/// Argon2id as OWASP advises it for passwords: 19 MiB, two passes, one lane.
pub struct Argon2id {
    running: Semaphore,
    taken: Semaphore,
    /// Compared with where there is no account: that takes as long.
    nobody: OnceCell<String>,
}

impl Default for Argon2id {
    fn default() -> Self {
        Self {
            running: Semaphore::new(AT_ONCE),
            taken: Semaphore::new(TOGETHER),
            nobody: OnceCell::new(),
        }
    }
}

fn hasher() -> Argon2<'static> {
    Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::DEFAULT)
}

fn seal(password: &str) -> Option<String> {
    hasher().hash_password(password.as_bytes()).ok().map(|sealed| sealed.to_string())
}

fn fits(password: &str, sealed: &str) -> bool {
    let parsed = PasswordHash::new(sealed);
    parsed.is_ok_and(|sealed| hasher().verify_password(password.as_bytes(), &sealed).is_ok())
}

impl Argon2id {
    /// Computes on a thread that may block, when it is our turn.
    async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Option<T> + Send + 'static,
    ) -> Result<T, Busy> {
        let _place: SemaphorePermit<'_> = self.taken.try_acquire().map_err(|_| Busy)?;
        let turn = self.running.acquire().await.map_err(|_| Busy)?;
        // Nothing is computed for a caller who has gone; what is begun holds its turn to the end.
        let done = spawn_blocking(work).await;
        drop(turn);
        done.ok().flatten().ok_or(Busy)
    }
}

#[async_trait]
impl Passwords for Argon2id {
    async fn seal(&self, password: &str) -> Result<String, Busy> {
        let password = password.to_owned();
        self.compute(move || seal(&password)).await
    }

    async fn fits(&self, password: &str, sealed: Option<&str>) -> Result<bool, Busy> {
        let known = sealed.is_some();
        let sealed = if let Some(sealed) = sealed {
            sealed.to_owned()
        } else {
            let made = || self.compute(|| seal("nobody has this password"));
            self.nobody.get_or_try_init(made).await?.clone()
        };
        let password = password.to_owned();
        let fits = self.compute(move || Some(fits(&password, &sealed))).await?;
        Ok(fits && known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::future::join_all;

    #[tokio::test]
    async fn a_password_fits_its_own_hash_alone() {
        let passwords = Argon2id::default();
        let sealed = passwords.seal("верный пароль").await.unwrap();
        assert!(sealed.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{sealed}");
        assert_ne!(sealed, passwords.seal("верный пароль").await.unwrap(), "each has its salt");
        assert!(passwords.fits("верный пароль", Some(&sealed)).await.unwrap());
        assert!(!passwords.fits("неверный пароль", Some(&sealed)).await.unwrap());
        assert!(!passwords.fits("nobody has this password", None).await.unwrap());
        assert!(!passwords.fits("x", Some("no hash")).await.unwrap());
    }

    #[tokio::test]
    async fn a_flood_is_turned_away_and_not_queued() {
        let passwords = Argon2id::default();
        let all = join_all((0..TOGETHER * 2).map(|_| passwords.seal("password"))).await;
        let busy = all.iter().filter(|it| it.is_err()).count();
        assert_eq!(busy, TOGETHER);
    }
}

//! Asking, and logging in when that is called for.
//!
//! A session is not known to have ended until a question is refused, and a client may let this host
//! in without any. So nothing is opened in advance: whoever is refused logs in and asks once more.
//!
//! **Invariant:** a question is asked at most twice, with at most one login between.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::time::Instant;
use verst_downloads::ports::ClientError;

use super::ask::Ask;
use super::config::{NoClient, QBittorrentConfig};
use super::door::{Door, Pass};
use super::wire::{Broken, Came, Wire};

/// An answer of somebody who let us in.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
    pub(super) date_s: Option<i64>,
    /// Which login it is of: another one knows nothing of what the last was told.
    pub(super) login: u64,
}

pub(super) struct Session {
    wire: Wire,
    user: String,
    password: String,
    door: Mutex<Door>,
    /// One logs in, and the others use what came of it.
    entering: tokio::sync::Mutex<()>,
}

impl Session {
    pub(super) fn new(config: &QBittorrentConfig) -> Result<Self, NoClient> {
        Ok(Self {
            wire: Wire::new(config)?,
            user: config.user.clone(),
            password: config.password.clone(),
            door: Mutex::default(),
            entering: tokio::sync::Mutex::default(),
        })
    }

    fn door(&self) -> MutexGuard<'_, Door> {
        self.door.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Which login the next question is asked with.
    pub(super) fn login(&self) -> Result<u64, ClientError> {
        self.door().pass(Instant::now()).map(|pass| pass.login)
    }

    /// Asks, and once more after a login if the first time was refused.
    pub(super) async fn ask(&self, ask: &Ask) -> Result<Answer, ClientError> {
        let pass = self.door().pass(Instant::now())?;
        let came = self.wire.send(ask, &pass).await?;
        if !refused(came.status) {
            return Ok(self.answer(came, &pass));
        }
        let pass = self.enter(pass.login).await?;
        let came = self.wire.send(ask, &pass).await?;
        if refused(came.status) {
            return Err(self.door().useless(Instant::now()));
        }
        Ok(self.answer(came, &pass))
    }

    fn answer(&self, came: Came, pass: &Pass) -> Answer {
        self.door().keep(pass.login, came.cookies);
        Answer { status: came.status, body: came.body, date_s: came.date_s, login: pass.login }
    }

    /// Logs in, unless somebody else did since that login.
    async fn enter(&self, before: u64) -> Result<Pass, ClientError> {
        let _one = self.entering.lock().await;
        let pass = self.door().pass(Instant::now())?;
        if pass.login != before {
            return Ok(pass);
        }
        if self.wire.has_key() {
            return Err(self.door().refused(Instant::now()));
        }
        if self.user.is_empty() && self.password.is_empty() {
            return Err(self.door().useless(Instant::now()));
        }
        let fields = [("username", self.user.as_str()), ("password", self.password.as_str())];
        // Without the cookies of before: who is let in already is not asked for the password.
        let stranger = Pass { login: before, cookie: None };
        let came = self.wire.send(&Ask::write("auth/login", &fields), &stranger).await;
        let (mut door, now) = (self.door(), Instant::now());
        match came {
            Err(Broken::NoAnswer) => Err(door.unanswered(now)),
            Err(broken) => Err(broken.into()),
            Ok(came) => match (came.status, came.body.trim_ascii()) {
                (204, _) | (200, b"Ok.") => {
                    door.let_in(came.cookies);
                    door.pass(now)
                }
                (200, b"Fails.") | (401, _) => Err(door.refused(now)),
                // Its text is in whatever language the client speaks.
                (403, _) => Err(door.banned(now)),
                (500..=599, _) => Err(trouble(came.status)),
                _ => Err(door.useless(now)),
            },
        }
    }
}

/// No session, an old one, or a wrong key.
fn refused(status: u16) -> bool {
    matches!(status, 401 | 403)
}

/// What a status means that nothing better is known of.
pub(super) fn trouble(status: u16) -> ClientError {
    match status {
        404 => ClientError::Missing,
        // A proxy before a client that is not there.
        502..=504 => ClientError::Unreachable,
        300..=399 => ClientError::Unexpected("a redirection"),
        500..=599 => ClientError::Unexpected("an error inside"),
        _ => ClientError::Unexpected("a status"),
    }
}

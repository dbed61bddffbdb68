//! Coming in with a name and a password, staying, and leaving.
//!
//! **Invariant:** how long an answer takes does not tell whether there is an account of that name,
//! and a session never has a secret that its browser had before it.

use sha2::{Digest, Sha256};
use thiserror::Error;
use verst_kernel::StoreError;

use super::name::Name;
use super::password::{Busy, PASSWORD_BYTES};
use super::port::NewSession;
use super::{Account, AccountId, Session};
use crate::tokens::hash;
use crate::{Caller, Service};

/// The longest thing that a browser calls itself, in bytes.
const AGENT_BYTES: usize = 300;

/// A session that was just opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// What the browser shows from now on.
    pub secret: String,
    /// Whose session it is.
    pub account: AccountId,
}

/// Somebody with a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seated {
    /// As they ask for things.
    pub caller: Caller,
    /// Their account.
    pub account: Account,
    /// Their session.
    pub session: Session,
    /// What their forms have to bring along.
    pub csrf: String,
}

/// Why nobody came in.
#[derive(Debug, Error)]
pub enum SignInError {
    /// Name or password.
    #[error("no such name with such a password")]
    Wrong,
    /// Both are right, and the account is disabled.
    #[error("the account is disabled")]
    Disabled,
    /// Too much is going on.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Service {
    /// Opens a session for whoever knows the password. `instead_of` is the secret that the browser
    /// had until now.
    pub async fn sign_in(
        &self,
        name: &str,
        password: &str,
        agent: &str,
        instead_of: Option<&str>,
    ) -> Result<Opened, SignInError> {
        // Nothing so long was ever hashed.
        if password.len() > *PASSWORD_BYTES.end() {
            return Err(SignInError::Wrong);
        }
        let found = match Name::new(name) {
            Ok(name) => self.accounts.account_named(&name).await?,
            Err(_) => None,
        };
        let sealed = found.as_ref().map(|(_, sealed)| sealed.as_str());
        let fits = self.passwords.fits(password, sealed).await?;
        let Some((account, sealed)) = found.filter(|_| fits) else {
            return Err(SignInError::Wrong);
        };
        if account.disabled_at.is_some() {
            return Err(SignInError::Disabled);
        }
        let opened = self.open(account.id, Some(sealed), agent, instead_of).await?;
        // What was right a moment ago is no longer.
        opened.ok_or(SignInError::Wrong)
    }

    /// Opens a session for whoever has just made this account.
    pub async fn open_session(
        &self,
        account: AccountId,
        agent: &str,
        instead_of: Option<&str>,
    ) -> Result<Option<Opened>, StoreError> {
        self.open(account, None, agent, instead_of).await
    }

    async fn open(
        &self,
        account: AccountId,
        known_by: Option<String>,
        agent: &str,
        instead_of: Option<&str>,
    ) -> Result<Option<Opened>, StoreError> {
        let secret = self.random.secret();
        let agent = agent.trim().replace(char::is_control, " ");
        let new = NewSession {
            account,
            known_by,
            hash: hash(&secret),
            agent: crate::intake::cut(agent, AGENT_BYTES),
            instead_of: instead_of.map(hash),
        };
        let opened = self.sessions.open_session(new, self.session_limits).await?;
        Ok(opened.map(|_| Opened { secret, account }))
    }

    /// Whoever has the session of this secret, if it has not ended.
    pub async fn seated(&self, secret: &str) -> Result<Option<Seated>, StoreError> {
        let found = self.sessions.use_session(&hash(secret), self.session_limits).await?;
        Ok(found.map(|(session, account)| Seated {
            caller: Caller::of_account(&account),
            account,
            session,
            csrf: csrf(secret),
        }))
    }
}

/// Follows from the secret, which it does not tell: nothing more has to be kept, and it changes with
/// the session.
fn csrf(secret: &str) -> String {
    let digest = Sha256::new().chain_update(b"verst form\0").chain_update(secret).finalize();
    base16ct::lower::encode_string(&digest)
}

impl Seated {
    /// Whether a form brought along what it has to. The time it takes tells nothing.
    pub fn vouches(&self, brought: &str) -> bool {
        use subtle::ConstantTimeEq;
        self.csrf.as_bytes().ct_eq(brought.as_bytes()).into()
    }
}

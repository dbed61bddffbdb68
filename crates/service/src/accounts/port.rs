//! Where accounts and sessions are kept.

use std::time::Duration;

use async_trait::async_trait;
use verst_kernel::StoreError;

use super::{Account, AccountId, Name, Role, Session, SessionId};

/// An account to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAccount {
    /// What it is called.
    pub name: Name,
    /// The hash of its password.
    pub sealed: String,
    /// What it may do.
    pub role: Role,
}

/// What became of a change of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Altered {
    /// It is so now.
    Done,
    /// Nothing was changed: it is the last admin that can come in.
    LastAdmin,
    /// No such account.
    Missing,
}

/// A session to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSession {
    /// Whose.
    pub account: AccountId,
    /// The hash of the password by which they came, which still has to be theirs; `None`: not by one.
    pub known_by: Option<String>,
    /// SHA-256 of its secret, in hexadecimal.
    pub hash: String,
    /// What the browser calls itself.
    pub agent: String,
    /// SHA-256 of the secret that the same browser had until now; that session ends.
    pub instead_of: Option<String>,
}

/// How long a session lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionLimits {
    /// Without being used.
    pub idle: Duration,
    /// At all.
    pub age: Duration,
}

impl Default for SessionLimits {
    fn default() -> Self {
        let days = |days| Duration::from_hours(24) * days;
        Self { idle: days(14), age: days(90) }
    }
}

impl SessionLimits {
    /// [`idle`](Self::idle) in microseconds.
    pub fn idle_us(&self) -> i64 {
        micros(self.idle)
    }

    /// [`age`](Self::age) in microseconds.
    pub fn age_us(&self) -> i64 {
        micros(self.age)
    }
}

fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX / 2)
}

/// Keeps accounts. A setup token is void once there is an admin that can come in.
#[async_trait]
pub trait Accounts: Send + Sync {
    /// Writes an account. `None` when the name is taken.
    async fn add_account(&self, new: NewAccount) -> Result<Option<AccountId>, StoreError>;
    /// Takes the setup token of this hash and writes a first account, in one transaction. `None`
    /// when there is no such setup token, or somebody can come in by now.
    async fn found_account(
        &self,
        setup: &str,
        new: NewAccount,
    ) -> Result<Option<AccountId>, StoreError>;
    /// All accounts, by name, at most 10,000.
    async fn accounts(&self) -> Result<Vec<Account>, StoreError>;
    /// The account of this name, as names are compared, with the hash of its password.
    async fn account_named(&self, name: &Name) -> Result<Option<(Account, String)>, StoreError>;
    /// Writes the hash of a new password. All its sessions end, but the one to keep.
    async fn set_password(
        &self,
        id: AccountId,
        sealed: String,
        keep: Option<SessionId>,
    ) -> Result<bool, StoreError>;
    /// Writes what it may do.
    async fn set_role(&self, id: AccountId, role: Role) -> Result<Altered, StoreError>;
    /// Lets nobody come in by it; all its sessions end.
    async fn disable_account(&self, id: AccountId) -> Result<Altered, StoreError>;
    /// Lets its owner come in again.
    async fn enable_account(&self, id: AccountId) -> Result<Altered, StoreError>;
    /// Writes in which language it is spoken to. `false` when there is none.
    async fn set_language(
        &self,
        id: AccountId,
        language: Option<String>,
    ) -> Result<bool, StoreError>;
}

/// Keeps sessions. What has ended is gone.
#[async_trait]
pub trait Sessions: Send + Sync {
    /// Writes a session, and clears away those that have ended by these limits. `None` when there is
    /// no such account, it is disabled, or its password is another by now. Of an account's sessions the 100 newest are kept.
    async fn open_session(
        &self,
        new: NewSession,
        limits: SessionLimits,
    ) -> Result<Option<SessionId>, StoreError>;
    /// The session of this hash with its account, if it has not ended. Its use is written, once a
    /// minute at most.
    async fn use_session(
        &self,
        hash: &str,
        limits: SessionLimits,
    ) -> Result<Option<(Session, Account)>, StoreError>;
    /// The sessions of an account that have not ended, newest first.
    async fn sessions(
        &self,
        of: AccountId,
        limits: SessionLimits,
    ) -> Result<Vec<Session>, StoreError>;
    /// Ends a session of this account. `false` when it has none of that number.
    async fn end_session(&self, of: AccountId, id: SessionId) -> Result<bool, StoreError>;
    /// Ends all sessions of an account, but the one to keep. Answers how many.
    async fn end_sessions(&self, of: AccountId, keep: Option<SessionId>)
    -> Result<u64, StoreError>;
}

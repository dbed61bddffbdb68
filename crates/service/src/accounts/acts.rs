//! Making and changing accounts.
//!
//! **Invariant:** there is always an admin that can come in, once there was one.

use thiserror::Error;
use verst_kernel::StoreError;

use super::name::{Name, NameError};
use super::password::{self, Busy, PasswordError};
use super::port::{Altered, NewAccount};
use super::{AccountId, Role, SessionId};
use crate::Service;
use crate::tokens::hash;

/// Why nothing was made or changed.
#[derive(Debug, Error)]
pub enum AccountError {
    /// The name.
    #[error(transparent)]
    Name(#[from] NameError),
    /// The password.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// Another account is called so.
    #[error("the name is taken")]
    Taken,
    /// The password that was to be changed is another.
    #[error("not the password that holds")]
    NotThePassword,
    /// No such setup token, or it is no longer needed.
    #[error("no setup token that makes an account")]
    SetupRefused,
    /// It is the last admin that can come in.
    #[error("the last admin")]
    LastAdmin,
    /// No such account.
    #[error("no such account")]
    Missing,
    /// Too much is going on.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Service {
    /// Makes an account.
    pub async fn add_account(
        &self,
        name: &str,
        password: &str,
        role: Role,
    ) -> Result<AccountId, AccountError> {
        let new = self.prepare(name, password, role).await?;
        self.accounts.add_account(new).await?.ok_or(AccountError::Taken)
    }

    /// Makes the first account, an admin, with the setup token of a first start.
    pub async fn found_account(
        &self,
        setup: &str,
        name: &str,
        password: &str,
    ) -> Result<AccountId, AccountError> {
        let new = self.prepare(name, password, Role::Admin).await?;
        let made = self.accounts.found_account(&hash(setup), new).await?;
        made.ok_or(AccountError::SetupRefused)
    }

    async fn prepare(
        &self,
        name: &str,
        password: &str,
        role: Role,
    ) -> Result<NewAccount, AccountError> {
        let name = Name::new(name)?;
        password::check(password)?;
        let sealed = self.passwords.seal(password).await?;
        Ok(NewAccount { name, sealed, role })
    }

    /// Gives an account another password. Its sessions end, but the one to keep.
    pub async fn set_password(
        &self,
        id: AccountId,
        password: &str,
        keep: Option<SessionId>,
    ) -> Result<(), AccountError> {
        password::check(password)?;
        let sealed = self.passwords.seal(password).await?;
        let written = self.accounts.set_password(id, sealed, keep).await?;
        if written { Ok(()) } else { Err(AccountError::Missing) }
    }

    /// Changes a password for somebody who knows it.
    pub async fn change_password(
        &self,
        name: &str,
        current: &str,
        password: &str,
        keep: Option<SessionId>,
    ) -> Result<(), AccountError> {
        let found = self.accounts.account_named(&Name::new(name)?).await?;
        let (account, sealed) = found.ok_or(AccountError::Missing)?;
        if !self.passwords.fits(current, Some(&sealed)).await? {
            return Err(AccountError::NotThePassword);
        }
        self.set_password(account.id, password, keep).await
    }

    /// Changes what an account may do.
    pub async fn set_role(&self, id: AccountId, role: Role) -> Result<(), AccountError> {
        altered(self.accounts.set_role(id, role).await?)
    }

    /// Lets nobody come in by an account; its sessions end, and its tokens open nothing.
    pub async fn disable_account(&self, id: AccountId) -> Result<(), AccountError> {
        altered(self.accounts.disable_account(id).await?)
    }

    /// Lets its owner come in again.
    pub async fn enable_account(&self, id: AccountId) -> Result<(), AccountError> {
        altered(self.accounts.enable_account(id).await?)
    }
}

fn altered(altered: Altered) -> Result<(), AccountError> {
    match altered {
        Altered::Done => Ok(()),
        Altered::LastAdmin => Err(AccountError::LastAdmin),
        Altered::Missing => Err(AccountError::Missing),
    }
}

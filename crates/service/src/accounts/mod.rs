//! People with a name and a password, and the sessions of their browsers.
//!
//! What belongs to somebody carries their name as text, so a name never changes and no account is
//! deleted: it is disabled. **Invariant:** a password and the secret of a session are never stored;
//! of the one there is a slow hash, of the other its SHA-256.

mod acts;
mod door;
mod name;
mod password;
mod port;

use verst_kernel::Timestamp;

pub use acts::AccountError;
pub use door::{Opened, Seated, SignInError};
pub use name::{NAME_CHARACTERS, Name, NameError};
pub use password::{Busy, PASSWORD_BYTES, PasswordError, Passwords};
pub use port::{Accounts, Altered, NewAccount, NewSession, SessionLimits, Sessions};

/// Identity of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AccountId(pub i64);

/// What an account may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Sees what belongs to it.
    Owner,
    /// Sees everything, and decides who may come in.
    Admin,
}

impl Role {
    /// All roles.
    pub const ALL: [Self; 2] = [Self::Owner, Self::Admin];

    /// As it is stored and typed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Admin => "admin",
        }
    }

    /// The role of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}

/// An account as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Which.
    pub id: AccountId,
    /// What it is called; what belongs to it carries this name.
    pub name: String,
    /// What it may do.
    pub role: Role,
    /// The language in which it is spoken to, `en` or `ru`; `None`: the browser's.
    pub language: Option<String>,
    /// Since when.
    pub created_at: Timestamp,
    /// Since when nobody comes in by it.
    pub disabled_at: Option<Timestamp>,
}

/// Identity of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SessionId(pub i64);

/// A browser that is signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Which.
    pub id: SessionId,
    /// What the browser calls itself, for people to know it again.
    pub agent: String,
    /// Since when.
    pub created_at: Timestamp,
    /// When it was last used, to the minute.
    pub last_used_at: Timestamp,
    /// When it ends, however much it is used.
    pub expires_at: Timestamp,
}

//! Who asks, and what they may see.
//!
//! **Invariant:** to those who may not see a thing it does not exist, and who may is said here alone.

use verst_kernel::{StoreError, WorkId};

use crate::accounts::{Account, AccountId, Role};
use crate::{Service, Token, View};

/// Whoever asks through a face.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// For the journal.
    pub name: String,
    /// To whom belongs what they hand in; `None`: to nobody.
    pub owner: Option<String>,
    /// In whose name they came: the account itself, or the one that made their token.
    pub account: Option<AccountId>,
    sight: Sight,
}

/// How much somebody sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sight {
    Everything,
    Own,
}

impl Caller {
    /// Somebody at the machine itself, who sees everything and owns nothing.
    pub fn at_home(name: &str) -> Self {
        Self { name: name.to_owned(), owner: None, account: None, sight: Sight::Everything }
    }

    /// Whoever has this account.
    pub fn of_account(account: &Account) -> Self {
        let sight = match account.role {
            Role::Admin => Sight::Everything,
            Role::Owner => Sight::Own,
        };
        let (name, owner) = (account.name.clone(), Some(account.name.clone()));
        Self { name, owner, account: Some(account.id), sight }
    }

    /// Whoever carries this token.
    pub fn of_token(token: Token) -> Self {
        let sight = if token.owner.is_none() { Sight::Everything } else { Sight::Own };
        Self { name: token.name, owner: token.owner, account: token.maker, sight }
    }

    /// Whether they see everything, and may decide who comes in.
    pub fn is_admin(&self) -> bool {
        self.sight == Sight::Everything
    }

    /// Whether what belongs to this owner exists for them.
    pub fn sees(&self, owner: Option<&str>) -> bool {
        self.sees_of([owner])
    }

    /// Whether what belongs to all of these exists for them. Nobody in particular is `None`.
    pub fn sees_of<'a>(&self, owners: impl IntoIterator<Item = Option<&'a str>>) -> bool {
        let own = |owner: Option<&str>| owner.is_some() && owner == self.owner.as_deref();
        self.is_admin() || owners.into_iter().any(own)
    }

    /// To whose things a list is narrowed for them; `None`: to nobody's.
    pub fn scope(&self) -> Option<String> {
        // Nobody is called nothing, so whoever sees only their own and owns nothing sees nothing.
        if self.is_admin() { None } else { Some(self.owner.clone().unwrap_or_default()) }
    }
}

impl Service {
    /// A recording, if it exists for the caller.
    pub async fn look(&self, caller: &Caller, id: WorkId) -> Result<Option<View>, StoreError> {
        let view = self.ledger.view(id).await?;
        Ok(view.filter(|view| caller.sees(view.recording.given.owner.as_deref())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use verst_kernel::Timestamp;

    #[test]
    fn an_admin_sees_everything_and_an_owner_their_own() {
        let account = |role| Account {
            id: AccountId(1),
            name: "Анна".to_owned(),
            role,
            language: None,
            created_at: Timestamp(0),
            disabled_at: None,
        };
        let owner = Caller::of_account(&account(Role::Owner));
        let admin = Caller::of_account(&account(Role::Admin));
        for (thing, seen) in [(None, false), (Some("анна"), false), (Some("Анна"), true)] {
            assert_eq!(owner.sees(thing), seen, "{thing:?}");
            assert!(admin.sees(thing) && Caller::at_home("me").sees(thing), "{thing:?}");
        }
        assert_eq!((owner.scope().as_deref(), admin.scope()), (Some("Анна"), None));
        assert_eq!((owner.owner, admin.owner), (Some("Анна".to_owned()), Some("Анна".to_owned())));
    }
}

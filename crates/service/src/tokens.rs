//! Who may come in: bearer tokens, and the token of a first start.
//!
//! **Invariant:** a secret is shown once and never stored; what is stored is its SHA-256, which for
//! 256 bits of chance needs neither salt nor time.

use async_trait::async_trait;
use sha2::{Digest, Sha256};
use verst_kernel::{StoreError, Timestamp};

use crate::accounts::{AccountId, Name};
use crate::{Caller, Service};

/// The longest name of a token or an owner, in bytes.
const NAME_BYTES: usize = 200;

/// Identity of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TokenId(pub i64);

/// A token as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Which.
    pub id: TokenId,
    /// What it was called.
    pub name: String,
    /// Whose things it opens; `None`: all.
    pub owner: Option<String>,
    /// The account that made it; `None`: somebody at the machine itself.
    pub maker: Option<AccountId>,
    /// Since when.
    pub created_at: Timestamp,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Timestamp>,
    /// Until when.
    pub expires_at: Option<Timestamp>,
    /// Since when it opens nothing.
    pub revoked_at: Option<Timestamp>,
}

/// A token to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewToken {
    /// What to call it.
    pub name: String,
    /// Whose things it opens; `None`: all.
    pub owner: Option<String>,
    /// The account that makes it.
    pub maker: Option<AccountId>,
    /// SHA-256 of its secret, in hexadecimal.
    pub hash: String,
    /// Until when it opens anything.
    pub expires_at: Option<Timestamp>,
}

/// Where tokens are kept. A token opens nothing while the account that made it, or whose things it
/// opens, is disabled; and one that opens everything does so only while its maker is an admin.
#[async_trait]
pub trait Tokens: Send + Sync {
    /// Writes a token.
    async fn add_token(&self, new: NewToken) -> Result<TokenId, StoreError>;
    /// Tokens, newest first, also those that are revoked: all, or those that open this owner's things.
    /// At most 10,000.
    async fn tokens(&self, owner: Option<String>) -> Result<Vec<Token>, StoreError>;
    /// The token of this hash if it opens anything now. Its use is written, once a minute at most.
    async fn use_token(&self, hash: &str) -> Result<Option<Token>, StoreError>;
    /// Makes a token open nothing; of an owner, only if it opens their things. `false` when there is
    /// none, or it did so already.
    async fn revoke_token(&self, id: TokenId, owner: Option<String>) -> Result<bool, StoreError>;
    /// Writes the hash of a setup token, unless there is a token that opens something or an admin that
    /// can come in. Whether it was written.
    async fn offer_setup(&self, hash: String) -> Result<bool, StoreError>;
    /// Takes a setup token and writes a first token, in one transaction. `None` when there is no
    /// such setup token, or when somebody can come in by now.
    async fn take_setup(&self, hash: &str, new: NewToken) -> Result<Option<TokenId>, StoreError>;
}

/// Chance that nobody can guess.
pub trait Random: Send + Sync {
    /// 128 bits in hexadecimal: a name that nothing else ever has.
    fn key(&self) -> String;
    /// 256 bits as text that fits a header and an address.
    fn secret(&self) -> String;
}

/// A secret that was just made, and the token it belongs to.
pub type Minted = (TokenId, String);

impl Service {
    /// Makes a token. Its secret is in the answer and nowhere else.
    pub async fn add_token(
        &self,
        name: &str,
        owner: Option<&str>,
        expires_at: Option<Timestamp>,
    ) -> Result<Minted, StoreError> {
        self.add_token_for(None, name, owner, expires_at).await
    }

    /// The same in the name of an account.
    pub async fn add_token_for(
        &self,
        maker: Option<AccountId>,
        name: &str,
        owner: Option<&str>,
        expires_at: Option<Timestamp>,
    ) -> Result<Minted, StoreError> {
        let owner = match owner {
            Some(owner) => Some(self.known_as(owner).await?),
            None => None,
        };
        let (secret, new) = self.mint(name, owner, maker, expires_at);
        let id = self.tokens.add_token(new).await?;
        Ok((id, secret))
    }

    /// The name of the account that is meant, if there is one.
    async fn known_as(&self, owner: &str) -> Result<String, StoreError> {
        let account = match Name::new(owner) {
            Ok(name) => self.accounts.account_named(&name).await?,
            Err(_) => None,
        };
        Ok(account.map_or_else(|| short(owner), |(account, _)| account.name))
    }

    fn mint(
        &self,
        name: &str,
        owner: Option<String>,
        maker: Option<AccountId>,
        expires_at: Option<Timestamp>,
    ) -> (String, NewToken) {
        let secret = format!("verst_{}", self.random.secret());
        let new = NewToken { name: short(name), owner, maker, hash: hash(&secret), expires_at };
        (secret, new)
    }

    /// Whoever carries this secret, if it opens anything.
    pub async fn authenticate(&self, secret: &str) -> Result<Option<Caller>, StoreError> {
        let token = self.tokens.use_token(&hash(secret)).await?;
        Ok(token.map(Caller::of_token))
    }

    /// A token for whoever started the service, while nobody has one: it makes the first.
    pub async fn offer_setup(&self) -> Result<Option<String>, StoreError> {
        let secret = format!("setup_{}", self.random.secret());
        let offered = self.tokens.offer_setup(hash(&secret)).await?;
        Ok(offered.then_some(secret))
    }

    /// Makes the first token, which opens everything. `None` when this is no setup token.
    pub async fn set_up(&self, setup: &str, name: &str) -> Result<Option<Minted>, StoreError> {
        let (secret, new) = self.mint(name, None, None, None);
        let id = self.tokens.take_setup(&hash(setup), new).await?;
        Ok(id.map(|id| (id, secret)))
    }
}

fn short(text: &str) -> String {
    crate::intake::cut(text.trim().to_owned(), NAME_BYTES)
}

/// What is stored of a secret.
pub(crate) fn hash(secret: &str) -> String {
    base16ct::lower::encode_string(&Sha256::digest(secret.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_the_digest() {
        // The digest of "abc": FIPS 180-2, appendix B.1.
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hash("abc"), known);
    }
}

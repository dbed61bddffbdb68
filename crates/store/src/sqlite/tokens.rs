//! Bearer tokens, and the setup tokens of first starts.

use async_trait::async_trait;
use rusqlite::{Connection, OptionalExtension, Row, params};
use verst_kernel::{StoreError, Timestamp};
use verst_service::accounts::AccountId;
use verst_service::{NewToken, Token, TokenId, Tokens};

use super::{Driver, Sqlite};

/// The use of a token is written no oftener.
const MINUTE_US: i64 = 60_000_000;
/// Setup tokens that are kept: several hosts show one each.
const SETUPS: i64 = 16;

const COLUMNS: &str = "id, name, owner, maker, created_at, last_used_at, expires_at, revoked_at";
/// Whether an admin can come in.
const ADMIN: &str = "EXISTS (SELECT 1 FROM account WHERE role = 'admin' AND disabled_at IS NULL)";
/// None opens more than its maker may.
const OPENS: &str = "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?1)
    AND NOT EXISTS (
        SELECT 1 FROM account WHERE (account.id = token.maker OR account.name = token.owner)
        AND (disabled_at IS NOT NULL OR (token.owner IS NULL AND role <> 'admin')))";

#[async_trait]
impl Tokens for Sqlite {
    async fn add_token(&self, new: NewToken) -> Result<TokenId, StoreError> {
        let clock = self.clock.clone();
        self.writer.run(move |db| add(db, clock.now(), &new)).await
    }

    async fn tokens(&self, owner: Option<String>) -> Result<Vec<Token>, StoreError> {
        self.readers
            .run(move |db| {
                let sql = format!(
                    "SELECT {COLUMNS} FROM token WHERE ?1 IS NULL OR owner = ?1
                     ORDER BY id DESC LIMIT 10000"
                );
                let mut select = db.prepare_cached(&sql).or_trouble()?;
                let tokens = select.query_map([owner], token).or_trouble()?;
                tokens.collect::<rusqlite::Result<_>>().or_trouble()
            })
            .await
    }

    async fn use_token(&self, hash: &str) -> Result<Option<Token>, StoreError> {
        let (now, hash) = (self.clock.now(), hash.to_owned());
        let found = self.readers.run(move |db| find(db, now, &hash)).await?;
        if let Some(token) = &found
            && token.last_used_at.is_none_or(|at| now.0 - at.0 >= MINUTE_US)
        {
            let id = token.id;
            let used = "UPDATE token SET last_used_at = ?2 WHERE id = ?1";
            // A full disk keeps nobody out.
            let _ = self
                .writer
                .run(move |db| db.execute(used, params![id.0, now.0]).or_trouble())
                .await;
        }
        Ok(found)
    }

    async fn revoke_token(&self, id: TokenId, owner: Option<String>) -> Result<bool, StoreError> {
        let clock = self.clock.clone();
        self.writer
            .run(move |db| {
                let sql = "UPDATE token SET revoked_at = ?2
                           WHERE id = ?1 AND revoked_at IS NULL AND (?3 IS NULL OR owner = ?3)";
                Ok(db.execute(sql, params![id.0, clock.now().0, owner]).or_trouble()? == 1)
            })
            .await
    }

    async fn offer_setup(&self, hash: String) -> Result<bool, StoreError> {
        let clock = self.clock.clone();
        self.writer
            .run(move |db| {
                let now = clock.now();
                if anybody(db, now)? {
                    return Ok(false);
                }
                db.execute(
                    "INSERT INTO setup (hash, created_at) VALUES (?1, ?2)",
                    params![hash, now.0],
                )
                .or_trouble()?;
                let old = "DELETE FROM setup WHERE hash NOT IN
                               (SELECT hash FROM setup ORDER BY created_at DESC LIMIT ?1)";
                db.execute(old, [SETUPS]).or_trouble()?;
                Ok(true)
            })
            .await
    }

    async fn take_setup(&self, hash: &str, new: NewToken) -> Result<Option<TokenId>, StoreError> {
        let (clock, hash) = (self.clock.clone(), hash.to_owned());
        self.writer
            .run(move |db| {
                let now = clock.now();
                let known = "SELECT EXISTS (SELECT 1 FROM setup WHERE hash = ?1)";
                let known: bool = db.query_row(known, [hash], |r| r.get(0)).or_trouble()?;
                if !known || anybody(db, now)? {
                    return Ok(None);
                }
                add(db, now, &new).map(Some)
            })
            .await
    }
}

/// What a first start showed is void from here on, whatever becomes of this token.
fn add(db: &Connection, now: Timestamp, new: &NewToken) -> Result<TokenId, StoreError> {
    db.execute("DELETE FROM setup", []).or_trouble()?;
    db.execute(
        "INSERT INTO token (name, owner, maker, hash, created_at, expires_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![
            new.name,
            new.owner,
            new.maker.map(|maker| maker.0),
            new.hash,
            now.0,
            new.expires_at.map(|at| at.0)
        ],
    )
    .or_trouble()?;
    Ok(TokenId(db.last_insert_rowid()))
}

fn find(db: &Connection, now: Timestamp, hash: &str) -> Result<Option<Token>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM token WHERE {OPENS} AND hash = ?2");
    let mut select = db.prepare_cached(&sql).or_trouble()?;
    select.query_row(params![now.0, hash], token).optional().or_trouble()
}

/// Makes what a first start showed void once an admin can come in.
pub(super) fn close_setup(db: &Connection) -> Result<(), StoreError> {
    let sql = format!("DELETE FROM setup WHERE {ADMIN}");
    db.execute(&sql, []).or_trouble().map(drop)
}

/// Whether any token opens anything, or an admin can come in.
pub(super) fn anybody(db: &Connection, now: Timestamp) -> Result<bool, StoreError> {
    let sql = format!("SELECT {ADMIN} OR EXISTS (SELECT 1 FROM token WHERE {OPENS})");
    db.query_row(&sql, [now.0], |r| r.get(0)).or_trouble()
}

fn token(row: &Row<'_>) -> rusqlite::Result<Token> {
    let time = |place: usize| row.get::<_, Option<i64>>(place).map(|at| at.map(Timestamp));
    Ok(Token {
        id: TokenId(row.get(0)?),
        name: row.get(1)?,
        owner: row.get(2)?,
        maker: row.get::<_, Option<i64>>(3)?.map(AccountId),
        created_at: Timestamp(row.get(4)?),
        last_used_at: time(5)?,
        expires_at: time(6)?,
        revoked_at: time(7)?,
    })
}

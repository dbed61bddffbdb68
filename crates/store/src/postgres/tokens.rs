//! Bearer tokens, and the setup tokens of first starts.
//!
//! **Invariant:** who makes the first token is decided under one lock, on all hosts.

use async_trait::async_trait;
use deadpool_postgres::GenericClient;
use tokio_postgres::Row;
use verst_kernel::{StoreError, Timestamp};
use verst_service::accounts::AccountId;
use verst_service::{NewToken, Token, TokenId, Tokens};

use super::rows::{self, get};
use super::{Driver, Postgres, all, execute, maybe, one};

/// The use of a token is written no oftener than once a minute.
const UNUSED: &str = "coalesce(last_used_at, 0) <= verst_now() - 60000000";
const USED: &str = "UPDATE token SET last_used_at = verst_now() WHERE id = $1";
/// Several hosts show a setup token each.
const FORGET_OLD: &str = "
    DELETE FROM setup WHERE hash NOT IN
        (SELECT hash FROM setup ORDER BY created_at DESC LIMIT 16)";
const COLUMNS: &str = "id, name, owner, maker, created_at, last_used_at, expires_at, revoked_at";
/// How many they are.
const COLUMN_COUNT: usize = 8;
/// Whether an admin can come in.
const ADMIN: &str = "EXISTS (SELECT 1 FROM account WHERE role = 'admin' AND disabled_at IS NULL)";
/// None opens more than its maker may.
const OPENS: &str = "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > verst_now())
    AND NOT EXISTS (
        SELECT 1 FROM account WHERE (account.id = token.maker OR account.name = token.owner)
        AND (disabled_at IS NOT NULL OR (token.owner IS NULL AND role <> 'admin')))";
/// Until the transaction ends.
pub(super) const ONE_AT_A_TIME: &str = "LOCK TABLE setup IN EXCLUSIVE MODE";

#[async_trait]
impl Tokens for Postgres {
    async fn add_token(&self, new: NewToken) -> Result<TokenId, StoreError> {
        self.run(move |mut db| async move {
            let tx = db.transaction().await.or_trouble()?;
            execute(&tx, ONE_AT_A_TIME, &[]).await?;
            let id = add(&tx, &new).await?;
            tx.commit().await.or_trouble()?;
            Ok(id)
        })
        .await
    }

    async fn tokens(&self, owner: Option<String>) -> Result<Vec<Token>, StoreError> {
        self.run(|db| async move {
            let sql = format!(
                "SELECT {COLUMNS} FROM token WHERE $1::text IS NULL OR owner = $1
                 ORDER BY id DESC LIMIT 10000"
            );
            all(&db, &sql, &[&owner]).await?.iter().map(token).collect()
        })
        .await
    }

    async fn use_token(&self, hash: &str) -> Result<Option<Token>, StoreError> {
        let hash = hash.to_owned();
        self.run(move |db| async move {
            let sql = format!("SELECT {COLUMNS}, {UNUSED} FROM token WHERE {OPENS} AND hash = $1");
            let Some(row) = maybe(&db, &sql, &[&hash]).await? else { return Ok(None) };
            let token = token(&row)?;
            if get(&row, COLUMN_COUNT)? {
                // A full disk keeps nobody out.
                let _ = execute(&db, USED, &[&token.id.0]).await;
            }
            Ok(Some(token))
        })
        .await
    }

    async fn revoke_token(&self, id: TokenId, owner: Option<String>) -> Result<bool, StoreError> {
        self.run(move |db| async move {
            let sql = "UPDATE token SET revoked_at = verst_now()
                       WHERE id = $1 AND revoked_at IS NULL AND ($2::text IS NULL OR owner = $2)";
            Ok(execute(&db, sql, &[&id.0, &owner]).await? == 1)
        })
        .await
    }

    async fn offer_setup(&self, hash: String) -> Result<bool, StoreError> {
        self.run(move |mut db| async move {
            let tx = db.transaction().await.or_trouble()?;
            execute(&tx, ONE_AT_A_TIME, &[]).await?;
            if anybody(&tx).await? {
                return Ok(false);
            }
            let offer = "INSERT INTO setup (hash, created_at) VALUES ($1, verst_now())";
            execute(&tx, offer, &[&hash]).await?;
            execute(&tx, FORGET_OLD, &[]).await?;
            tx.commit().await.or_trouble()?;
            Ok(true)
        })
        .await
    }

    async fn take_setup(&self, hash: &str, new: NewToken) -> Result<Option<TokenId>, StoreError> {
        let hash = hash.to_owned();
        self.run(move |mut db| async move {
            let tx = db.transaction().await.or_trouble()?;
            execute(&tx, ONE_AT_A_TIME, &[]).await?;
            let known = "SELECT EXISTS (SELECT 1 FROM setup WHERE hash = $1)";
            if !get::<bool>(&one(&tx, known, &[&hash]).await?, 0)? || anybody(&tx).await? {
                return Ok(None);
            }
            let id = add(&tx, &new).await?;
            tx.commit().await.or_trouble()?;
            Ok(Some(id))
        })
        .await
    }
}

/// What a first start showed is void from here on, whatever becomes of this token.
async fn add(db: &impl GenericClient, new: &NewToken) -> Result<TokenId, StoreError> {
    execute(db, "DELETE FROM setup", &[]).await?;
    let owner = new.owner.as_deref().map(rows::text);
    let row = one(
        db,
        "INSERT INTO token (name, owner, maker, hash, created_at, expires_at)
         VALUES ($1, $2, $3, $4, verst_now(), $5) RETURNING id",
        &[
            &rows::text(&new.name),
            &owner,
            &new.maker.map(|maker| maker.0),
            &new.hash,
            &new.expires_at.map(|at| at.0),
        ],
    )
    .await?;
    get(&row, 0).map(TokenId)
}

/// Makes what a first start showed void once an admin can come in.
pub(super) async fn close_setup(db: &impl GenericClient) -> Result<(), StoreError> {
    let sql = format!("DELETE FROM setup WHERE {ADMIN}");
    execute(db, &sql, &[]).await.map(drop)
}

/// Whether any token opens anything, or an admin can come in.
pub(super) async fn anybody(db: &impl GenericClient) -> Result<bool, StoreError> {
    let sql = format!("SELECT {ADMIN} OR EXISTS (SELECT 1 FROM token WHERE {OPENS})");
    get(&one(db, &sql, &[]).await?, 0)
}

fn token(row: &Row) -> Result<Token, StoreError> {
    let time = |place: usize| get::<Option<i64>>(row, place).map(|at| at.map(Timestamp));
    Ok(Token {
        id: TokenId(get(row, 0)?),
        name: get(row, 1)?,
        owner: get(row, 2)?,
        maker: get::<Option<i64>>(row, 3)?.map(AccountId),
        created_at: rows::time(row, 4)?,
        last_used_at: time(5)?,
        expires_at: time(6)?,
        revoked_at: time(7)?,
    })
}

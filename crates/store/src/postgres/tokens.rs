//! Bearer tokens, and the setup tokens of first starts.
//!
//! **Invariant:** who makes the first token is decided under one lock, on all hosts.

use async_trait::async_trait;
use deadpool_postgres::GenericClient;
use tokio_postgres::Row;
use verst_kernel::{StoreError, Timestamp};
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
const COLUMNS: &str = "id, name, owner, created_at, last_used_at, expires_at, revoked_at";
/// How many they are.
const COLUMN_COUNT: usize = 7;
const OPENS: &str = "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > verst_now())";
/// Until the transaction ends.
const ONE_AT_A_TIME: &str = "LOCK TABLE setup IN EXCLUSIVE MODE";

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

    async fn tokens(&self) -> Result<Vec<Token>, StoreError> {
        self.run(|db| async move {
            let sql = format!("SELECT {COLUMNS} FROM token ORDER BY id DESC LIMIT 10000");
            all(&db, &sql, &[]).await?.iter().map(token).collect()
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

    async fn revoke_token(&self, id: TokenId) -> Result<bool, StoreError> {
        self.run(move |db| async move {
            let sql =
                "UPDATE token SET revoked_at = verst_now() WHERE id = $1 AND revoked_at IS NULL";
            Ok(execute(&db, sql, &[&id.0]).await? == 1)
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
        "INSERT INTO token (name, owner, hash, created_at, expires_at)
         VALUES ($1, $2, $3, verst_now(), $4) RETURNING id",
        &[&rows::text(&new.name), &owner, &new.hash, &new.expires_at.map(|at| at.0)],
    )
    .await?;
    get(&row, 0).map(TokenId)
}

/// Whether any token opens anything.
async fn anybody(db: &impl GenericClient) -> Result<bool, StoreError> {
    let sql = format!("SELECT EXISTS (SELECT 1 FROM token WHERE {OPENS})");
    get(&one(db, &sql, &[]).await?, 0)
}

fn token(row: &Row) -> Result<Token, StoreError> {
    let time = |place: usize| get::<Option<i64>>(row, place).map(|at| at.map(Timestamp));
    Ok(Token {
        id: TokenId(get(row, 0)?),
        name: get(row, 1)?,
        owner: get(row, 2)?,
        created_at: rows::time(row, 3)?,
        last_used_at: time(4)?,
        expires_at: time(5)?,
        revoked_at: time(6)?,
    })
}

//! Browsers that are signed in.

use async_trait::async_trait;
use tokio_postgres::Row;
use verst_kernel::StoreError;
use verst_service::accounts::{
    Account, AccountId, NewSession, Session, SessionId, SessionLimits, Sessions,
};

use super::accounts::{COLUMN_COUNT, COLUMNS as ACCOUNT, account, end_sessions};
use super::rows::{self, get};
use super::{Driver, Postgres, all, execute, maybe};

const COLUMNS: &str = "session.id, agent, session.created_at, last_used_at";
/// Used in the last $1 and begun in the last $2 microseconds.
const LASTS: &str =
    "last_used_at > verst_now() - $1::bigint AND session.created_at > verst_now() - $2::bigint";
/// The use of a session is written no oftener than once a minute.
const UNUSED: &str = "last_used_at <= verst_now() - 60000000";
const USED: &str = "UPDATE session SET last_used_at = verst_now() WHERE id = $1";
/// Whoever is being disabled, or gets another password, is waited for.
const OPEN: &str = "
    INSERT INTO session (account_id, hash, agent, created_at, last_used_at)
    SELECT id, $2, $3, verst_now(), verst_now() FROM account
    WHERE id = $1 AND disabled_at IS NULL AND ($4::text IS NULL OR password = $4)
    FOR SHARE
    RETURNING id";
/// More than an account keeps.
const SURPLUS: &str = "
    DELETE FROM session WHERE account_id = $1 AND id NOT IN
        (SELECT id FROM session WHERE account_id = $1 ORDER BY id DESC LIMIT 100)";

#[async_trait]
impl Sessions for Postgres {
    async fn open_session(
        &self,
        new: NewSession,
        limits: SessionLimits,
    ) -> Result<Option<SessionId>, StoreError> {
        self.run(move |mut db| async move {
            let tx = db.transaction().await.or_trouble()?;
            let ended = format!("DELETE FROM session WHERE NOT ({LASTS}) OR hash = $3");
            let (idle, age) = (limits.idle_us(), limits.age_us());
            execute(&tx, &ended, &[&idle, &age, &new.instead_of]).await?;
            let agent = rows::text(&new.agent);
            let opened =
                maybe(&tx, OPEN, &[&new.account.0, &new.hash, &agent, &new.known_by]).await?;
            let id = opened.map(|row| get(&row, 0).map(SessionId)).transpose()?;
            execute(&tx, SURPLUS, &[&new.account.0]).await?;
            tx.commit().await.or_trouble()?;
            Ok(id)
        })
        .await
    }

    async fn use_session(
        &self,
        hash: &str,
        limits: SessionLimits,
    ) -> Result<Option<(Session, Account)>, StoreError> {
        let hash = hash.to_owned();
        self.run(move |db| async move {
            let sql = format!(
                "SELECT {ACCOUNT}, {COLUMNS}, {UNUSED} FROM session
                 JOIN account ON account.id = account_id
                 WHERE {LASTS} AND hash = $3 AND disabled_at IS NULL"
            );
            let (idle, age) = (limits.idle_us(), limits.age_us());
            let found = maybe(&db, &sql, &[&idle, &age, &hash]).await?;
            let Some(row) = found else { return Ok(None) };
            let session = session(&row, COLUMN_COUNT, limits)?;
            if get(&row, COLUMN_COUNT + 4)? {
                // A full disk keeps nobody out.
                let _ = execute(&db, USED, &[&session.id.0]).await;
            }
            Ok(Some((session, account(&row)?)))
        })
        .await
    }

    async fn sessions(
        &self,
        of: AccountId,
        limits: SessionLimits,
    ) -> Result<Vec<Session>, StoreError> {
        self.run(move |db| async move {
            let sql = format!(
                "SELECT {COLUMNS} FROM session WHERE {LASTS} AND account_id = $3
                 ORDER BY id DESC LIMIT 100"
            );
            let (idle, age) = (limits.idle_us(), limits.age_us());
            let found = all(&db, &sql, &[&idle, &age, &of.0]).await?;
            found.iter().map(|row| session(row, 0, limits)).collect()
        })
        .await
    }

    async fn end_session(&self, of: AccountId, id: SessionId) -> Result<bool, StoreError> {
        self.run(move |db| async move {
            let sql = "DELETE FROM session WHERE account_id = $1 AND id = $2";
            Ok(execute(&db, sql, &[&of.0, &id.0]).await? == 1)
        })
        .await
    }

    async fn end_sessions(
        &self,
        of: AccountId,
        keep: Option<SessionId>,
    ) -> Result<u64, StoreError> {
        self.run(move |db| async move { end_sessions(&db, of, keep).await }).await
    }
}

fn session(row: &Row, first: usize, limits: SessionLimits) -> Result<Session, StoreError> {
    let created_at = rows::time(row, first + 2)?;
    Ok(Session {
        id: SessionId(get(row, first)?),
        agent: get(row, first + 1)?,
        created_at,
        last_used_at: rows::time(row, first + 3)?,
        expires_at: created_at.after(limits.age),
    })
}

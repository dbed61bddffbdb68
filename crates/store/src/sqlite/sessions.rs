//! Browsers that are signed in.

use async_trait::async_trait;
use rusqlite::{OptionalExtension, Row, params};
use verst_kernel::{StoreError, Timestamp};
use verst_service::accounts::{
    Account, AccountId, NewSession, Session, SessionId, SessionLimits, Sessions,
};

use super::accounts::{COLUMNS as ACCOUNT, account, end_sessions};
use super::{Driver, Sqlite};

/// The use of a session is written no oftener.
const MINUTE_US: i64 = 60_000_000;
/// Sessions of one account.
const MOST: i64 = 100;

const COLUMNS: &str = "session.id, agent, session.created_at, last_used_at";
/// Last used after ?1 and begun after ?2.
const LASTS: &str = "last_used_at > ?1 AND session.created_at > ?2";

#[async_trait]
impl Sessions for Sqlite {
    async fn open_session(
        &self,
        new: NewSession,
        limits: SessionLimits,
    ) -> Result<Option<SessionId>, StoreError> {
        let clock = self.clock.clone();
        self.writer
            .run(move |db| {
                let now = clock.now();
                let (idle, age) = bounds(now, limits);
                let ended = format!("DELETE FROM session WHERE NOT ({LASTS}) OR hash IS ?3");
                db.execute(&ended, params![idle, age, new.instead_of]).or_trouble()?;
                let sql = "INSERT INTO session (account_id, hash, agent, created_at, last_used_at)
                           SELECT id, ?2, ?3, ?4, ?4 FROM account
                           WHERE id = ?1 AND disabled_at IS NULL
                           AND (?5 IS NULL OR password = ?5)";
                let values = params![new.account.0, new.hash, new.agent, now.0, new.known_by];
                if db.execute(sql, values).or_trouble()? == 0 {
                    return Ok(None);
                }
                let id = SessionId(db.last_insert_rowid());
                let surplus = "DELETE FROM session WHERE account_id = ?1 AND id NOT IN
                    (SELECT id FROM session WHERE account_id = ?1 ORDER BY id DESC LIMIT ?2)";
                db.execute(surplus, params![new.account.0, MOST]).or_trouble()?;
                Ok(Some(id))
            })
            .await
    }

    async fn use_session(
        &self,
        hash: &str,
        limits: SessionLimits,
    ) -> Result<Option<(Session, Account)>, StoreError> {
        let (now, hash) = (self.clock.now(), hash.to_owned());
        let (idle, age) = bounds(now, limits);
        let found = self
            .readers
            .run(move |db| {
                let sql = format!(
                    "SELECT {ACCOUNT}, {COLUMNS} FROM session
                     JOIN account ON account.id = account_id
                     WHERE {LASTS} AND hash = ?3 AND disabled_at IS NULL"
                );
                let mut select = db.prepare_cached(&sql).or_trouble()?;
                let read = |row: &Row<'_>| Ok((session(row, 6, limits)?, account(row)));
                let found = select.query_row(params![idle, age, hash], read);
                let found = found.optional().or_trouble()?;
                found.map(|(session, account)| Ok((session, account?))).transpose()
            })
            .await?;
        if let Some((session, _)) = &found
            && now.0 - session.last_used_at.0 >= MINUTE_US
        {
            let id = session.id;
            let used = "UPDATE session SET last_used_at = ?2 WHERE id = ?1";
            // A full disk keeps nobody out.
            let _ = self
                .writer
                .run(move |db| db.execute(used, params![id.0, now.0]).or_trouble())
                .await;
        }
        Ok(found)
    }

    async fn sessions(
        &self,
        of: AccountId,
        limits: SessionLimits,
    ) -> Result<Vec<Session>, StoreError> {
        let (idle, age) = bounds(self.clock.now(), limits);
        self.readers
            .run(move |db| {
                let sql = format!(
                    "SELECT {COLUMNS} FROM session WHERE {LASTS} AND account_id = ?3
                     ORDER BY id DESC LIMIT {MOST}"
                );
                let mut select = db.prepare_cached(&sql).or_trouble()?;
                let rows = select
                    .query_map(params![idle, age, of.0], |row| session(row, 0, limits))
                    .or_trouble()?;
                rows.collect::<rusqlite::Result<_>>().or_trouble()
            })
            .await
    }

    async fn end_session(&self, of: AccountId, id: SessionId) -> Result<bool, StoreError> {
        let sql = "DELETE FROM session WHERE account_id = ?1 AND id = ?2";
        self.writer.run(move |db| Ok(db.execute(sql, params![of.0, id.0]).or_trouble()? == 1)).await
    }

    async fn end_sessions(
        &self,
        of: AccountId,
        keep: Option<SessionId>,
    ) -> Result<u64, StoreError> {
        self.writer.run(move |db| end_sessions(db, of, keep)).await
    }
}

/// A session lasts that was used after the one and begun after the other.
fn bounds(now: Timestamp, limits: SessionLimits) -> (i64, i64) {
    (now.0.saturating_sub(limits.idle_us()), now.0.saturating_sub(limits.age_us()))
}

fn session(row: &Row<'_>, first: usize, limits: SessionLimits) -> rusqlite::Result<Session> {
    let created_at = Timestamp(row.get(first + 2)?);
    Ok(Session {
        id: SessionId(row.get(first)?),
        agent: row.get(first + 1)?,
        created_at,
        last_used_at: Timestamp(row.get(first + 3)?),
        expires_at: created_at.after(limits.age),
    })
}

//! Accounts. What ends a setup token stands in [`super::tokens`].

use async_trait::async_trait;
use rusqlite::{Connection, OptionalExtension, Row, params};
use verst_kernel::{StoreError, Timestamp};
use verst_service::accounts::{
    Account, AccountId, Accounts, Altered, Name, NewAccount, Role, SessionId,
};

use super::tokens::{anybody, close_setup};
use super::{Driver, Sqlite};

pub(super) const COLUMNS: &str = "account.id, account.name, account.role, account.language,
    account.created_at, account.disabled_at";
/// An admin that can come in, other than this one.
const ANOTHER_ADMIN: &str = "SELECT EXISTS (SELECT 1 FROM account
    WHERE role = 'admin' AND disabled_at IS NULL AND id <> ?1)";

#[async_trait]
impl Accounts for Sqlite {
    async fn add_account(&self, new: NewAccount) -> Result<Option<AccountId>, StoreError> {
        let clock = self.clock.clone();
        self.writer.run(move |db| add(db, clock.now(), &new)).await
    }

    async fn found_account(
        &self,
        setup: &str,
        new: NewAccount,
    ) -> Result<Option<AccountId>, StoreError> {
        let (clock, setup) = (self.clock.clone(), setup.to_owned());
        self.writer
            .run(move |db| {
                let now = clock.now();
                let known = "SELECT EXISTS (SELECT 1 FROM setup WHERE hash = ?1)";
                let known: bool = db.query_row(known, [setup], |r| r.get(0)).or_trouble()?;
                if !known || anybody(db, now)? { Ok(None) } else { add(db, now, &new) }
            })
            .await
    }

    async fn accounts(&self) -> Result<Vec<Account>, StoreError> {
        self.readers
            .run(|db| {
                let sql = format!("SELECT {COLUMNS} FROM account ORDER BY folded LIMIT 10000");
                let mut select = db.prepare_cached(&sql).or_trouble()?;
                let rows = select.query_map([], |row| Ok(account(row))).or_trouble()?;
                rows.map(|row| row.or_trouble()?).collect()
            })
            .await
    }

    async fn account_named(&self, name: &Name) -> Result<Option<(Account, String)>, StoreError> {
        let folded = name.folded().to_owned();
        self.readers
            .run(move |db| {
                let sql = format!("SELECT {COLUMNS}, password FROM account WHERE folded = ?1");
                let mut select = db.prepare_cached(&sql).or_trouble()?;
                let read = |row: &Row<'_>| Ok((account(row), row.get(6)?));
                let found = select.query_row([folded], read).optional().or_trouble()?;
                found.map(|(account, sealed)| Ok((account?, sealed))).transpose()
            })
            .await
    }

    async fn set_password(
        &self,
        id: AccountId,
        sealed: String,
        keep: Option<SessionId>,
    ) -> Result<bool, StoreError> {
        self.writer
            .run(move |db| {
                let sql = "UPDATE account SET password = ?2 WHERE id = ?1";
                let known = db.execute(sql, params![id.0, sealed]).or_trouble()? == 1;
                end_sessions(db, id, keep)?;
                Ok(known)
            })
            .await
    }

    async fn set_role(&self, id: AccountId, role: Role) -> Result<Altered, StoreError> {
        let sql = "UPDATE account SET role = ?2 WHERE id = ?1";
        self.writer
            .run(move |db| {
                if role != Role::Admin && is_last_admin(db, id)? {
                    return Ok(Altered::LastAdmin);
                }
                altered(db.execute(sql, params![id.0, role.name()]).or_trouble()?, db)
            })
            .await
    }

    async fn disable_account(&self, id: AccountId) -> Result<Altered, StoreError> {
        let clock = self.clock.clone();
        let sql = "UPDATE account SET disabled_at = coalesce(disabled_at, ?2) WHERE id = ?1";
        self.writer
            .run(move |db| {
                if is_last_admin(db, id)? {
                    return Ok(Altered::LastAdmin);
                }
                end_sessions(db, id, None)?;
                altered(db.execute(sql, params![id.0, clock.now().0]).or_trouble()?, db)
            })
            .await
    }

    async fn enable_account(&self, id: AccountId) -> Result<Altered, StoreError> {
        let sql = "UPDATE account SET disabled_at = NULL WHERE id = ?1";
        self.writer.run(move |db| altered(db.execute(sql, [id.0]).or_trouble()?, db)).await
    }

    async fn set_language(
        &self,
        id: AccountId,
        language: Option<String>,
    ) -> Result<bool, StoreError> {
        let sql = "UPDATE account SET language = ?2 WHERE id = ?1";
        self.writer
            .run(move |db| Ok(db.execute(sql, params![id.0, language]).or_trouble()? == 1))
            .await
    }
}

fn add(db: &Connection, now: Timestamp, new: &NewAccount) -> Result<Option<AccountId>, StoreError> {
    let sql = "INSERT INTO account (name, folded, password, role, created_at)
               VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING";
    let (name, role) = (&new.name, new.role.name());
    let values = params![name.shown(), name.folded(), new.sealed, role, now.0];
    if db.execute(sql, values).or_trouble()? == 0 {
        return Ok(None);
    }
    let id = AccountId(db.last_insert_rowid());
    close_setup(db)?;
    Ok(Some(id))
}

fn altered(rows: usize, db: &Connection) -> Result<Altered, StoreError> {
    close_setup(db)?;
    Ok(if rows == 1 { Altered::Done } else { Altered::Missing })
}

fn is_last_admin(db: &Connection, id: AccountId) -> Result<bool, StoreError> {
    let can = "SELECT EXISTS (SELECT 1 FROM account
               WHERE id = ?1 AND role = 'admin' AND disabled_at IS NULL)";
    let can: bool = db.query_row(can, [id.0], |r| r.get(0)).or_trouble()?;
    let another: bool = db.query_row(ANOTHER_ADMIN, [id.0], |r| r.get(0)).or_trouble()?;
    Ok(can && !another)
}

pub(super) fn end_sessions(
    db: &Connection,
    of: AccountId,
    keep: Option<SessionId>,
) -> Result<u64, StoreError> {
    let sql = "DELETE FROM session WHERE account_id = ?1 AND id IS NOT ?2";
    let ended = db.execute(sql, params![of.0, keep.map(|id| id.0)]).or_trouble()?;
    Ok(u64::try_from(ended).unwrap_or(u64::MAX))
}

/// Reads the first columns of a row.
pub(super) fn account(row: &Row<'_>) -> Result<Account, StoreError> {
    let role: String = row.get(2).or_trouble()?;
    Ok(Account {
        id: AccountId(row.get(0).or_trouble()?),
        name: row.get(1).or_trouble()?,
        role: Role::from_name(&role).ok_or(StoreError::Damaged { what: "role" })?,
        language: row.get(3).or_trouble()?,
        created_at: Timestamp(row.get(4).or_trouble()?),
        disabled_at: row.get::<_, Option<i64>>(5).or_trouble()?.map(Timestamp),
    })
}

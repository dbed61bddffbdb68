//! Accounts. What ends a setup token stands in [`super::tokens`].
//!
//! **Invariant:** whether somebody is the last admin is decided under the lock under which first
//! tokens and accounts are made, on all hosts.

use async_trait::async_trait;
use deadpool_postgres::GenericClient;
use tokio_postgres::Row;
use verst_kernel::{StoreError, Timestamp};
use verst_service::accounts::{
    Account, AccountId, Accounts, Altered, Name, NewAccount, Role, SessionId,
};

use super::rows::{self, get};
use super::tokens::{ONE_AT_A_TIME, anybody, close_setup};
use super::{Driver, Postgres, Values, all, execute, maybe, one};

pub(super) const COLUMNS: &str = "account.id, account.name, account.role, account.language,
    account.created_at, account.disabled_at";
/// How many they are.
pub(super) const COLUMN_COUNT: usize = 6;
const LAST_ADMIN: &str = "
    SELECT EXISTS (SELECT 1 FROM account
                   WHERE id = $1 AND role = 'admin' AND disabled_at IS NULL)
       AND NOT EXISTS (SELECT 1 FROM account
                       WHERE id <> $1 AND role = 'admin' AND disabled_at IS NULL)";

#[async_trait]
impl Accounts for Postgres {
    async fn add_account(&self, new: NewAccount) -> Result<Option<AccountId>, StoreError> {
        self.run(move |mut db| async move {
            let tx = db.transaction().await.or_trouble()?;
            execute(&tx, ONE_AT_A_TIME, &[]).await?;
            let id = add(&tx, &new).await?;
            tx.commit().await.or_trouble()?;
            Ok(id)
        })
        .await
    }

    async fn found_account(
        &self,
        setup: &str,
        new: NewAccount,
    ) -> Result<Option<AccountId>, StoreError> {
        let setup = setup.to_owned();
        self.run(move |mut db| async move {
            let tx = db.transaction().await.or_trouble()?;
            execute(&tx, ONE_AT_A_TIME, &[]).await?;
            let known = "SELECT EXISTS (SELECT 1 FROM setup WHERE hash = $1)";
            if !get::<bool>(&one(&tx, known, &[&setup]).await?, 0)? || anybody(&tx).await? {
                return Ok(None);
            }
            let id = add(&tx, &new).await?;
            tx.commit().await.or_trouble()?;
            Ok(id)
        })
        .await
    }

    async fn accounts(&self) -> Result<Vec<Account>, StoreError> {
        self.run(|db| async move {
            let sql = format!("SELECT {COLUMNS} FROM account ORDER BY folded LIMIT 10000");
            all(&db, &sql, &[]).await?.iter().map(account).collect()
        })
        .await
    }

    async fn account_named(&self, name: &Name) -> Result<Option<(Account, String)>, StoreError> {
        let folded = name.folded().to_owned();
        self.run(move |db| async move {
            let sql = format!("SELECT {COLUMNS}, password FROM account WHERE folded = $1");
            let row = maybe(&db, &sql, &[&folded]).await?;
            row.map(|row| Ok((account(&row)?, get(&row, COLUMN_COUNT)?))).transpose()
        })
        .await
    }

    async fn set_password(
        &self,
        id: AccountId,
        sealed: String,
        keep: Option<SessionId>,
    ) -> Result<bool, StoreError> {
        self.run(move |mut db| async move {
            let tx = db.transaction().await.or_trouble()?;
            let sql = "UPDATE account SET password = $2 WHERE id = $1";
            let known = execute(&tx, sql, &[&id.0, &sealed]).await? == 1;
            end_sessions(&tx, id, keep).await?;
            tx.commit().await.or_trouble()?;
            Ok(known)
        })
        .await
    }

    async fn set_role(&self, id: AccountId, role: Role) -> Result<Altered, StoreError> {
        self.run(move |mut db| async move {
            let tx = db.transaction().await.or_trouble()?;
            execute(&tx, ONE_AT_A_TIME, &[]).await?;
            if role != Role::Admin && is_last_admin(&tx, id).await? {
                return Ok(Altered::LastAdmin);
            }
            let sql = "UPDATE account SET role = $2 WHERE id = $1";
            let altered = alter(&tx, sql, &[&id.0, &role.name()]).await?;
            tx.commit().await.or_trouble()?;
            Ok(altered)
        })
        .await
    }

    async fn disable_account(&self, id: AccountId) -> Result<Altered, StoreError> {
        self.run(move |mut db| async move {
            let tx = db.transaction().await.or_trouble()?;
            execute(&tx, ONE_AT_A_TIME, &[]).await?;
            if is_last_admin(&tx, id).await? {
                return Ok(Altered::LastAdmin);
            }
            let sql = "UPDATE account SET disabled_at = coalesce(disabled_at, verst_now())
                       WHERE id = $1";
            let altered = alter(&tx, sql, &[&id.0]).await?;
            // After the row is ours: who opens a session meanwhile waits for it and then has none.
            end_sessions(&tx, id, None).await?;
            tx.commit().await.or_trouble()?;
            Ok(altered)
        })
        .await
    }

    async fn enable_account(&self, id: AccountId) -> Result<Altered, StoreError> {
        self.run(move |mut db| async move {
            let tx = db.transaction().await.or_trouble()?;
            execute(&tx, ONE_AT_A_TIME, &[]).await?;
            let sql = "UPDATE account SET disabled_at = NULL WHERE id = $1";
            let altered = alter(&tx, sql, &[&id.0]).await?;
            tx.commit().await.or_trouble()?;
            Ok(altered)
        })
        .await
    }

    async fn set_language(
        &self,
        id: AccountId,
        language: Option<String>,
    ) -> Result<bool, StoreError> {
        self.run(move |db| async move {
            let sql = "UPDATE account SET language = $2 WHERE id = $1";
            Ok(execute(&db, sql, &[&id.0, &language]).await? == 1)
        })
        .await
    }
}

async fn add(db: &impl GenericClient, new: &NewAccount) -> Result<Option<AccountId>, StoreError> {
    let (name, role) = (&new.name, new.role.name());
    let sql = "INSERT INTO account (name, folded, password, role, created_at)
               VALUES ($1, $2, $3, $4, verst_now()) ON CONFLICT DO NOTHING RETURNING id";
    let values: Values<'_> = &[&name.shown(), &name.folded(), &new.sealed, &role];
    let Some(row) = maybe(db, sql, values).await? else { return Ok(None) };
    close_setup(db).await?;
    get(&row, 0).map(|id| Some(AccountId(id)))
}

async fn alter(
    db: &impl GenericClient,
    sql: &str,
    values: Values<'_>,
) -> Result<Altered, StoreError> {
    let known = execute(db, sql, values).await? == 1;
    close_setup(db).await?;
    Ok(if known { Altered::Done } else { Altered::Missing })
}

async fn is_last_admin(db: &impl GenericClient, id: AccountId) -> Result<bool, StoreError> {
    get(&one(db, LAST_ADMIN, &[&id.0]).await?, 0)
}

pub(super) async fn end_sessions(
    db: &impl GenericClient,
    of: AccountId,
    keep: Option<SessionId>,
) -> Result<u64, StoreError> {
    let sql = "DELETE FROM session WHERE account_id = $1 AND id IS DISTINCT FROM $2";
    execute(db, sql, &[&of.0, &keep.map(|id| id.0)]).await
}

/// Reads the first columns of a row.
pub(super) fn account(row: &Row) -> Result<Account, StoreError> {
    Ok(Account {
        id: AccountId(get(row, 0)?),
        name: get(row, 1)?,
        role: Role::from_name(get(row, 2)?).ok_or(StoreError::Damaged { what: "role" })?,
        language: get(row, 3)?,
        created_at: rows::time(row, 4)?,
        disabled_at: get::<Option<i64>>(row, 5)?.map(Timestamp),
    })
}

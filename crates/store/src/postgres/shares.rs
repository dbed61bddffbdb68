//! Links by which anybody may look at a recording.

use async_trait::async_trait;
use tokio_postgres::Row;
use verst_kernel::{StoreError, Timestamp, WorkId};
use verst_service::{NewShare, Share, ShareId, Shares};

use super::rows::{self, get};
use super::{Driver, Postgres, all, execute, maybe};

const OPENS: &str = "revoked_at IS NULL AND expires_at > verst_now() AND NOT EXISTS (
    SELECT 1 FROM account WHERE account.id = share.maker AND disabled_at IS NOT NULL)";
/// The recording's row is locked, so that two at once are counted one after the other.
const LOCK: &str = "SELECT 1 FROM recording WHERE id = $1 FOR NO KEY UPDATE";

#[async_trait]
impl Shares for Postgres {
    async fn add_share(&self, new: NewShare) -> Result<Option<ShareId>, StoreError> {
        self.run(move |mut db| async move {
            let tx = db.transaction().await.or_trouble()?;
            if maybe(&tx, LOCK, &[&new.recording.0]).await?.is_none() {
                return Ok(None);
            }
            let sql = format!(
                "INSERT INTO share (recording_id, hash, author, maker, created_at, expires_at)
                 SELECT $1, $2, $3, $4, verst_now(), verst_now() + $5::bigint WHERE 100 >
                     (SELECT count(*) FROM share WHERE recording_id = $1 AND {OPENS})
                 RETURNING id"
            );
            let (maker, lasts) = (new.maker.map(|maker| maker.0), rows::micros(new.lasts));
            let by = rows::text(&new.by);
            let added =
                maybe(&tx, &sql, &[&new.recording.0, &new.hash, &by, &maker, &lasts]).await?;
            tx.commit().await.or_trouble()?;
            added.map(|row| get(&row, 0).map(ShareId)).transpose()
        })
        .await
    }

    async fn shares(&self, of: WorkId) -> Result<Vec<Share>, StoreError> {
        self.run(move |db| async move {
            let sql = "SELECT id, author, created_at, expires_at, revoked_at FROM share
                       WHERE recording_id = $1 ORDER BY id DESC LIMIT 1000";
            let read = |row: &Row| {
                Ok(Share {
                    id: ShareId(get(row, 0)?),
                    by: get(row, 1)?,
                    created_at: rows::time(row, 2)?,
                    expires_at: rows::time(row, 3)?,
                    revoked_at: get::<Option<i64>>(row, 4)?.map(Timestamp),
                })
            };
            all(&db, sql, &[&of.0]).await?.iter().map(read).collect()
        })
        .await
    }

    async fn revoke_share(&self, of: WorkId, id: ShareId) -> Result<bool, StoreError> {
        self.run(move |db| async move {
            let sql = "UPDATE share SET revoked_at = verst_now()
                       WHERE recording_id = $1 AND id = $2 AND revoked_at IS NULL";
            Ok(execute(&db, sql, &[&of.0, &id.0]).await? == 1)
        })
        .await
    }

    async fn open_share(&self, hash: &str) -> Result<Option<WorkId>, StoreError> {
        let hash = hash.to_owned();
        self.run(move |db| async move {
            let sql = format!("SELECT recording_id FROM share WHERE {OPENS} AND hash = $1");
            maybe(&db, &sql, &[&hash]).await?.map(|row| rows::id(&row, 0)).transpose()
        })
        .await
    }
}

//! Links by which anybody may look at a recording.

use async_trait::async_trait;
use rusqlite::{OptionalExtension, params};
use verst_kernel::{StoreError, Timestamp, WorkId};
use verst_service::{NewShare, Share, ShareId, Shares};

use super::{Driver, Sqlite};

/// Links that lead to one recording.
const MOST: i64 = 100;
const OPENS: &str = "revoked_at IS NULL AND expires_at > ?1 AND NOT EXISTS (
    SELECT 1 FROM account WHERE account.id = share.maker AND disabled_at IS NOT NULL)";

#[async_trait]
impl Shares for Sqlite {
    async fn add_share(&self, new: NewShare) -> Result<Option<ShareId>, StoreError> {
        let clock = self.clock.clone();
        self.writer
            .run(move |db| {
                let now = clock.now();
                let sql = format!(
                    "INSERT INTO share
                         (recording_id, hash, author, maker, created_at, expires_at)
                     SELECT id, ?3, ?4, ?5, ?1, ?6 FROM recording WHERE id = ?2 AND ?7 >
                         (SELECT count(*) FROM share WHERE recording_id = ?2 AND {OPENS})"
                );
                let maker = new.maker.map(|maker| maker.0);
                let until = now.after(new.lasts).0;
                let values = params![now.0, new.recording.0, new.hash, new.by, maker, until, MOST];
                let added = db.execute(&sql, values).or_trouble()?;
                Ok((added == 1).then(|| ShareId(db.last_insert_rowid())))
            })
            .await
    }

    async fn shares(&self, of: WorkId) -> Result<Vec<Share>, StoreError> {
        self.readers
            .run(move |db| {
                let sql = "SELECT id, author, created_at, expires_at, revoked_at FROM share
                           WHERE recording_id = ?1 ORDER BY id DESC LIMIT 1000";
                let mut select = db.prepare_cached(sql).or_trouble()?;
                let rows = select
                    .query_map([of.0], |row| {
                        Ok(Share {
                            id: ShareId(row.get(0)?),
                            by: row.get(1)?,
                            created_at: Timestamp(row.get(2)?),
                            expires_at: Timestamp(row.get(3)?),
                            revoked_at: row.get::<_, Option<i64>>(4)?.map(Timestamp),
                        })
                    })
                    .or_trouble()?;
                rows.collect::<rusqlite::Result<_>>().or_trouble()
            })
            .await
    }

    async fn revoke_share(&self, of: WorkId, id: ShareId) -> Result<bool, StoreError> {
        let clock = self.clock.clone();
        let sql = "UPDATE share SET revoked_at = ?3
                   WHERE recording_id = ?1 AND id = ?2 AND revoked_at IS NULL";
        self.writer
            .run(move |db| {
                Ok(db.execute(sql, params![of.0, id.0, clock.now().0]).or_trouble()? == 1)
            })
            .await
    }

    async fn open_share(&self, hash: &str) -> Result<Option<WorkId>, StoreError> {
        let (now, hash) = (self.clock.now(), hash.to_owned());
        self.readers
            .run(move |db| {
                let sql = format!("SELECT recording_id FROM share WHERE {OPENS} AND hash = ?2");
                let mut select = db.prepare_cached(&sql).or_trouble()?;
                let found = select.query_row(params![now.0, hash], |row| Ok(WorkId(row.get(0)?)));
                found.optional().or_trouble()
            })
            .await
    }
}

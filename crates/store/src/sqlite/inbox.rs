//! What a bot got and has to act on.
//!
//! **Invariant:** there is one writer, so which number is asked for next moves with the updates before it.

use std::time::Duration;

use async_trait::async_trait;
use rusqlite::{OptionalExtension, params};
use verst_kernel::{Instance, StoreError};
use verst_service::{BotId, Inbound, Inbox, Pending};

use super::{Driver, Sqlite};

/// Longer than any server offers an update again, and than its numbers go on.
const REMEMBERED_US: i64 = 30 * 24 * 3600 * 1_000_000;

const HOLD: &str = "
    UPDATE bot SET holder = ?2, held_until = ?4
    WHERE id = ?1 AND (holder IS NULL OR holder = ?2 OR held_until <= ?3)
    RETURNING next_update";

#[async_trait]
impl Inbox for Sqlite {
    async fn hold_bot(
        &self,
        bot: BotId,
        instance: &Instance,
        lease: Duration,
    ) -> Result<Option<i64>, StoreError> {
        let (clock, holder) = (self.clock.clone(), instance.0.clone());
        self.writer
            .run(move |db| {
                let now = clock.now();
                db.execute("INSERT OR IGNORE INTO bot (id) VALUES (?1)", [bot.0]).or_trouble()?;
                let values = params![bot.0, holder, now.0, now.after(lease).0];
                db.query_row(HOLD, values, |row| row.get(0)).optional().or_trouble()
            })
            .await
    }

    async fn release_bot(&self, bot: BotId, instance: &Instance) -> Result<(), StoreError> {
        let holder = instance.0.clone();
        let sql = "UPDATE bot SET holder = NULL, held_until = 0 WHERE id = ?1 AND holder = ?2";
        self.writer
            .run(move |db| db.execute(sql, params![bot.0, holder]).or_trouble().map(drop))
            .await
    }

    async fn receive(
        &self,
        bot: BotId,
        updates: Vec<Inbound>,
        next: i64,
    ) -> Result<(), StoreError> {
        let clock = self.clock.clone();
        self.writer
            .run(move |db| {
                let now = clock.now();
                let keep = "INSERT OR IGNORE INTO bot_update (bot_id, id, at, body)
                            VALUES (?1, ?2, ?3, ?4)";
                let mut keep = db.prepare_cached(keep).or_trouble()?;
                for update in &updates {
                    keep.execute(params![bot.0, update.id, now.0, update.body]).or_trouble()?;
                }
                let ask = "UPDATE bot SET next_update = ?2 WHERE id = ?1";
                db.execute(ask, params![bot.0, next]).or_trouble()?;
                let old = "DELETE FROM bot_update WHERE body IS NULL AND at < ?1";
                db.execute(old, [now.0 - REMEMBERED_US]).or_trouble()?;
                Ok(())
            })
            .await
    }

    async fn pending(&self, bot: BotId, limit: u32) -> Result<Vec<Pending>, StoreError> {
        self.readers
            .run(move |db| {
                let sql = "SELECT id, body, tries FROM bot_update
                           WHERE bot_id = ?1 AND body IS NOT NULL ORDER BY at, id LIMIT ?2";
                let mut select = db.prepare_cached(sql).or_trouble()?;
                let found = select.query_map(params![bot.0, limit], |row| {
                    let update = Inbound { id: row.get(0)?, body: row.get(1)? };
                    Ok(Pending { update, tries: row.get(2)? })
                });
                found.or_trouble()?.collect::<rusqlite::Result<_>>().or_trouble()
            })
            .await
    }

    async fn begin_update(&self, bot: BotId, id: i64) -> Result<(), StoreError> {
        let sql = "UPDATE bot_update SET tries = tries + 1 WHERE bot_id = ?1 AND id = ?2";
        self.writer.run(move |db| db.execute(sql, params![bot.0, id]).or_trouble().map(drop)).await
    }

    async fn finish_update(&self, bot: BotId, id: i64) -> Result<(), StoreError> {
        let sql = "UPDATE bot_update SET body = NULL WHERE bot_id = ?1 AND id = ?2";
        self.writer.run(move |db| db.execute(sql, params![bot.0, id]).or_trouble().map(drop)).await
    }
}

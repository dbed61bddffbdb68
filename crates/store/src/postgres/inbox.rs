//! What a bot got and has to act on.
//!
//! **Invariant:** whoever writes updates holds the bot's row, so which number is asked for next moves
//! with the updates before it.

use std::time::Duration;

use async_trait::async_trait;
use verst_kernel::{Instance, StoreError};
use verst_service::{BotId, Inbound, Inbox, Pending};

use super::rows::{self, count, get};
use super::{Driver, Postgres, all, execute, maybe};

const HOLD: &str = "
    UPDATE bot SET holder = $2, held_until = verst_now() + $3
    WHERE id = $1 AND (holder IS NULL OR holder = $2 OR held_until <= verst_now())
    RETURNING next_update";
/// Longer than any server offers an update again, and than its numbers go on: thirty days.
const FORGET_OLD: &str =
    "DELETE FROM bot_update WHERE body IS NULL AND at < verst_now() - 2592000000000";

#[async_trait]
impl Inbox for Postgres {
    async fn hold_bot(
        &self,
        bot: BotId,
        instance: &Instance,
        lease: Duration,
    ) -> Result<Option<i64>, StoreError> {
        let holder = instance.0.clone();
        self.run(move |db| async move {
            let add = "INSERT INTO bot (id) VALUES ($1) ON CONFLICT DO NOTHING";
            execute(&db, add, &[&bot.0]).await?;
            let held = maybe(&db, HOLD, &[&bot.0, &holder, &rows::micros(lease)]).await?;
            held.map(|row| get(&row, 0)).transpose()
        })
        .await
    }

    async fn release_bot(&self, bot: BotId, instance: &Instance) -> Result<(), StoreError> {
        let holder = instance.0.clone();
        let sql = "UPDATE bot SET holder = NULL, held_until = 0 WHERE id = $1 AND holder = $2";
        self.run(move |db| async move { execute(&db, sql, &[&bot.0, &holder]).await.map(drop) })
            .await
    }

    async fn receive(
        &self,
        bot: BotId,
        updates: Vec<Inbound>,
        next: i64,
    ) -> Result<(), StoreError> {
        self.run(move |mut db| async move {
            let tx = db.transaction().await.or_trouble()?;
            let ask = "UPDATE bot SET next_update = $2 WHERE id = $1";
            execute(&tx, ask, &[&bot.0, &next]).await?;
            for update in &updates {
                let keep = "INSERT INTO bot_update (bot_id, id, at, body)
                            VALUES ($1, $2, verst_now(), $3) ON CONFLICT DO NOTHING";
                execute(&tx, keep, &[&bot.0, &update.id, &rows::text(&update.body)]).await?;
            }
            execute(&tx, FORGET_OLD, &[]).await?;
            tx.commit().await.or_trouble()
        })
        .await
    }

    async fn pending(&self, bot: BotId, limit: u32) -> Result<Vec<Pending>, StoreError> {
        self.run(move |db| async move {
            let sql = "SELECT id, body, tries FROM bot_update
                       WHERE bot_id = $1 AND body IS NOT NULL ORDER BY at, id LIMIT $2";
            let found = all(&db, sql, &[&bot.0, &i64::from(limit)]).await?;
            let read = |row| {
                let update = Inbound { id: get(row, 0)?, body: get(row, 1)? };
                Ok(Pending { update, tries: count(row, 2, "tries")? })
            };
            found.iter().map(read).collect()
        })
        .await
    }

    async fn begin_update(&self, bot: BotId, id: i64) -> Result<(), StoreError> {
        let sql = "UPDATE bot_update SET tries = tries + 1 WHERE bot_id = $1 AND id = $2";
        self.run(move |db| async move { execute(&db, sql, &[&bot.0, &id]).await.map(drop) }).await
    }

    async fn finish_update(&self, bot: BotId, id: i64) -> Result<(), StoreError> {
        let sql = "UPDATE bot_update SET body = NULL WHERE bot_id = $1 AND id = $2";
        self.run(move |db| async move { execute(&db, sql, &[&bot.0, &id]).await.map(drop) }).await
    }
}

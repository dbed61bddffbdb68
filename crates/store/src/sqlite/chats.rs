//! Whose a chat is, and which message in it tells how a thing stands.

use async_trait::async_trait;
use rusqlite::{Connection, OptionalExtension, Row, params};
use verst_kernel::{StoreError, Timestamp, WorkId};
use verst_service::{Chat, ChatId, Chats, StatusMessage};

use super::{Driver, Sqlite};

const CHAT: &str = "SELECT id, owner, language FROM chat";
const MESSAGE: &str =
    "SELECT m.work_id, m.chat_id, m.asked_in, m.message, m.sent_at, m.said FROM chat_message m";

#[async_trait]
impl Chats for Sqlite {
    async fn meet(&self, chat: ChatId, language: Option<String>) -> Result<Chat, StoreError> {
        let known = self.chat(chat).await?;
        if let Some(known) = known
            && (language.is_none() || known.language == language)
        {
            return Ok(known);
        }
        self.writer
            .run(move |db| {
                let sql = "INSERT INTO chat (id, language) VALUES (?1, ?2)
                           ON CONFLICT (id) DO UPDATE SET language = coalesce(?2, language)
                           RETURNING id, owner, language";
                db.query_row(sql, params![chat.0, language], read_chat).or_trouble()
            })
            .await
    }

    async fn chat(&self, chat: ChatId) -> Result<Option<Chat>, StoreError> {
        let sql = format!("{CHAT} WHERE id = ?1");
        self.readers
            .run(move |db| db.query_row(&sql, [chat.0], read_chat).optional().or_trouble())
            .await
    }

    async fn linked_chats(&self, owner: Option<String>) -> Result<Vec<Chat>, StoreError> {
        self.readers
            .run(move |db| {
                let sql = format!(
                    "{CHAT} WHERE owner IS NOT NULL AND (?1 IS NULL OR owner = ?1)
                     ORDER BY owner, id LIMIT 1000"
                );
                let mut select = db.prepare_cached(&sql).or_trouble()?;
                let found = select.query_map([owner], read_chat).or_trouble()?;
                found.collect::<rusqlite::Result<_>>().or_trouble()
            })
            .await
    }

    async fn offer_link(
        &self,
        hash: String,
        owner: String,
        expires_at: Timestamp,
    ) -> Result<(), StoreError> {
        let clock = self.clock.clone();
        self.writer
            .run(move |db| {
                let old = "DELETE FROM chat_code WHERE expires_at <= ?1";
                db.execute(old, [clock.now().0]).or_trouble()?;
                let offer = "INSERT INTO chat_code (hash, owner, expires_at) VALUES (?1, ?2, ?3)";
                db.execute(offer, params![hash, owner, expires_at.0]).or_trouble()?;
                Ok(())
            })
            .await
    }

    async fn take_link(&self, hash: &str, chat: ChatId) -> Result<Option<String>, StoreError> {
        let (clock, hash) = (self.clock.clone(), hash.to_owned());
        self.writer.run(move |db| take_link(db, clock.now(), &hash, chat)).await
    }

    async fn unlink(&self, chat: ChatId) -> Result<bool, StoreError> {
        let sql = "UPDATE chat SET owner = NULL WHERE id = ?1 AND owner IS NOT NULL";
        self.writer.run(move |db| Ok(db.execute(sql, [chat.0]).or_trouble()? == 1)).await
    }

    async fn status_message(
        &self,
        work: WorkId,
        chat: ChatId,
    ) -> Result<Option<StatusMessage>, StoreError> {
        let sql = format!("{MESSAGE} WHERE m.work_id = ?1 AND m.chat_id = ?2");
        self.readers
            .run(move |db| {
                db.query_row(&sql, params![work.0, chat.0], read_message).optional().or_trouble()
            })
            .await
    }

    async fn put_status_message(&self, status: StatusMessage) -> Result<(), StoreError> {
        let sql = "INSERT INTO chat_message (work_id, chat_id, asked_in, message, sent_at, said)
                   SELECT id, ?2, ?3, ?4, ?5, ?6 FROM work WHERE id = ?1
                   ON CONFLICT (work_id, chat_id) DO UPDATE SET
                       asked_in = ?3, message = ?4, sent_at = ?5, said = ?6";
        self.writer
            .run(move |db| {
                let StatusMessage { work, chat, asked_in, message, sent_at, said } = status;
                let values = params![work.0, chat.0, asked_in, message, sent_at.0, said];
                db.execute(sql, values).or_trouble().map(drop)
            })
            .await
    }

    async fn moving_messages(&self, limit: u32) -> Result<Vec<StatusMessage>, StoreError> {
        self.readers
            .run(move |db| {
                let sql = format!(
                    "{MESSAGE} JOIN work w ON w.id = m.work_id
                     WHERE w.stopped_at IS NULL AND w.milestone <> 'done'
                     ORDER BY m.work_id DESC, m.chat_id LIMIT ?1"
                );
                let mut select = db.prepare_cached(&sql).or_trouble()?;
                let found = select.query_map([limit], read_message).or_trouble()?;
                found.collect::<rusqlite::Result<_>>().or_trouble()
            })
            .await
    }

    async fn told_in(
        &self,
        chat: ChatId,
        before: Option<WorkId>,
        limit: u32,
    ) -> Result<Vec<WorkId>, StoreError> {
        self.readers
            .run(move |db| {
                let sql = "SELECT work_id FROM chat_message
                           WHERE chat_id = ?1 AND work_id < ?2 ORDER BY work_id DESC LIMIT ?3";
                let before = before.map_or(i64::MAX, |id| id.0);
                let mut select = db.prepare_cached(sql).or_trouble()?;
                let found =
                    select.query_map(params![chat.0, before, limit], |row| row.get(0).map(WorkId));
                found.or_trouble()?.collect::<rusqlite::Result<_>>().or_trouble()
            })
            .await
    }
}

/// The same chat may come with its code once more, because its update did.
fn take_link(
    db: &Connection,
    now: Timestamp,
    hash: &str,
    chat: ChatId,
) -> Result<Option<String>, StoreError> {
    let take = "UPDATE chat_code SET taken_by = ?2
                WHERE hash = ?1 AND expires_at > ?3 AND (taken_by IS NULL OR taken_by = ?2)
                RETURNING owner";
    let taken = db.query_row(take, params![hash, chat.0, now.0], |row| row.get(0));
    let Some(owner) = taken.optional().or_trouble()? else { return Ok(None) };
    let owner: String = owner;
    let link = "INSERT INTO chat (id, owner) VALUES (?1, ?2)
                ON CONFLICT (id) DO UPDATE SET owner = ?2";
    db.execute(link, params![chat.0, owner]).or_trouble()?;
    for (table, id) in [("recording", "id"), ("download_sender", "download_id")] {
        let give = format!(
            "UPDATE {table} SET owner = ?2
             WHERE owner IS NULL AND source = 'telegram' AND reply_to LIKE ?3
               AND {id} IN (SELECT work_id FROM chat_message WHERE chat_id = ?1)"
        );
        db.execute(&give, params![chat.0, owner, format!("{}:%", chat.0)]).or_trouble()?;
    }
    Ok(Some(owner))
}

fn read_chat(row: &Row<'_>) -> rusqlite::Result<Chat> {
    Ok(Chat { id: ChatId(row.get(0)?), owner: row.get(1)?, language: row.get(2)? })
}

fn read_message(row: &Row<'_>) -> rusqlite::Result<StatusMessage> {
    Ok(StatusMessage {
        work: WorkId(row.get(0)?),
        chat: ChatId(row.get(1)?),
        asked_in: row.get(2)?,
        message: row.get(3)?,
        sent_at: Timestamp(row.get(4)?),
        said: row.get(5)?,
    })
}

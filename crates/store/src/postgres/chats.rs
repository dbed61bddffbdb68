//! Whose a chat is, and which message in it tells how a thing stands.

use async_trait::async_trait;
use deadpool_postgres::GenericClient;
use tokio_postgres::Row;
use verst_kernel::{StoreError, Timestamp, WorkId};
use verst_service::{Chat, ChatId, Chats, StatusMessage};

use super::rows::{self, get};
use super::{Driver, Postgres, all, execute, maybe, one};

const CHAT: &str = "SELECT id, owner, language FROM chat";
const MESSAGE: &str =
    "SELECT m.work_id, m.chat_id, m.asked_in, m.message, m.sent_at, m.said FROM chat_message m";

#[async_trait]
impl Chats for Postgres {
    async fn meet(&self, chat: ChatId, language: Option<String>) -> Result<Chat, StoreError> {
        let known = self.chat(chat).await?;
        if let Some(known) = known
            && (language.is_none() || known.language == language)
        {
            return Ok(known);
        }
        self.run(move |db| async move {
            let sql = "INSERT INTO chat AS known (id, language) VALUES ($1, $2)
                       ON CONFLICT (id) DO UPDATE SET language = coalesce($2, known.language)
                       RETURNING id, owner, language";
            read_chat(&one(&db, sql, &[&chat.0, &language]).await?)
        })
        .await
    }

    async fn chat(&self, chat: ChatId) -> Result<Option<Chat>, StoreError> {
        self.run(move |db| async move {
            let found = maybe(&db, &format!("{CHAT} WHERE id = $1"), &[&chat.0]).await?;
            found.map(|row| read_chat(&row)).transpose()
        })
        .await
    }

    async fn linked_chats(&self, owner: Option<String>) -> Result<Vec<Chat>, StoreError> {
        self.run(move |db| async move {
            let sql = format!(
                "{CHAT} WHERE owner IS NOT NULL AND ($1::text IS NULL OR owner = $1)
                 ORDER BY owner COLLATE \"C\", id LIMIT 1000"
            );
            all(&db, &sql, &[&owner]).await?.iter().map(read_chat).collect()
        })
        .await
    }

    async fn offer_link(
        &self,
        hash: String,
        owner: String,
        expires_at: Timestamp,
    ) -> Result<(), StoreError> {
        self.run(move |mut db| async move {
            let tx = db.transaction().await.or_trouble()?;
            let old = "DELETE FROM chat_code WHERE expires_at <= verst_now()";
            execute(&tx, old, &[]).await?;
            let offer = "INSERT INTO chat_code (hash, owner, expires_at) VALUES ($1, $2, $3)";
            execute(&tx, offer, &[&hash, &rows::text(&owner), &expires_at.0]).await?;
            tx.commit().await.or_trouble()
        })
        .await
    }

    async fn take_link(&self, hash: &str, chat: ChatId) -> Result<Option<String>, StoreError> {
        let hash = hash.to_owned();
        self.run(move |mut db| async move {
            let tx = db.transaction().await.or_trouble()?;
            let owner = take_link(&tx, &hash, chat).await?;
            tx.commit().await.or_trouble()?;
            Ok(owner)
        })
        .await
    }

    async fn unlink(&self, chat: ChatId) -> Result<bool, StoreError> {
        let sql = "UPDATE chat SET owner = NULL WHERE id = $1 AND owner IS NOT NULL";
        self.run(move |db| async move { Ok(execute(&db, sql, &[&chat.0]).await? == 1) }).await
    }

    async fn status_message(
        &self,
        work: WorkId,
        chat: ChatId,
    ) -> Result<Option<StatusMessage>, StoreError> {
        self.run(move |db| async move {
            let sql = format!("{MESSAGE} WHERE m.work_id = $1 AND m.chat_id = $2");
            let found = maybe(&db, &sql, &[&work.0, &chat.0]).await?;
            found.map(|row| read_message(&row)).transpose()
        })
        .await
    }

    async fn put_status_message(&self, status: StatusMessage) -> Result<(), StoreError> {
        let sql = "INSERT INTO chat_message (work_id, chat_id, asked_in, message, sent_at, said)
                   SELECT id, $2, $3, $4, $5, $6 FROM work WHERE id = $1 FOR KEY SHARE
                   ON CONFLICT (work_id, chat_id) DO UPDATE SET
                       asked_in = $3, message = $4, sent_at = $5, said = $6";
        self.run(move |db| async move {
            let StatusMessage { work, chat, asked_in, message, sent_at, said } = status;
            execute(&db, sql, &[&work.0, &chat.0, &asked_in, &message, &sent_at.0, &said])
                .await
                .map(drop)
        })
        .await
    }

    async fn moving_messages(&self, limit: u32) -> Result<Vec<StatusMessage>, StoreError> {
        self.run(move |db| async move {
            let sql = format!(
                "{MESSAGE} JOIN work w ON w.id = m.work_id
                 WHERE w.stopped_at IS NULL AND w.milestone <> 'done'
                 ORDER BY m.work_id DESC, m.chat_id LIMIT $1"
            );
            all(&db, &sql, &[&i64::from(limit)]).await?.iter().map(read_message).collect()
        })
        .await
    }

    async fn told_in(
        &self,
        chat: ChatId,
        before: Option<WorkId>,
        limit: u32,
    ) -> Result<Vec<WorkId>, StoreError> {
        self.run(move |db| async move {
            let sql = "SELECT work_id FROM chat_message
                       WHERE chat_id = $1 AND work_id < $2 ORDER BY work_id DESC LIMIT $3";
            let before = before.map_or(i64::MAX, |id| id.0);
            let found = all(&db, sql, &[&chat.0, &before, &i64::from(limit)]).await?;
            found.iter().map(|row| rows::id(row, 0)).collect()
        })
        .await
    }
}

/// The same chat may come with its code once more, because its update did.
async fn take_link(
    db: &impl GenericClient,
    hash: &str,
    chat: ChatId,
) -> Result<Option<String>, StoreError> {
    let take = "UPDATE chat_code SET taken_by = $2
                WHERE hash = $1 AND expires_at > verst_now()
                  AND (taken_by IS NULL OR taken_by = $2)
                RETURNING owner";
    let Some(row) = maybe(db, take, &[&hash, &chat.0]).await? else { return Ok(None) };
    let owner: String = get(&row, 0)?;
    let link = "INSERT INTO chat (id, owner) VALUES ($1, $2)
                ON CONFLICT (id) DO UPDATE SET owner = $2";
    execute(db, link, &[&chat.0, &owner]).await?;
    for (table, id) in [("recording", "id"), ("download_sender", "download_id")] {
        let give = format!(
            "UPDATE {table} SET owner = $2
             WHERE owner IS NULL AND source = 'telegram' AND reply_to LIKE $3
               AND {id} IN (SELECT work_id FROM chat_message WHERE chat_id = $1)"
        );
        execute(db, &give, &[&chat.0, &owner, &format!("{}:%", chat.0)]).await?;
    }
    Ok(Some(owner))
}

fn read_chat(row: &Row) -> Result<Chat, StoreError> {
    Ok(Chat { id: ChatId(get(row, 0)?), owner: get(row, 1)?, language: get(row, 2)? })
}

fn read_message(row: &Row) -> Result<StatusMessage, StoreError> {
    Ok(StatusMessage {
        work: rows::id(row, 0)?,
        chat: ChatId(get(row, 1)?),
        asked_in: get(row, 2)?,
        message: get(row, 3)?,
        sent_at: rows::time(row, 4)?,
        said: get(row, 5)?,
    })
}

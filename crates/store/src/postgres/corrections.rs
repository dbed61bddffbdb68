//! What people put right in transcripts.
//!
//! **Invariant:** a transcript is changed under the lock of its work's row, which a step holds too
//! when it writes another.

use async_trait::async_trait;
use deadpool_postgres::GenericClient;
use verst_kernel::{StoreError, WorkId};
use verst_recordings::corrections::{Correction, CorrectionId, Step, Wording, reword, withdraw};
use verst_recordings::transcript::Transcript;
use verst_service::{Corrections, Reworded};

use super::rows::{self, get, text};
use super::{Driver, Postgres, all, cards, execute, maybe, recordings};
use crate::cards::of;
use crate::codec::{read_ms, write_ms};

/// Corrections of one recording.
const MOST: usize = 10_000;
const LOCK: &str = "SELECT 1 FROM work JOIN recording USING (id) WHERE work.id = $1
                    FOR UPDATE OF work";

#[async_trait]
impl Corrections for Postgres {
    async fn reword(&self, id: WorkId, wording: Wording, by: &str) -> Result<Reworded, StoreError> {
        let by = by.to_owned();
        self.run(move |mut db| async move {
            let tx = db.transaction().await.or_trouble()?;
            let reworded = change(&tx, id, &wording, &by).await?;
            tx.commit().await.or_trouble()?;
            Ok(reworded)
        })
        .await
    }

    async fn corrections(&self, id: WorkId) -> Result<Vec<Correction>, StoreError> {
        self.run(move |db| async move { kept(&db, id).await }).await
    }

    async fn withdraw(&self, id: WorkId, which: CorrectionId) -> Result<Reworded, StoreError> {
        self.run(move |mut db| async move {
            let tx = db.transaction().await.or_trouble()?;
            maybe(&tx, LOCK, &[&id.0]).await?;
            let all = kept(&tx, id).await?;
            let Some(correction) = all.iter().find(|it| it.id == which) else {
                return Ok(Reworded::Missing);
            };
            if let Some(mut transcript) = recordings::transcript(&tx, id).await? {
                withdraw(&mut transcript.segments, correction);
                write(&tx, id, &transcript).await?;
            }
            remove(&tx, which).await?;
            tx.commit().await.or_trouble()?;
            Ok(Reworded::Done)
        })
        .await
    }
}

async fn change(
    db: &impl GenericClient,
    id: WorkId,
    wording: &Wording,
    by: &str,
) -> Result<Reworded, StoreError> {
    if maybe(db, LOCK, &[&id.0]).await?.is_none() {
        return Ok(Reworded::Missing);
    }
    let Some(mut transcript) = recordings::transcript(db, id).await? else {
        return Ok(Reworded::NoText);
    };
    // The one character that cannot be kept must not make the text another than the correction's.
    let typed = wording.text.as_deref().map(|typed| text(typed).into_owned());
    let wording = &Wording { text: typed, ..wording.clone() };
    let all = kept(db, id).await?;
    let Ok(step) = reword(&mut transcript.segments, &all, wording) else {
        return Ok(Reworded::Changed);
    };
    match step {
        Step::Nothing => return Ok(Reworded::Done),
        Step::Add(_) if all.len() >= MOST => return Ok(Reworded::TooMany),
        Step::Add(heard) => {
            let (from, until) = (write_ms(heard.start_ms), write_ms(heard.end_ms));
            let sql = "INSERT INTO correction
                    (recording_id, from_ms, until_ms, heard, text, at, author)
                VALUES ($1, $2, $3, $4, $5, verst_now(), $6)";
            let by = text(by);
            execute(db, sql, &[&id.0, &from, &until, &heard.text, &wording.text, &by]).await?;
        }
        Step::Reword(which) => {
            let sql = "UPDATE correction SET text = $2, at = verst_now(), author = $3
                       WHERE id = $1";
            execute(db, sql, &[&which.0, &wording.text, &text(by)]).await?;
        }
        Step::Remove(which) => remove(db, which).await?,
    }
    write(db, id, &transcript).await?;
    Ok(Reworded::Done)
}

/// The corrections of a recording, in the order of its time.
pub(super) async fn kept(
    db: &impl GenericClient,
    id: WorkId,
) -> Result<Vec<Correction>, StoreError> {
    let sql = "SELECT id, from_ms, until_ms, heard, text, at, author FROM correction
               WHERE recording_id = $1 ORDER BY from_ms, id";
    let read = |row: &tokio_postgres::Row| {
        Ok(Correction {
            id: CorrectionId(get(row, 0)?),
            from_ms: read_ms(get(row, 1)?)?,
            until_ms: read_ms(get(row, 2)?)?,
            heard: get(row, 3)?,
            text: get(row, 4)?,
            at: rows::time(row, 5)?,
            by: get(row, 6)?,
        })
    };
    all(db, sql, &[&id.0]).await?.iter().map(read).collect()
}

async fn remove(db: &impl GenericClient, which: CorrectionId) -> Result<(), StoreError> {
    execute(db, "DELETE FROM correction WHERE id = $1", &[&which.0]).await.map(drop)
}

async fn write(
    db: &impl GenericClient,
    id: WorkId,
    transcript: &Transcript,
) -> Result<(), StoreError> {
    let (segments, card) = of(transcript);
    let sql = "UPDATE transcript SET segments = $2 WHERE recording_id = $1";
    execute(db, sql, &[&id.0, &segments]).await?;
    cards::write(db, id, &card, &segments).await
}

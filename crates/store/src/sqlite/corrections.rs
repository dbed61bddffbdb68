//! What people put right in transcripts.

use async_trait::async_trait;
use rusqlite::{Connection, OptionalExtension, params};
use verst_kernel::{StoreError, Timestamp, WorkId};
use verst_recordings::corrections::{Correction, CorrectionId, Step, Wording, reword, withdraw};
use verst_service::{Corrections, Reworded};

use super::{Driver, Sqlite, cards, recordings};
use crate::cards::of;
use crate::codec::{read_ms, write_ms};

/// Corrections of one recording.
const MOST: usize = 10_000;

#[async_trait]
impl Corrections for Sqlite {
    async fn reword(&self, id: WorkId, wording: Wording, by: &str) -> Result<Reworded, StoreError> {
        let (clock, by) = (self.clock.clone(), by.to_owned());
        self.writer.run(move |db| change(db, clock.now(), id, &wording, &by)).await
    }

    async fn corrections(&self, id: WorkId) -> Result<Vec<Correction>, StoreError> {
        self.readers.run(move |db| kept(db, id)).await
    }

    async fn withdraw(&self, id: WorkId, which: CorrectionId) -> Result<Reworded, StoreError> {
        self.writer
            .run(move |db| {
                let all = kept(db, id)?;
                let Some(correction) = all.iter().find(|it| it.id == which) else {
                    return Ok(Reworded::Missing);
                };
                if let Some(mut transcript) = recordings::transcript(db, id)? {
                    withdraw(&mut transcript.segments, correction);
                    write(db, id, &transcript)?;
                }
                remove(db, which)?;
                Ok(Reworded::Done)
            })
            .await
    }
}

fn change(
    db: &Connection,
    now: Timestamp,
    id: WorkId,
    wording: &Wording,
    by: &str,
) -> Result<Reworded, StoreError> {
    let known = "SELECT 1 FROM recording WHERE id = ?1";
    if db.query_row(known, [id.0], |_| Ok(())).optional().or_trouble()?.is_none() {
        return Ok(Reworded::Missing);
    }
    let Some(mut transcript) = recordings::transcript(db, id)? else {
        return Ok(Reworded::NoText);
    };
    let all = kept(db, id)?;
    let Ok(step) = reword(&mut transcript.segments, &all, wording) else {
        return Ok(Reworded::Changed);
    };
    match step {
        Step::Nothing => return Ok(Reworded::Done),
        Step::Add(_) if all.len() >= MOST => return Ok(Reworded::TooMany),
        Step::Add(heard) => db
            .execute(
                "INSERT INTO correction
                     (recording_id, from_ms, until_ms, heard, text, at, author)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                params![
                    id.0,
                    write_ms(heard.start_ms),
                    write_ms(heard.end_ms),
                    heard.text,
                    wording.text,
                    now.0,
                    by
                ],
            )
            .or_trouble()
            .map(drop)?,
        Step::Reword(which) => db
            .execute(
                "UPDATE correction SET text = ?2, at = ?3, author = ?4 WHERE id = ?1",
                params![which.0, wording.text, now.0, by],
            )
            .or_trouble()
            .map(drop)?,
        Step::Remove(which) => remove(db, which)?,
    }
    write(db, id, &transcript)?;
    Ok(Reworded::Done)
}

/// The corrections of a recording, in the order of its time.
pub(super) fn kept(db: &Connection, id: WorkId) -> Result<Vec<Correction>, StoreError> {
    let mut select = db
        .prepare_cached(
            "SELECT id, from_ms, until_ms, heard, text, at, author FROM correction
             WHERE recording_id = ?1 ORDER BY from_ms, id",
        )
        .or_trouble()?;
    let mut found = select.query([id.0]).or_trouble()?;
    let mut all = Vec::new();
    while let Some(row) = found.next().or_trouble()? {
        all.push(Correction {
            id: CorrectionId(row.get(0).or_trouble()?),
            from_ms: read_ms(row.get(1).or_trouble()?)?,
            until_ms: read_ms(row.get(2).or_trouble()?)?,
            heard: row.get(3).or_trouble()?,
            text: row.get(4).or_trouble()?,
            at: Timestamp(row.get(5).or_trouble()?),
            by: row.get(6).or_trouble()?,
        });
    }
    Ok(all)
}

fn remove(db: &Connection, which: CorrectionId) -> Result<(), StoreError> {
    db.execute("DELETE FROM correction WHERE id = ?1", [which.0]).or_trouble().map(drop)
}

fn write(
    db: &Connection,
    id: WorkId,
    transcript: &verst_recordings::transcript::Transcript,
) -> Result<(), StoreError> {
    let (segments, card) = of(transcript);
    let sql = "UPDATE transcript SET segments = ?2 WHERE recording_id = ?1";
    db.execute(sql, params![id.0, segments]).or_trouble()?;
    cards::write(db, id, &card)
}

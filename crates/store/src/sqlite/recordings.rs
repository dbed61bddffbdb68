//! The recordings' own tables.

use std::time::Duration;

use async_trait::async_trait;
use rusqlite::{Connection, OptionalExtension, Row, params};
use verst_kernel::{Claim, Noted, Notes, StoreError, Timestamp, WorkId};
use verst_recordings::model::{
    Accepted, Attempt, AttemptId, Audio, CallId, NewRecording, Product, RecordedCall, Recording,
    Source,
};
use verst_recordings::ports::{Admission, Call, Lanes, Part, RecordingStore, Ticket, Wish};
use verst_recordings::search::Card;
use verst_recordings::transcript::Transcript;
use verst_recordings::{LINE, NORMALIZED};

use super::{Driver, Sqlite, attempts, calls, cards, products, rows};
use crate::codec;

const AHEAD: &str = "
    SELECT count(*) FROM work w JOIN recording r ON r.id = w.id, recording me
    WHERE me.id = ?1 AND w.id <> me.id AND w.line = ?2
      AND w.stopped_at IS NULL AND w.milestone <> 'done'
      AND w.last_failure IS NULL
      AND (r.size_bytes > ?3) = (me.size_bytes > ?3)
      AND (w.milestone = ?4 AND w.id < me.id
           OR w.milestone = ?5 AND NOT EXISTS (
               SELECT 1 FROM attempt a
               WHERE a.recording_id = w.id AND a.closed_at IS NULL))";

#[async_trait]
impl Notes<Product> for Sqlite {
    async fn note(&self, claim: &Claim, product: Product) -> Result<Noted, StoreError> {
        let clock = self.clock.clone();
        let (id, fence) = (claim.id(), claim.fence());
        self.writer
            .run(move |db| {
                if !attempts::holds(db, id, fence)? {
                    return Ok(Noted::Lost);
                }
                products::of_recording(db, clock.now(), id, product)?;
                Ok(Noted::Held)
            })
            .await
    }
}

#[async_trait]
impl RecordingStore for Sqlite {
    async fn accept(&self, new: NewRecording) -> Result<Accepted, StoreError> {
        let clock = self.clock.clone();
        let accepted = self.writer.run(move |db| accept(db, clock.now(), &new)).await?;
        self.bell.notify_one();
        Ok(accepted)
    }

    async fn recording(&self, id: WorkId) -> Result<Option<Recording>, StoreError> {
        self.readers.run(move |db| find(db, id)).await
    }

    async fn by_handle(&self, handle: String) -> Result<Option<WorkId>, StoreError> {
        self.readers.run(move |db| by_handle(db, &handle)).await
    }

    async fn ahead(&self, id: WorkId, small_bytes: u64) -> Result<u64, StoreError> {
        let small = i64::try_from(small_bytes).unwrap_or(i64::MAX);
        self.readers
            .run(move |db| {
                let count: i64 = db
                    .prepare_cached(AHEAD)
                    .or_trouble()?
                    .query_row(params![id.0, LINE.name(), small, LINE.first(), NORMALIZED], |r| {
                        r.get(0)
                    })
                    .or_trouble()?;
                Ok(u64::try_from(count).unwrap_or(0))
            })
            .await
    }

    async fn open_attempt(
        &self,
        claim: &Claim,
        recogniser: &'static str,
        lanes: Lanes,
        duration: Duration,
    ) -> Result<Admission, StoreError> {
        let (clock, id, fence) = (self.clock.clone(), claim.id(), claim.fence());
        self.writer
            .run(move |db| {
                attempts::open(db, clock.now(), (id, fence), recogniser, lanes, duration)
            })
            .await
    }

    async fn open_attempt_of(&self, id: WorkId) -> Result<Option<Attempt>, StoreError> {
        self.readers.run(move |db| attempts::of(db, id)).await
    }

    async fn keep_ticket(&self, attempt: AttemptId, ticket: &Ticket) -> Result<(), StoreError> {
        let ticket = ticket.clone();
        self.writer.run(move |db| attempts::keep_ticket(db, attempt, &ticket)).await
    }

    async fn parts(&self, attempt: AttemptId) -> Result<Vec<Part>, StoreError> {
        self.readers.run(move |db| parts(db, attempt)).await
    }

    async fn open_call(
        &self,
        claim: &Claim,
        attempt: AttemptId,
        call: Call,
    ) -> Result<Option<CallId>, StoreError> {
        let (clock, held) = (self.clock.clone(), (claim.id(), claim.fence()));
        self.writer.run(move |db| calls::open(db, clock.now(), held, attempt, call)).await
    }

    async fn calls(&self, attempt: AttemptId) -> Result<Vec<RecordedCall>, StoreError> {
        self.readers.run(move |db| calls::of(db, attempt)).await
    }

    async fn keep_answer(
        &self,
        attempt: AttemptId,
        call: CallId,
        part: &Part,
    ) -> Result<(), StoreError> {
        let (clock, part) = (self.clock.clone(), part.clone());
        self.writer.run(move |db| calls::answer(db, clock.now(), attempt, call, &part)).await
    }

    async fn transcript(&self, id: WorkId) -> Result<Option<Transcript>, StoreError> {
        self.readers.run(move |db| transcript(db, id)).await
    }

    async fn bind_objects(&self, id: String) -> Result<String, StoreError> {
        self.writer
            .run(move |db| {
                let first = "INSERT INTO home (one, objects) VALUES (1, ?1) ON CONFLICT DO NOTHING";
                db.execute(first, [id]).or_trouble()?;
                db.query_row("SELECT objects FROM home", [], |r| r.get(0)).or_trouble()
            })
            .await
    }

    async fn bound_objects(&self) -> Result<Option<String>, StoreError> {
        self.readers
            .run(|db| {
                let bound = db.query_row("SELECT objects FROM home", [], |r| r.get(0));
                bound.optional().or_trouble()
            })
            .await
    }

    async fn named_objects(&self, keys: Vec<String>) -> Result<Vec<String>, StoreError> {
        self.readers
            .run(move |db| {
                let mut named = db
                    .prepare_cached(
                        "SELECT EXISTS (SELECT 1 FROM recording WHERE original = ?1)
                             OR EXISTS (SELECT 1 FROM recording WHERE audio_key = ?1)",
                    )
                    .or_trouble()?;
                let mut kept = Vec::new();
                for key in keys {
                    if named.query_row([&key], |r| r.get(0)).or_trouble()? {
                        kept.push(key);
                    }
                }
                Ok(kept)
            })
            .await
    }
}

fn by_handle(db: &Connection, handle: &str) -> Result<Option<WorkId>, StoreError> {
    db.prepare_cached("SELECT id FROM recording WHERE handle = ?1")
        .or_trouble()?
        .query_row([handle], |r| Ok(WorkId(r.get(0)?)))
        .optional()
        .or_trouble()
}

fn accept(db: &Connection, now: Timestamp, new: &NewRecording) -> Result<Accepted, StoreError> {
    let before = new.handle.as_deref().map(|handle| by_handle(db, handle)).transpose()?;
    if let Some(id) = before.flatten() {
        return Ok(Accepted { id, fresh: false });
    }
    db.prepare_cached(
        "INSERT INTO work (line, milestone, created_at, entered_at, ready_at)
         VALUES (?1, ?2, ?3, ?3, ?3)",
    )
    .or_trouble()?
    .execute(params![LINE.name(), LINE.first(), now.0])
    .or_trouble()?;
    let id = db.last_insert_rowid();
    db.prepare_cached(
        "INSERT INTO recording
             (id, source, reply_to, owner, original, name, size_bytes, language, model, handle)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )
    .or_trouble()?
    .execute(params![
        id,
        new.source.name(),
        new.reply_to,
        new.owner,
        new.original,
        new.name,
        i64::try_from(new.size_bytes).unwrap_or(i64::MAX),
        new.wish.language,
        new.wish.model,
        new.handle,
    ])
    .or_trouble()?;
    cards::write(db, WorkId(id), &Card::default())?;
    Ok(Accepted { id: WorkId(id), fresh: true })
}

pub(super) const COLUMNS: &str = "r.id, r.source, r.reply_to, r.owner, r.original, r.name, \
    r.size_bytes, r.language, r.model, r.title, r.audio_key, r.level_db, r.duration_us, r.warnings, \
    r.handle, r.original_deleted, r.summary, r.topics, r.speakers";
/// How many they are.
pub(super) const COLUMN_COUNT: usize = 19;

/// Reads [`COLUMNS`].
pub(super) fn read(row: &Row<'_>) -> Result<Recording, StoreError> {
    let source: String = row.get(1).or_trouble()?;
    let duration = row.get::<_, Option<i64>>(12).or_trouble()?.map(rows::duration);
    let key: Option<String> = row.get(10).or_trouble()?;
    let level_db = row.get(11).or_trouble()?;
    let text = |place: usize| row.get::<_, String>(place).or_trouble();
    Ok(Recording {
        id: WorkId(row.get(0).or_trouble()?),
        given: NewRecording {
            source: Source::from_name(&source).ok_or(StoreError::Damaged { what: "source" })?,
            reply_to: row.get(2).or_trouble()?,
            owner: row.get(3).or_trouble()?,
            original: row.get(4).or_trouble()?,
            handle: row.get(14).or_trouble()?,
            name: row.get(5).or_trouble()?,
            size_bytes: u64::try_from(row.get::<_, i64>(6).or_trouble()?).unwrap_or(0),
            wish: Wish { language: row.get(7).or_trouble()?, model: row.get(8).or_trouble()? },
        },
        original_deleted: row.get(15).or_trouble()?,
        title: row.get(9).or_trouble()?,
        summary: row.get(16).or_trouble()?,
        topics: codec::read_typed(&text(17)?)?,
        speakers: codec::read_typed(&text(18)?)?,
        audio: key.zip(duration).map(|(key, duration)| Audio { key, duration, level_db }),
        duration,
        warnings: codec::read_warnings(&text(13)?)?,
    })
}

pub(super) fn find(db: &Connection, id: WorkId) -> Result<Option<Recording>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM recording r WHERE r.id = ?1");
    let mut select = db.prepare_cached(&sql).or_trouble()?;
    let mut found = select.query([id.0]).or_trouble()?;
    found.next().or_trouble()?.map(read).transpose()
}

fn parts(db: &Connection, attempt: AttemptId) -> Result<Vec<Part>, StoreError> {
    let mut select = db
        .prepare_cached(
            "SELECT position, language, segments FROM part WHERE attempt_id = ?1 ORDER BY position",
        )
        .or_trouble()?;
    let mut found = select.query([attempt.0]).or_trouble()?;
    let mut parts = Vec::new();
    while let Some(row) = found.next().or_trouble()? {
        let segments: String = row.get(2).or_trouble()?;
        parts.push(Part {
            index: row.get(0).or_trouble()?,
            language: row.get(1).or_trouble()?,
            segments: codec::read_segments(&segments)?,
        });
    }
    Ok(parts)
}

pub(super) fn transcript(db: &Connection, id: WorkId) -> Result<Option<Transcript>, StoreError> {
    let found: Option<(Option<String>, String, String)> = db
        .prepare_cached("SELECT language, model, segments FROM transcript WHERE recording_id = ?1")
        .or_trouble()?
        .query_row([id.0], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)))
        .optional()
        .or_trouble()?;
    found
        .map(|(language, model, segments)| {
            Ok(Transcript { language, model, segments: codec::read_segments(&segments)? })
        })
        .transpose()
}

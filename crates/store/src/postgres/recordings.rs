//! The recordings' own tables.
//!
//! **Invariant:** nothing here moves a fence.

use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::{Client, GenericClient};
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;
use verst_kernel::{Claim, Noted, Notes, StoreError, WorkId};
use verst_recordings::model::{
    Accepted, Attempt, AttemptId, Audio, CallId, NewRecording, Product, RecordedCall, Recording,
    Source,
};
use verst_recordings::ports::{Admission, Call, Lanes, Part, RecordingStore, Ticket, Wish};
use verst_recordings::search::{Card, RULES};
use verst_recordings::transcript::Transcript;
use verst_recordings::{LINE, NORMALIZED};

use super::rows::{self, get};
use super::{Driver, Postgres, all, attempts, calls, execute, maybe, one, products};
use crate::{cards, codec};

const ACCEPT: &str = "
    WITH accepted AS (
        INSERT INTO work (line, milestone, created_at, entered_at, ready_at)
        SELECT $1, $2, now, now, now FROM (SELECT verst_now() AS now) clock
        RETURNING id
    ), recorded AS (
        INSERT INTO recording
            (id, source, reply_to, owner, original, name, size_bytes, language, model, handle)
        SELECT id, $3, $4, $5, $6, $7, $8, $9, $10, $11 FROM accepted
        RETURNING id
    )
    INSERT INTO card (recording_id, rules, places, stems)
    SELECT id, $12, $13, array_to_tsvector($14::text[] || ARRAY[
        ':a' || (id >> 9), ':b' || (id >> 12), ':c' || (id >> 15)]) FROM recorded
    RETURNING recording_id";

const AHEAD: &str = "
    SELECT count(*) FROM work w JOIN recording r ON r.id = w.id, recording me
    WHERE me.id = $1 AND w.id <> me.id AND w.line = $2
      AND w.stopped_at IS NULL AND w.milestone <> 'done'
      AND w.last_failure IS NULL
      AND (r.size_bytes > $3) = (me.size_bytes > $3)
      AND (w.milestone = $4 AND w.id < me.id
           OR w.milestone = $5 AND NOT EXISTS (
               SELECT 1 FROM attempt a
               WHERE a.recording_id = w.id AND a.closed_at IS NULL))";

#[async_trait]
impl Notes<Product> for Postgres {
    async fn note(&self, claim: &Claim, product: Product) -> Result<Noted, StoreError> {
        let (id, fence) = (claim.id(), claim.fence());
        self.run(move |mut db| async move {
            let tx = db.transaction().await.or_trouble()?;
            let Some(now) = attempts::hold(&tx, id, fence).await? else { return Ok(Noted::Lost) };
            products::of_recording(&tx, now, id, product).await?;
            tx.commit().await.or_trouble()?;
            Ok(Noted::Held)
        })
        .await
    }
}

#[async_trait]
impl RecordingStore for Postgres {
    async fn accept(&self, new: NewRecording) -> Result<Accepted, StoreError> {
        let accepted = self.run(|db| accept(db, new)).await?;
        self.bell.ring();
        Ok(accepted)
    }

    async fn recording(&self, id: WorkId) -> Result<Option<Recording>, StoreError> {
        self.run(move |db| async move { find(&db, id).await }).await
    }

    async fn by_handle(&self, handle: String) -> Result<Option<WorkId>, StoreError> {
        self.run(|db| async move { by_handle(&db, &handle).await }).await
    }

    async fn ahead(&self, id: WorkId, small_bytes: u64) -> Result<u64, StoreError> {
        let small = i64::try_from(small_bytes).unwrap_or(i64::MAX);
        self.run(move |db| async move {
            let params: [&(dyn ToSql + Sync); 5] =
                [&id.0, &LINE.name(), &small, &LINE.first(), &NORMALIZED];
            rows::count(&one(&db, AHEAD, &params).await?, 0, "ahead")
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
        let held = (claim.id(), claim.fence());
        self.run(move |db| attempts::open(db, held, recogniser, lanes, duration)).await
    }

    async fn open_attempt_of(&self, id: WorkId) -> Result<Option<Attempt>, StoreError> {
        self.run(move |db| attempts::of(db, id)).await
    }

    async fn keep_ticket(&self, attempt: AttemptId, ticket: &Ticket) -> Result<(), StoreError> {
        let ticket = ticket.clone();
        self.run(move |db| attempts::keep_ticket(db, attempt, ticket)).await
    }

    async fn parts(&self, attempt: AttemptId) -> Result<Vec<Part>, StoreError> {
        self.run(move |db| async move {
            let found = all(
                &db,
                "SELECT position, language, segments FROM part WHERE attempt_id = $1
                 ORDER BY position",
                &[&attempt.0],
            )
            .await?;
            found.iter().map(part).collect()
        })
        .await
    }

    async fn open_call(
        &self,
        claim: &Claim,
        attempt: AttemptId,
        call: Call,
    ) -> Result<Option<CallId>, StoreError> {
        let held = (claim.id(), claim.fence());
        self.run(move |db| calls::open(db, held, attempt, call)).await
    }

    async fn calls(&self, attempt: AttemptId) -> Result<Vec<RecordedCall>, StoreError> {
        self.run(move |db| calls::of(db, attempt)).await
    }

    async fn keep_answer(
        &self,
        attempt: AttemptId,
        call: CallId,
        part: &Part,
    ) -> Result<(), StoreError> {
        let part = part.clone();
        self.run(move |db| async move { calls::answer(&db, attempt, call, &part).await }).await
    }

    async fn transcript(&self, id: WorkId) -> Result<Option<Transcript>, StoreError> {
        self.run(move |db| async move { transcript(&db, id).await }).await
    }

    async fn bind_objects(&self, id: String) -> Result<String, StoreError> {
        self.run(|db| async move {
            let first = "INSERT INTO home (one, objects) VALUES (1, $1) ON CONFLICT DO NOTHING";
            execute(&db, first, &[&id]).await?;
            get(&one(&db, "SELECT objects FROM home", &[]).await?, 0)
        })
        .await
    }

    async fn bound_objects(&self) -> Result<Option<String>, StoreError> {
        self.run(|db| async move {
            let bound = maybe(&db, "SELECT objects FROM home", &[]).await?;
            bound.as_ref().map(|row| get(row, 0)).transpose()
        })
        .await
    }

    async fn named_objects(&self, keys: Vec<String>) -> Result<Vec<String>, StoreError> {
        self.run(|db| async move {
            let named = all(
                &db,
                "SELECT key FROM unnest($1::text[]) WITH ORDINALITY AS asked (key, place)
                 WHERE EXISTS (SELECT 1 FROM recording WHERE original = key)
                    OR EXISTS (SELECT 1 FROM recording WHERE audio_key = key)
                 ORDER BY place",
                &[&keys],
            )
            .await?;
            named.iter().map(|row| get(row, 0)).collect()
        })
        .await
    }
}

pub(super) async fn find(
    db: &impl GenericClient,
    id: WorkId,
) -> Result<Option<Recording>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM recording r WHERE r.id = $1");
    maybe(db, &sql, &[&id.0]).await?.as_ref().map(read).transpose()
}

pub(super) async fn transcript(
    db: &impl GenericClient,
    id: WorkId,
) -> Result<Option<Transcript>, StoreError> {
    let sql = "SELECT language, model, segments FROM transcript WHERE recording_id = $1";
    let Some(row) = maybe(db, sql, &[&id.0]).await? else { return Ok(None) };
    let segments = codec::read_segments(get(&row, 2)?)?;
    Ok(Some(Transcript { language: get(&row, 0)?, model: get(&row, 1)?, segments }))
}

async fn by_handle(db: &Client, handle: &str) -> Result<Option<WorkId>, StoreError> {
    let found = "SELECT id FROM recording WHERE handle = $1";
    let row = maybe(db, found, &[&rows::text(handle)]).await?;
    row.as_ref().map(|row| rows::id(row, 0)).transpose()
}

async fn accept(db: Client, new: NewRecording) -> Result<Accepted, StoreError> {
    let refused = match insert(&db, &new).await {
        Ok(id) => return Ok(Accepted { id, fresh: true }),
        Err(error) => error,
    };
    let (StoreError::Refused(_), Some(handle)) = (&refused, &new.handle) else {
        return Err(refused);
    };
    // Somebody was first, a moment ago or long since. Nothing of this one was written.
    let before = by_handle(&db, handle).await?;
    before.map(|id| Accepted { id, fresh: false }).ok_or(refused)
}

async fn insert(db: &Client, new: &NewRecording) -> Result<WorkId, StoreError> {
    let text = |typed: &Option<String>| typed.as_deref().map(|t| rows::text(t).into_owned());
    let row = one(
        db,
        ACCEPT,
        &[
            &LINE.name(),
            &LINE.first(),
            &new.source.name(),
            &text(&new.reply_to),
            &text(&new.owner),
            &new.original,
            &text(&new.name),
            &i64::try_from(new.size_bytes).unwrap_or(i64::MAX),
            &text(&new.wish.language),
            &text(&new.wish.model),
            &text(&new.handle),
            &i64::from(RULES),
            &Card::default().write(),
            &cards::first_stems(new),
        ],
    )
    .await?;
    rows::id(&row, 0)
}

pub(super) const COLUMNS: &str = "r.id, r.source, r.reply_to, r.owner, r.original, r.name, \
    r.size_bytes, r.language, r.model, r.title, r.audio_key, r.level_db, r.duration_us, r.warnings, \
    r.handle, r.original_deleted, r.summary, r.topics, r.speakers";
/// How many they are.
pub(super) const COLUMN_COUNT: usize = 19;

/// Reads [`COLUMNS`].
pub(super) fn read(row: &Row) -> Result<Recording, StoreError> {
    let duration = get::<Option<i64>>(row, 12)?.map(rows::duration);
    let (key, level_db): (Option<String>, _) = (get(row, 10)?, get(row, 11)?);
    Ok(Recording {
        id: rows::id(row, 0)?,
        given: NewRecording {
            source: Source::from_name(get(row, 1)?)
                .ok_or(StoreError::Damaged { what: "source" })?,
            reply_to: get(row, 2)?,
            owner: get(row, 3)?,
            original: get(row, 4)?,
            handle: get(row, 14)?,
            name: get(row, 5)?,
            size_bytes: rows::count(row, 6, "size")?,
            wish: Wish { language: get(row, 7)?, model: get(row, 8)? },
        },
        original_deleted: get(row, 15)?,
        title: get(row, 9)?,
        summary: get(row, 16)?,
        topics: codec::read_typed(get(row, 17)?)?,
        speakers: codec::read_typed(get(row, 18)?)?,
        audio: key.zip(duration).map(|(key, duration)| Audio { key, duration, level_db }),
        duration,
        warnings: codec::read_warnings(get(row, 13)?)?,
    })
}

fn part(row: &Row) -> Result<Part, StoreError> {
    Ok(Part {
        index: rows::count(row, 0, "part")?,
        language: get(row, 1)?,
        segments: codec::read_segments(get(row, 2)?)?,
    })
}

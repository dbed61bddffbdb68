//! What steps write besides the move.
//!
//! **Invariant:** runs inside the transaction of the settle, note or lift that carries it, after
//! the fence was compared and while the work's row is locked.

use deadpool_postgres::GenericClient;
use verst_downloads::model::Product as OfDownload;
use verst_kernel::{StoreError, Timestamp, WorkId};
use verst_recordings::corrections;
use verst_recordings::model::{Audio, Product as OfRecording};
use verst_recordings::ports::{Part, Warning, Wish};
use verst_recordings::transcript::Transcript;
use verst_service::Product;

use super::rows::{micros, text};
use super::{calls, execute, one};
use crate::{cards, codec};

pub(super) async fn write(
    db: &impl GenericClient,
    now: Timestamp,
    id: WorkId,
    product: Product,
) -> Result<(), StoreError> {
    match product {
        Product::Recording(product) => of_recording(db, now, id, product).await,
        Product::Download(product) => of_download(db, id, product).await,
    }
}

pub(super) async fn of_download(
    db: &impl GenericClient,
    id: WorkId,
    product: OfDownload,
) -> Result<(), StoreError> {
    match product {
        OfDownload::Added => {
            execute(db, "UPDATE download SET in_client = true WHERE id = $1", &[&id.0]).await
        }
        OfDownload::Exported(bytes) => {
            execute(db, "UPDATE download SET torrent = $2 WHERE id = $1", &[&id.0, &bytes]).await
        }
        OfDownload::Filing(filing) => {
            let write = "UPDATE download SET filing = $2, candidates = '[]' WHERE id = $1";
            execute(db, write, &[&id.0, &text(&codec::write(&filing))]).await
        }
        OfDownload::Candidates(candidates) => {
            let write = "UPDATE download SET candidates = $2 WHERE id = $1";
            execute(db, write, &[&id.0, &text(&codec::write(&candidates))]).await
        }
        OfDownload::Planned(plan) => {
            let write = "UPDATE download SET placed = $2 WHERE id = $1";
            execute(db, write, &[&id.0, &text(&codec::write(&plan))]).await
        }
        OfDownload::Placed => Ok(0),
    }
    .map(drop)
}

pub(super) async fn of_recording(
    db: &impl GenericClient,
    now: Timestamp,
    id: WorkId,
    product: OfRecording,
) -> Result<(), StoreError> {
    match product {
        OfRecording::Normalised { audio, warnings } => normalised(db, id, &audio, &warnings).await,
        OfRecording::Submitted => Ok(()),
        OfRecording::Begun { attempt, ticket } => {
            let keep = "UPDATE attempt SET ticket = $2 WHERE id = $1 AND ticket IS NULL";
            execute(db, keep, &[&attempt.0, &ticket.0]).await.map(drop)
        }
        OfRecording::AttemptClosed { attempt, failure } => {
            let close = "UPDATE attempt SET closed_at = $3, failure = $4
                         WHERE id = $1 AND recording_id = $2 AND closed_at IS NULL";
            let failure = codec::write_failure(&failure);
            execute(db, close, &[&attempt.0, &id.0, &now.0, &failure]).await.map(drop)
        }
        OfRecording::Warned { warning } => warned(db, id, warning).await,
        OfRecording::Part { attempt, part } => keep_part(db, attempt.0, &part).await,
        OfRecording::CallClosed { call, failure } => {
            let close = "UPDATE call SET closed_at = $3, failure = $4
                         WHERE id = $1 AND answered_at IS NULL AND closed_at IS NULL
                           AND attempt_id IN (SELECT id FROM attempt WHERE recording_id = $2)";
            let failure = codec::write_failure(&failure);
            execute(db, close, &[&call.0, &id.0, &now.0, &failure]).await.map(drop)
        }
        OfRecording::Answered { attempt, call, part } => {
            calls::answer(db, attempt, call, &part).await
        }
        OfRecording::Transcribed { attempt, transcript } => {
            transcribed(db, id, attempt.0, transcript).await
        }
        OfRecording::Finished { original_deleted } => finished(db, now, id, original_deleted).await,
        OfRecording::Again(wish) => again(db, now, id, &wish).await,
        OfRecording::SubmitAgain => close_open(db, now, id).await,
        OfRecording::KeepWaiting => {
            let wait = "UPDATE attempt SET awaited = true
                        WHERE recording_id = $1 AND closed_at IS NULL";
            execute(db, wait, &[&id.0]).await.map(drop)
        }
        OfRecording::CallAgain => {
            let close = "UPDATE call SET closed_at = $2
                         WHERE answered_at IS NULL AND closed_at IS NULL
                           AND attempt_id IN (SELECT id FROM attempt
                                              WHERE recording_id = $1 AND closed_at IS NULL)";
            execute(db, close, &[&id.0, &now.0]).await.map(drop)
        }
    }
}

async fn normalised(
    db: &impl GenericClient,
    id: WorkId,
    audio: &Audio,
    warnings: &[Warning],
) -> Result<(), StoreError> {
    execute(
        db,
        "UPDATE recording SET audio_key = $2, duration_us = $3, level_db = $4, warnings = $5
         WHERE id = $1",
        &[
            &id.0,
            &audio.key,
            &micros(audio.duration),
            &audio.level_db,
            &codec::write_warnings(warnings),
        ],
    )
    .await
    .map(drop)
}

async fn warned(db: &impl GenericClient, id: WorkId, warning: Warning) -> Result<(), StoreError> {
    let read = "SELECT warnings FROM recording WHERE id = $1 FOR UPDATE";
    let told: String = one(db, read, &[&id.0]).await?.get(0);
    let all = codec::with_warning(&told, warning)?;
    let write = "UPDATE recording SET warnings = $2 WHERE id = $1";
    execute(db, write, &[&id.0, &all]).await.map(drop)
}

async fn keep_part(db: &impl GenericClient, attempt: i64, part: &Part) -> Result<(), StoreError> {
    let segments = codec::write_segments(&part.segments);
    execute(
        db,
        "INSERT INTO part (attempt_id, position, language, segments) VALUES ($1, $2, $3, $4)",
        &[&attempt, &i64::from(part.index), &part.language, &segments],
    )
    .await
    .map(drop)
}

async fn transcribed(
    db: &impl GenericClient,
    id: WorkId,
    attempt: i64,
    mut transcript: Transcript,
) -> Result<(), StoreError> {
    let kept = super::corrections::kept(db, id).await?;
    corrections::apply(&mut transcript.segments, &kept);
    let (segments, card) = cards::of(&transcript);
    execute(
        db,
        "INSERT INTO transcript (recording_id, attempt_id, language, model, segments)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (recording_id) DO UPDATE SET
             attempt_id = excluded.attempt_id, language = excluded.language,
             model = excluded.model, segments = excluded.segments",
        &[&id.0, &attempt, &transcript.language, &transcript.model, &segments],
    )
    .await?;
    super::cards::write(db, id, &card, &segments).await
}

/// In one statement: the work's row is locked meanwhile.
async fn finished(
    db: &impl GenericClient,
    now: Timestamp,
    id: WorkId,
    original_deleted: bool,
) -> Result<(), StoreError> {
    let finish = "
        WITH released AS (
            UPDATE recording SET audio_key = NULL, original_deleted = $2 WHERE id = $1
        ), cleared AS (
            DELETE FROM part
            WHERE attempt_id IN (SELECT id FROM attempt WHERE recording_id = $1)
        )
        UPDATE attempt SET closed_at = $3 WHERE recording_id = $1 AND closed_at IS NULL";
    execute(db, finish, &[&id.0, &original_deleted, &now.0]).await.map(drop)
}

async fn again(
    db: &impl GenericClient,
    now: Timestamp,
    id: WorkId,
    wish: &Wish,
) -> Result<(), StoreError> {
    let typed = |given: &Option<String>| given.as_deref().map(|given| text(given).into_owned());
    let again = "
        WITH former AS (
            INSERT INTO discarded (key)
            SELECT audio_key FROM recording WHERE id = $1 AND audio_key IS NOT NULL
            ON CONFLICT DO NOTHING
        ), cleared AS (
            DELETE FROM part
            WHERE attempt_id IN (SELECT id FROM attempt WHERE recording_id = $1)
        )
        UPDATE recording SET audio_key = NULL, language = $2, model = $3 WHERE id = $1";
    execute(db, again, &[&id.0, &typed(&wish.language), &typed(&wish.model)]).await?;
    close_open(db, now, id).await
}

async fn close_open(db: &impl GenericClient, now: Timestamp, id: WorkId) -> Result<(), StoreError> {
    let close = "UPDATE attempt SET closed_at = $2 WHERE recording_id = $1 AND closed_at IS NULL";
    execute(db, close, &[&id.0, &now.0]).await.map(drop)
}

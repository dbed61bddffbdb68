//! What steps write besides the move. Runs inside the transaction of the settle, note or lift
//! that carries it, after the fence was compared.

use rusqlite::{Connection, params};
use verst_downloads::model::Product as OfDownload;
use verst_kernel::{StoreError, Timestamp, WorkId};
use verst_recordings::corrections;
use verst_recordings::model::{Audio, Product as OfRecording};
use verst_recordings::ports::{Part, Warning, Wish};
use verst_recordings::transcript::Transcript;
use verst_service::Product;

use super::rows::micros;
use super::{Driver, attempts, calls};
use crate::{cards, codec};

pub(super) fn write(
    db: &Connection,
    now: Timestamp,
    id: WorkId,
    product: Product,
) -> Result<(), StoreError> {
    match product {
        Product::Recording(product) => of_recording(db, now, id, product),
        Product::Download(product) => of_download(db, id, product),
    }
}

pub(super) fn of_download(
    db: &Connection,
    id: WorkId,
    product: OfDownload,
) -> Result<(), StoreError> {
    let (sql, value): (_, Option<Box<dyn rusqlite::ToSql>>) = match product {
        OfDownload::Added => ("UPDATE download SET in_client = 1 WHERE id = ?1", None),
        OfDownload::Exported(bytes) => {
            ("UPDATE download SET torrent = ?2 WHERE id = ?1", Some(Box::new(bytes)))
        }
        OfDownload::Filing(filing) => {
            let filing = codec::write(&filing);
            let write = "UPDATE download SET filing = ?2, candidates = '[]' WHERE id = ?1";
            (write, Some(Box::new(filing)))
        }
        OfDownload::Candidates(candidates) => {
            let candidates = codec::write(&candidates);
            ("UPDATE download SET candidates = ?2 WHERE id = ?1", Some(Box::new(candidates)))
        }
        OfDownload::Planned(plan) => {
            let plan = codec::write(&plan);
            ("UPDATE download SET placed = ?2 WHERE id = ?1", Some(Box::new(plan)))
        }
        OfDownload::Placed => return Ok(()),
    };
    match value {
        Some(value) => execute(db, sql, params![id.0, value]),
        None => execute(db, sql, params![id.0]),
    }
}

pub(super) fn of_recording(
    db: &Connection,
    now: Timestamp,
    id: WorkId,
    product: OfRecording,
) -> Result<(), StoreError> {
    match product {
        OfRecording::Normalised { audio, warnings } => normalised(db, id, &audio, &warnings),
        OfRecording::Submitted => Ok(()),
        OfRecording::Begun { attempt, ticket } => attempts::keep_ticket(db, attempt, &ticket),
        OfRecording::AttemptClosed { attempt, failure } => {
            let failure = codec::write_failure(&failure);
            execute(
                db,
                "UPDATE attempt SET closed_at = ?3, failure = ?4
                 WHERE id = ?1 AND recording_id = ?2 AND closed_at IS NULL",
                params![attempt.0, id.0, now.0, failure],
            )
        }
        OfRecording::Warned { warning } => warned(db, id, warning),
        OfRecording::Part { attempt, part } => keep_part(db, attempt.0, &part),
        OfRecording::CallClosed { call, failure } => execute(
            db,
            "UPDATE call SET closed_at = ?3, failure = ?4
             WHERE id = ?1 AND answered_at IS NULL AND closed_at IS NULL
               AND attempt_id IN (SELECT id FROM attempt WHERE recording_id = ?2)",
            params![call.0, id.0, now.0, codec::write_failure(&failure)],
        ),
        OfRecording::Answered { attempt, call, part } => {
            calls::answer(db, now, attempt, call, &part)
        }
        OfRecording::Transcribed { attempt, transcript } => {
            transcribed(db, id, attempt.0, transcript)
        }
        OfRecording::Finished { original_deleted } => {
            execute(
                db,
                "UPDATE recording SET audio_key = NULL, original_deleted = ?2 WHERE id = ?1",
                params![id.0, original_deleted],
            )?;
            execute(
                db,
                "DELETE FROM part WHERE attempt_id IN
                     (SELECT id FROM attempt WHERE recording_id = ?1)",
                params![id.0],
            )?;
            close_open(db, now, id)
        }
        OfRecording::Again(wish) => again(db, now, id, &wish),
        OfRecording::SubmitAgain => close_open(db, now, id),
        OfRecording::KeepWaiting => execute(
            db,
            "UPDATE attempt SET awaited = 1 WHERE recording_id = ?1 AND closed_at IS NULL",
            params![id.0],
        ),
        OfRecording::CallAgain => execute(
            db,
            "UPDATE call SET closed_at = ?2
             WHERE answered_at IS NULL AND closed_at IS NULL
               AND attempt_id IN (SELECT id FROM attempt
                                  WHERE recording_id = ?1 AND closed_at IS NULL)",
            params![id.0, now.0],
        ),
    }
}

fn execute(db: &Connection, sql: &str, params: impl rusqlite::Params) -> Result<(), StoreError> {
    db.prepare_cached(sql).or_trouble()?.execute(params).or_trouble()?;
    Ok(())
}

fn normalised(
    db: &Connection,
    id: WorkId,
    audio: &Audio,
    warnings: &[Warning],
) -> Result<(), StoreError> {
    execute(
        db,
        "UPDATE recording SET audio_key = ?2, duration_us = ?3, level_db = ?4, warnings = ?5
         WHERE id = ?1",
        params![
            id.0,
            audio.key,
            micros(audio.duration),
            audio.level_db,
            codec::write_warnings(warnings)
        ],
    )
}

fn warned(db: &Connection, id: WorkId, warning: Warning) -> Result<(), StoreError> {
    let mut query =
        db.prepare_cached("SELECT warnings FROM recording WHERE id = ?1").or_trouble()?;
    let told: String = query.query_row([id.0], |row| row.get(0)).or_trouble()?;
    execute(
        db,
        "UPDATE recording SET warnings = ?2 WHERE id = ?1",
        params![id.0, codec::with_warning(&told, warning)?],
    )
}

fn keep_part(db: &Connection, attempt: i64, part: &Part) -> Result<(), StoreError> {
    execute(
        db,
        "INSERT INTO part (attempt_id, position, language, segments) VALUES (?1, ?2, ?3, ?4)",
        params![attempt, part.index, part.language, codec::write_segments(&part.segments)],
    )
}

fn transcribed(
    db: &Connection,
    id: WorkId,
    attempt: i64,
    mut transcript: Transcript,
) -> Result<(), StoreError> {
    corrections::apply(&mut transcript.segments, &super::corrections::kept(db, id)?);
    let (segments, card) = cards::of(&transcript);
    execute(
        db,
        "INSERT INTO transcript (recording_id, attempt_id, language, model, segments)
         VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (recording_id) DO UPDATE SET
             attempt_id = excluded.attempt_id, language = excluded.language,
             model = excluded.model, segments = excluded.segments",
        params![id.0, attempt, transcript.language, transcript.model, segments],
    )?;
    super::cards::write(db, id, &card)
}

fn again(db: &Connection, now: Timestamp, id: WorkId, wish: &Wish) -> Result<(), StoreError> {
    execute(
        db,
        "INSERT INTO discarded (key)
         SELECT audio_key FROM recording WHERE id = ?1 AND audio_key IS NOT NULL
         ON CONFLICT DO NOTHING",
        params![id.0],
    )?;
    execute(
        db,
        "UPDATE recording SET audio_key = NULL, language = ?2, model = ?3 WHERE id = ?1",
        params![id.0, wish.language, wish.model],
    )?;
    execute(
        db,
        "DELETE FROM part WHERE attempt_id IN (SELECT id FROM attempt WHERE recording_id = ?1)",
        params![id.0],
    )?;
    close_open(db, now, id)
}

fn close_open(db: &Connection, now: Timestamp, id: WorkId) -> Result<(), StoreError> {
    execute(
        db,
        "UPDATE attempt SET closed_at = ?2 WHERE recording_id = ?1 AND closed_at IS NULL",
        params![id.0, now.0],
    )
}

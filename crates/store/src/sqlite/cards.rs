//! Index cards: written with what they are made of, and asked by searches.
//!
//! The stems are in a table of FTS5 without their text, which answers from the newest recording on
//! and only as far as it is read: a common word costs no more than a rare one.

use rusqlite::{Connection, OptionalExtension, params};
use verst_kernel::{StoreError, WorkId};
use verst_recordings::search::{Card, Query, RULES};
use verst_recordings::transcript::Segment;
use verst_service::Glimpse;

use super::{Driver, recordings};
use crate::cards::{self, Signs};

/// The language of FTS5.
pub(super) const SIGNS: Signs = Signs { quote: '"', any_ending: " *", or: " OR ", and: " AND " };

/// Writes the card of a recording that is there.
pub(super) fn write(db: &Connection, id: WorkId, card: &Card) -> Result<(), StoreError> {
    let Some(recording) = recordings::find(db, id)? else { return Ok(()) };
    db.prepare_cached(
        "INSERT INTO card (recording_id, rules, places) VALUES (?1, ?2, ?3)
         ON CONFLICT (recording_id) DO UPDATE SET
             rules = excluded.rules, places = excluded.places",
    )
    .or_trouble()?
    .execute(params![id.0, RULES, card.write()])
    .or_trouble()?;
    db.prepare_cached("INSERT OR REPLACE INTO card_stems (rowid, stems) VALUES (?1, ?2)")
        .or_trouble()?
        .execute(params![id.0, cards::stems(&recording, card).join(" ")])
        .or_trouble()?;
    Ok(())
}

/// Writes it anew after what a person typed has changed.
pub(super) fn rewrite(db: &Connection, id: WorkId) -> Result<(), StoreError> {
    let found: Option<(u32, Vec<u8>)> = db
        .prepare_cached("SELECT rules, places FROM card WHERE recording_id = ?1")
        .or_trouble()?
        .query_row([id.0], |r| Ok((r.get(0)?, r.get(1)?)))
        .optional()
        .or_trouble()?;
    match found {
        Some((RULES, places)) => {
            let card = Card::read(&places).ok_or(StoreError::Damaged { what: "card" })?;
            write(db, id, &card)
        }
        _ => renew(db, id),
    }
}

/// Makes it anew from the transcript.
fn renew(db: &Connection, id: WorkId) -> Result<(), StoreError> {
    let card = match recordings::transcript(db, id)? {
        Some(transcript) => cards::of(&transcript).1,
        None => Card::default(),
    };
    write(db, id, &card)
}

/// Makes cards of earlier rules anew, newest first; how many there were.
pub(super) fn renew_some(db: &Connection, limit: u32) -> Result<u64, StoreError> {
    let mut select = db
        .prepare_cached(
            "SELECT recording_id FROM card WHERE rules < ?1 ORDER BY recording_id DESC LIMIT ?2",
        )
        .or_trouble()?;
    let found = select.query_map([RULES, limit], |r| Ok(WorkId(r.get(0)?))).or_trouble()?;
    let ids = found.collect::<rusqlite::Result<Vec<_>>>().or_trouble()?;
    for id in &ids {
        renew(db, *id)?;
    }
    Ok(ids.len() as u64)
}

/// Where in these recordings it was said.
pub(super) fn glimpses(
    db: &Connection,
    ids: &[WorkId],
    query: &Query,
) -> Result<Vec<Glimpse>, StoreError> {
    let mut select =
        db.prepare_cached("SELECT places FROM card WHERE recording_id = ?1").or_trouble()?;
    let mut read = db
        .prepare_cached(
            "SELECT substr(CAST(segments AS BLOB), ?2, ?3) FROM transcript WHERE recording_id = ?1",
        )
        .or_trouble()?;
    let mut glimpses = Vec::new();
    for id in ids {
        let places: Option<Vec<u8>> =
            select.query_row([id.0], |r| r.get(0)).optional().or_trouble()?;
        let Some(places) = places else { continue };
        let stretches =
            Card::stretches(&places, query).ok_or(StoreError::Damaged { what: "card" })?;
        for stretch in stretches {
            let (from, length) = cards::numbers(stretch);
            let part: Option<Vec<u8>> = read
                .query_row(params![id.0, from, length], |r| r.get(0))
                .optional()
                .or_trouble()?;
            if let Some(part) = part {
                let segments: Vec<Segment> = cards::read_stretch(&part)?;
                glimpses.push(Glimpse { id: *id, segments });
            }
        }
    }
    Ok(glimpses)
}

//! Index cards: written with what they are made of.
//!
//! Beside stems and the owner's mark, a vector has marks of the neighbourhood: which block of 512,
//! of 4,096 and of 32,768 numbers the recording is in. [`search`](super::search) says why.
//!
//! **Invariant:** a card is read and written under its row's lock, so that an edit and a new
//! transcript at the same moment do not undo each other.

use deadpool_postgres::GenericClient;
use verst_kernel::{StoreError, WorkId};
use verst_recordings::search::{Card, Query, RULES};
use verst_service::Glimpse;

use super::rows::{self, get};
use super::{all, execute, maybe, recordings};
use crate::cards;

const WRITE: &str = "
    INSERT INTO card (recording_id, rules, places, said, stems)
    SELECT id, $2, $3, $4, array_to_tsvector($5::text[] || ARRAY[
        ':a' || (id >> 9), ':b' || (id >> 12), ':c' || (id >> 15)])
    FROM (SELECT $1::bigint AS id) card
    ON CONFLICT (recording_id) DO UPDATE SET
        rules = excluded.rules, places = excluded.places, said = excluded.said,
        stems = excluded.stems";
/// The same, but for what was said.
const RETYPE: &str = "
    UPDATE card SET stems = array_to_tsvector($2::text[] || ARRAY[
        ':a' || (recording_id >> 9), ':b' || (recording_id >> 12), ':c' || (recording_id >> 15)])
    WHERE recording_id = $1";

/// Of all stretches that are asked for, in the order in which they are.
const READ: &str = "
    SELECT asked.id, substr(card.said, asked.first, asked.length)
    FROM unnest($1::bigint[], $2::int[], $3::int[]) WITH ORDINALITY
        AS asked (id, first, length, place)
        JOIN card ON card.recording_id = asked.id
    ORDER BY asked.place";

/// Writes the card of a recording that is there, and of the segments as they are stored.
pub(super) async fn write(
    db: &impl GenericClient,
    id: WorkId,
    card: &Card,
    segments: &str,
) -> Result<(), StoreError> {
    lock(db, id).await?;
    let Some(recording) = recordings::find(db, id).await? else { return Ok(()) };
    let (rules, stems) = (i64::from(RULES), cards::stems(&recording, card));
    let values: super::Values<'_> = &[&id.0, &rules, &card.write(), &segments.as_bytes(), &stems];
    execute(db, WRITE, values).await.map(drop)
}

/// The rules by which it was made, and its places.
async fn lock(db: &impl GenericClient, id: WorkId) -> Result<Option<(i64, Vec<u8>)>, StoreError> {
    let found = "SELECT rules, places FROM card WHERE recording_id = $1 FOR UPDATE";
    let row = maybe(db, found, &[&id.0]).await?;
    row.map(|row| Ok((get(&row, 0)?, get(&row, 1)?))).transpose()
}

/// Writes it anew after what a person typed has changed.
pub(super) async fn rewrite(db: &impl GenericClient, id: WorkId) -> Result<(), StoreError> {
    let (places, recording) = match lock(db, id).await? {
        Some((rules, places)) if rules == i64::from(RULES) => {
            (places, recordings::find(db, id).await?)
        }
        _ => return renew(db, id).await,
    };
    let card = Card::read(&places).ok_or(StoreError::Damaged { what: "card" })?;
    let Some(recording) = recording else { return Ok(()) };
    let stems = cards::stems(&recording, &card);
    execute(db, RETYPE, &[&id.0, &stems]).await.map(drop)
}

/// Makes it anew from the transcript.
async fn renew(db: &impl GenericClient, id: WorkId) -> Result<(), StoreError> {
    let (segments, card) = match recordings::transcript(db, id).await? {
        Some(transcript) => cards::of(&transcript),
        None => (String::new(), Card::default()),
    };
    write(db, id, &card, &segments).await
}

/// Makes cards of earlier rules anew, newest first; how many there were. Those that somebody else
/// is at are left to them.
pub(super) async fn renew_some(db: &impl GenericClient, limit: u32) -> Result<u64, StoreError> {
    let found = "SELECT recording_id FROM card WHERE rules < $1 ORDER BY recording_id DESC LIMIT $2
                 FOR UPDATE SKIP LOCKED";
    let rows = all(db, found, &[&i64::from(RULES), &i64::from(limit)]).await?;
    for row in &rows {
        renew(db, rows::id(row, 0)?).await?;
    }
    Ok(rows.len() as u64)
}

/// Where in these recordings it was said.
pub(super) async fn glimpses(
    db: &impl GenericClient,
    ids: &[WorkId],
    query: &Query,
) -> Result<Vec<Glimpse>, StoreError> {
    let asked: Vec<i64> = ids.iter().map(|id| id.0).collect();
    let found = "SELECT recording_id, places FROM card WHERE recording_id = ANY($1)";
    let (mut of, mut first, mut length) = (Vec::new(), Vec::new(), Vec::new());
    for row in all(db, found, &[&asked]).await? {
        let stretches = Card::stretches(get(&row, 1)?, query);
        for stretch in stretches.ok_or(StoreError::Damaged { what: "card" })? {
            let (from, characters) = cards::numbers(stretch);
            of.push(get::<i64>(&row, 0)?);
            first.push(from);
            length.push(characters);
        }
    }
    let parts = all(db, READ, &[&of, &first, &length]).await?;
    let glimpse = |row| -> Result<Glimpse, StoreError> {
        Ok(Glimpse { id: rows::id(row, 0)?, segments: cards::read_stretch(get(row, 1)?)? })
    };
    parts.iter().map(glimpse).collect()
}

//! The downloads' own tables.

use async_trait::async_trait;
use rusqlite::{Connection, OptionalExtension, Row, params};
use verst_downloads::hash::{Hashes, InfoHash};
use verst_downloads::model::{Accepted, Download, NewDownload, Product, Sender, Source};
use verst_downloads::names::Memory;
use verst_downloads::ports::{
    Contact, DownloadStore, Followed, Given, Observed, Onward, Retried, RetryBegun, Sight,
};
use verst_downloads::{CLIENT, LINE};
use verst_kernel::{Claim, Fence, Noted, Notes, Stop, StoreError, Timestamp, WorkId};

use super::{Driver, Sqlite, attempts, follow, products, rows};
use crate::codec;

#[async_trait]
impl Notes<Product> for Sqlite {
    async fn note(&self, claim: &Claim, product: Product) -> Result<Noted, StoreError> {
        let (id, fence) = (claim.id(), claim.fence());
        self.writer
            .run(move |db| {
                if !attempts::holds(db, id, fence)? {
                    return Ok(Noted::Lost);
                }
                products::of_download(db, id, product)?;
                Ok(Noted::Held)
            })
            .await
    }
}

#[async_trait]
impl DownloadStore for Sqlite {
    async fn catch(&self, new: NewDownload) -> Result<Accepted, StoreError> {
        let clock = self.clock.clone();
        let accepted = self.writer.run(move |db| accept(db, clock.now(), &new)).await?;
        self.bell.notify_one();
        Ok(accepted)
    }

    async fn download(&self, id: WorkId) -> Result<Option<Download>, StoreError> {
        self.readers.run(move |db| find(db, id)).await
    }

    async fn watch(&self, client: &str) -> Result<WorkId, StoreError> {
        let (clock, client) = (self.clock.clone(), client.to_owned());
        self.writer.run(move |db| watch(db, clock.now(), &client)).await
    }

    async fn contact(&self, watch: WorkId) -> Result<Option<Contact>, StoreError> {
        self.readers.run(move |db| contact(db, watch)).await
    }

    async fn keep_contact(&self, watch: &Claim, contact: Contact) -> Result<bool, StoreError> {
        let (id, fence) = (watch.id(), watch.fence());
        self.writer
            .run(move |db| {
                if !attempts::holds(db, id, fence)? {
                    return Ok(false);
                }
                let write =
                    "UPDATE client SET answering_since = ?2, silent_since = ?3 WHERE id = ?1";
                let (answering, silent) = (contact.answering_since(), contact.silent_since());
                let values = params![id.0, answering.map(|at| at.0), silent.map(|at| at.0)];
                db.execute(write, values).or_trouble()?;
                Ok(true)
            })
            .await
    }

    async fn followed(&self) -> Result<Vec<Followed>, StoreError> {
        self.readers.run(followed).await
    }

    async fn observe(
        &self,
        watch: &Claim,
        task: (WorkId, Fence),
        sight: Sight,
    ) -> Result<Observed, StoreError> {
        let (clock, watch) = (self.clock.clone(), (watch.id(), watch.fence()));
        let observed =
            self.writer.run(move |db| follow::observe(db, clock.now(), watch, task, sight)).await?;
        self.bell.notify_one();
        Ok(observed)
    }

    async fn begin_retry(&self, id: WorkId) -> Result<RetryBegun, StoreError> {
        self.writer.run(move |db| follow::begin_retry(db, id)).await
    }

    async fn finish_retry(
        &self,
        id: WorkId,
        fence: Fence,
        person: &str,
    ) -> Result<Retried, StoreError> {
        let (clock, person) = (self.clock.clone(), person.to_owned());
        self.writer.run(move |db| follow::finish_retry(db, clock.now(), (id, fence), &person)).await
    }

    async fn place_again(&self, id: WorkId, person: &str) -> Result<Onward, StoreError> {
        let (clock, person) = (self.clock.clone(), person.to_owned());
        let placed =
            self.writer.run(move |db| follow::place_again(db, clock.now(), id, &person)).await?;
        self.bell.notify_one();
        Ok(placed)
    }

    async fn unplaced(&self, id: WorkId) -> Result<(), StoreError> {
        self.writer
            .run(move |db| {
                db.execute("UPDATE download SET placed = '[]' WHERE id = ?1", [id.0])
                    .or_trouble()
                    .map(drop)
            })
            .await
    }

    async fn memory(&self) -> Result<Memory, StoreError> {
        self.readers
            .run(|db| {
                let kept = db.query_row("SELECT memory FROM naming", [], |r| r.get::<_, String>(0));
                let kept = kept.optional().or_trouble()?;
                kept.map_or(Ok(Memory::default()), |text| codec::read(&text, "memory"))
            })
            .await
    }

    async fn remember(&self, memory: &Memory) -> Result<(), StoreError> {
        let memory = codec::write(memory);
        self.writer
            .run(move |db| {
                let keep = "INSERT INTO naming (one, memory) VALUES (1, ?1)
                            ON CONFLICT (one) DO UPDATE SET memory = excluded.memory";
                db.execute(keep, [memory]).or_trouble()?;
                Ok(())
            })
            .await
    }

    async fn go_on(
        &self,
        id: WorkId,
        person: &str,
        said: Option<Product>,
    ) -> Result<Onward, StoreError> {
        let (clock, person) = (self.clock.clone(), person.to_owned());
        let lifted =
            self.writer.run(move |db| follow::lift(db, clock.now(), id, &person, said)).await?;
        self.bell.notify_one();
        Ok(lifted)
    }
}

/// How it is with the client of this watch.
pub(super) fn contact(db: &Connection, watch: WorkId) -> Result<Option<Contact>, StoreError> {
    let asked = "SELECT answering_since, silent_since FROM client WHERE id = ?1";
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
    let found = db.query_row(asked, [watch.0], read).optional().or_trouble()?;
    Ok(found.and_then(|(answering, silent): (Option<i64>, Option<i64>)| {
        Contact::read(answering.map(Timestamp), silent.map(Timestamp))
    }))
}

fn accept(db: &Connection, now: Timestamp, new: &NewDownload) -> Result<Accepted, StoreError> {
    if let Some(owner) = follow::owner(db, &new.hashes, None)? {
        tell_too(db, owner.id, &new.sender)?;
        return Ok(Accepted { id: owner.id, fresh: false });
    }
    let id = work(db, now, LINE.name(), LINE.first())?;
    let (magnet, torrent) = match &new.given {
        Given::Magnet(link) => (Some(link), None),
        Given::Torrent(bytes) => (None, Some(bytes)),
    };
    db.prepare_cached(
        "INSERT INTO download (id, magnet, torrent, name, size_bytes) VALUES (?1, ?2, ?3, ?4, ?5)",
    )
    .or_trouble()?
    .execute(params![id.0, magnet, torrent, new.name, new.size_bytes.map(whole)])
    .or_trouble()?;
    learn(db, id, &new.hashes)?;
    tell_too(db, id, &new.sender)?;
    Ok(Accepted { id, fresh: true })
}

fn work(
    db: &Connection,
    now: Timestamp,
    line: &str,
    milestone: &str,
) -> Result<WorkId, StoreError> {
    db.prepare_cached(
        "INSERT INTO work (line, milestone, created_at, entered_at, ready_at)
         VALUES (?1, ?2, ?3, ?3, ?3)",
    )
    .or_trouble()?
    .execute(params![line, milestone, now.0])
    .or_trouble()?;
    Ok(WorkId(db.last_insert_rowid()))
}

/// Sizes beyond what a column holds are no sizes of this world.
pub(super) fn whole(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

/// Writes what a torrent is called, too.
pub(super) fn learn(db: &Connection, id: WorkId, hashes: &Hashes) -> Result<(), StoreError> {
    let mut insert = db
        .prepare_cached("INSERT OR IGNORE INTO download_hash (hash, download_id) VALUES (?1, ?2)")
        .or_trouble()?;
    for hash in hashes.iter() {
        insert.execute(params![hash.as_str(), id.0]).or_trouble()?;
    }
    Ok(())
}

/// Adds somebody to those who are told, once.
fn tell_too(db: &Connection, id: WorkId, sender: &Sender) -> Result<(), StoreError> {
    db.prepare_cached(
        "INSERT INTO download_sender (download_id, source, reply_to, owner)
         SELECT ?1, ?2, ?3, ?4 WHERE NOT EXISTS (
             SELECT 1 FROM download_sender
             WHERE download_id = ?1 AND source = ?2 AND reply_to IS ?3 AND owner IS ?4)",
    )
    .or_trouble()?
    .execute(params![id.0, sender.source.name(), sender.reply_to, sender.owner])
    .or_trouble()?;
    Ok(())
}

fn watch(db: &Connection, now: Timestamp, client: &str) -> Result<WorkId, StoreError> {
    let known = db.query_row("SELECT id FROM client WHERE name = ?1", [client], |r| r.get(0));
    if let Some(id) = known.optional().or_trouble()? {
        return Ok(WorkId(id));
    }
    let id = work(db, now, CLIENT.name(), CLIENT.first())?;
    db.execute("INSERT INTO client (id, name) VALUES (?1, ?2)", params![id.0, client])
        .or_trouble()?;
    Ok(id)
}

pub(super) fn find(db: &Connection, id: WorkId) -> Result<Option<Download>, StoreError> {
    let mut select = db
        .prepare_cached(
            "SELECT w.created_at, d.magnet, d.torrent, d.name, d.size_bytes, d.measures,
                    d.in_client, d.filing, d.placed, d.merged_into,
                    (SELECT group_concat(hash) FROM download_hash WHERE download_id = d.id),
                    d.candidates
             FROM download d JOIN work w ON w.id = d.id WHERE d.id = ?1",
        )
        .or_trouble()?;
    let mut found = select.query([id.0]).or_trouble()?;
    let Some(row) = found.next().or_trouble()? else { return Ok(None) };
    let magnet: Option<String> = row.get(1).or_trouble()?;
    let torrent: Option<Vec<u8>> = row.get(2).or_trouble()?;
    let given = magnet.map(Given::Magnet).or(torrent.map(Given::Torrent));
    let filing: Option<String> = row.get(7).or_trouble()?;
    Ok(Some(Download {
        id,
        created_at: Timestamp(row.get(0).or_trouble()?),
        given: given.ok_or(StoreError::Damaged { what: "download" })?,
        hashes: hashes(row, 10)?,
        name: row.get(3).or_trouble()?,
        size_bytes: size(row, 4)?,
        senders: senders(db, id)?,
        measures: codec::read(&row.get::<_, String>(5).or_trouble()?, "measures")?,
        in_client: row.get(6).or_trouble()?,
        filing: filing.map(|text| codec::read(&text, "filing")).transpose()?,
        candidates: codec::read(&row.get::<_, String>(11).or_trouble()?, "candidates")?,
        placed: codec::read(&row.get::<_, String>(8).or_trouble()?, "placements")?,
        merged_into: row.get::<_, Option<i64>>(9).or_trouble()?.map(WorkId),
    }))
}

fn senders(db: &Connection, id: WorkId) -> Result<Vec<Sender>, StoreError> {
    let mut select = db
        .prepare_cached(
            "SELECT source, reply_to, owner FROM download_sender WHERE download_id = ?1 ORDER BY id",
        )
        .or_trouble()?;
    let mut found = select.query([id.0]).or_trouble()?;
    let mut senders = Vec::new();
    while let Some(row) = found.next().or_trouble()? {
        let source: String = row.get(0).or_trouble()?;
        senders.push(Sender {
            source: Source::from_name(&source).ok_or(StoreError::Damaged { what: "source" })?,
            reply_to: row.get(1).or_trouble()?,
            owner: row.get(2).or_trouble()?,
        });
    }
    Ok(senders)
}

fn hashes(row: &Row<'_>, place: usize) -> Result<Hashes, StoreError> {
    let joined: Option<String> = row.get(place).or_trouble()?;
    Ok(joined.iter().flat_map(|joined| joined.split(',')).filter_map(InfoHash::parse).collect())
}

fn size(row: &Row<'_>, place: usize) -> Result<Option<u64>, StoreError> {
    let bytes: Option<i64> = row.get(place).or_trouble()?;
    Ok(bytes.and_then(|bytes| u64::try_from(bytes).ok()))
}

fn followed(db: &Connection) -> Result<Vec<Followed>, StoreError> {
    let mut select = db
        .prepare_cached(
            "SELECT w.id, w.fence, w.created_at, w.stopped_at, w.stop_reason, w.stop_failure,
                    d.measures, d.in_client, d.name, d.size_bytes, d.torrent IS NULL,
                    (SELECT group_concat(hash) FROM download_hash WHERE download_id = d.id)
             FROM work w JOIN download d ON d.id = w.id
             WHERE w.milestone = 'downloading' AND (w.stopped_at IS NULL
                 OR w.stop_reason = 'person' AND d.in_client
                 OR json_extract(w.stop_failure, '$.code') IN ('magnet_timeout', 'stalled'))
             ORDER BY w.id",
        )
        .or_trouble()?;
    let mut found = select.query([]).or_trouble()?;
    let mut followed = Vec::new();
    while let Some(row) = found.next().or_trouble()? {
        followed.push(Followed {
            id: WorkId(row.get(0).or_trouble()?),
            fence: Fence(row.get(1).or_trouble()?),
            created_at: Timestamp(row.get(2).or_trouble()?),
            stop: stop(row)?,
            hashes: hashes(row, 11)?,
            measures: codec::read(row.get_ref(6).or_trouble()?.as_str().unwrap_or(""), "measures")?,
            in_client: row.get(7).or_trouble()?,
            called: (row.get(8).or_trouble()?, size(row, 9)?),
            bytes_wanted: row.get(10).or_trouble()?,
        });
    }
    Ok(followed)
}

/// Reads `stopped_at, stop_reason, stop_failure` from the fourth column on.
fn stop(row: &Row<'_>) -> Result<Option<(Timestamp, Stop)>, StoreError> {
    let Some(at) = row.get::<_, Option<i64>>(3).or_trouble()? else { return Ok(None) };
    let reason: String = row.get(4).or_trouble()?;
    let failure: String = row.get(5).or_trouble()?;
    let stop = Stop { reason: rows::reason(&reason)?, failure: codec::read_failure(&failure)? };
    Ok(Some((Timestamp(at), stop)))
}

//! The downloads' own tables.

use async_trait::async_trait;
use deadpool_postgres::{Client, GenericClient};
use tokio_postgres::Row;
use verst_downloads::hash::{Hashes, InfoHash};
use verst_downloads::model::{Accepted, Download, NewDownload, Product, Sender, Source};
use verst_downloads::names::Memory;
use verst_downloads::ports::{
    Contact, DownloadStore, Followed, Given, Observed, Onward, Retried, RetryBegun, Sight,
};
use verst_downloads::{CLIENT, LINE};
use verst_kernel::{Claim, Fence, Noted, Notes, Stop, StoreError, Timestamp, WorkId};

use super::rows::{self, get, text};
use super::{Driver, Postgres, all, attempts, execute, follow, maybe, one, products};
use crate::codec;

const WORK: &str = "
    INSERT INTO work (line, milestone, created_at, entered_at, ready_at)
    SELECT $1, $2, now, now, now FROM (SELECT verst_now() AS now) clock
    RETURNING id";

const FOUND: &str = "
    SELECT w.created_at, d.magnet, d.torrent, d.name, d.size_bytes, d.measures, d.in_client,
           d.filing, d.placed, d.merged_into,
           ARRAY(SELECT hash FROM download_hash WHERE download_id = d.id), d.candidates
    FROM download d JOIN work w ON w.id = d.id WHERE d.id = $1";

const FOLLOWED: &str = "
    SELECT w.id, w.fence, w.created_at, w.stopped_at, w.stop_reason, w.stop_failure,
           d.measures, d.in_client, d.name, d.size_bytes, d.torrent IS NULL,
           ARRAY(SELECT hash FROM download_hash WHERE download_id = d.id)
    FROM work w JOIN download d ON d.id = w.id
    WHERE w.milestone = 'downloading' AND (w.stopped_at IS NULL
        OR w.stop_reason = 'person' AND d.in_client
        OR w.stop_failure::json ->> 'code' IN ('magnet_timeout', 'stalled'))
    ORDER BY w.id";

#[async_trait]
impl Notes<Product> for Postgres {
    async fn note(&self, claim: &Claim, product: Product) -> Result<Noted, StoreError> {
        let (id, fence) = (claim.id(), claim.fence());
        self.run(move |mut db| async move {
            let tx = db.transaction().await.or_trouble()?;
            if attempts::hold(&tx, id, fence).await?.is_none() {
                return Ok(Noted::Lost);
            }
            products::of_download(&tx, id, product).await?;
            tx.commit().await.or_trouble()?;
            Ok(Noted::Held)
        })
        .await
    }
}

#[async_trait]
impl DownloadStore for Postgres {
    async fn catch(&self, new: NewDownload) -> Result<Accepted, StoreError> {
        let accepted = self.run(|db| accept(db, new)).await?;
        self.bell.ring();
        Ok(accepted)
    }

    async fn download(&self, id: WorkId) -> Result<Option<Download>, StoreError> {
        self.run(move |db| async move { find(&db, id).await }).await
    }

    async fn watch(&self, client: &str) -> Result<WorkId, StoreError> {
        let client = text(client).into_owned();
        self.run(|db| watch(db, client)).await
    }

    async fn contact(&self, watch: WorkId) -> Result<Option<Contact>, StoreError> {
        self.run(move |db| async move { contact(&db, watch).await }).await
    }

    async fn keep_contact(&self, watch: &Claim, contact: Contact) -> Result<bool, StoreError> {
        let (id, fence) = (watch.id(), watch.fence());
        self.run(move |mut db| async move {
            let tx = db.transaction().await.or_trouble()?;
            if attempts::hold(&tx, id, fence).await?.is_none() {
                return Ok(false);
            }
            let write = "UPDATE client SET answering_since = $2, silent_since = $3 WHERE id = $1";
            let (answering, silent) = (contact.answering_since(), contact.silent_since());
            let (answering, silent) = (answering.map(|at| at.0), silent.map(|at| at.0));
            execute(&tx, write, &[&id.0, &answering, &silent]).await?;
            tx.commit().await.or_trouble()?;
            Ok(true)
        })
        .await
    }

    async fn followed(&self) -> Result<Vec<Followed>, StoreError> {
        self.run(|db| async move { all(&db, FOLLOWED, &[]).await?.iter().map(followed).collect() })
            .await
    }

    async fn observe(
        &self,
        watch: &Claim,
        task: (WorkId, Fence),
        sight: Sight,
    ) -> Result<Observed, StoreError> {
        let watch = (watch.id(), watch.fence());
        let observed = self.run(move |db| follow::observe(db, watch, task, sight)).await?;
        self.bell.ring();
        Ok(observed)
    }

    async fn begin_retry(&self, id: WorkId) -> Result<RetryBegun, StoreError> {
        self.run(move |db| follow::begin_retry(db, id)).await
    }

    async fn finish_retry(
        &self,
        id: WorkId,
        fence: Fence,
        person: &str,
    ) -> Result<Retried, StoreError> {
        let person = text(person).into_owned();
        self.run(move |db| follow::finish_retry(db, (id, fence), person)).await
    }

    async fn place_again(&self, id: WorkId, person: &str) -> Result<Onward, StoreError> {
        let person = text(person).into_owned();
        let placed = self.run(move |db| follow::place_again(db, id, person)).await?;
        self.bell.ring();
        Ok(placed)
    }

    async fn unplaced(&self, id: WorkId) -> Result<(), StoreError> {
        self.run(move |db| async move {
            let write = "UPDATE download SET placed = '[]' WHERE id = $1";
            execute(&db, write, &[&id.0]).await.map(drop)
        })
        .await
    }

    async fn memory(&self) -> Result<Memory, StoreError> {
        self.run(|db| async move {
            let kept = maybe(&db, "SELECT memory FROM naming", &[]).await?;
            kept.map_or(Ok(Memory::default()), |row| codec::read(get(&row, 0)?, "memory"))
        })
        .await
    }

    async fn remember(&self, memory: &Memory) -> Result<(), StoreError> {
        let memory = text(&codec::write(memory)).into_owned();
        self.run(|db| async move {
            let keep = "INSERT INTO naming (one, memory) VALUES (1, $1)
                        ON CONFLICT (one) DO UPDATE SET memory = excluded.memory";
            execute(&db, keep, &[&memory]).await.map(drop)
        })
        .await
    }

    async fn go_on(
        &self,
        id: WorkId,
        person: &str,
        said: Option<Product>,
    ) -> Result<Onward, StoreError> {
        let person = text(person).into_owned();
        let lifted = self.run(move |db| follow::lift(db, id, person, said)).await?;
        self.bell.ring();
        Ok(lifted)
    }
}

/// How it is with the client of this watch.
pub(super) async fn contact(
    db: &impl GenericClient,
    watch: WorkId,
) -> Result<Option<Contact>, StoreError> {
    let asked = "SELECT answering_since, silent_since FROM client WHERE id = $1";
    let Some(row) = maybe(db, asked, &[&watch.0]).await? else { return Ok(None) };
    let at = |column| Ok::<_, StoreError>(get::<Option<i64>>(&row, column)?.map(Timestamp));
    Ok(Contact::read(at(0)?, at(1)?))
}

async fn accept(mut db: Client, new: NewDownload) -> Result<Accepted, StoreError> {
    let tx = db.transaction().await.or_trouble()?;
    follow::lock(&tx, &new.hashes).await?;
    if let Some(owner) = follow::owner(&tx, &new.hashes, None).await? {
        tell_too(&tx, owner.id, &new.sender).await?;
        tx.commit().await.or_trouble()?;
        return Ok(Accepted { id: owner.id, fresh: false });
    }
    let id = rows::id(&one(&tx, WORK, &[&LINE.name(), &LINE.first()]).await?, 0)?;
    let (magnet, torrent) = match &new.given {
        Given::Magnet(link) => (Some(text(link)), None),
        Given::Torrent(bytes) => (None, Some(bytes)),
    };
    let name = new.name.as_deref().map(text);
    let size = new.size_bytes.map(whole);
    let insert = "INSERT INTO download (id, magnet, torrent, name, size_bytes)
                  VALUES ($1, $2, $3, $4, $5)";
    execute(&tx, insert, &[&id.0, &magnet, &torrent, &name, &size]).await?;
    learn(&tx, id, &new.hashes).await?;
    tell_too(&tx, id, &new.sender).await?;
    tx.commit().await.or_trouble()?;
    Ok(Accepted { id, fresh: true })
}

/// Sizes beyond what a column holds are no sizes of this world.
pub(super) fn whole(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

/// Writes what a torrent is called, too. Its hashes are locked.
pub(super) async fn learn(
    db: &impl GenericClient,
    id: WorkId,
    hashes: &Hashes,
) -> Result<(), StoreError> {
    let insert = "INSERT INTO download_hash (hash, download_id) SELECT unnest($1::text[]), $2
                  ON CONFLICT DO NOTHING";
    execute(db, insert, &[&digits(hashes), &id.0]).await.map(drop)
}

pub(super) fn digits(hashes: &Hashes) -> Vec<&str> {
    hashes.iter().map(InfoHash::as_str).collect()
}

/// Adds somebody to those who are told, once.
async fn tell_too(db: &impl GenericClient, id: WorkId, sender: &Sender) -> Result<(), StoreError> {
    let insert = "
        INSERT INTO download_sender (download_id, source, reply_to, owner)
        SELECT $1, $2, $3, $4 WHERE NOT EXISTS (
            SELECT 1 FROM download_sender
            WHERE download_id = $1 AND source = $2 AND reply_to IS NOT DISTINCT FROM $3
              AND owner IS NOT DISTINCT FROM $4)";
    let (reply_to, owner) =
        (sender.reply_to.as_deref().map(text), sender.owner.as_deref().map(text));
    execute(db, insert, &[&id.0, &sender.source.name(), &reply_to, &owner]).await.map(drop)
}

async fn watch(mut db: Client, client: String) -> Result<WorkId, StoreError> {
    let tx = db.transaction().await.or_trouble()?;
    // Two hosts that start at the same moment make one.
    let alone = "SELECT pg_advisory_xact_lock(
        hashtextextended('verst:client:' || current_schema(), 0))";
    execute(&tx, alone, &[]).await?;
    if let Some(row) = maybe(&tx, "SELECT id FROM client WHERE name = $1", &[&client]).await? {
        return rows::id(&row, 0);
    }
    let id = rows::id(&one(&tx, WORK, &[&CLIENT.name(), &CLIENT.first()]).await?, 0)?;
    execute(&tx, "INSERT INTO client (id, name) VALUES ($1, $2)", &[&id.0, &client]).await?;
    tx.commit().await.or_trouble()?;
    Ok(id)
}

pub(super) async fn find(
    db: &impl GenericClient,
    id: WorkId,
) -> Result<Option<Download>, StoreError> {
    let Some(row) = maybe(db, FOUND, &[&id.0]).await? else { return Ok(None) };
    let magnet: Option<String> = get(&row, 1)?;
    let torrent: Option<Vec<u8>> = get(&row, 2)?;
    let given = magnet.map(Given::Magnet).or(torrent.map(Given::Torrent));
    let filing: Option<&str> = get(&row, 7)?;
    Ok(Some(Download {
        id,
        created_at: rows::time(&row, 0)?,
        given: given.ok_or(StoreError::Damaged { what: "download" })?,
        hashes: hashes(&row, 10)?,
        name: get(&row, 3)?,
        size_bytes: size(&row, 4)?,
        senders: senders(db, id).await?,
        measures: codec::read(get(&row, 5)?, "measures")?,
        in_client: get(&row, 6)?,
        filing: filing.map(|text| codec::read(text, "filing")).transpose()?,
        candidates: codec::read(get(&row, 11)?, "candidates")?,
        placed: codec::read(get(&row, 8)?, "placements")?,
        merged_into: get::<Option<i64>>(&row, 9)?.map(WorkId),
    }))
}

async fn senders(db: &impl GenericClient, id: WorkId) -> Result<Vec<Sender>, StoreError> {
    let asked =
        "SELECT source, reply_to, owner FROM download_sender WHERE download_id = $1 ORDER BY id";
    let sender = |row: &Row| {
        let source = Source::from_name(get(row, 0)?);
        Ok(Sender {
            source: source.ok_or(StoreError::Damaged { what: "source" })?,
            reply_to: get(row, 1)?,
            owner: get(row, 2)?,
        })
    };
    all(db, asked, &[&id.0]).await?.iter().map(sender).collect()
}

fn hashes(row: &Row, place: usize) -> Result<Hashes, StoreError> {
    let digits: Vec<&str> = get(row, place)?;
    Ok(digits.into_iter().filter_map(InfoHash::parse).collect())
}

fn size(row: &Row, place: usize) -> Result<Option<u64>, StoreError> {
    let bytes: Option<i64> = get(row, place)?;
    Ok(bytes.and_then(|bytes| u64::try_from(bytes).ok()))
}

fn followed(row: &Row) -> Result<Followed, StoreError> {
    let stopped: Option<i64> = get(row, 3)?;
    let stop = stopped.map(|at| {
        let failure = codec::read_failure(get(row, 5)?)?;
        Ok((Timestamp(at), Stop { reason: rows::reason(get(row, 4)?)?, failure }))
    });
    Ok(Followed {
        id: rows::id(row, 0)?,
        fence: Fence(get(row, 1)?),
        created_at: rows::time(row, 2)?,
        stop: stop.transpose()?,
        hashes: hashes(row, 11)?,
        measures: codec::read(get(row, 6)?, "measures")?,
        in_client: get(row, 7)?,
        called: (get(row, 8)?, size(row, 9)?),
        bytes_wanted: get(row, 10)?,
    })
}

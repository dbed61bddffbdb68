//! What people look at of downloads.

use async_trait::async_trait;
use rusqlite::{Connection, params};
use verst_kernel::{StoreError, WorkId};
use verst_service::{DownloadFilter, DownloadLedger, DownloadView, WatchView};

use super::views::{STANDS, of_state, work};
use super::{Driver, Sqlite, downloads};

#[async_trait]
impl DownloadLedger for Sqlite {
    async fn downloads(&self, filter: DownloadFilter) -> Result<Vec<DownloadView>, StoreError> {
        self.readers
            .run(move |db| {
                let condition = format!("w.id < ?1 {} AND (?3 IS NULL OR EXISTS (
                        SELECT 1 FROM download_sender s WHERE s.download_id = w.id AND s.owner = ?3))
                    ORDER BY w.id DESC LIMIT ?2", of_state(filter.state));
                let before = filter.before.map_or(i64::MAX, |id| id.0);
                read(db, &condition, params![before, filter.limit, filter.owner])
            })
            .await
    }

    async fn download_view(&self, id: WorkId) -> Result<Option<DownloadView>, StoreError> {
        self.readers.run(move |db| Ok(read(db, "w.id = ?1", params![id.0])?.pop())).await
    }

    async fn watch_view(&self, client: &str) -> Result<Option<WatchView>, StoreError> {
        let client = client.to_owned();
        self.readers.run(move |db| watch(db, &client)).await
    }
}

fn watch(db: &Connection, client: &str) -> Result<Option<WatchView>, StoreError> {
    let sql =
        format!("SELECT w.id, {STANDS} FROM client c JOIN work w ON w.id = c.id WHERE c.name = ?1");
    let mut select = db.prepare_cached(&sql).or_trouble()?;
    let mut found = select.query([client]).or_trouble()?;
    let Some(row) = found.next().or_trouble()? else { return Ok(None) };
    let id = WorkId(row.get(0).or_trouble()?);
    let contact = downloads::contact(db, id)?;
    Ok(Some(WatchView { work: work(row, id, 1)?, contact }))
}

fn read(
    db: &Connection,
    condition: &str,
    values: &[&dyn rusqlite::ToSql],
) -> Result<Vec<DownloadView>, StoreError> {
    let sql = format!(
        "SELECT w.id, {STANDS} FROM download d JOIN work w ON w.id = d.id WHERE {condition}"
    );
    let mut select = db.prepare_cached(&sql).or_trouble()?;
    let mut found = select.query(values).or_trouble()?;
    let mut views = Vec::new();
    while let Some(row) = found.next().or_trouble()? {
        let id = WorkId(row.get(0).or_trouble()?);
        // One that was removed since is not shown.
        if let Some(download) = downloads::find(db, id)? {
            views.push(DownloadView { work: work(row, id, 1)?, download });
        }
    }
    Ok(views)
}

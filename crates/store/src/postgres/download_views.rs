//! What people look at of downloads.

use async_trait::async_trait;
use deadpool_postgres::Client;
use tokio_postgres::types::ToSql;
use verst_kernel::{StoreError, WorkId};
use verst_service::{DownloadFilter, DownloadLedger, DownloadView, WatchView};

use super::views::{STANDS, of_state, work};
use super::{Postgres, all, downloads, maybe, rows};

#[async_trait]
impl DownloadLedger for Postgres {
    async fn downloads(&self, filter: DownloadFilter) -> Result<Vec<DownloadView>, StoreError> {
        self.run(move |db| async move {
            let condition = format!(
                "w.id < $1 {} AND ($3::text IS NULL OR EXISTS (
                    SELECT 1 FROM download_sender s WHERE s.download_id = w.id AND s.owner = $3))
                ORDER BY w.id DESC LIMIT $2",
                of_state(filter.state)
            );
            let before = filter.before.map_or(i64::MAX, |id| id.0);
            read(&db, &condition, &[&before, &i64::from(filter.limit), &filter.owner]).await
        })
        .await
    }

    async fn download_view(&self, id: WorkId) -> Result<Option<DownloadView>, StoreError> {
        self.run(move |db| async move { Ok(read(&db, "w.id = $1", &[&id.0]).await?.pop()) }).await
    }

    async fn watch_view(&self, client: &str) -> Result<Option<WatchView>, StoreError> {
        let client = client.to_owned();
        self.run(move |db| async move { watch(&db, &client).await }).await
    }
}

async fn watch(db: &Client, client: &str) -> Result<Option<WatchView>, StoreError> {
    let sql =
        format!("SELECT w.id, {STANDS} FROM client c JOIN work w ON w.id = c.id WHERE c.name = $1");
    let Some(row) = maybe(db, &sql, &[&client]).await? else { return Ok(None) };
    let id = rows::id(&row, 0)?;
    let contact = downloads::contact(db, id).await?;
    Ok(Some(WatchView { work: work(&row, id, 1)?, contact }))
}

async fn read(
    db: &Client,
    condition: &str,
    values: &[&(dyn ToSql + Sync)],
) -> Result<Vec<DownloadView>, StoreError> {
    let sql = format!(
        "SELECT w.id, {STANDS} FROM download d JOIN work w ON w.id = d.id WHERE {condition}"
    );
    let mut views = Vec::new();
    for row in all(db, &sql, values).await? {
        let id = rows::id(&row, 0)?;
        // One that was removed since is not shown.
        if let Some(download) = downloads::find(db, id).await? {
            views.push(DownloadView { work: work(&row, id, 1)?, download });
        }
    }
    Ok(views)
}

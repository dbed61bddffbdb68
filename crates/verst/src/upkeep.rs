//! `verst migrate` and `verst copy-database`: what is done to a database while nobody works in it.

use std::sync::Arc;

use verst_adapters::clock::SystemClock;
use verst_adapters::data_dir::DataDir;
use verst_kernel::Clock;
use verst_store::transfer::{CopyError, copy};
use verst_store::{Durability, Sqlite};
use verst_words::Arg;

use crate::cli::Place;
use crate::house::{Audio, Database, IfMissing, OPENING, data_path, settings, work_in};
use crate::refusal::Refusal;
use crate::tongue::Tongue;
use verst_service::causes;

pub(crate) async fn migrate(place: Place, tongue: &Tongue) -> Result<u8, Refusal> {
    let (path, settings) = (data_path(&place), settings(&place)?);
    let dir = work_in(&path, IfMissing::Make, OPENING).await?;
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let versions = Database::open(&settings, &dir, &path, clock).await?.versions();
    let args = [("found", Arg::Int(versions.found)), ("now", Arg::Int(versions.now))];
    let key = if versions.found == versions.now { "migrate-nothing" } else { "migrate-done" };
    tongue.err(&tongue.say(key, &args));
    Ok(0)
}

pub(crate) async fn copy_database(place: Place, tongue: &Tongue) -> Result<u8, Refusal> {
    let (path, settings) = (data_path(&place), settings(&place)?);
    if settings.database().is_none() {
        return Err(Refusal::Setup("copy-no-server", Vec::new()));
    }
    let mut dir = work_in(&path, IfMissing::Refuse, OPENING).await?;
    // What one of them hands in to the file after it was copied would be on no list.
    if !dir.keep_visitors_out().map_err(|error| Refusal::Data(path.clone(), error.into()))? {
        let data = vec![("data", path.display().to_string())];
        return Err(Refusal::Setup("copy-visited", data));
    }
    if !dir.has_database() {
        let data = vec![("data", path.display().to_string())];
        return Err(Refusal::Setup("copy-no-file", data));
    }
    let file = up_to_date(&dir).map_err(|error| Refusal::Database(path.clone(), error))?;
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    // The rows name the audio that is here, and go on doing so on the server.
    let audio = Audio::open(&settings, &dir, clock.clone())?;
    audio.belongs_to(&file).await?;
    drop(file);
    let database = Database::open(&settings, &dir, &path, clock).await?;
    database.lock(&dir, tongue).await?;
    let Database::Server(server) = &database else {
        return Err(Refusal::Setup("copy-no-server", Vec::new()));
    };
    audio.bind(server.as_ref()).await?;
    let copied = copy(&dir.database(), server).await.map_err(|error| refusal(&error))?;
    for table in &copied {
        tongue.print(&format!("{}\t{}\n", table.table, table.rows))?;
    }
    let data = path.display().to_string();
    tongue.err(&tongue.say("copy-done", &[("data", Arg::Text(&data))]));
    Ok(0)
}

/// Brings the file up to the version that the server's schema has.
fn up_to_date(dir: &DataDir) -> Result<Sqlite, verst_store::OpenError> {
    let clock = Arc::new(SystemClock);
    Sqlite::open(&dir.database(), Durability::Full, clock, &verst_service::stages())
}

fn refusal(error: &CopyError) -> Refusal {
    let key = match error {
        CopyError::Occupied => return Refusal::Setup("copy-occupied", Vec::new()),
        CopyError::Differs { .. } | CopyError::Columns { .. } => "copy-differs",
        CopyError::File(_) | CopyError::Made(_) | CopyError::Server(_) | CopyError::Store(_) => {
            "copy-failed"
        }
    };
    Refusal::Setup(key, vec![("cause", causes(error))])
}

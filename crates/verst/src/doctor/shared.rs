//! What of an installation may lie elsewhere: its database and its audio.

use std::sync::Arc;
use std::time::Duration;

use verst_adapters::clock::SystemClock;
use verst_adapters::data_dir::{DataDir, DataDirError};
use verst_kernel::{Clock, StoreError, Timestamp};
use verst_words::Arg;

use super::{Finding, downloads};
use crate::cli::Place;
use crate::house::{Audio, Database, data_path};
use crate::refusal::Refusal;
use crate::settings::Settings;
use crate::tongue::Tongue;

/// Beyond this the server's clock and this machine's tell different stories in logs and lists.
const CLOCKS_APART: Duration = Duration::from_secs(30);

/// Findings about the database, the audio and the clock of an installation that was begun.
pub(super) async fn findings(
    place: &Place,
    settings: &Settings,
    tongue: &Tongue,
) -> Vec<(&'static str, Finding)> {
    let path = data_path(place);
    let mut dir = match DataDir::visit(&path, false) {
        Ok(dir) => dir,
        // Nothing was begun, so there is nothing to belong together.
        Err(DataDirError::Missing) => return Vec::new(),
        Err(error) => {
            let refusal = Refusal::Data(path, error).sentence(tongue);
            return vec![("doctor-database", Err(refusal))];
        }
    };
    // A look changes nothing, whoever works there or does not.
    dir.release();
    if settings.database().is_none() && !dir.has_database() {
        return Vec::new();
    }
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let said = |refusal: Refusal| refusal.sentence(tongue);
    let database = match Database::open(settings, &dir, &path, clock.clone()).await {
        Ok(database) => database,
        Err(refusal) => return vec![("doctor-database", Err(said(refusal)))],
    };
    let version = Arg::Int(database.versions().now);
    let mut findings =
        vec![("doctor-database", Ok(tongue.say("doctor-version", &[("version", version)])))];
    let store = database.store();
    if settings.database().is_some() {
        findings.push(("doctor-clock", clock_finding(store.now().await, clock.now(), tongue)));
    }
    if settings.downloads().is_ok_and(|downloads| downloads.client.is_some()) {
        match downloads::watch(store.as_ref(), tongue).await {
            Ok(finding) => findings.extend(finding),
            Err(error) => findings.push(("doctor-watch", Err(said(error.into())))),
        }
    }
    let audio = match Audio::open(settings, &dir, clock) {
        Ok(audio) => audio.belongs_to(store.as_ref()).await.map(|()| audio.shown.clone()),
        Err(refusal) => Err(refusal),
    };
    findings.push(("doctor-objects", audio.map_err(said)));
    findings
}

fn clock_finding(
    server: Result<Timestamp, StoreError>,
    here: Timestamp,
    tongue: &Tongue,
) -> Finding {
    let server = server.map_err(|error| Refusal::Store(error).sentence(tongue))?;
    let apart = server.since(here).max(here.since(server));
    let seconds = Arg::Int(i64::try_from(apart.as_secs()).unwrap_or(i64::MAX));
    if apart > CLOCKS_APART {
        return Err(tongue.say("doctor-clocks-apart", &[("seconds", seconds)]));
    }
    Ok(tongue.say("doctor-clocks-agree", &[]))
}

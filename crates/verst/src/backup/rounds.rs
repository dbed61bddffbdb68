//! Brings a database and its objects into one backup while others work with both.
//!
//! A snapshot of the database is taken and every object that it names is packed. One that is not
//! there any more belongs to a recording that moved on meanwhile: another snapshot then knows of
//! that, and names what is there instead. What is still named and missing in the end was missing
//! before.
//!
//! **Invariant:** the snapshot that is packed is the last one, and each object it names is packed or
//! told to be missing.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use verst_adapters::data_dir::DataDir;
use verst_recordings::ports::{LocalFile, ObjectError, Objects};
use verst_store::Postgres;
use verst_store::snapshot::{self, Examined};
use verst_store::transfer;

use super::broken::{Broken, blocking};
use super::gauge::{Gauge, room, size_of};
use super::manifest::{Head, Manifest, is_key};
use super::pack::Pack;
use super::target::Target;
use crate::refusal::Refusal;

/// Snapshots that are taken at most. Each later one is about the few recordings that moved while the
/// one before was packed.
const ROUNDS: usize = 8;

/// Which database.
pub(super) enum Origin {
    File(PathBuf),
    Server(Box<Postgres>),
}

impl Origin {
    /// One snapshot, in a new file that is gone with the value.
    async fn snapshot(&self, objects: &dyn Objects) -> Result<(LocalFile, Examined), Broken> {
        let file = LocalFile::temporary(objects.scratch());
        let to = file.path().to_owned();
        match self {
            Self::File(from) => {
                let from = from.clone();
                room(&to, size_of(&from))?;
                blocking(move || {
                    private(&to)?;
                    Ok(snapshot::take(&from, &to)?)
                })
                .await?;
            }
            Self::Server(server) => {
                private(&to)?;
                transfer::save(server, &to, &verst_service::stages()).await?;
            }
        }
        let read = file.path().to_owned();
        let examined = blocking(move || Ok(snapshot::examine(&read)?)).await?;
        Ok((file, examined))
    }
}

/// Makes an empty file that nobody else may read.
fn private(file: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::OpenOptionsExt;
    std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(file).map(drop)
}

/// Fills a backup and makes it durable under the name of its making.
pub(super) async fn fill(
    origin: &Origin,
    objects: &Arc<dyn Objects>,
    shown: &str,
    target: &Target,
    file: std::fs::File,
    head: Head,
    gauge: &Gauge,
) -> Result<Manifest, Broken> {
    let begun = gauge.clone();
    let mut pack = Some(blocking(move || Pack::begin(file, head, begun)).await?);
    let mut before = BTreeSet::new();
    for round in 1..=ROUNDS {
        let (database, examined) = origin.snapshot(objects.as_ref()).await?;
        gauge.moved(0)?;
        if round == 1 {
            in_place(objects.as_ref(), shown, &examined).await?;
            let about: u64 = examined.objects.iter().map(|named| named.about_bytes).sum();
            let about = about.saturating_add(size_of(database.path()));
            room(target.file(), about)?;
            gauge.begin(target.file().display().to_string(), about);
        }
        let mut gone = BTreeSet::new();
        for named in &examined.objects {
            let Some(mut filling) = pack.take() else { break };
            let key = named.key.clone();
            if !filling.has(&key) {
                let found = if is_key(&key) {
                    objects.local(&key).await
                } else {
                    Err(ObjectError::Missing)
                };
                match found {
                    Err(ObjectError::Missing) => drop(gone.insert(key)),
                    Err(error) => return Err(Broken::Object(key, error)),
                    Ok(local) => {
                        let (filled, was_there) =
                            blocking(move || add(filling, &key, &local)).await?;
                        filling = filled;
                        if !was_there {
                            gone.insert(named.key.clone());
                        }
                    }
                }
            }
            pack = Some(filling);
        }
        if gone.is_empty() || gone == before || round == ROUNDS {
            let Some(pack) = pack.take() else { break };
            return blocking(move || finish(pack, &database, &examined, gone)).await;
        }
        before = gone;
    }
    Err(Broken::Io(std::io::Error::other("the backup ended early")))
}

/// Packs an object; `false` if it went in the moment before.
fn add(mut pack: Pack, key: &str, file: &LocalFile) -> Result<(Pack, bool), Broken> {
    match pack.object(key, file.path()) {
        Ok(()) => Ok((pack, true)),
        Err(Broken::Io(error)) if error.kind() == ErrorKind::NotFound => Ok((pack, false)),
        Err(error) => Err(error),
    }
}

fn finish(
    pack: Pack,
    database: &LocalFile,
    examined: &Examined,
    gone: BTreeSet<String>,
) -> Result<Manifest, Broken> {
    let rows = examined.rows.iter().map(|table| (table.table.to_owned(), table.rows)).collect();
    pack.finish(database.path(), examined.version, rows, gone.into_iter().collect())
}

/// Sees that the objects are those that the rows name: a place that is not mounted would make a
/// backup without audio.
async fn in_place(objects: &dyn Objects, shown: &str, examined: &Examined) -> Result<(), Broken> {
    let Some(meant) = examined.home.clone() else { return Ok(()) };
    let here = objects.find_home().await;
    let here = here.map_err(|error| Broken::Object("home".to_owned(), error))?;
    if here.as_ref() == Some(&meant) {
        return Ok(());
    }
    let args = vec![("objects", shown.to_owned()), ("home", meant)];
    Err(Refusal::Setup("cli-objects-elsewhere", args).into())
}

/// Where the database of an installation is.
pub(super) fn file_of(dir: &DataDir) -> Option<Origin> {
    dir.has_database().then(|| Origin::File(dir.database()))
}

#[cfg(test)]
#[path = "rounds_tests.rs"]
mod tests;

//! Where a backup is to go: it has to be empty, or is set aside on the word of a person.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use verst_adapters::clock::SystemClock;
use verst_adapters::data_dir::DataDir;
use verst_kernel::{Clock, Timestamp};
use verst_recordings::ports::{ObjectError, RecordingStore};
use verst_store::{Postgres, snapshot, transfer};
use verst_words::Arg;

use super::args::Restore;
use super::broken::{Broken, blocking};
use super::gauge::room;
use super::manifest::Seal;
use super::target::stamp;
use crate::house::{Audio, Database, IfMissing, OPENING, data_path, settings, work_in};
use crate::refusal::Refusal;
use crate::settings::Settings;
use crate::tongue::Tongue;

/// Objects that lie here at the same time on their way to a bucket.
const PASSING: u64 = 5;

/// An installation that nobody works in or visits.
pub(super) struct Place {
    pub(super) dir: DataDir,
    pub(super) settings: Settings,
    pub(super) audio: Audio,
    /// The server, if the database goes there.
    pub(super) server: Option<Box<Postgres>>,
    path: PathBuf,
    /// Whether its database has rows.
    occupied: bool,
}

impl Place {
    /// Enters it, and makes it where there is nothing. Refuses what holds recordings already, unless
    /// that may be replaced.
    pub(super) async fn enter(args: &Restore, tongue: &Tongue) -> Result<Self, Broken> {
        let (path, settings) = (data_path(&args.place), settings(&args.place)?);
        let mut dir = work_in(&path, IfMissing::Make, OPENING).await?;
        if !dir.keep_visitors_out()? {
            let data = vec![("data", path.display().to_string())];
            return Err(Refusal::Setup("restore-visited", data).into());
        }
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let audio = Audio::open(&settings, &dir, clock.clone())?;
        let mut server = None;
        let occupied = if settings.database().is_some() {
            let database = Database::open(&settings, &dir, &path, clock).await?;
            database.lock(&dir, tongue).await?;
            let Database::Server(store) = database else { return Err(Broken::NotOne) };
            let occupied = transfer::is_occupied(&store).await?;
            server = Some(store);
            if occupied {
                return Err(Refusal::Setup("restore-server-occupied", Vec::new()).into());
            }
            false
        } else if dir.has_database() {
            let file = dir.database();
            blocking(move || Ok(snapshot::is_occupied(&file)?)).await?
        } else {
            false
        };
        let place = Self { dir, settings, audio, server, path, occupied };
        if place.occupied && !args.replace {
            return Err(place.refused());
        }
        Ok(place)
    }

    fn refused(&self) -> Broken {
        let data =
            vec![("data", self.path.display().to_string()), ("objects", self.audio.shown.clone())];
        Refusal::Setup("restore-occupied", data).into()
    }

    /// Sees that there is room for the objects. What goes to a bucket passes through here, and the
    /// last few are kept for a while.
    pub(super) fn room_for(&self, wanted: &BTreeMap<String, Seal>) -> Result<(), Broken> {
        let sizes = wanted.values().map(|seal| seal.size);
        let kept = Path::new(&self.audio.shown);
        if kept.is_dir() {
            return room(kept, sizes.sum());
        }
        let largest = sizes.max().unwrap_or(0);
        room(&self.audio.objects.scratch(), largest.saturating_mul(PASSING))
    }

    /// Sees that the objects which lie there are the backup's own, as after a restore that was
    /// interrupted, or may stay beside them. Sets aside what is to be replaced.
    pub(super) async fn clear(
        &self,
        args: &Restore,
        wanted: &BTreeMap<String, Seal>,
        now: Timestamp,
        tongue: &Tongue,
    ) -> Result<(), Broken> {
        let strange = self.has_others(wanted).await?;
        if !self.occupied && !strange {
            return self.is_free(wanted).await;
        }
        if !args.replace {
            return Err(self.refused());
        }
        if !args.yes && !agreed(&self.path, tongue)? {
            return Err(Refusal::Cannot("restore-not-agreed", Vec::new()).into());
        }
        let own = self.audio.is_own();
        if self.occupied || own {
            let aside = self.dir.set_aside(&format!("replaced-{}", stamp(now)))?;
            let aside = aside.display().to_string();
            tongue.err(&tongue.say("restore-aside", &[("aside", Arg::Text(&aside))]));
        }
        Ok(())
    }

    /// Whether originals lie there that are not in the backup.
    async fn has_others(&self, wanted: &BTreeMap<String, Seal>) -> Result<bool, Broken> {
        let most = wanted.len().saturating_add(1);
        let listed = self.audio.objects.list("original", most).await.map_err(trouble)?;
        Ok(listed.iter().any(|object| !wanted.contains_key(&object.key)))
    }

    /// Whether no other installation is at home where the objects go. One of ours left its first
    /// objects there.
    async fn is_free(&self, wanted: &BTreeMap<String, Seal>) -> Result<(), Broken> {
        let bound = match &self.server {
            Some(server) => server.bound_objects().await.map_err(Refusal::from)?,
            None => None,
        };
        let found = self.audio.objects.find_home().await.map_err(trouble)?;
        if self.audio.is_own() || found.is_none() || found == bound {
            return Ok(());
        }
        let begun = self.audio.objects.list("original", 1).await.map_err(trouble)?;
        if begun.iter().any(|object| wanted.contains_key(&object.key)) {
            return Ok(());
        }
        Err(self.refused())
    }
}

fn trouble(error: ObjectError) -> Broken {
    Broken::Object(String::new(), error)
}

/// Asks the person at the terminal. Where there is none, nobody agreed.
fn agreed(data: &Path, tongue: &Tongue) -> Result<bool, Broken> {
    if !std::io::stdin().is_terminal() {
        return Ok(false);
    }
    let data = data.display().to_string();
    tongue.err(&tongue.say("restore-agree", &[("data", Arg::Text(&data))]));
    let mut said = String::new();
    std::io::stdin().read_line(&mut said)?;
    Ok(said.trim().to_lowercase() == tongue.say("restore-yes", &[]))
}

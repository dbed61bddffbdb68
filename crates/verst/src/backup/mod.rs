//! `verst backup` and `verst restore`: a whole installation, database and audio, in one file that
//! is the same whichever store stands behind it.
//!
//! Settings and models are not in it: settings hold secrets of other systems, and models are to be
//! had again.

mod args;
mod broken;
mod check;
mod gauge;
mod manifest;
mod pack;
mod place;
mod restore;
mod rounds;
mod target;
mod unpack;

use std::path::Path;
use std::sync::Arc;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use verst_adapters::clock::SystemClock;
use verst_kernel::{Clock, Failure};
use verst_recordings::codes;
use verst_recordings::ports::LocalFile;
use verst_words::Arg;

pub(crate) use args::{Backup, Restore};
pub(crate) use restore::restore;

use broken::{Broken, blocking};
use check::{Checked, check};
use gauge::{Gauge, size_of};
use manifest::{FORMAT, Head, Manifest};
use rounds::{Origin, fill};
use target::Target;

use crate::house::{Audio, Database, IfMissing, data_path, settings, visit};
use crate::refusal::Refusal;
use crate::signals::{self, Ended};
use crate::tongue::Tongue;

/// A command that moves bytes until it is done or a signal comes.
struct Errand<'a> {
    tongue: &'a Tongue,
    gauge: Gauge,
    ended: watch::Receiver<Option<Ended>>,
}

impl<'a> Errand<'a> {
    fn begin(tongue: &'a Tongue) -> Result<Self, Refusal> {
        let shutdown = CancellationToken::new();
        let ended = signals::listen(tongue, shutdown.clone())
            .map_err(|_| Refusal::Needed(Failure::new(codes::INTERRUPTED)))?;
        Ok(Self { tongue, gauge: Gauge::new(shutdown), ended })
    }

    /// What came of it, as an exit code; a signal has one of its own.
    fn end(self, file: &Path, came: Result<u8, Broken>) -> Result<u8, Refusal> {
        self.gauge.end();
        let ended = *self.ended.borrow();
        match (came, ended) {
            (Ok(code), _) => Ok(code),
            (Err(Broken::Interrupted), Some(Ended(code))) => {
                self.tongue.err(&Broken::Interrupted.refusal(file).sentence(self.tongue));
                Ok(code)
            }
            (Err(broken), _) => Err(broken.refusal(file)),
        }
    }
}

pub(crate) async fn backup(args: Backup, tongue: &Tongue) -> Result<u8, Refusal> {
    let errand = Errand::begin(tongue)?;
    let came =
        if args.verify { verify(&args.to, &errand).await } else { make(&args, &errand).await };
    errand.end(&args.to, came)
}

async fn make(args: &Backup, errand: &Errand<'_>) -> Result<u8, Broken> {
    let (path, settings) = (data_path(&args.place), settings(&args.place)?);
    let mut dir = visit(&path, IfMissing::Refuse).await?;
    // Nobody is kept from working here, and no schema is changed on the way.
    dir.release();
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let now = clock.now();
    let audio = Audio::open(&settings, &dir, clock.clone())?;
    let origin = match settings.database() {
        None => rounds::file_of(&dir),
        Some(_) => match Database::open(&settings, &dir, &path, clock).await? {
            Database::Server(server) => Some(Origin::Server(server)),
            Database::File(_) => None,
        },
    };
    let Some(origin) = origin else {
        let data = vec![("data", path.display().to_string())];
        return Err(Refusal::Setup("backup-nothing", data).into());
    };
    let (target, file) = Target::open(&args.to, now)?;
    let head = Head {
        format: FORMAT,
        verst: env!("CARGO_PKG_VERSION").to_owned(),
        created_at: target::moment(now).strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
    };
    let made = fill(&origin, &audio.objects, &audio.shown, &target, file, head, &errand.gauge);
    let made = made.await?;
    let database = LocalFile::temporary(audio.objects.scratch());
    let checked = read(target.part(), database.path(), errand).await?;
    if checked.manifest != made {
        return Err(Broken::Damaged("manifest.json".to_owned()));
    }
    let file = target.publish()?;
    errand.gauge.end();
    errand.tongue.print(&format!("{}\n", file.display()))?;
    tell(&made, "backup-done", &file, errand.tongue);
    errand.tongue.err(&errand.tongue.say("backup-secrets", &[]));
    Ok(0)
}

async fn verify(file: &Path, errand: &Errand<'_>) -> Result<u8, Broken> {
    let database = tempfile::NamedTempFile::new()?;
    let checked = read(file, database.path(), errand).await?;
    errand.gauge.end();
    tell(&checked.manifest, "backup-sound", file, errand.tongue);
    Ok(0)
}

/// Reads a backup through, and its database into a file.
async fn read(file: &Path, database: &Path, errand: &Errand<'_>) -> Result<Checked, Broken> {
    let (file, database) = (file.to_owned(), database.to_owned());
    let (gauge, what) = (errand.gauge.clone(), errand.tongue.say("backup-reading", &[]));
    blocking(move || check(&file, &database, &gauge, what)).await
}

/// Says what is in it, and what should be and is not.
fn tell(manifest: &Manifest, key: &str, file: &Path, tongue: &Tongue) {
    let count = |n: usize| Arg::Int(i64::try_from(n).unwrap_or(i64::MAX));
    let recordings = manifest.rows.get("recording").copied().unwrap_or(0);
    let (shown, mib) = (file.display().to_string(), size_of(file).div_ceil(1 << 20).to_string());
    let args = [
        ("file", Arg::Text(&shown)),
        ("created", Arg::Text(&manifest.head.created_at)),
        ("recordings", Arg::Int(i64::try_from(recordings).unwrap_or(i64::MAX))),
        ("objects", count(manifest.objects.len())),
        ("mib", Arg::Text(&mib)),
    ];
    tongue.err(&tongue.say(key, &args));
    if !manifest.missing.is_empty() {
        tongue.err(&tongue.say("backup-missing", &[("count", count(manifest.missing.len()))]));
    }
}

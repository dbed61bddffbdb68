//! `verst restore`: a backup becomes an installation, or nothing changes.
//!
//! All of the backup is read and compared before anything is written. Then objects are put in place,
//! and last the database, at one stroke: what is interrupted before that is an installation without
//! recordings, and the same command brings it to its end.
//!
//! **Invariant:** no row is there before the bytes that it names.

use std::collections::{BTreeMap, HashSet};
use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::runtime::Handle;
use verst_adapters::clock::SystemClock;
use verst_kernel::Clock;
use verst_recordings::ports::{LocalFile, Objects};
use verst_store::{snapshot, transfer};

use super::args::{Restore, Unfinished};
use super::broken::{Broken, blocking};
use super::check::{Checked, check};
use super::gauge::size_of;
use super::manifest::{Member, Seal};
use super::place::Place;
use super::unpack::{Taker, look, walk};
use super::{Errand, tell};
use crate::acts::person;
use crate::refusal::Refusal;
use crate::tongue::Tongue;

pub(crate) async fn restore(args: Restore, tongue: &Tongue) -> Result<u8, Refusal> {
    let errand = Errand::begin(tongue)?;
    let came = bring_back(&args, &errand).await;
    errand.end(&args.file, came)
}

async fn bring_back(args: &Restore, errand: &Errand<'_>) -> Result<u8, Broken> {
    let (tongue, gauge) = (errand.tongue, &errand.gauge);
    // A file that is none must not make an installation.
    look(&args.file)?;
    let place = Place::enter(args, tongue).await?;
    let database = LocalFile::temporary(place.audio.objects.scratch());
    let checked = {
        let (file, to, gauge) = (args.file.clone(), database.path().to_owned(), gauge.clone());
        let what = tongue.say("backup-reading", &[]);
        blocking(move || check(&file, &to, &gauge, what)).await?
    };
    place.room_for(&checked.manifest.objects)?;
    place.clear(args, &checked.manifest.objects, SystemClock.now(), tongue).await?;
    let home = place.audio.objects.home().await;
    let home = home.map_err(|error| Broken::Object("home".to_owned(), error))?;
    put_objects(args, &place, &checked, errand).await?;
    let held = holds(args, &place);
    settle_in(&place, database.path().to_owned(), home, held).await?;
    put_database(&place, database.path()).await?;
    gauge.end();
    tell(&checked.manifest, "restore-done", &args.file, tongue);
    tongue.err(&tongue.say(if held { "restore-held" } else { "restore-goes-on" }, &[]));
    tongue.err(&tongue.say("restore-next", &[]));
    Ok(0)
}

/// Whether recordings that were under way are held: since the backup their recognition may have been
/// begun and paid for, and this database knows nothing of that.
fn holds(args: &Restore, place: &Place) -> bool {
    match args.unfinished {
        Some(how) => how == Unfinished::Hold,
        None => place.settings.may_pay(),
    }
}

async fn put_objects(
    args: &Restore,
    place: &Place,
    checked: &Checked,
    errand: &Errand<'_>,
) -> Result<(), Broken> {
    errand.gauge.begin(errand.tongue.say("restore-writing", &[]), size_of(&args.file));
    let mut putting = Putting {
        objects: place.audio.objects.clone(),
        seals: checked.manifest.objects.clone(),
        // What no row names any more would only be swept.
        named: checked.examined.objects.iter().map(|named| named.key.clone()).collect(),
        handle: Handle::current(),
        file: None,
    };
    let (file, gauge) = (args.file.clone(), errand.gauge.clone());
    blocking(move || walk(&file, &gauge, &mut putting).map(drop)).await
}

/// Takes objects to where they belong, each once its bytes are known to be right.
struct Putting {
    objects: Arc<dyn Objects>,
    seals: BTreeMap<String, Seal>,
    named: HashSet<String>,
    handle: Handle,
    file: Option<LocalFile>,
}

impl Taker for Putting {
    fn begin(&mut self, member: &Member) -> Result<Option<File>, Broken> {
        let Member::Object(key) = member else { return Ok(None) };
        if !self.named.contains(key) {
            return Ok(None);
        }
        let file = LocalFile::temporary(self.objects.scratch());
        let open = OpenOptions::new().write(true).create_new(true).mode(0o600).open(file.path())?;
        self.file = Some(file);
        Ok(Some(open))
    }

    fn end(&mut self, member: &Member, seal: &Seal) -> Result<(), Broken> {
        let (Member::Object(key), Some(file)) = (member, self.file.take()) else { return Ok(()) };
        // It was read through a moment ago, and may be another file by now.
        if self.seals.get(key) != Some(seal) {
            return Err(Broken::Damaged(member.name()));
        }
        let adopted = self.handle.block_on(self.objects.adopt(key, file.path()));
        adopted.map_err(|error| Broken::Object(key.clone(), error))
    }
}

async fn settle_in(place: &Place, file: PathBuf, home: String, held: bool) -> Result<(), Broken> {
    let instance = place.dir.instance().clone();
    blocking(move || {
        let (person, now) = (person(), SystemClock.now());
        let unfinished = if held {
            snapshot::Unfinished::IsHeld(&person, now)
        } else {
            snapshot::Unfinished::GoesOn
        };
        Ok(snapshot::settle_in(&file, &verst_service::stages(), &instance, &home, unfinished)?)
    })
    .await
}

async fn put_database(place: &Place, staged: &Path) -> Result<(), Broken> {
    match &place.server {
        None => Ok(place.dir.put_database(staged)?),
        Some(server) => {
            place.audio.bind(server.as_ref()).await?;
            transfer::copy(staged, server).await?;
            Ok(())
        }
    }
}

//! Reads a backup from end to end, its database included: nothing in it may be other than it says.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use verst_store::snapshot::{self, Examined};

use super::broken::Broken;
use super::gauge::{Gauge, size_of};
use super::manifest::{Manifest, Member, Seal};
use super::unpack::{Taker, walk};

/// What a sound backup says and holds.
pub(super) struct Checked {
    pub(super) manifest: Manifest,
    pub(super) examined: Examined,
}

/// Puts the database into a file, and reads over the rest.
struct Database(PathBuf);

impl Taker for Database {
    fn begin(&mut self, member: &Member) -> Result<Option<File>, Broken> {
        if *member != Member::Database {
            return Ok(None);
        }
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true).mode(0o600);
        Ok(Some(options.open(&self.0)?))
    }

    fn end(&mut self, _member: &Member, _seal: &Seal) -> Result<(), Broken> {
        Ok(())
    }
}

/// Reads all of it and leaves its database in a file. Blocking.
pub(super) fn check(
    backup: &Path,
    database: &Path,
    gauge: &Gauge,
    what: String,
) -> Result<Checked, Broken> {
    gauge.begin(what, size_of(backup));
    let manifest = walk(backup, gauge, &mut Database(database.to_owned()))?;
    let examined = snapshot::examine(database)?;
    let rows = examined.rows.iter().map(|table| (table.table.to_owned(), table.rows));
    if manifest.rows != rows.collect() || manifest.schema != examined.version {
        return Err(Broken::Damaged(Member::Database.name()));
    }
    let known = |key: &String| {
        manifest.objects.contains_key(key) || manifest.missing.binary_search(key).is_ok()
    };
    match examined.objects.iter().find(|named| !known(&named.key)) {
        Some(named) => Err(Broken::Damaged(Member::Object(named.key.clone()).name())),
        None => Ok(Checked { manifest, examined }),
    }
}

//! Writes a backup: a tar of plain files, one after another, each hashed as it goes by.
//!
//! **Invariant:** a member's header is written with its true size, or the whole is given up.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Read};
use std::path::Path;

use tar::{Builder, EntryType, Header};

use super::broken::Broken;
use super::gauge::{Gauge, Sealing, sha256};
use super::manifest::{Head, Manifest, Member, Seal, seal_line};

/// A backup in the making.
pub(super) struct Pack {
    tar: Builder<BufWriter<File>>,
    head: Head,
    objects: BTreeMap<String, Seal>,
    gauge: Gauge,
}

impl Pack {
    pub(super) fn begin(file: File, head: Head, gauge: Gauge) -> Result<Self, Broken> {
        let tar = Builder::new(BufWriter::with_capacity(1 << 20, file));
        let mut pack = Self { tar, head, objects: BTreeMap::new(), gauge };
        let text = json(&pack.head)?;
        pack.small(&Member::Head, &text)?;
        Ok(pack)
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.objects.contains_key(key)
    }

    pub(super) fn object(&mut self, key: &str, file: &Path) -> Result<(), Broken> {
        let seal = self.add(&Member::Object(key.to_owned()), File::open(file)?)?;
        self.objects.insert(key.to_owned(), seal);
        Ok(())
    }

    /// Adds the database and what has to be said about everything, and makes it durable.
    pub(super) fn finish(
        mut self,
        database: &Path,
        schema: i64,
        rows: BTreeMap<String, u64>,
        missing: Vec<String>,
    ) -> Result<Manifest, Broken> {
        let database = self.add(&Member::Database, File::open(database)?)?;
        let objects = std::mem::take(&mut self.objects);
        let head = self.head.clone();
        let manifest = Manifest { head, schema, rows, database, objects, missing };
        let text = json(&manifest)?;
        self.small(&Member::Manifest, &text)?;
        self.small(&Member::Seal, seal_line(&sha256(&text)).as_bytes())?;
        let file =
            self.tar.into_inner()?.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        file.sync_all()?;
        Ok(manifest)
    }

    fn add(&mut self, member: &Member, file: File) -> Result<Seal, Broken> {
        let size = file.metadata()?.len();
        let mut bytes = Sealing::new(file.take(size), self.gauge.clone());
        self.append(member, size, &mut bytes)?;
        let seal = bytes.seal();
        if seal.size == size { Ok(seal) } else { Err(Broken::Damaged(member.name())) }
    }

    fn small(&mut self, member: &Member, text: &[u8]) -> Result<(), Broken> {
        self.append(member, u64::try_from(text.len()).unwrap_or(u64::MAX), &mut &*text)
    }

    fn append(&mut self, member: &Member, size: u64, bytes: &mut dyn Read) -> Result<(), Broken> {
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::Regular);
        header.set_path(member.name())?;
        header.set_size(size);
        header.set_mode(0o600);
        header.set_cksum();
        self.tar.append(&header, bytes).map_err(|error| self.gauge.meant(error))
    }
}

fn json<T: serde::Serialize>(value: &T) -> Result<Vec<u8>, Broken> {
    let mut text = serde_json::to_vec_pretty(value).map_err(std::io::Error::other)?;
    text.push(b'\n');
    Ok(text)
}

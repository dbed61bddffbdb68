//! Reads a backup from its beginning to its end and believes nothing of it: names, kinds, sizes and
//! hashes are compared, and whatever no backup has makes it none.
//!
//! It refuses to decide where anything goes: members are handed to whoever asked.
//!
//! **Invariant:** a manifest is answered only if every byte it speaks of was read and is right.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read, Write, sink};
use std::path::Path;

use tar::{Archive, Entry, EntryType};

use super::broken::Broken;
use super::gauge::{Gauge, Sealing, sha256};
use super::manifest::{FORMAT, Head, Manifest, Member, Seal, seal_line};

/// The longest beginning.
const HEAD_BYTES: u64 = 64 << 10;
/// The longest manifest: more than a million objects.
const MANIFEST_BYTES: u64 = 512 << 20;

type Bytes<'a> = Entry<'a, BufReader<File>>;

/// Whoever takes what is in a backup.
pub(super) trait Taker {
    /// Where the bytes of a member go, if they go anywhere.
    fn begin(&mut self, member: &Member) -> Result<Option<File>, Broken>;
    /// They are there, and this is what they are. Whether they are right is told at the end of all.
    fn end(&mut self, member: &Member, seal: &Seal) -> Result<(), Broken>;
}

/// Says whether a file begins as a backup that this program can read.
pub(super) fn look(file: &Path) -> Result<Head, Broken> {
    let mut archive = Archive::new(BufReader::new(File::open(file)?));
    let mut members = archive.entries().map_err(|_| Broken::NotOne)?.raw(true);
    let first = members.next().ok_or(Broken::NotOne)?.map_err(|_| Broken::NotOne)?;
    head(first)
}

/// Reads all of it.
pub(super) fn walk(file: &Path, gauge: &Gauge, taker: &mut dyn Taker) -> Result<Manifest, Broken> {
    let mut archive = Archive::new(BufReader::with_capacity(1 << 20, File::open(file)?));
    // Raw: extensions of the format, such as long names and sparse files, are members of a kind
    // that no backup has.
    let mut members = archive.entries().map_err(|_| Broken::NotOne)?.raw(true);
    let first = members.next().ok_or(Broken::NotOne)?.map_err(|_| Broken::NotOne)?;
    let head = head(first)?;
    let mut seals = BTreeMap::new();
    let mut manifest = None;
    for entry in members {
        let entry = entry.map_err(|error| cut_off(gauge, error))?;
        match (named(&entry)?, &manifest) {
            (Member::Manifest, None) => manifest = Some(small(entry, MANIFEST_BYTES)?),
            (Member::Seal, Some(text)) => {
                let seal = small(entry, HEAD_BYTES)?;
                let manifest = if seal == seal_line(&sha256(text)).as_bytes() {
                    serde_json::from_slice(text).ok()
                } else {
                    None
                };
                return compared(manifest, &head, seals);
            }
            (Member::Head | Member::Manifest | Member::Seal, _) | (_, Some(_)) => {
                return Err(Broken::NotOne);
            }
            (member, None) => {
                let seal = hand_over(entry, &member, gauge, taker)?;
                if seals.insert(member.clone(), seal).is_some() {
                    return Err(Broken::Damaged(member.name()));
                }
            }
        }
    }
    Err(Broken::CutOff)
}

fn head(entry: Bytes<'_>) -> Result<Head, Broken> {
    if !matches!(named(&entry), Ok(Member::Head)) {
        return Err(Broken::NotOne);
    }
    let text = small(entry, HEAD_BYTES)?;
    // A newer format may have other fields, but always this one.
    let value: serde_json::Value = serde_json::from_slice(&text).map_err(|_| Broken::NotOne)?;
    match value.get("format").and_then(serde_json::Value::as_u64) {
        Some(format) if format > u64::from(FORMAT) => Err(Broken::Future),
        Some(_) => serde_json::from_value(value).map_err(|_| Broken::NotOne),
        None => Err(Broken::NotOne),
    }
}

/// Which member it is; only plain files of known names are any.
fn named(entry: &Bytes<'_>) -> Result<Member, Broken> {
    let header = entry.header();
    let plain = header.entry_type() == EntryType::Regular;
    Member::named(&header.path_bytes()).filter(|_| plain).ok_or(Broken::NotOne)
}

fn small(entry: Bytes<'_>, limit: u64) -> Result<Vec<u8>, Broken> {
    let size = entry.size();
    if size > limit {
        return Err(Broken::NotOne);
    }
    let mut text = Vec::new();
    entry.take(limit).read_to_end(&mut text)?;
    if u64::try_from(text.len()).unwrap_or(u64::MAX) == size {
        Ok(text)
    } else {
        Err(Broken::CutOff)
    }
}

fn hand_over(
    entry: Bytes<'_>,
    member: &Member,
    gauge: &Gauge,
    taker: &mut dyn Taker,
) -> Result<Seal, Broken> {
    let size = entry.size();
    let mut bytes = Sealing::new(entry, gauge.clone());
    let moved = match taker.begin(member)? {
        Some(mut file) => std::io::copy(&mut bytes, &mut file).and_then(|_| file.flush()),
        None => std::io::copy(&mut bytes, &mut sink()).map(drop),
    };
    moved.map_err(|error| gauge.meant(error))?;
    let seal = bytes.seal();
    if seal.size < size {
        return Err(Broken::CutOff);
    }
    taker.end(member, &seal)?;
    Ok(seal)
}

/// The manifest, if it speaks of exactly what was read.
fn compared(
    manifest: Option<Manifest>,
    head: &Head,
    mut seals: BTreeMap<Member, Seal>,
) -> Result<Manifest, Broken> {
    let wrong = |member: &Member| Broken::Damaged(member.name());
    let manifest = manifest.ok_or_else(|| wrong(&Member::Manifest))?;
    if manifest.head != *head {
        return Err(wrong(&Member::Head));
    }
    let objects = manifest.objects.iter().map(|(key, seal)| (Member::Object(key.clone()), seal));
    for (member, seal) in objects.chain([(Member::Database, &manifest.database)]) {
        if seals.remove(&member).as_ref() != Some(seal) {
            return Err(wrong(&member));
        }
    }
    match seals.keys().next() {
        Some(unknown) => Err(wrong(unknown)),
        None => Ok(manifest),
    }
}

/// A header that cannot be read: mostly the file ends there.
fn cut_off(gauge: &Gauge, error: std::io::Error) -> Broken {
    match gauge.meant(error) {
        Broken::Io(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Broken::CutOff,
        Broken::Io(_) => Broken::Damaged("tar".to_owned()),
        other => other,
    }
}

//! What a backup says of itself: at its beginning what it is, at its end what must be in it.
//!
//! **Invariant:** a name in a backup is one of five, and an object's is made of plain characters
//! only, so that no name leads anywhere but to its object.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The newest format that this program knows, and the one that it writes.
pub(super) const FORMAT: u32 = 1;

const HEAD: &str = "verst-backup.json";
const OBJECTS: &str = "objects/";
const DATABASE: &str = "verst.sqlite";
const MANIFEST: &str = "manifest.json";
const SEAL: &str = "manifest.json.sha256";

/// The first member: enough to know whether the rest can be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Head {
    pub(super) format: u32,
    /// The version of Verst that wrote it.
    pub(super) verst: String,
    /// RFC 3339, UTC.
    pub(super) created_at: String,
}

/// The last member but one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    #[serde(flatten)]
    pub(super) head: Head,
    /// Version of the database's schema.
    pub(super) schema: i64,
    /// How many rows each table has.
    pub(super) rows: BTreeMap<String, u64>,
    pub(super) database: Seal,
    /// By key.
    pub(super) objects: BTreeMap<String, Seal>,
    /// Objects that rows name and that were not there.
    pub(super) missing: Vec<String>,
}

/// What a member's bytes have to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Seal {
    pub(super) size: u64,
    /// Hexadecimal.
    pub(super) sha256: String,
}

/// A member of a backup.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Member {
    Head,
    Object(String),
    Database,
    Manifest,
    /// The hash of the manifest, as `sha256sum -c` reads it.
    Seal,
}

impl Member {
    /// Its name in the archive.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Head => HEAD.to_owned(),
            Self::Object(key) => format!("{OBJECTS}{key}"),
            Self::Database => DATABASE.to_owned(),
            Self::Manifest => MANIFEST.to_owned(),
            Self::Seal => SEAL.to_owned(),
        }
    }

    /// The member of that name; `None` for any name that no backup has.
    pub(super) fn named(name: &[u8]) -> Option<Self> {
        let name = std::str::from_utf8(name).ok()?;
        Some(match name {
            HEAD => Self::Head,
            DATABASE => Self::Database,
            MANIFEST => Self::Manifest,
            SEAL => Self::Seal,
            other => {
                Self::Object(other.strip_prefix(OBJECTS).filter(|key| is_key(key))?.to_owned())
            }
        })
    }
}

/// The line that vouches for a manifest.
pub(super) fn seal_line(sha256: &str) -> String {
    format!("{sha256}  {MANIFEST}\n")
}

/// Whether an object may be called so: two plain words below a directory of ours.
pub(super) fn is_key(key: &str) -> bool {
    let plain = |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'_' | b'.');
    let Some((room, name)) = key.split_once('/') else { return false };
    // With the directory before it, it has to fit into the name field of the archive.
    matches!(room, "original" | "normalised")
        && (1..=80).contains(&name.len())
        && !name.starts_with('.')
        && name.bytes().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_have_the_names_that_are_read_back() {
        let object = Member::Object("original/0123abc".to_owned());
        for member in [Member::Head, object, Member::Database, Member::Manifest, Member::Seal] {
            assert_eq!(Member::named(member.name().as_bytes()), Some(member));
        }
    }

    #[test]
    fn a_name_that_leads_elsewhere_is_none() {
        for name in [
            "objects/../verst.sqlite",
            "objects/original/../../etc/passwd",
            "objects/original/..",
            "objects//etc/passwd",
            "/verst.sqlite",
            "./verst.sqlite",
            "objects/original/a/b",
            "objects/original/",
            "objects/home",
            "objects/unnamed/a",
            "objects/original/.hidden",
            "objects/original/a\\b",
            "objects/original/a\0b",
            "objects/original/a b",
            "",
        ] {
            assert_eq!(Member::named(name.as_bytes()), None, "{name}");
        }
        assert_eq!(Member::named(b"objects/original/\xff"), None);
        let long = format!("objects/original/{}", "a".repeat(81));
        assert_eq!(Member::named(long.as_bytes()), None);
    }
}

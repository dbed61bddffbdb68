//! The settings file: one flat TOML. Its keys stand in one table, which makes the reference page;
//! a test holds the table and the structure against each other.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use verst_adapters::objects::Credentials;
use verst_kernel::Limits;

/// Settings as they are typed, each with a default.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Settings {
    workers: usize,
    own_patience_s: u64,
    foreign_patience_s: u64,
    failures: u32,
    pause_base_s: u64,
    pause_cap_s: u64,
    largest_bytes: u64,
    keep_originals: bool,
    database: Secret,
    objects: String,
    s3_endpoint: String,
    s3_region: String,
    s3_access_key_id: String,
    s3_secret_access_key: Secret,
    durability: Durability,
    models: String,
    model: String,
    threads: u16,
    engine_memory_bytes: u64,
    engine_idle_s: u64,
    shutdown_grace_s: u64,
}

/// What survives a loss of power.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Durability {
    Full,
    Normal,
}

/// A password, or an address with one in it, which nothing prints.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
struct Secret(String);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_empty() { "\"\"" } else { "\"…\"" })
    }
}

/// Where audio lies.
pub(crate) enum ObjectsAt {
    DataDir,
    Directory(PathBuf),
    Bucket(String, Credentials),
}

impl Default for Settings {
    fn default() -> Self {
        let limits = Limits::default();
        Self {
            workers: 4,
            own_patience_s: limits.own_patience.as_secs(),
            foreign_patience_s: limits.foreign_patience.as_secs(),
            failures: limits.failures,
            pause_base_s: limits.pause_base.as_secs(),
            pause_cap_s: limits.pause_cap.as_secs(),
            largest_bytes: 4 << 30,
            keep_originals: true,
            database: Secret::default(),
            objects: String::new(),
            s3_endpoint: String::new(),
            s3_region: String::new(),
            s3_access_key_id: String::new(),
            s3_secret_access_key: Secret::default(),
            durability: Durability::Full,
            models: String::new(),
            model: crate::models::BUNDLED.name.to_owned(),
            threads: 0,
            engine_memory_bytes: 0,
            engine_idle_s: 60,
            shutdown_grace_s: 20,
        }
    }
}

/// A key of the reference.
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) meaning: &'static str,
}

const fn key(name: &'static str, meaning: &'static str) -> Key {
    Key { name, meaning }
}

/// Every key, in the order of the reference.
pub(crate) const KEYS: [Key; 21] = [
    key(
        "workers",
        "How many pieces of work run at the same time. 0 takes work in and lets it wait.",
    ),
    key(
        "own_patience_s",
        "Seconds a recording may stand at a milestone that our own step leaves before it is stopped as stuck.",
    ),
    key("foreign_patience_s", "The same where a recogniser is waited for."),
    key("failures", "Attempts at a milestone before the recording is stopped."),
    key("pause_base_s", "Seconds before the first retry; doubles with each further one."),
    key("pause_cap_s", "The longest pause before a retry, in seconds."),
    key("largest_bytes", "The largest file that is taken in, in bytes."),
    key("keep_originals", "Whether the file that was handed in is kept once its text is there."),
    key(
        "database",
        "Where the database is. Empty: a file in the data directory. `postgres://user:password@host/name`: a PostgreSQL server.",
    ),
    key(
        "objects",
        "Where audio lies. Empty: in the data directory. An absolute path: a directory that hosts share. `s3://bucket/prefix`: a bucket that hosts share.",
    ),
    key(
        "s3_endpoint",
        "Address of the S3 server, as in `https://s3.example.org`. Empty: Amazon's, or the variable `AWS_ENDPOINT`.",
    ),
    key("s3_region", "Region of the bucket. Empty: the variable `AWS_REGION`."),
    key("s3_access_key_id", "Access key. Empty: the variable `AWS_ACCESS_KEY_ID`."),
    key("s3_secret_access_key", "Secret access key. Empty: the variable `AWS_SECRET_ACCESS_KEY`."),
    key(
        "durability",
        "`full`: every commit survives a loss of power. `normal`: faster, the last commits may be lost.",
    ),
    key("models", "Directory of speech models. Empty: `models` beside the program or above it."),
    key("model", "Speech model: a file's name in that directory, or a path."),
    key("threads", "Threads of the recogniser. 0: one per core."),
    key(
        "engine_memory_bytes",
        "Address space the recogniser's process may use, in bytes. 0: no limit.",
    ),
    key(
        "engine_idle_s",
        "Seconds after which an idle recogniser's process ends and gives its memory back.",
    ),
    key("shutdown_grace_s", "Seconds that running work gets to end when Verst is told to stop."),
];

impl Settings {
    /// Reads a file; defaults where there is none and none was named. The error is a sentence of
    /// the parser with the line's number, and never the line: a password may stand there.
    pub(crate) fn read(file: &Path, must_exist: bool) -> Result<Self, String> {
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && !must_exist => {
                return Ok(Self::default());
            }
            Err(error) => return Err(error.to_string()),
        };
        toml::from_str(&text).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            format!("line {}: {}", before.matches('\n').count() + 1, error.message())
        })
    }

    pub(crate) fn workers(&self) -> usize {
        self.workers.min(256)
    }

    pub(crate) fn limits(&self) -> Limits {
        Limits {
            own_patience: Duration::from_secs(self.own_patience_s),
            foreign_patience: Duration::from_secs(self.foreign_patience_s),
            failures: self.failures,
            pause_base: Duration::from_secs(self.pause_base_s),
            pause_cap: Duration::from_secs(self.pause_cap_s),
        }
    }

    pub(crate) fn largest_bytes(&self) -> u64 {
        self.largest_bytes
    }

    pub(crate) fn keep_originals(&self) -> bool {
        self.keep_originals
    }

    /// The server's address; `None` for a file in the data directory.
    pub(crate) fn database(&self) -> Option<&str> {
        (!self.database.0.is_empty()).then_some(self.database.0.as_str())
    }

    /// Where audio lies.
    pub(crate) fn objects_at(&self) -> ObjectsAt {
        let credentials = Credentials {
            endpoint: self.s3_endpoint.clone(),
            region: self.s3_region.clone(),
            access_key_id: self.s3_access_key_id.clone(),
            secret_access_key: self.s3_secret_access_key.0.clone(),
        };
        match self.objects.as_str() {
            "" => ObjectsAt::DataDir,
            address if address.contains("://") => {
                ObjectsAt::Bucket(address.to_owned(), credentials)
            }
            path => ObjectsAt::Directory(PathBuf::from(path)),
        }
    }

    pub(crate) fn durability(&self) -> verst_store::Durability {
        match self.durability {
            Durability::Full => verst_store::Durability::Full,
            Durability::Normal => verst_store::Durability::Normal,
        }
    }

    pub(crate) fn models(&self) -> Option<PathBuf> {
        (!self.models.is_empty()).then(|| PathBuf::from(&self.models))
    }

    pub(crate) fn model(&self) -> &str {
        &self.model
    }

    pub(crate) fn threads(&self) -> u16 {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        if self.threads == 0 { u16::try_from(cores).unwrap_or(u16::MAX) } else { self.threads }
    }

    pub(crate) fn engine_memory(&self) -> Option<u64> {
        (self.engine_memory_bytes > 0).then_some(self.engine_memory_bytes)
    }

    pub(crate) fn engine_idle(&self) -> Duration {
        Duration::from_secs(self.engine_idle_s)
    }

    pub(crate) fn shutdown_grace(&self) -> Duration {
        Duration::from_secs(self.shutdown_grace_s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_names_every_key_and_no_other() {
        let table = toml::Table::try_from(Settings::default()).unwrap();
        let mut typed: Vec<&str> = table.keys().map(String::as_str).collect();
        let mut told: Vec<&str> = KEYS.iter().map(|k| k.name).collect();
        typed.sort_unstable();
        told.sort_unstable();
        assert_eq!(typed, told);
    }

    #[test]
    fn an_unknown_key_is_an_error_that_names_it() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("verst.toml");
        std::fs::write(&file, "workres = 1\n").unwrap();
        let error = Settings::read(&file, false).unwrap_err();
        assert!(error.contains("workres") && error.contains("workers"), "{error}");
    }

    #[test]
    fn no_file_means_defaults_unless_it_was_named() {
        let file = Path::new("/nowhere/verst.toml");
        assert_eq!(Settings::read(file, false).unwrap().workers(), 4);
        assert!(Settings::read(file, true).is_err());
    }

    #[test]
    fn a_database_keeps_its_password_to_itself() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("verst.toml");
        std::fs::write(&file, "database = \"postgres://verst:hunter2@db/verst\"\n").unwrap();
        let settings = Settings::read(&file, true).unwrap();
        assert_eq!(settings.database(), Some("postgres://verst:hunter2@db/verst"));
        assert!(!format!("{settings:?}").contains("hunter2"));
        assert_eq!(Settings::default().database(), None);
    }

    #[test]
    fn an_error_names_the_line_and_keeps_the_password_in_it_to_itself() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("verst.toml");
        for line in [
            "s3_secret_access_key = hunter2",
            "s3_secret_access_key = \"hunter2",
            "database = [\"postgres://verst:hunter2@db/verst\"]",
            "s3_key = \"hunter2\"",
        ] {
            std::fs::write(&file, format!("workers = 1\n{line}\n")).unwrap();
            let error = Settings::read(&file, true).unwrap_err();
            assert!(error.starts_with("line 2: "), "{error}");
            assert!(!error.contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn zero_workers_are_legal() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("verst.toml");
        std::fs::write(&file, "workers = 0\nown_patience_s = 60\n").unwrap();
        let settings = Settings::read(&file, true).unwrap();
        assert_eq!(settings.workers(), 0);
        assert_eq!(settings.limits().own_patience, Duration::from_mins(1));
    }
}

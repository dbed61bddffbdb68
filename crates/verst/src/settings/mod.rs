//! The settings: one flat TOML, and a variable for each key. The keys stand in one table, which makes
//! the reference page; a test holds the table and the structure against each other.

mod confine;
mod downloads;
mod folder;
mod keys;
mod models;
mod openai;
mod outward;
mod small;
mod sources;
mod telegram;
mod web;

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use toml::{Table, Value};
use verst_adapters::objects::Credentials;
use verst_downloads::ports::{Link, Preset};
use verst_kernel::Limits;

use confine::Confine;

use crate::models::ByLanguage;

pub(crate) use downloads::DownloadSettings;
pub(crate) use folder::{After, FolderSettings};
pub(crate) use keys::KEYS;
use models::Diarise;
pub(crate) use openai::Chosen;
pub(crate) use outward::WebhookSettings;
use sources::Environment;
pub(crate) use sources::Source;
pub(crate) use web::from_here;

/// Settings as they are typed, each with a default.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key that a person sets")]
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
    models_by_language: ByLanguage,
    models_mirror: String,
    diarise: Diarise,
    threads: u16,
    engine_memory_bytes: u64,
    engine_idle_s: u64,
    recogniser: Chosen,
    openai_url: String,
    openai_key: Secret,
    openai_model: String,
    openai_paid: bool,
    openai_max_bytes: u64,
    openai_max_seconds: u64,
    openai_timeout_s: u64,
    shutdown_grace_s: u64,
    confine: Confine,
    listen: String,
    allow_private_addresses: bool,
    webhook_url: Secret,
    webhook_secret: Secret,
    webhook_events: String,
    webhook_timeout_s: u64,
    webhook_text: bool,
    lang: String,
    public_url: String,
    allowed_hosts: String,
    trusted_proxies: String,
    metrics_open: bool,
    http_connections: usize,
    http_idle_s: u64,
    session_idle_days: u32,
    session_days: u32,
    qbittorrent: String,
    qbittorrent_user: String,
    qbittorrent_password: Secret,
    qbittorrent_api_key: Secret,
    qbittorrent_category: String,
    qbittorrent_paths: String,
    library: String,
    library_preset: Preset,
    library_movies: String,
    library_shows: String,
    library_link: Link,
    magnet_timeout_h: u64,
    stuck_after_h: u64,
    telegram_token: Secret,
    telegram_api_url: String,
    telegram_allow: String,
    telegram_admins: String,
    telegram_files: String,
    watch: String,
    watch_after: After,
    watch_settle_s: u64,
    watch_text: String,
    watch_language: String,
}

/// The settings, and where each of them comes from.
pub(crate) struct Loaded {
    pub(crate) settings: Settings,
    pub(crate) sources: BTreeMap<&'static str, Source>,
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
            model: crate::models::BUNDLED.to_owned(),
            models_by_language: ByLanguage::default(),
            models_mirror: "https://huggingface.co".to_owned(),
            diarise: Diarise::Auto,
            threads: 0,
            engine_memory_bytes: 0,
            engine_idle_s: 60,
            recogniser: Chosen::Engine,
            openai_url: openai::URL.to_owned(),
            openai_key: Secret::default(),
            openai_model: openai::MODEL.to_owned(),
            openai_paid: true,
            openai_max_bytes: openai::MAX_BYTES,
            openai_max_seconds: 0,
            openai_timeout_s: 600,
            shutdown_grace_s: 20,
            confine: Confine::Auto,
            listen: "127.0.0.1:8377".to_owned(),
            allow_private_addresses: false,
            webhook_url: Secret::default(),
            webhook_secret: Secret::default(),
            webhook_events: "done,stopped".to_owned(),
            webhook_timeout_s: 15,
            webhook_text: false,
            lang: String::new(),
            public_url: String::new(),
            allowed_hosts: String::new(),
            trusted_proxies: String::new(),
            metrics_open: false,
            http_connections: 512,
            http_idle_s: 60,
            session_idle_days: 14,
            session_days: 90,
            qbittorrent: String::new(),
            qbittorrent_user: String::new(),
            qbittorrent_password: Secret::default(),
            qbittorrent_api_key: Secret::default(),
            qbittorrent_category: "verst".to_owned(),
            qbittorrent_paths: String::new(),
            library: String::new(),
            library_preset: Preset::Jellyfin,
            library_movies: "Movies".to_owned(),
            library_shows: "Shows".to_owned(),
            library_link: Link::Fail,
            magnet_timeout_h: downloads::PATIENCE_H,
            stuck_after_h: downloads::PATIENCE_H,
            telegram_token: Secret::default(),
            telegram_api_url: verst_telegram::OFFICIAL_API.to_owned(),
            telegram_allow: String::new(),
            telegram_admins: String::new(),
            telegram_files: String::new(),
            watch: String::new(),
            watch_after: After::Move,
            watch_settle_s: 10,
            watch_text: String::new(),
            watch_language: String::new(),
        }
    }
}

impl Settings {
    /// Reads a file and the environment; defaults where there is no file and none was named. The
    /// error is a sentence with the key.
    pub(crate) fn read(file: &Path, must_exist: bool) -> Result<Loaded, String> {
        Self::layered(file, must_exist, &|name| std::env::var(name).ok())
    }

    fn layered(
        file: &Path,
        must_exist: bool,
        environment: Environment<'_>,
    ) -> Result<Loaded, String> {
        let text = match small::read(file) {
            Err(error) if error.kind() == ErrorKind::NotFound && !must_exist => String::new(),
            text => text.map_err(|error| error.to_string())?,
        };
        // With the line's number and never the line: a password may stand there.
        let set: Table = toml::from_str(&text).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            format!("line {}: {}", before.matches('\n').count() + 1, error.message())
        })?;
        let usual = Table::try_from(Self::default()).map_err(|error| error.to_string())?;
        let gathered = sources::gather(set, &usual, environment)?;
        for (key, value) in &gathered.values {
            let alone = Table::from_iter([(key.clone(), value.clone())]);
            let fits: Result<Self, toml::de::Error> = alone.try_into();
            // Only the sentence: with the place goes the line, and in it what may be a secret.
            fits.map_err(|error| format!("`{key}`: {}", error.message()))?;
        }
        let settings = gathered.values.try_into();
        let settings: Self =
            settings.map_err(|error: toml::de::Error| error.message().to_owned())?;
        settings.check_outward()?;
        settings.folder()?;
        settings.check_openai()?;
        settings.check_listen()?;
        settings.downloads()?;
        settings.telegram()?;
        Ok(Loaded { settings, sources: gathered.sources })
    }

    /// Every value as it would be typed, without the secrets.
    pub(crate) fn shown(&self) -> Table {
        let mut table = Table::try_from(self).unwrap_or_default();
        for key in KEYS.iter().filter(|key| key.secret) {
            if let Some(Value::String(text)) = table.get_mut(key.name)
                && !text.is_empty()
            {
                "…".clone_into(text);
            }
        }
        table
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

    fn read(file: &Path, must_exist: bool) -> Result<Settings, String> {
        Settings::layered(file, must_exist, &|_| None).map(|loaded| loaded.settings)
    }

    #[test]
    fn the_table_names_every_key_and_no_other() {
        let table = Table::try_from(Settings::default()).unwrap();
        let mut typed: Vec<&str> = table.keys().map(String::as_str).collect();
        let mut told: Vec<&str> = KEYS.iter().map(|k| k.name).collect();
        typed.sort_unstable();
        told.sort_unstable();
        assert_eq!(typed, told);
    }

    #[test]
    fn every_key_is_read_by_something() {
        // The compiler says which accessor nobody uses, but takes writing a key out for reading it.
        let sources = [
            include_str!("mod.rs"),
            include_str!("confine.rs"),
            include_str!("downloads.rs"),
            include_str!("folder.rs"),
            include_str!("models.rs"),
            include_str!("openai.rs"),
            include_str!("outward.rs"),
            include_str!("telegram.rs"),
            include_str!("web.rs"),
        ];
        let goes_on = |c: char| c.is_ascii_alphanumeric() || c == '_';
        for key in KEYS {
            let read = format!("self.{}", key.name);
            let whole = |(_, rest): (&str, &str)| !rest.starts_with(goes_on);
            let mut after = sources.iter().flat_map(|source| {
                source.match_indices(&read).map(|(at, it)| source[at..].split_at(it.len()))
            });
            assert!(after.any(whole), "nothing reads `{}`", key.name);
        }
    }

    #[test]
    fn an_unknown_key_is_an_error_that_names_it() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("verst.toml");
        std::fs::write(&file, "workres = 1\n").unwrap();
        let error = read(&file, false).err().unwrap();
        assert!(error.contains("workres") && error.contains("workers"), "{error}");
    }

    #[test]
    fn no_file_means_defaults_unless_it_was_named() {
        let file = Path::new("/nowhere/verst.toml");
        assert_eq!(read(file, false).unwrap().workers(), 4);
        assert!(read(file, true).is_err());
    }

    #[test]
    fn a_database_keeps_its_password_to_itself() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("verst.toml");
        std::fs::write(&file, "database = \"postgres://verst:geheim@db/verst\"\n").unwrap();
        let settings = read(&file, true).unwrap();
        assert_eq!(settings.database(), Some("postgres://verst:geheim@db/verst"));
        assert!(!format!("{settings:?}").contains("geheim"));
        assert!(!settings.shown().to_string().contains("geheim"));
        assert_eq!(Settings::default().database(), None);
    }

    #[test]
    fn whatever_must_not_be_shown_is_not() {
        let mut table = Table::try_from(Settings::default()).unwrap();
        let secret: Vec<_> = KEYS.iter().filter(|key| key.secret).map(|key| key.name).collect();
        for name in &secret {
            table.insert((*name).to_owned(), Value::String("geheim".to_owned()));
        }
        let settings: Settings = table.try_into().unwrap();
        assert!(!settings.shown().to_string().contains("geheim"));
        let debug = format!("{settings:?}");
        assert!(!debug.contains("geheim"));
        assert_eq!(debug.matches('…').count(), secret.len(), "the table names each: {debug}");
        assert!(secret.contains(&"s3_secret_access_key"));
    }

    #[test]
    fn a_wrong_value_is_named_by_its_key_and_a_secret_is_not_repeated() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("verst.toml");
        for (text, named) in [
            ("workers = -1", "`workers`"),
            ("durability = \"most\"", "`durability`"),
            ("models_by_language = \"gigaam\"", "`models_by_language`: “gigaam” is not like"),
            ("diarise = \"on\"", "`diarise`"),
        ] {
            std::fs::write(&file, text).unwrap();
            let error = read(&file, true).err().unwrap();
            assert!(error.contains(named), "{error}");
        }
        std::fs::write(&file, "database = [\"geheim\"]").unwrap();
        let error = read(&file, true).err().unwrap();
        assert!(error.contains("`database`") && !error.contains("geheim"), "{error}");
    }

    #[test]
    fn an_error_names_the_line_and_keeps_the_password_in_it_to_itself() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("verst.toml");
        for (line, begins) in [
            ("s3_secret_access_key = hunter2", "line 2: "),
            ("s3_secret_access_key = \"hunter2", "line 2: "),
            ("s3_key = \"hunter2\"", "unknown key `s3_key`"),
        ] {
            std::fs::write(&file, format!("workers = 1\n{line}\n")).unwrap();
            let error = read(&file, true).err().unwrap();
            assert!(error.starts_with(begins) && !error.contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn zero_workers_are_legal() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("verst.toml");
        std::fs::write(&file, "workers = 0\nown_patience_s = 60\n").unwrap();
        let settings = read(&file, true).unwrap();
        assert_eq!(settings.workers(), 0);
        assert_eq!(settings.limits().own_patience, Duration::from_mins(1));
    }
}

//! What is set about downloads: the torrent client and the media library.

use std::path::PathBuf;
use std::time::Duration;

use verst_adapters::qbittorrent::{PathMap, QBittorrentConfig};
use verst_downloads::layout::Roots;
use verst_downloads::model::Patience;
use verst_downloads::ports::{Link, Preset};

use super::Settings;

/// Hours in a week: both measures are rare safety nets.
pub(super) const PATIENCE_H: u64 = 7 * 24;
/// Longer waits for ever.
const LONGEST_H: u64 = 10 * 366 * 24;

/// What is set about downloads, checked.
pub(crate) struct DownloadSettings {
    /// The torrent client; `None` if there is none, and then nothing is downloaded.
    pub(crate) client: Option<QBittorrentConfig>,
    /// Where the client's directories lie here.
    pub(crate) paths: PathMap,
    /// The media library; empty if there is none.
    pub(crate) library: PathBuf,
    /// How names are made.
    pub(crate) preset: Preset,
    /// The directories below the library.
    pub(crate) roots: Roots,
    /// What is done across file systems.
    pub(crate) link: Link,
    /// How patient we are.
    pub(crate) patience: Patience,
}

impl Settings {
    /// What is set about downloads. The error is a sentence with the key.
    pub(crate) fn downloads(&self) -> Result<DownloadSettings, String> {
        let pairs: Vec<&str> = self.qbittorrent_paths.split(',').map(str::trim).collect();
        let pairs: Vec<&str> = pairs.into_iter().filter(|pair| !pair.is_empty()).collect();
        let paths =
            PathMap::parse(&pairs).map_err(|error| format!("`qbittorrent_paths`: {error}"))?;
        let roots = Roots::new(&self.library_movies, &self.library_shows)
            .map_err(|error| format!("`library_movies`, `library_shows`: {error}"))?;
        let library = PathBuf::from(&self.library);
        if !self.library.is_empty() && !library.is_absolute() {
            return Err("`library` has to be an absolute path".to_owned());
        }
        for (key, hours) in
            [("magnet_timeout_h", self.magnet_timeout_h), ("stuck_after_h", self.stuck_after_h)]
        {
            if !(1..=LONGEST_H).contains(&hours) {
                return Err(format!("`{key}` has to be 1 to {LONGEST_H}"));
            }
        }
        let hours = |hours: u64| Duration::from_secs(hours * 3600);
        Ok(DownloadSettings {
            client: (!self.qbittorrent.is_empty()).then(|| self.client()),
            paths,
            library,
            preset: self.library_preset,
            roots,
            link: self.library_link,
            patience: Patience {
                magnet_timeout: hours(self.magnet_timeout_h),
                stuck_after: hours(self.stuck_after_h),
            },
        })
    }

    fn client(&self) -> QBittorrentConfig {
        let key = &self.qbittorrent_api_key.0;
        QBittorrentConfig {
            user: self.qbittorrent_user.clone(),
            password: self.qbittorrent_password.0.clone(),
            api_key: (!key.is_empty()).then(|| key.clone()),
            category: self.qbittorrent_category.clone(),
            ..QBittorrentConfig::at(&self.qbittorrent)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_used_names_its_key() {
        let set = |change: fn(&mut Settings)| {
            let mut settings = Settings::default();
            change(&mut settings);
            settings.downloads().map(drop)
        };
        assert_eq!(set(|_| {}), Ok(()));
        assert_eq!(set(|s| s.qbittorrent_paths = "/downloads=/srv/dl, /a=/b".to_owned()), Ok(()));
        for (key, change) in [
            (
                "qbittorrent_paths",
                (|s| s.qbittorrent_paths = "/downloads".to_owned()) as fn(&mut Settings),
            ),
            ("library_movies", |s| s.library_movies = "../films".to_owned()),
            ("library", |s| s.library = "media".to_owned()),
            ("stuck_after_h", |s| s.stuck_after_h = 0),
            ("magnet_timeout_h", |s| s.magnet_timeout_h = u64::MAX),
        ] {
            let error = set(change).unwrap_err();
            assert!(error.contains(&format!("`{key}`")), "{error}");
        }
    }
}

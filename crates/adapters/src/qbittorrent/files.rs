//! The files of a torrent as the client writes them.

use serde::Deserialize;
use verst_downloads::ports::{ClientError, TorrentFile};

#[derive(Deserialize)]
struct Written {
    /// Not before 4.4.
    index: Option<u32>,
    name: String,
    size: i64,
    progress: f64,
    /// 0 for what is not wanted.
    priority: i64,
}

/// Reads `torrents/files`.
pub(super) fn read(body: &[u8]) -> Result<Vec<TorrentFile>, ClientError> {
    let unreadable = |_| ClientError::Unexpected("a list of files that is none");
    let written: Vec<Written> = serde_json::from_slice(body).map_err(unreadable)?;
    Ok((0u32..).zip(written).map(|(place, file)| of(place, file)).collect())
}

fn of(place: u32, file: Written) -> TorrentFile {
    let progress = file.progress.clamp(0.0, 1.0);
    TorrentFile {
        index: file.index.unwrap_or(place),
        path: file.name,
        size_bytes: u64::try_from(file.size).unwrap_or(0),
        wanted: file.priority > 0,
        whole: progress >= 1.0,
        progress,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_says_whether_it_is_wanted_and_whole() {
        let files = read(
            br#"[{"index":0,"is_seed":false,"name":"a/b.mkv","size":9,"progress":1,"priority":1},
                 {"index":4,"name":"a/c.nfo","size":1,"progress":0.999,"priority":0}]"#,
        );
        let files = files.unwrap();
        assert_eq!((files[0].path.as_str(), files[0].size_bytes), ("a/b.mkv", 9));
        assert!(files[0].wanted && files[0].whole && !files[1].wanted && !files[1].whole);
        assert_eq!(files[1].index, 4);
        assert_eq!(read(b"[]").unwrap(), []);
        assert!(read(b"<html>").is_err());
    }
}

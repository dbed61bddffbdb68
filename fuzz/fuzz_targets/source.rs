//! Any bytes as a torrent and as a text with magnets: nothing panics, and what is answered keeps its
//! promises.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sha1::{Digest, Sha1};
use sha2::Sha256;
use verst_downloads::hash::InfoHash;
use verst_downloads::source::{Magnet, Torrent, find};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(torrent) = Torrent::parse(bytes) {
        judge(&torrent, bytes);
    }
    let text = String::from_utf8_lossy(bytes);
    let found = find(&text, 3);
    assert!(found.magnets.len() <= 3);
    for magnet in &found.magnets {
        again(magnet);
    }
    if let Ok(magnet) = Magnet::parse(&text) {
        again(&magnet);
    }
});

/// What is written is read as the same, and written so once more.
fn again(magnet: &Magnet) {
    let written = magnet.to_string();
    let read = Magnet::parse(&written).expect("what was written is read");
    assert_eq!(read.hashes(), magnet.hashes());
    assert_eq!((read.name(), read.trackers()), (magnet.name(), magnet.trackers()));
    assert_eq!(read.to_string(), written);
}

fn judge(torrent: &Torrent, bytes: &[u8]) {
    assert!(!torrent.files.is_empty() && !torrent.name.is_empty());
    let sizes = torrent.files.iter().map(|file| u128::from(file.size_bytes)).sum::<u128>();
    assert_eq!(sizes, u128::from(torrent.size_bytes));
    for file in &torrent.files {
        assert!(!file.path.contains(['\\', '\0', '\n']) && file.path.len() <= 4096);
        assert!(file.path.split('/').all(|part| !matches!(part, "" | "." | "..")));
    }
    // Found by another way than the reader's: some stretch of these bytes has the hashes.
    let long = torrent.hashes.iter().find(|hash| hash.as_str().len() == 64);
    let short = torrent
        .hashes
        .iter()
        .find(|hash| long.is_none_or(|long| !long.as_str().starts_with(hash.as_str())));
    let starts = (0..bytes.len()).filter(|at| bytes[..*at].ends_with(b"4:info"));
    let mut stretches = starts.flat_map(|start| {
        let ends = (start..bytes.len()).filter(|end| bytes[*end] == b'e');
        ends.map(move |end| &bytes[start..=end])
    });
    // Quadratic, so only where that is little.
    let told = bytes.len() > 600
        || stretches.any(|info| {
            let v1 = InfoHash::v1(Sha1::digest(info).into());
            let v2 = InfoHash::v2(Sha256::digest(info).into());
            short.is_none_or(|short| *short == v1) && long.is_none_or(|long| *long == v2)
        });
    assert!(told, "the hash is of nothing that stands here");
}

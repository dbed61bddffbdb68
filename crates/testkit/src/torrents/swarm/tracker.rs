//! opentracker, by which peers find each other.
//!
//! Debian's serves torrents of its list alone, and reads the list again on SIGHUP.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rustix::process::Signal;
use verst_downloads::hash::InfoHash;

use super::child::Child;
use super::ready::{contains, free_ports, until_said};

pub(super) struct Tracker {
    child: Child,
    port: u16,
    list: PathBuf,
    listed: Mutex<BTreeSet<InfoHash>>,
}

impl Tracker {
    pub(super) async fn start(dir: &Path) -> Self {
        let [port] = free_ports();
        let (home, log) = (dir.join("tracker"), dir.join("tracker.log"));
        std::fs::create_dir(&home).unwrap();
        let readable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&home, readable).unwrap();
        let list = home.join("list");
        std::fs::write(&list, "").unwrap();
        let (at, home) = (port.to_string(), home.to_str().unwrap());
        let arguments = ["-i", "127.0.0.1", "-p", &at, "-P", &at, "-d", home, "-w", "list"];
        let mut child = Child::start_as_nobody("opentracker", &arguments, &log);
        until_said((port, "/"), || child.must_run(&log), |_| true).await;
        Self { child, port, list, listed: Mutex::default() }
    }

    pub(super) fn announce(&self) -> String {
        format!("http://127.0.0.1:{}/announce", self.port)
    }

    /// Serves this torrent as well.
    pub(super) async fn admit(&self, hash: &InfoHash) {
        let listed = {
            let mut listed = self.listed.lock().unwrap();
            listed.insert(hash.clone());
            listed.iter().flat_map(|hash| [hash.as_str(), "\n"]).collect::<String>()
        };
        std::fs::write(&self.list, listed).unwrap();
        self.child.signal(Signal::HUP);
        let goodbye = "&peer_id=-XX0000-000000000000&port=9&left=1&event=stopped&compact=1";
        let path = format!("/announce?info_hash={}{goodbye}", escaped(hash));
        // Which it says of no other torrent.
        let taken = |answer: &[u8]| contains(answer, "8:interval");
        until_said((self.port, &path), || {}, taken).await;
    }

    /// Waits until somebody has all of it. Before that nobody should ask: the next time would be in
    /// half an hour.
    pub(super) async fn offered(&self, hash: &InfoHash) {
        let path = format!("/scrape?info_hash={}", escaped(hash));
        until_said((self.port, &path), || {}, |answer| contains(answer, "8:completei1e")).await;
    }
}

/// The hash as its bytes stand in an address.
fn escaped(hash: &InfoHash) -> String {
    let digits = hash.as_str();
    (0..digits.len()).step_by(2).flat_map(|at| ["%", &digits[at..at + 2]]).collect()
}

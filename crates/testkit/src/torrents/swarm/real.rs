//! A real qBittorrent, which speaks with this machine alone.

use std::fmt::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use verst_adapters::qbittorrent::QBittorrentConfig;

use super::child::Child;
use super::ready::{contains, free_ports, until_said};

const USER: &str = "admin";
const PASSWORD: &str = "a swarm of one";
/// The same as qBittorrent keeps it: salt and PBKDF2-HMAC-SHA512 of 100,000 rounds, in Base64. Later
/// versions invent a password where none is set.
const KEPT: &str = "dmVyc3QtdGVzdC1zd2FybQ==:qmJWqAhT1XFAjZddKuzCGpYz+VGsIDnpsGS+hP8ZIs8C8MFRQnkR0fIjJjxUdqFdQh7X1ndoUOPHb0WQT6p+xw==";
/// The program, if it is another than that of the path, with arguments before ours.
const PROGRAM: &str = "VERST_TEST_QBITTORRENT";

/// A qBittorrent in a directory of its own. It ends with the value.
pub struct RealQBittorrent {
    child: Mutex<Option<Child>>,
    dir: PathBuf,
    web: u16,
}

impl RealQBittorrent {
    /// Starts one without torrents and waits until it answers.
    pub(super) async fn start(dir: PathBuf, kib_a_second: Option<u32>) -> Self {
        let [web, peers] = free_ports();
        let downloads = dir.join("downloads");
        std::fs::create_dir_all(&downloads).unwrap();
        let config = dir.join("qBittorrent/config");
        std::fs::create_dir_all(&config).unwrap();
        let text = settings(web, peers, downloads.to_str().unwrap(), kib_a_second.unwrap_or(0));
        std::fs::write(config.join("qBittorrent.conf"), text).unwrap();
        let real = Self { child: Mutex::default(), dir, web };
        real.start_again().await;
        real
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.web)
    }

    /// The same, for sockets.
    pub fn address(&self) -> SocketAddr {
        SocketAddr::from(([127, 0, 0, 1], self.web))
    }

    /// How it is spoken with.
    pub fn config(&self) -> QBittorrentConfig {
        QBittorrentConfig {
            user: USER.to_owned(),
            password: PASSWORD.to_owned(),
            timeout: Duration::from_secs(20),
            ..QBittorrentConfig::at(&self.url())
        }
    }

    /// Where it puts what it downloads.
    pub fn downloads(&self) -> PathBuf {
        self.dir.join("downloads")
    }

    /// Ends it as a person does: what it knows is written down.
    pub fn stop(&self) {
        let child = self.child.lock().unwrap().take();
        child.expect("it runs").end();
    }

    /// Ends it without notice.
    pub fn kill(&self) {
        drop(self.child.lock().unwrap().take().expect("it runs"));
    }

    /// Starts it again with what it had, and waits until it answers.
    pub async fn start_again(&self) {
        let log = self.dir.join("log");
        let program = std::env::var(PROGRAM).unwrap_or_else(|_| "qbittorrent-nox".to_owned());
        let mut words = program.split_whitespace();
        let program = words.next().expect("a program");
        let profile = format!("--profile={}", self.dir.display());
        let arguments: Vec<&str> = words.chain([profile.as_str()]).collect();
        let mut child = Child::start(program, &arguments, &log);
        let well = |answer: &[u8]| contains(answer, " 200 OK");
        until_said((self.web, "/"), || child.must_run(&log), well).await;
        *self.child.lock().unwrap() = Some(child);
    }

    /// Where one of its files lies.
    pub fn path_of(&self, below: &str) -> PathBuf {
        self.downloads().join(Path::new(below))
    }
}

/// Nothing that leads outside, and nothing it would fetch there. No limit is 0.
fn settings(web: u16, peers: u16, downloads: &str, kib_a_second: u32) -> String {
    let mut text = String::new();
    for (section, lines) in [
        ("LegalNotice", vec!["Accepted=true".to_owned()]),
        (
            "BitTorrent",
            vec![
                "Session\\DHTEnabled=false".to_owned(),
                "Session\\LSDEnabled=false".to_owned(),
                "Session\\PeXEnabled=false".to_owned(),
                format!("Session\\Port={peers}"),
                "Session\\Interface=lo".to_owned(),
                "Session\\InterfaceName=lo".to_owned(),
                "Session\\InterfaceAddress=127.0.0.1".to_owned(),
                format!("Session\\DefaultSavePath={downloads}"),
                "Session\\QueueingSystemEnabled=false".to_owned(),
                format!("Session\\GlobalDLSpeedLimit={kib_a_second}"),
                // All peers live at one address, and one of them is this one.
                "Session\\MultiConnectionsPerIp=true".to_owned(),
            ],
        ),
        ("Network", vec!["PortForwardingEnabled=false".to_owned()]),
        (
            "Preferences",
            vec![
                "WebUI\\Address=127.0.0.1".to_owned(),
                format!("WebUI\\Port={web}"),
                format!("WebUI\\Username={USER}"),
                format!("WebUI\\Password_PBKDF2=\"@ByteArray({KEPT})\""),
                "WebUI\\LocalHostAuth=true".to_owned(),
                "WebUI\\UseUPnP=false".to_owned(),
                "General\\Locale=en".to_owned(),
                "Connection\\ResolvePeerCountries=false".to_owned(),
            ],
        ),
    ] {
        writeln!(text, "[{section}]\n{}\n", lines.join("\n")).unwrap();
    }
    text
}

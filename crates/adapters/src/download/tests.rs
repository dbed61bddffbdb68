//! Against a server on this machine that breaks in every way it can.

use std::sync::atomic::{AtomicU64, Ordering};

use verst_testkit::mirror::{Mirror, Offer, Seen, Trick, sha256};

use super::part::beside;
use super::*;

const PATH: &str = "someone/a-gguf/resolve/main/a.gguf";

struct Ground {
    mirror: Mirror,
    dir: tempfile::TempDir,
    bytes: Vec<u8>,
}

impl Ground {
    fn new() -> Self {
        let bytes: Vec<u8> =
            (0..300_000_u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
        let mirror = Mirror::start();
        mirror.offer(PATH, Offer::of(bytes.clone()));
        Self { mirror, dir: tempfile::tempdir().unwrap(), bytes }
    }

    fn order(&self, sha256: Option<String>) -> Order {
        let url = format!("{}/{PATH}", self.mirror.url());
        Order { url, target: self.target(), sha256 }
    }

    fn target(&self) -> PathBuf {
        self.dir.path().join("a.gguf")
    }

    async fn fetch(&self, sha256: Option<String>) -> Result<Fetched, DownloadError> {
        self.fetch_told(sha256, &|_, _| ()).await
    }

    async fn fetch_told(
        &self,
        sha256: Option<String>,
        progress: Progress<'_>,
    ) -> Result<Fetched, DownloadError> {
        let mut downloader = Downloader::new().unwrap();
        downloader.pause = Duration::ZERO;
        downloader.fetch(&self.order(sha256), progress).await
    }

    /// The names of what lies in the directory.
    fn files(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.dir.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

fn whole() -> Seen {
    Seen { range: None, if_range: None }
}

#[tokio::test]
async fn a_file_comes_over_a_redirection_with_the_hash_that_it_names() {
    let ground = Ground::new();
    let reached = AtomicU64::new(0);
    let progress = |bytes: u64, size: Option<u64>| {
        assert_eq!(size, Some(1_200_000));
        assert!(reached.swap(bytes, Ordering::Relaxed) <= bytes);
    };
    let fetched = ground.fetch_told(None, &progress).await.unwrap();
    let sha = sha256(&ground.bytes);
    let expected = Fetched { sha256: sha.clone(), size_bytes: 1_200_000, resumed_bytes: 0 };
    assert_eq!(fetched, expected);
    assert_eq!(reached.into_inner(), 1_200_000);
    assert_eq!(std::fs::read(ground.target()).unwrap(), ground.bytes);
    let kept = std::fs::read_to_string(beside(&ground.target(), "sha256")).unwrap();
    assert_eq!(kept, format!("{sha}  a.gguf\n"));
    assert_eq!(ground.files(), ["a.gguf", "a.gguf.sha256"]);
}

#[tokio::test]
async fn a_connection_that_breaks_is_gone_on_with_where_it_broke() {
    let ground = Ground::new();
    ground.mirror.play(&[Trick::Cut(500_000), Trick::Status(503), Trick::Cut(100_000)]);
    ground.fetch(Some(sha256(&ground.bytes))).await.unwrap();
    assert_eq!(std::fs::read(ground.target()).unwrap(), ground.bytes);
    let seen = ground.mirror.seen();
    assert_eq!(seen.len(), 4, "{seen:?}");
    assert_eq!(seen[0], whole());
    let from = |seen: &Seen| -> u64 {
        let range = seen.range.as_ref().unwrap();
        range.strip_prefix("bytes=").unwrap().strip_suffix('-').unwrap().parse().unwrap()
    };
    // What was sent last may be lost with the connection.
    assert!((1..=500_000).contains(&from(&seen[1])), "{seen:?}");
    assert_eq!(seen[2], seen[1], "after an error without bytes the same is asked");
    assert!((from(&seen[2])..=600_000).contains(&from(&seen[3])), "{seen:?}");
    let version = Some(format!("\"{}\"", sha256(&ground.bytes)));
    assert!(seen[1..].iter().all(|seen| seen.if_range == version), "{seen:?}");
}

#[tokio::test]
async fn it_is_given_up_when_nothing_comes_and_what_came_stays() {
    let ground = Ground::new();
    ground.mirror.play(&[Trick::Cut(400_000)]);
    ground.mirror.play(&[Trick::Status(502); FRUITLESS as usize]);
    let error = ground.fetch(None).await.unwrap_err();
    assert!(matches!(error, DownloadError::Troubled { status: 502 }), "{error:?}");
    assert_eq!(ground.files(), ["a.gguf.part", "a.gguf.part.note"]);
    let came = std::fs::metadata(beside(&ground.target(), "part")).unwrap().len();
    let fetched = ground.fetch(None).await.unwrap();
    assert_eq!(fetched.resumed_bytes, came);
    assert!(came > 0);
    assert_eq!(std::fs::read(ground.target()).unwrap(), ground.bytes);
}

#[tokio::test]
async fn a_file_that_changed_on_the_server_is_begun_anew() {
    let ground = Ground::new();
    ground.mirror.play(&[Trick::Cut(400_000)]);
    ground.mirror.play(&[Trick::Status(502); FRUITLESS as usize]);
    ground.fetch(None).await.unwrap_err();
    let other = vec![7; 900_000];
    ground.mirror.offer(PATH, Offer::of(other.clone()));
    let fetched = ground.fetch(None).await.unwrap();
    assert_eq!((fetched.sha256, fetched.resumed_bytes), (sha256(&other), 0));
    assert_eq!(std::fs::read(ground.target()).unwrap(), other);
}

#[tokio::test]
async fn a_server_without_ranges_sends_all_of_it_again() {
    let ground = Ground::new();
    ground.mirror.play(&[Trick::Cut(400_000), Trick::Whole]);
    ground.fetch(None).await.unwrap();
    assert_eq!(std::fs::read(ground.target()).unwrap(), ground.bytes);
    assert_eq!(ground.mirror.seen().len(), 2);
}

#[tokio::test]
async fn bytes_that_are_not_the_expected_ones_never_stand_in_the_targets_place() {
    let ground = Ground::new();
    let mut lying = Offer::of(ground.bytes.clone());
    lying.bytes[1_000_000] ^= 1;
    ground.mirror.offer(PATH, lying);
    let error = ground.fetch(None).await.unwrap_err();
    assert!(matches!(error, DownloadError::WrongHash { .. }), "{error:?}");
    assert!(!ground.target().exists());
    assert_eq!(ground.mirror.seen().len(), 1, "the same bytes would come again");
    assert_eq!(std::fs::metadata(beside(&ground.target(), "part")).unwrap().len(), 0);

    // A hash of our own is held against the server's before anything is sent.
    let error = ground.fetch(Some("0".repeat(64))).await.unwrap_err();
    assert!(matches!(error, DownloadError::WrongHash { .. }), "{error:?}");
    assert_eq!(std::fs::metadata(beside(&ground.target(), "part")).unwrap().len(), 0);
}

#[tokio::test]
async fn a_part_with_a_wrong_byte_costs_a_second_try_and_no_more() {
    let ground = Ground::new();
    ground.mirror.play(&[Trick::Cut(400_000)]);
    ground.mirror.play(&[Trick::Status(502); FRUITLESS as usize]);
    ground.fetch(None).await.unwrap_err();
    let part = beside(&ground.target(), "part");
    let mut bytes = std::fs::read(&part).unwrap();
    bytes[0] ^= 1;
    std::fs::write(&part, bytes).unwrap();
    let fetched = ground.fetch(None).await.unwrap();
    assert_eq!(fetched.resumed_bytes, 0);
    assert_eq!(std::fs::read(ground.target()).unwrap(), ground.bytes);
}

#[tokio::test]
async fn a_plain_server_needs_a_hash_from_elsewhere() {
    let ground = Ground::new();
    let plain = Offer { linked_sha256: None, ..Offer::of(ground.bytes.clone()) };
    ground.mirror.offer(PATH, plain);
    assert!(matches!(ground.fetch(None).await, Err(DownloadError::NoHash)));
    ground.fetch(Some(sha256(&ground.bytes).to_uppercase())).await.unwrap();
    assert_eq!(std::fs::read(ground.target()).unwrap(), ground.bytes);
}

#[tokio::test]
async fn refusals_are_told_apart_and_not_repeated() {
    let ground = Ground::new();
    for (status, expected) in [(404, "not found"), (403, "refused with status 403")] {
        ground.mirror.play(&[Trick::Status(status)]);
        assert_eq!(ground.fetch(None).await.unwrap_err().to_string(), expected);
    }
    assert_eq!(ground.mirror.seen().len(), 2);
    ground.mirror.redirect_for_ever();
    assert!(matches!(ground.fetch(None).await, Err(DownloadError::Redirected)));
    let order = Order { url: "ftp://a/b".to_owned(), ..ground.order(None) };
    let asked = Downloader::new().unwrap().fetch(&order, &|_, _| ()).await;
    assert!(matches!(asked, Err(DownloadError::Address)));
}

#[tokio::test]
async fn nobody_at_the_address_is_said_after_a_few_tries() {
    let ground = Ground::new();
    let order = ground.order(None);
    drop(ground.mirror);
    let mut downloader = Downloader::new().unwrap();
    downloader.pause = Duration::ZERO;
    let error = downloader.fetch(&order, &|_, _| ()).await.unwrap_err();
    assert!(matches!(error, DownloadError::Unreachable(_)), "{error:?}");
}

#[tokio::test]
async fn two_that_fetch_the_same_do_not_write_the_same() {
    let ground = Ground::new();
    ground.mirror.play(&[Trick::Hold(200_000)]);
    let both = async {
        let first = ground.fetch(None);
        let second = async {
            let part = beside(&ground.target(), "part");
            while std::fs::metadata(&part).map_or(0, |file| file.len()) == 0 {
                tokio::task::yield_now().await;
            }
            let second = ground.fetch(None).await;
            ground.mirror.release();
            second
        };
        tokio::join!(first, second)
    };
    let (first, second) = both.await;
    assert!(matches!(second, Err(DownloadError::Busy)), "{second:?}");
    first.unwrap();
    assert_eq!(std::fs::read(ground.target()).unwrap(), ground.bytes);
}

#[test]
fn a_disk_without_room_is_told_before_anything_is_sent() {
    let mib = 1 << 20;
    for (size, there, free, fits) in [
        (None, 0, 0, true),
        (Some(100 * mib), 0, 164 * mib, true),
        (Some(100 * mib), 0, 163 * mib, false),
        (Some(100 * mib), 90 * mib, 74 * mib, true),
        (Some(100 * mib), 200 * mib, 64 * mib, true),
    ] {
        let room = check_room(size, there, free);
        assert_eq!(room.is_ok(), fits, "{size:?} {there} {free}");
    }
    let error = check_room(Some(LARGEST_BYTES + 1), 0, u64::MAX).unwrap_err();
    assert!(matches!(error, DownloadError::TooLarge { .. }), "{error:?}");
}

//! What every torrent client promises, as checks that any can be put through.
//!
//! Nothing here rests on an answer where a look can tell, as nobody else does. A client joins with
//! one call of [`torrent_conformance!`](crate::torrent_conformance).

use std::time::Duration;

use async_trait::async_trait;
use verst_downloads::hash::{Hashes, InfoHash};
use verst_downloads::ports::{
    Added, ClientError, ClientState, Given, Remove, Snapshot, TorrentClient,
};

use crate::gate::PATIENCE;
use crate::torrents::Torrent;

/// How often somebody looks who waits for something to come about in another process.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// A client without torrents, and a world in which torrents are to be had.
#[async_trait]
pub trait TorrentGround: Send + Sync {
    /// The client.
    fn client(&self) -> &dyn TorrentClient;
    /// The category that it adds torrents in.
    fn category(&self) -> &str;
    /// A torrent of some files that somebody has.
    async fn offered(&self) -> Torrent;
    /// The same, v1 and v2 at once.
    async fn offered_hybrid(&self) -> Torrent;
    /// A magnet by which it is found.
    fn magnet(&self, torrent: &Torrent) -> String;
    /// A person adds it to the client.
    async fn by_hand(&self, torrent: &Torrent);
    /// Lets its metadata come, where that does not happen by itself.
    async fn let_metadata_come(&self, torrent: &Torrent);
    /// Lets its data come, where that does not happen by itself.
    async fn let_data_come(&self, torrent: &Torrent);
    /// Whether all its files lie where the client put them.
    async fn has_files(&self, torrent: &Torrent) -> bool;
}

async fn all(ground: &dyn TorrentGround) -> Vec<Snapshot> {
    ground.client().list().await.unwrap().torrents
}

/// The one torrent there is, once it is there and is so.
async fn shown(
    ground: &dyn TorrentGround,
    called: &Hashes,
    is_so: impl Fn(&Snapshot) -> bool,
) -> Snapshot {
    let look = async {
        loop {
            let mut torrents = all(ground).await;
            assert!(torrents.len() <= 1, "one torrent is one torrent");
            let meets = torrents.pop().filter(|it| it.hashes.meets(called) && is_so(it));
            if let Some(torrent) = meets {
                return torrent;
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    };
    tokio::time::timeout(PATIENCE, look).await.expect("it becomes so")
}

async fn gone(ground: &dyn TorrentGround) {
    let look = async {
        while !all(ground).await.is_empty() {
            tokio::time::sleep(LOOK_EVERY).await;
        }
    };
    tokio::time::timeout(PATIENCE, look).await.expect("it goes");
}

fn bytes_of(torrent: &Torrent) -> Given {
    Given::Torrent(torrent.bytes.clone())
}

fn unheard_of() -> InfoHash {
    InfoHash::v1([0xbd; 20])
}

/// An empty client lists nothing, and says so as a whole.
pub async fn an_empty_client_lists_nothing(ground: &dyn TorrentGround) {
    let listing = ground.client().list().await.unwrap();
    assert!(listing.full && listing.torrents.is_empty());
    // After a start it takes a client a moment to know how much room there is.
    let room = async {
        while ground.client().list().await.unwrap().free_bytes.is_none_or(|free| free == 0) {
            tokio::time::sleep(LOOK_EVERY).await;
        }
    };
    tokio::time::timeout(PATIENCE, room).await.expect("it says how much is free");
    let about = ground.client().about().await.unwrap();
    assert!(about.version.starts_with(|first: char| first.is_ascii_digit()), "{about:?}");
    assert!(about.save_path.starts_with('/') && !about.has_category, "{about:?}");
}

/// The bytes of a torrent are added once, however often they are given.
pub async fn bytes_are_added_once(ground: &dyn TorrentGround) {
    let torrent = ground.offered().await;
    assert_eq!(ground.client().add(&bytes_of(&torrent)).await, Ok(Added::Taken));
    let shown = shown(ground, &torrent.hashes(), |it| it.metadata).await;
    assert_eq!((&*shown.name, &*shown.category), (&*torrent.name, ground.category()));
    assert_eq!(shown.size_bytes, torrent.size_bytes());
    assert!(shown.hashes.contains(&shown.key) && shown.save_path.starts_with('/'));
    assert!(shown.added_on.is_some());
    assert!(ground.client().about().await.unwrap().has_category);
    ground.client().add(&bytes_of(&torrent)).await.unwrap();
    ground.client().add(&Given::Magnet(ground.magnet(&torrent))).await.unwrap();
    assert_eq!(all(ground).await.len(), 1);
}

/// A magnet that nobody answers is there, and has nothing.
pub async fn a_magnet_without_metadata_has_nothing(ground: &dyn TorrentGround) {
    let hash = unheard_of();
    let magnet = Given::Magnet(format!("magnet:?xt=urn:btih:{hash}"));
    assert_eq!(ground.client().add(&magnet).await, Ok(Added::Taken));
    let called = Hashes::from_iter([hash.clone()]);
    let shown = shown(ground, &called, |it| it.state == ClientState::MetaDl).await;
    assert!(!shown.metadata && shown.size_bytes == 0 && shown.eta.is_none());
    assert_eq!(shown.key, hash);
    assert_eq!(ground.client().files(&hash).await, Ok(Vec::new()));
    assert_eq!(ground.client().export(&hash).await, Ok(None));
    ground.client().add(&magnet).await.unwrap();
    assert_eq!(all(ground).await.len(), 1);
}

/// When the metadata of a magnet has come, its files and its bytes are there.
pub async fn metadata_arrives(ground: &dyn TorrentGround) {
    let torrent = ground.offered().await;
    ground.client().add(&Given::Magnet(ground.magnet(&torrent))).await.unwrap();
    shown(ground, &torrent.hashes(), |_| true).await;
    ground.let_metadata_come(&torrent).await;
    let shown = shown(ground, &torrent.hashes(), |it| it.metadata).await;
    let files = ground.client().files(&shown.key).await.unwrap();
    let entries: Vec<_> = files.iter().map(|it| (it.path.clone(), it.size_bytes)).collect();
    assert_eq!(entries, torrent.files);
    assert!(files.iter().zip(0..).all(|(file, index)| file.wanted && file.index == index));
    let bytes = ground.client().export(&shown.key).await.unwrap().expect("the bytes are there");
    assert_eq!(Torrent::read(&bytes).expect("a torrent").hashes(), torrent.hashes());
}

/// A hybrid that came as a magnet of its v1 hash is one torrent before and after it is called anew.
pub async fn a_hybrid_is_one_torrent_under_all_its_hashes(ground: &dyn TorrentGround) {
    let torrent = ground.offered_hybrid().await;
    let (v1, v2) = (torrent.v1.clone().unwrap(), torrent.v2.clone().unwrap());
    ground.client().add(&Given::Magnet(ground.magnet(&torrent))).await.unwrap();
    shown(ground, &Hashes::from_iter([v1]), |_| true).await;
    ground.let_metadata_come(&torrent).await;
    let shown = shown(ground, &Hashes::from_iter([v2.clone()]), |it| it.metadata).await;
    assert_eq!(shown.hashes, torrent.hashes());
    assert_eq!(shown.key.as_str(), &v2.as_str()[..40]);
    let (by_key, by_v2) =
        (ground.client().files(&shown.key).await, ground.client().files(&v2).await);
    assert!(by_key.is_ok() && by_key == by_v2, "a whole v2 hash is as good as its beginning");
    ground.client().add(&Given::Magnet(ground.magnet(&torrent))).await.unwrap();
    assert_eq!(all(ground).await.len(), 1);
}

/// What somebody had added by hand is adopted, and stays as it is.
pub async fn one_that_was_added_by_hand_is_adopted(ground: &dyn TorrentGround) {
    let torrent = ground.offered().await;
    ground.by_hand(&torrent).await;
    let before = shown(ground, &torrent.hashes(), |it| it.metadata).await;
    assert_eq!(before.category, "");
    ground.client().add(&bytes_of(&torrent)).await.unwrap();
    let after = shown(ground, &torrent.hashes(), |it| it.metadata).await;
    assert_eq!((after.key, after.added_on), (before.key, before.added_on));
}

/// When its data has come, a torrent is whole, and so are its files.
pub async fn data_comes_until_it_is_whole(ground: &dyn TorrentGround) {
    let (torrent, seen) = whole(ground).await;
    assert!(seen.last_activity.is_some());
    // What came is counted a moment after it is there.
    let size = torrent.size_bytes();
    let shown = shown(ground, &torrent.hashes(), |it| it.received_bytes >= size).await;
    let files = ground.client().files(&shown.key).await.unwrap();
    assert!(files.iter().all(|file| file.whole && file.progress >= 1.0));
}

async fn whole(ground: &dyn TorrentGround) -> (Torrent, Snapshot) {
    let torrent = ground.offered().await;
    ground.client().add(&bytes_of(&torrent)).await.unwrap();
    shown(ground, &torrent.hashes(), |it| it.metadata).await;
    ground.let_data_come(&torrent).await;
    let finished = |it: &Snapshot| {
        matches!(it.state, ClientState::Uploading | ClientState::StalledUp) && it.left_bytes == 0
    };
    let shown = shown(ground, &torrent.hashes(), finished).await;
    (torrent, shown)
}

/// A torrent rests and goes on, whole or not.
pub async fn it_rests_and_goes_on(ground: &dyn TorrentGround) {
    let client = ground.client();
    let magnet = Given::Magnet(format!("magnet:?xt=urn:btih:{}", unheard_of()));
    client.add(&magnet).await.unwrap();
    let called = Hashes::from_iter([unheard_of()]);
    let key = shown(ground, &called, |_| true).await.key;
    client.stop(&key).await.unwrap();
    shown(ground, &called, |it| it.state == ClientState::StoppedDl && !it.metadata).await;
    client.start(&key).await.unwrap();
    shown(ground, &called, |it| it.state == ClientState::MetaDl).await;
    client.remove(&key, Remove::KeepFiles).await.unwrap();
    gone(ground).await;
    let (torrent, Snapshot { key, .. }) = whole(ground).await;
    client.stop(&key).await.unwrap();
    shown(ground, &torrent.hashes(), |it| it.state == ClientState::StoppedUp).await;
    client.start(&key).await.unwrap();
    shown(ground, &torrent.hashes(), |it| it.state == ClientState::StalledUp).await;
    client.reannounce(&key).await.unwrap();
    shown(ground, &torrent.hashes(), |it| it.state == ClientState::StalledUp).await;
}

/// A torrent that is removed leaves its files, unless they are to go as well.
pub async fn a_removal_keeps_the_files_unless_asked(ground: &dyn TorrentGround) {
    let (torrent, Snapshot { key, .. }) = whole(ground).await;
    assert!(ground.has_files(&torrent).await);
    ground.client().remove(&key, Remove::KeepFiles).await.unwrap();
    gone(ground).await;
    assert!(ground.has_files(&torrent).await);
    let (torrent, Snapshot { key, .. }) = whole(ground).await;
    ground.client().remove(&key, Remove::DeleteFiles).await.unwrap();
    gone(ground).await;
    let look = async {
        while ground.has_files(&torrent).await {
            tokio::time::sleep(LOOK_EVERY).await;
        }
    };
    tokio::time::timeout(PATIENCE, look).await.expect("the files go");
}

/// Of what it does not have, a client tells nothing and breaks nothing.
pub async fn what_is_not_there_is_missing(ground: &dyn TorrentGround) {
    let client = ground.client();
    for hash in [unheard_of(), InfoHash::v2([0xbd; 32])] {
        assert_eq!(client.files(&hash).await, Err(ClientError::Missing));
        assert_eq!(client.export(&hash).await, Err(ClientError::Missing));
        let done = [
            client.start(&hash).await,
            client.stop(&hash).await,
            client.reannounce(&hash).await,
            client.remove(&hash, Remove::DeleteFiles).await,
        ];
        assert!(done.iter().all(|it| matches!(it, Ok(()) | Err(ClientError::Missing))), "{done:?}");
    }
}

/// After a whole listing the next ones tell what changed, and are as complete.
pub async fn changes_make_a_listing_as_complete(ground: &dyn TorrentGround) {
    let client = ground.client();
    assert!(client.list().await.unwrap().full);
    assert!(!client.list().await.unwrap().full);
    let torrent = ground.offered().await;
    client.add(&bytes_of(&torrent)).await.unwrap();
    let first = shown(ground, &torrent.hashes(), |it| it.metadata).await;
    let second = client.list().await.unwrap();
    assert!(!second.full);
    let again = second.torrents.into_iter().next().expect("it is still there");
    assert_eq!(
        (again.key, again.hashes, again.name),
        (first.key.clone(), first.hashes, first.name)
    );
    client.remove(&first.key, Remove::KeepFiles).await.unwrap();
    gone(ground).await;
    assert!(!client.list().await.unwrap().full);
}

/// What is no torrent is not added, and harms nothing.
pub async fn what_is_no_torrent_is_not_added(ground: &dyn TorrentGround) {
    let two = format!("magnet:?xt=urn:btih:{0}\nmagnet:?xt=urn:btih:{0}", unheard_of());
    let bad = [
        Given::Torrent(b"no torrent".to_vec()),
        Given::Torrent(Vec::new()),
        Given::Magnet("http://127.0.0.1:1/x.torrent".to_owned()),
        Given::Magnet(two),
        Given::Magnet("magnet:?xt=urn:btih:short".to_owned()),
    ];
    for given in bad {
        assert_eq!(ground.client().add(&given).await, Ok(Added::NotTaken), "{given:?}");
    }
    assert!(all(ground).await.is_empty());
}

/// Puts a torrent client through every check: `$open` is a function that returns a fresh
/// [`TorrentGround`](crate::conformance::torrents::TorrentGround), `$name` the beginning of the tests'
/// module.
#[macro_export]
macro_rules! torrent_conformance {
    ($name:ident, $open:expr) => {
        $crate::torrent_conformance! { @each $name, $open;
            an_empty_client_lists_nothing, bytes_are_added_once,
            a_magnet_without_metadata_has_nothing, metadata_arrives,
            a_hybrid_is_one_torrent_under_all_its_hashes,
            one_that_was_added_by_hand_is_adopted, data_comes_until_it_is_whole,
            it_rests_and_goes_on, a_removal_keeps_the_files_unless_asked,
            what_is_not_there_is_missing, changes_make_a_listing_as_complete,
            what_is_no_torrent_is_not_added
        }
    };
    (@each $name:ident, $open:expr; $($check:ident),+) => {
        mod $name {
            $(#[tokio::test]
            async fn $check() {
                let ground = $open.await;
                $crate::conformance::torrents::$check(&ground).await;
            })+
        }
    };
}

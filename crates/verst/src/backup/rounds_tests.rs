//! Objects go while they are packed: what is in the backup belongs together all the same.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use futures::{StreamExt, stream};
use tokio_util::sync::CancellationToken;
use verst_adapters::clock::SystemClock;
use verst_adapters::objects::LocalObjects;
use verst_kernel::{Change, Event, Instance, Notes, Queue, WorkId};
use verst_recordings::model::{Audio, NewRecording, Product, Source};
use verst_recordings::ports::{Bytestream, ObjectInfo, RecordingStore, Wish};
use verst_store::{Durability, Sqlite};
use verst_testkit::release;

use super::*;
use crate::backup::check::check;
use crate::backup::manifest::FORMAT;

const ORIGINAL: &str = "original/0";
const DECODED: &str = "normalised/1-1.s16";

/// Objects of one recording, which is finished when its decoded audio is asked for: both are gone
/// then, and the row knows it.
struct Moving {
    files: LocalObjects,
    store: Sqlite,
    finishes: bool,
    asked: AtomicUsize,
}

impl Moving {
    async fn finish(&self) {
        let claim = self.store.claim(&Instance("other".to_owned())).await.unwrap().unwrap();
        for key in [ORIGINAL, DECODED] {
            self.files.delete(key).await.unwrap();
        }
        let done = Change {
            advance: Some("done"),
            product: Some(Product::Finished { original_deleted: true }.into()),
            journal: Some(("finish", Event::Advanced)),
            ..release()
        };
        self.store.settle(&claim, &done).await.unwrap();
    }
}

#[async_trait]
impl Objects for Moving {
    async fn put(&self, key: &str, from: Bytestream<'_>, limit: u64) -> Result<u64, ObjectError> {
        self.files.put(key, from, limit).await
    }
    async fn adopt(&self, key: &str, file: &Path) -> Result<(), ObjectError> {
        self.files.adopt(key, file).await
    }
    async fn local(&self, key: &str) -> Result<LocalFile, ObjectError> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        if key == DECODED && self.finishes {
            self.finish().await;
        }
        self.files.local(key).await
    }
    async fn rename(&self, from: &str, to: &str) -> Result<(), ObjectError> {
        self.files.rename(from, to).await
    }
    async fn delete(&self, key: &str) -> Result<(), ObjectError> {
        self.files.delete(key).await
    }
    async fn list(&self, prefix: &str, limit: usize) -> Result<Vec<ObjectInfo>, ObjectError> {
        self.files.list(prefix, limit).await
    }
    async fn clear_unfinished(&self, older: Duration) -> Result<(), ObjectError> {
        self.files.clear_unfinished(older).await
    }
    async fn find_home(&self) -> Result<Option<String>, ObjectError> {
        self.files.find_home().await
    }
    async fn home(&self) -> Result<String, ObjectError> {
        self.files.home().await
    }
    fn scratch(&self) -> PathBuf {
        self.files.scratch()
    }
}

/// A recording with its original and its decoded audio, in a database bound to them.
async fn moving(root: &Path, finishes: bool) -> Arc<Moving> {
    let clock = Arc::new(SystemClock);
    std::fs::create_dir_all(root.join("objects")).unwrap();
    std::fs::create_dir_all(root.join("scratch")).unwrap();
    let files = LocalObjects::new(&root.join("objects"), root.join("scratch"), clock.clone());
    let files = files.unwrap();
    let database = root.join("verst.sqlite");
    let store =
        Sqlite::open(&database, Durability::Normal, clock, &verst_service::stages()).unwrap();
    store.bind_objects(files.home().await.unwrap()).await.unwrap();
    for key in [ORIGINAL, DECODED] {
        let bytes = stream::iter([Ok(key.as_bytes().into())]).boxed();
        files.put(key, bytes, u64::MAX).await.unwrap();
    }
    let new = NewRecording {
        source: Source::Cli,
        reply_to: None,
        owner: None,
        original: ORIGINAL.to_owned(),
        handle: None,
        name: None,
        size_bytes: 10,
        wish: Wish::default(),
    };
    assert_eq!(store.accept(new).await.unwrap().id, WorkId(1));
    let claim = store.claim(&Instance("here".to_owned())).await.unwrap().unwrap();
    let duration = Duration::from_secs(1);
    let audio = Audio { key: DECODED.to_owned(), duration, level_db: None };
    let product = Product::Normalised { audio, warnings: Vec::new() };
    store.note(&claim, product).await.unwrap();
    let given_back = Change { advance: Some("normalized"), ..release() };
    store.settle(&claim, &given_back).await.unwrap();
    Arc::new(Moving { files, store, finishes, asked: AtomicUsize::new(0) })
}

/// What is in the backup: the keys of its objects, what is missing, and whether its row is done.
async fn backed_up(root: &Path, moving: Arc<Moving>) -> (Vec<String>, Vec<String>, usize) {
    let to = root.join("b.tar");
    let now = verst_kernel::Clock::now(&SystemClock);
    let (target, file) = Target::open(&to, now).unwrap();
    let head = Head { format: FORMAT, verst: "t".to_owned(), created_at: String::new() };
    let gauge = Gauge::new(CancellationToken::new());
    let origin = Origin::File(root.join("verst.sqlite"));
    let objects: Arc<dyn Objects> = moving;
    let made = fill(&origin, &objects, "here", &target, file, head, &gauge).await.unwrap();
    let checked = check(target.part(), &root.join("checked"), &gauge, String::new()).unwrap();
    assert_eq!(checked.manifest, made);
    let named = checked.examined.objects.len();
    (made.objects.into_keys().collect(), made.missing, named)
}

#[tokio::test]
async fn a_recording_that_is_finished_meanwhile_is_finished_in_the_backup() {
    let dir = tempfile::tempdir().unwrap();
    let moving = moving(dir.path(), true).await;
    let (packed, missing, named) = backed_up(dir.path(), Arc::clone(&moving)).await;
    assert_eq!(packed, [ORIGINAL], "it was there when it was asked for");
    assert_eq!((missing, named), (Vec::new(), 0), "the row that is packed names neither any more");
    assert_eq!(moving.asked.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn what_is_missing_for_good_is_looked_for_twice_and_told() {
    let dir = tempfile::tempdir().unwrap();
    let moving = moving(dir.path(), false).await;
    moving.files.delete(DECODED).await.unwrap();
    let (packed, missing, named) = backed_up(dir.path(), Arc::clone(&moving)).await;
    assert_eq!((packed, missing, named), (vec![ORIGINAL.to_owned()], vec![DECODED.to_owned()], 2));
    assert_eq!(moving.asked.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn a_place_that_is_not_there_makes_no_backup() {
    let dir = tempfile::tempdir().unwrap();
    let moving = moving(dir.path(), false).await;
    std::fs::remove_file(dir.path().join("objects/home")).unwrap();
    let (target, file) =
        Target::open(&dir.path().join("b.tar"), verst_kernel::Timestamp(0)).unwrap();
    let head = Head { format: FORMAT, verst: "t".to_owned(), created_at: String::new() };
    let gauge = Gauge::new(CancellationToken::new());
    let origin = Origin::File(dir.path().join("verst.sqlite"));
    let objects: Arc<dyn Objects> = moving;
    let made = fill(&origin, &objects, "here", &target, file, head, &gauge).await;
    assert!(matches!(made, Err(Broken::Refused(Refusal::Setup("cli-objects-elsewhere", _)))));
    drop(target);
    assert!(!dir.path().join("b.tar.part").exists());
}

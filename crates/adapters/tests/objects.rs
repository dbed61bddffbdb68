//! Objects in a directory and in a bucket of a real S3 server: the same checks for both, and then
//! what is true of one of them.

#![expect(clippy::unwrap_used, reason = "a test may end where its world is not as it must be")]

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use futures::{StreamExt, stream};
use verst_adapters::clock::SystemClock;
use verst_adapters::objects::{LocalObjects, RemoteObjects, bucket};
use verst_recordings::ports::{Bytestream, ObjectError, Objects};
use verst_testkit::S3;

/// Objects to check, and the directories that are theirs.
struct Subject {
    objects: Arc<dyn Objects>,
    dir: tempfile::TempDir,
    server: Option<S3>,
}

impl Subject {
    /// Files below the place where objects or their parts lie.
    fn files(&self) -> usize {
        let bucket = self.server.as_ref().map(S3::bucket);
        count(bucket.as_deref().unwrap_or(&self.dir.path().join("objects")))
    }
}

fn count(dir: &Path) -> usize {
    let mut count = 0;
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { count += 1 }
        }
    }
    count
}

fn directory() -> Subject {
    let dir = tempfile::tempdir().unwrap();
    let (root, scratch) = (dir.path().join("objects"), dir.path().join("scratch"));
    std::fs::create_dir(&root).unwrap();
    std::fs::create_dir(&scratch).unwrap();
    let objects = LocalObjects::new(&root, scratch, Arc::new(SystemClock)).unwrap();
    Subject { objects: Arc::new(objects), dir, server: None }
}

fn remote(server: &S3, scratch: &Path) -> RemoteObjects {
    let address = format!("s3://{}/some/prefix", S3::BUCKET);
    let store = bucket(&address, server.credentials()).unwrap();
    RemoteObjects::new(store, scratch.to_owned(), Arc::new(SystemClock))
}

fn in_a_bucket() -> Subject {
    let (server, dir) = (S3::start(), tempfile::tempdir().unwrap());
    let objects = remote(&server, dir.path());
    Subject { objects: Arc::new(objects), dir, server: Some(server) }
}

fn bytes(chunks: &[&'static str]) -> Bytestream<'static> {
    let chunks: Vec<io::Result<Bytes>> =
        chunks.iter().map(|c| Ok(Bytes::from_static(c.as_bytes()))).collect();
    stream::iter(chunks).boxed()
}

async fn content(objects: &dyn Objects, key: &str) -> Vec<u8> {
    std::fs::read(objects.local(key).await.unwrap().path()).unwrap()
}

macro_rules! on_both {
    ($($check:ident),+ $(,)?) => {
        mod a_directory {
            $(#[tokio::test]
            async fn $check() {
                super::$check(super::directory()).await;
            })+
        }
        mod a_bucket {
            $(#[tokio::test]
            async fn $check() {
                super::$check(super::in_a_bucket()).await;
            })+
        }
    };
}

on_both!(
    what_was_put_is_there_as_a_file,
    nothing_is_left_of_what_was_too_large_or_broke_off,
    a_file_is_adopted,
    a_renamed_object_has_only_its_new_key,
    listings_are_limited_and_know_ages,
    the_home_is_made_once,
);

async fn what_was_put_is_there_as_a_file(s: Subject) {
    let o = &s.objects;
    assert_eq!(o.put("original/a", bytes(&["ab", "c"]), 3).await.unwrap(), 3);
    assert_eq!(content(o.as_ref(), "original/a").await, b"abc");
    o.delete("original/a").await.unwrap();
    o.delete("original/a").await.unwrap();
    assert!(matches!(o.local("original/a").await, Err(ObjectError::Missing)));
}

async fn nothing_is_left_of_what_was_too_large_or_broke_off(s: Subject) {
    let o = &s.objects;
    let put = o.put("original/a", bytes(&["ab", "c"]), 2).await;
    assert!(matches!(put, Err(ObjectError::TooLarge { limit_bytes: 2 })));
    // Larger than what is sent in one request, so that parts of it are there already.
    let large = || Ok(Bytes::from(vec![7; 12 << 20]));
    let broken = stream::iter([large(), large(), Err(io::Error::other("gone"))]);
    let put = o.put("original/b", broken.boxed(), u64::MAX).await;
    assert!(matches!(put, Err(ObjectError::Source(_))));
    assert_eq!(o.list("original", 10).await.unwrap(), []);
    assert_eq!(s.files(), 0);
}

async fn a_file_is_adopted(s: Subject) {
    let o = &s.objects;
    let scratch = o.scratch();
    let audio: Vec<u8> = (0..13 << 20).map(|n: u32| n.to_le_bytes()[1]).collect();
    std::fs::write(&scratch, &audio).unwrap();
    o.adopt("normalised/7-1.s16", &scratch).await.unwrap();
    assert!(!scratch.exists());
    assert!(content(o.as_ref(), "normalised/7-1.s16").await == audio);
    if let Some(server) = &s.server {
        let elsewhere = remote(server, s.dir.path());
        assert!(content(&elsewhere, "normalised/7-1.s16").await == audio);
    }
}

async fn a_renamed_object_has_only_its_new_key(s: Subject) {
    let o = &s.objects;
    o.put("original/a", bytes(&["abc"]), 9).await.unwrap();
    o.rename("original/a", "unnamed/original/a").await.unwrap();
    assert!(matches!(o.local("original/a").await, Err(ObjectError::Missing)));
    assert_eq!(content(o.as_ref(), "unnamed/original/a").await, b"abc");
    let renamed = o.rename("original/a", "unnamed/b").await;
    assert!(matches!(renamed, Err(ObjectError::Missing)), "{renamed:?}");
}

async fn listings_are_limited_and_know_ages(s: Subject) {
    let o = &s.objects;
    for key in ["original/a", "original/b", "normalised/c"] {
        o.put(key, bytes(&["x"]), 9).await.unwrap();
    }
    let listed = o.list("original", 10).await.unwrap();
    let mut keys: Vec<&str> = listed.iter().map(|info| info.key.as_str()).collect();
    keys.sort_unstable();
    assert_eq!(keys, ["original/a", "original/b"]);
    assert!(listed.iter().all(|info| info.age < Duration::from_mins(10)), "{listed:?}");
    assert_eq!(o.list("original", 1).await.unwrap().len(), 1);
}

async fn the_home_is_made_once(s: Subject) {
    let first = s.objects.home().await.unwrap();
    assert_eq!(first.len(), 32);
    assert_eq!(s.objects.home().await.unwrap(), first);
    assert_ne!(directory().objects.home().await.unwrap(), first);
}

/// A bucket does so too if its server knows conditional writes, which Amazon's does; the server of
/// these tests looks first and writes then.
#[tokio::test]
async fn hosts_that_make_the_home_at_once_agree() {
    let dir = tempfile::tempdir().unwrap();
    let host = || LocalObjects::new(dir.path(), dir.path().into(), Arc::new(SystemClock)).unwrap();
    let hosts: Vec<LocalObjects> = (0..8).map(|_| host()).collect();
    let homes = futures::future::join_all(hosts.iter().map(Objects::home)).await;
    let homes: Vec<String> = homes.into_iter().map(Result::unwrap).collect();
    assert!(homes.iter().all(|home| *home == homes[0]), "{homes:?}");
}

#[tokio::test]
async fn what_was_downloaded_is_kept_while_it_is_used_and_a_little_longer() {
    let s = in_a_bucket();
    let keys: Vec<String> = (0..6).map(|n| format!("original/{n}")).collect();
    for key in &keys {
        s.objects.put(key, bytes(&["abc"]), 9).await.unwrap();
    }
    let held = s.objects.local(&keys[0]).await.unwrap();
    for key in &keys[1..] {
        s.objects.local(key).await.unwrap();
    }
    assert_eq!(count(s.dir.path()), 5, "the last four, and the one that is used");
    assert_eq!(std::fs::read(held.path()).unwrap(), b"abc");
    drop(held);
    assert_eq!(count(s.dir.path()), 4);
    // An object that is kept is answered without the server; one that is deleted is not.
    let mut server = s.server;
    server.as_mut().unwrap().stop();
    assert_eq!(content(s.objects.as_ref(), &keys[5]).await, b"abc");
    let elsewhere = s.objects.local(&keys[0]).await;
    assert!(matches!(elsewhere, Err(ObjectError::Unreachable(_))), "{elsewhere:?}");
    server.as_mut().unwrap().start_again();
    s.objects.delete(&keys[5]).await.unwrap();
    assert!(matches!(s.objects.local(&keys[5]).await, Err(ObjectError::Missing)));
}

#[tokio::test]
async fn a_key_that_is_refused_is_trouble_of_all_recordings() {
    let (server, dir) = (S3::start(), tempfile::tempdir().unwrap());
    let mut wrong = server.credentials();
    wrong.secret_access_key = "guessed".to_owned();
    let store = bucket("s3://verst", wrong).unwrap();
    let objects = RemoteObjects::new(store, dir.path().to_owned(), Arc::new(SystemClock));
    for trouble in [
        objects.put("original/a", bytes(&["x"]), 9).await.map(drop),
        objects.local("original/a").await.map(drop),
        objects.home().await.map(drop),
    ] {
        assert!(matches!(trouble, Err(ObjectError::Unreachable(_))), "{trouble:?}");
        assert!(!format!("{trouble:?}").contains("guessed"));
    }
}

/// Or every recording would be stopped for a directory that is not mounted for an hour.
#[tokio::test]
async fn a_place_that_is_gone_is_trouble_of_all_recordings() {
    for s in [directory(), in_a_bucket()] {
        s.objects.put("original/a", bytes(&["x"]), 9).await.unwrap();
        s.objects.home().await.unwrap();
        let missing = s.objects.local("original/b").await;
        assert!(matches!(missing, Err(ObjectError::Missing)), "{missing:?}");
        let place = s.server.as_ref().map_or(s.dir.path().join("objects"), S3::bucket);
        std::fs::rename(&place, s.dir.path().join("elsewhere")).unwrap();
        let gone = s.objects.local("original/a").await;
        assert!(matches!(gone, Err(ObjectError::Unreachable(_))), "{gone:?}");
        std::fs::create_dir(&place).unwrap();
        let empty = s.objects.local("original/a").await;
        assert!(matches!(empty, Err(ObjectError::Unreachable(_))), "{empty:?}");
    }
}

#[test]
fn what_is_no_address_of_a_bucket_is_refused() {
    for address in ["", "verst", "s3://", "s3:///prefix", "https://verst"] {
        assert!(bucket(address, S3::start().credentials()).is_err(), "{address}");
    }
}

#[test]
fn what_is_no_address_of_a_server_is_refused() {
    for endpoint in ["minio:9000", "127.0.0.1:9000", "s3.example.org", "http://", "ftp://host"] {
        let mut credentials = S3::start().credentials();
        credentials.endpoint = endpoint.to_owned();
        assert!(bucket("s3://verst", credentials).is_err(), "{endpoint}");
    }
}

/// Decoded audio is made on this machine's disk; a directory that hosts share is another.
#[tokio::test]
async fn a_file_of_another_file_system_is_adopted_by_copying() {
    let dir = tempfile::tempdir().unwrap();
    let memory = tempfile::tempdir_in("/dev/shm").unwrap();
    let objects =
        LocalObjects::new(dir.path(), memory.path().to_owned(), Arc::new(SystemClock)).unwrap();
    let made = objects.scratch();
    std::fs::write(&made, "audio").unwrap();
    objects.adopt("normalised/7-1.s16", &made).await.unwrap();
    assert!(!made.exists());
    assert_eq!(content(&objects, "normalised/7-1.s16").await, b"audio");
}

/// As the crate names the file of an upload until it is finished.
#[tokio::test]
async fn uploads_that_were_never_finished_are_removed_once_they_are_old() {
    let s = directory();
    let root = s.dir.path().join("objects");
    std::fs::create_dir(root.join("original")).unwrap();
    let old = SystemTime::UNIX_EPOCH;
    for name in ["original/a#1", "b#12", "original/a", "original/a#", "original/a#b"] {
        let file = std::fs::File::create(root.join(name)).unwrap();
        file.set_modified(old).unwrap();
    }
    std::fs::write(root.join("original/young#1"), "x").unwrap();
    s.objects.clear_unfinished(Duration::from_hours(24)).await.unwrap();
    let mut left: Vec<String> = std::fs::read_dir(root.join("original"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort_unstable();
    assert_eq!(left, ["a", "a#", "a#b", "young#1"]);
    assert!(!root.join("b#12").exists());
}

use super::*;
use crate::clock::SystemClock;
use bytes::Bytes;
use futures::stream;

fn objects(dir: &FilePath) -> LocalObjects {
    let (root, scratch) = (dir.join("objects"), dir.join("scratch"));
    std::fs::create_dir_all(&root).unwrap();
    std::fs::create_dir_all(&scratch).unwrap();
    LocalObjects::new(&root, scratch, Arc::new(SystemClock)).unwrap()
}

fn bytes(chunks: &[&'static str]) -> Bytestream<'static> {
    let chunks: Vec<io::Result<Bytes>> =
        chunks.iter().map(|c| Ok(Bytes::from_static(c.as_bytes()))).collect();
    stream::iter(chunks).boxed()
}

fn files(dir: &FilePath) -> usize {
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

#[tokio::test]
async fn what_was_put_is_there_as_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let objects = objects(dir.path());
    assert_eq!(objects.put("original/a", bytes(&["ab", "c"]), 3).await.unwrap(), 3);
    let file = objects.local("original/a").await.unwrap();
    assert_eq!(std::fs::read(file.path()).unwrap(), b"abc");
    let listed = objects.list("original", 10).await.unwrap();
    assert_eq!(listed[0].key, "original/a");
    objects.delete("original/a").await.unwrap();
    objects.delete("original/a").await.unwrap();
    assert!(matches!(objects.local("original/a").await, Err(ObjectError::Missing)));
}

#[tokio::test]
async fn nothing_is_left_of_what_was_too_large_or_broke_off() {
    let dir = tempfile::tempdir().unwrap();
    let objects = objects(dir.path());
    let put = objects.put("original/a", bytes(&["ab", "c"]), 2).await;
    assert!(matches!(put, Err(ObjectError::TooLarge { limit_bytes: 2 })));
    let broken = stream::iter([Ok(Bytes::from_static(b"ab")), Err(io::Error::other("gone"))]);
    let put = objects.put("original/b", broken.boxed(), 9).await;
    assert!(matches!(put, Err(ObjectError::Source(_))));
    assert_eq!(files(dir.path()), 0);
}

#[tokio::test]
async fn a_file_is_adopted_by_moving_it() {
    let dir = tempfile::tempdir().unwrap();
    let objects = objects(dir.path());
    let scratch = objects.scratch();
    std::fs::write(&scratch, "audio").unwrap();
    objects.adopt("normalised/7-1.s16", &scratch).await.unwrap();
    assert!(!scratch.exists());
    let file = objects.local("normalised/7-1.s16").await.unwrap();
    assert_eq!(std::fs::read(file.path()).unwrap(), b"audio");
}

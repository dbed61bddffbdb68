//! The library on real file systems: links, copies to another device, and whoever stands in the way.

mod copies;
mod foes;
mod killed;
mod links;
mod probes;
mod property_tests;

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, fsconfig_create, fsconfig_set_string, fsmount,
    fsopen,
};
use tokio::sync::Notify;

use super::*;

/// A download and a library on one disk.
struct World {
    dir: tempfile::TempDir,
    link: Link,
    library: PathBuf,
}

impl World {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("downloads")).unwrap();
        let library = dir.path().join("library");
        fs::create_dir(&library).unwrap();
        Self { dir, link: Link::Fail, library }
    }

    /// The library elsewhere.
    fn across(library: &Path, link: Link) -> Self {
        Self { library: library.to_owned(), link, ..Self::new() }
    }

    fn downloads(&self) -> PathBuf {
        self.dir.path().join("downloads")
    }

    fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let file = self.downloads().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }

    fn shelves(&self) -> Shelves {
        Shelves::new(self.library.clone(), Roots::default(), self.link)
    }

    async fn place(&self, plan: &[Placement]) -> Result<Filed, LibraryError> {
        self.shelves().place(self.downloads(), plan, &Unsupervised).await
    }

    async fn unplace(&self, plan: &[Placement]) -> u64 {
        self.shelves().unplace(self.downloads(), plan).await.unwrap()
    }

    fn is_linked(&self, placement: &Placement) -> bool {
        let one = fs::metadata(self.downloads().join(placement.source.join("/"))).unwrap();
        let other = fs::metadata(self.library.join(placement.target.join("/"))).unwrap();
        (one.dev(), one.ino()) == (other.dev(), other.ino())
    }
}

/// A file of so many bytes and its target, both with `/` between their parts.
fn placement(file: u32, source: &str, target: &str, size_bytes: u64) -> Placement {
    let parts = |path: &str| path.split('/').map(str::to_owned).collect();
    Placement { file, source: parts(source), target: parts(target), size_bytes }
}

/// Everything below a directory, sorted.
fn tree(root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut below = vec![root.to_owned()];
    while let Some(dir) = below.pop() {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            found.push(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
            if path.is_dir() && !path.is_symlink() {
                below.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A file system in memory that nothing but this descriptor leads to: it goes with the test, however
/// that ends. `None` for whoever may not mount.
fn memory(options: &[(&str, &str)], attributes: MountAttrFlags) -> Option<Memory> {
    let made = (|| {
        let fs = fsopen("tmpfs", FsOpenFlags::FSOPEN_CLOEXEC)?;
        for (name, value) in options {
            fsconfig_set_string(&fs, *name, *value)?;
        }
        fsconfig_create(&fs)?;
        fsmount(&fs, FsMountFlags::FSMOUNT_CLOEXEC, attributes)
    })();
    if made.is_err() {
        println!("NOT RUN: a file system of its own takes root");
    }
    made.ok().map(Memory)
}

struct Memory(std::os::fd::OwnedFd);

impl Memory {
    fn path(&self) -> PathBuf {
        use std::os::fd::AsRawFd;
        PathBuf::from(format!("/proc/self/fd/{}/", self.0.as_raw_fd()))
    }
}

/// A directory on another device than temporary files are on, which everybody may write. `None` where
/// there is none.
fn other_device() -> Option<tempfile::TempDir> {
    let dir = tempfile::tempdir_in("/dev/shm").ok()?;
    let here = fs::metadata(std::env::temp_dir()).unwrap().dev();
    let apart = fs::metadata(dir.path()).unwrap().dev() != here;
    if !apart {
        println!("NOT RUN: /dev/shm is no other device");
    }
    apart.then_some(dir)
}

/// Interrupts as soon as it hears of progress beyond this.
struct Impatient {
    beyond: f64,
    interrupted: AtomicBool,
    notify: Notify,
}

impl Impatient {
    fn new(beyond: f64) -> Self {
        Self { beyond, interrupted: AtomicBool::new(false), notify: Notify::new() }
    }
}

#[async_trait]
impl Supervisor for Impatient {
    fn interrupted(&self) -> bool {
        self.interrupted.load(Ordering::SeqCst)
    }

    async fn interruption(&self) {
        self.notify.notified().await;
    }

    fn progress(&self, fraction: f64) {
        if fraction > self.beyond {
            self.interrupted.store(true, Ordering::SeqCst);
            self.notify.notify_one();
        }
    }
}

//! What is made, what is let be, and who may look in.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use super::*;

/// Everything below a directory, with contents.
fn inventory(root: &Path) -> Vec<(PathBuf, Option<Vec<u8>>)> {
    let mut all = Vec::new();
    let mut below = vec![root.to_owned()];
    while let Some(directory) = below.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                below.push(path.clone());
            }
            all.push((path.clone(), fs::read(path).ok()));
        }
    }
    all.sort();
    all
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn one_process_at_a_time_and_the_same_instance_each_time() {
    let dir = tempfile::tempdir().unwrap();
    let first = DataDir::open_or_create(dir.path()).unwrap();
    let id = first.instance().clone();
    for second in [DataDir::open(dir.path()), DataDir::open_or_create(dir.path())] {
        let Err(DataDirError::Held { holder }) = second else {
            panic!("a second holder was let in");
        };
        assert_eq!(holder, std::process::id().to_string());
    }
    drop(first);
    assert_eq!(DataDir::open(dir.path()).unwrap().instance(), &id);
    assert_eq!(DataDir::open_or_create(dir.path()).unwrap().instance(), &id);
}

#[test]
fn nothing_is_made_where_nothing_is() {
    let dir = tempfile::tempdir().unwrap();
    let missing = dir.path().join("none");
    assert!(matches!(DataDir::open(&missing), Err(DataDirError::Missing)));
    assert!(!missing.exists());
    assert!(matches!(DataDir::open(dir.path()), Err(DataDirError::Missing)));
    assert!(inventory(dir.path()).is_empty());
}

#[test]
fn other_peoples_directories_are_left_alone() {
    let hex = "0".repeat(32);
    for files in [
        &[("scratch/notes", "x"), ("lock", "precious")][..],
        &[("lock", "precious")],
        &[("lock", "17\n"), ("letter", "x")],
        &[("instance", "\n")],
        &[("instance/thing", "x")],
        &[("objects/original/a#1", "x")],
        &[("verst.toml", ""), ("photo", "x")],
        &[(&format!("scratch/{hex}"), "x")],
    ] {
        let dir = tempfile::tempdir().unwrap();
        for (name, content) in files {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        let before = inventory(dir.path());
        assert!(matches!(DataDir::open(dir.path()), Err(DataDirError::Missing)), "{files:?}");
        let made = DataDir::open_or_create(dir.path());
        assert!(matches!(made, Err(DataDirError::Foreign)), "{files:?}");
        assert_eq!(inventory(dir.path()), before);
    }
}

#[test]
fn settings_and_an_interrupted_creation_do_not_stand_in_the_way() {
    for files in [
        &[("verst.toml", "x")][..],
        &[("lock", "")],
        &[("lock", "4711\n"), ("verst.toml", ""), ("instance.part", "0a")],
    ] {
        let dir = tempfile::tempdir().unwrap();
        for (name, content) in files {
            fs::write(dir.path().join(name), content).unwrap();
        }
        DataDir::open_or_create(dir.path()).unwrap();
        DataDir::open(dir.path()).unwrap();
    }
}

#[test]
fn leftovers_in_the_making_are_removed_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let scratch = DataDir::open_or_create(dir.path()).unwrap().scratch();
    let hex = format!("{:032x}", 0xabc);
    let gone = [scratch.join(&hex), scratch.join(format!("{hex}.part"))];
    let kept = [scratch.join("notes"), scratch.join(format!("{hex}.txt")), scratch.join(&hex[1..])];
    for path in gone.iter().chain(&kept) {
        fs::write(path, "x").unwrap();
    }
    DataDir::open(dir.path()).unwrap();
    assert!(gone.iter().all(|path| !path.exists()));
    assert!(kept.iter().all(|path| path.exists()));
}

#[test]
fn a_directory_of_our_own_lets_nobody_in() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("data");
    DataDir::open_or_create(&root).unwrap();
    assert_eq!(mode(&root), 0o700);
}

#[test]
fn in_an_open_directory_each_thing_keeps_others_out() {
    let dir = tempfile::tempdir().unwrap();
    let set = |path: &Path, mode| fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    set(dir.path(), 0o755);
    let made = DataDir::open_or_create(dir.path()).unwrap();
    let (database, parts) = (made.database(), [made.objects(), made.scratch()]);
    drop(made);
    assert!(parts.iter().all(|part| mode(part) == 0o700));
    assert_eq!(mode(&database), 0o600);

    let log = dir.path().join("verst.sqlite-wal");
    let settings = dir.path().join("verst.toml");
    for file in [&log, &settings] {
        fs::write(file, "").unwrap();
    }
    for path in parts.iter().chain([&database, &log, &settings]) {
        set(path, 0o755);
    }
    DataDir::open(dir.path()).unwrap();
    assert!(parts.iter().all(|part| mode(part) == 0o700));
    assert_eq!((mode(&database), mode(&log)), (0o600, 0o600));
    assert_eq!((mode(dir.path()), mode(&settings)), (0o755, 0o755));
}

#[test]
fn a_visitor_comes_in_beside_whoever_works_here() {
    let dir = tempfile::tempdir().unwrap();
    assert!(matches!(DataDir::visit(&dir.path().join("none"), false), Err(DataDirError::Missing)));
    let worker = DataDir::open_or_create(dir.path()).unwrap();
    let visitor = DataDir::visit(dir.path(), false).unwrap();
    assert_eq!(visitor.instance(), worker.instance());
    assert!(!visitor.is_locked());
    drop(worker);

    // What a visitor is making is nobody's leftover, and its presence is no obstacle.
    let making = visitor.scratch().join("0".repeat(32));
    fs::write(&making, "x").unwrap();
    drop(DataDir::open(dir.path()).unwrap());
    assert!(making.exists());
    drop(visitor);
    drop(DataDir::open(dir.path()).unwrap());
    assert!(!making.exists());
}

#[test]
fn a_visitor_keeps_others_out_only_while_it_opens() {
    let dir = tempfile::tempdir().unwrap();
    let mut visitor = DataDir::visit(dir.path(), true).unwrap();
    assert!(visitor.is_locked());
    assert!(matches!(DataDir::open(dir.path()), Err(DataDirError::Held { .. })));
    visitor.release();
    let worker = DataDir::open(dir.path()).unwrap();
    let second = DataDir::visit(dir.path(), true).unwrap();
    assert!(!second.is_locked());
    drop(worker);
}

#[test]
fn a_visitor_of_what_is_being_made_is_told_to_come_again() {
    let dir = tempfile::tempdir().unwrap();
    let worker = DataDir::open_or_create(dir.path()).unwrap();
    let instance = dir.path().join("instance");
    let made = fs::read(&instance).unwrap();
    // As it is for a moment after the lock was taken.
    fs::remove_file(&instance).unwrap();
    fs::remove_dir_all(dir.path().join("objects")).unwrap();
    fs::remove_dir_all(dir.path().join("scratch")).unwrap();
    fs::remove_file(dir.path().join("visitors")).unwrap();
    assert!(matches!(DataDir::visit(dir.path(), true), Err(DataDirError::Held { .. })));
    fs::write(&instance, made).unwrap();
    assert_eq!(DataDir::visit(dir.path(), true).unwrap().instance(), worker.instance());
}

#[test]
fn visitors_are_kept_out_where_none_is() {
    let dir = tempfile::tempdir().unwrap();
    let mut worker = DataDir::open_or_create(dir.path()).unwrap();
    let visitor = DataDir::visit(dir.path(), false).unwrap();
    assert!(!worker.keep_visitors_out().unwrap());
    drop(visitor);
    assert!(worker.keep_visitors_out().unwrap());
    assert!(visitors(dir.path()).unwrap().try_lock_shared().is_err());
    drop(worker);
    drop(DataDir::visit(dir.path(), false).unwrap());
}

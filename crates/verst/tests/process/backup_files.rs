//! The file that a backup is: whose it is, what it never does, and everything that it is not.

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tar::{Archive, Builder, EntryType, Header};

use super::support::{Place, clip};

fn err(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A place with two recordings that nobody works on, and its backup.
fn backed_up() -> (Place, PathBuf) {
    let place = Place::with_settings("workers = 0\n");
    for from in [0, 4] {
        assert!(place.run(&["submit", &clip(&place, from)]).status.success());
    }
    let file = place.path().join("backup.tar");
    let made = place.run(&["backup", file.to_str().unwrap()]);
    assert!(made.status.success(), "{}", err(&made));
    (place, file)
}

#[test]
fn process_writes_a_backup_for_its_owner_alone_and_over_no_other() {
    let (place, file) = backed_up();
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let before = std::fs::read(&file).unwrap();
    let again = place.run(&["backup", file.to_str().unwrap()]);
    assert_eq!(again.status.code(), Some(1));
    assert!(err(&again).contains("is there already"), "{}", err(&again));
    assert!(std::fs::read(&file).unwrap() == before);

    let nothing = Place::new();
    let refused = nothing.run(&["backup", nothing.path().to_str().unwrap()]);
    assert_eq!(refused.status.code(), Some(3));
    assert!(!nothing.data().join("instance").exists(), "a backup makes no installation");
    let nowhere = place.run(&["backup", place.path().join("no/such.tar").to_str().unwrap()]);
    assert_eq!(nowhere.status.code(), Some(1), "{}", err(&nowhere));
}

#[test]
fn process_tells_of_audio_that_is_missing_and_backs_up_the_rest() {
    let (place, whole) = backed_up();
    let originals = place.data().join("objects/original");
    let lost = std::fs::read_dir(&originals).unwrap().next().unwrap().unwrap().path();
    std::fs::remove_file(lost).unwrap();
    let file = place.path().join("second.tar");
    let made = place.run(&["backup", file.to_str().unwrap()]);
    assert!(made.status.success(), "{}", err(&made));
    assert!(err(&made).contains("1 audio file that the database names"), "{}", err(&made));
    assert!(file.metadata().unwrap().len() < whole.metadata().unwrap().len());
    let other = Place::with_settings("workers = 0\n");
    assert!(other.run(&["restore", file.to_str().unwrap()]).status.success());
    assert_eq!(other.views().len(), 2);

    // Where all is gone, it is the place that is not there: no backup is made of that.
    std::fs::remove_dir_all(place.data().join("objects")).unwrap();
    let third = place.path().join("third.tar");
    assert_eq!(place.run(&["backup", third.to_str().unwrap()]).status.code(), Some(3));
    assert!(!third.exists());
}

/// The members of an archive, with their bytes.
fn members(file: &Path) -> Vec<(String, Vec<u8>)> {
    let mut archive = Archive::new(std::fs::File::open(file).unwrap());
    let members = archive.entries().unwrap().map(|entry| {
        let mut entry = entry.unwrap();
        let name = String::from_utf8(entry.path_bytes().into_owned()).unwrap();
        let mut bytes = Vec::new();
        std::io::copy(&mut entry, &mut bytes).unwrap();
        (name, bytes)
    });
    members.collect()
}

/// Writes a member whatever its name is.
fn append(tar: &mut Builder<Vec<u8>>, name: &str, kind: EntryType, bytes: &[u8]) {
    let mut header = Header::new_gnu();
    header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
    header.set_entry_type(kind);
    header.set_size(bytes.len() as u64);
    header.set_mode(0o600);
    if kind == EntryType::Symlink {
        header.set_link_name("/etc/passwd").unwrap();
    }
    header.set_cksum();
    tar.append(&header, bytes).unwrap();
}

fn archive(members: &[(String, Vec<u8>)], more: &[(&str, EntryType)]) -> Vec<u8> {
    let mut tar = Builder::new(Vec::new());
    let (head, rest) = members.split_first().unwrap();
    append(&mut tar, &head.0, EntryType::Regular, &head.1);
    for (name, kind) in more {
        append(&mut tar, name, *kind, b"");
    }
    for (name, bytes) in rest {
        append(&mut tar, name, EntryType::Regular, bytes);
    }
    tar.into_inner().unwrap()
}

/// Refused by both commands, with these words, and nothing is changed.
#[track_caller]
fn refused(name: &str, bytes: &[u8], words: &str) {
    let place = Place::with_settings("workers = 0\n");
    let file = place.path().join("given.tar");
    std::fs::File::create(&file).unwrap().write_all(bytes).unwrap();
    let file = file.to_str().unwrap();
    for args in [["backup", "--verify", file], ["restore", "--unfinished=go-on", file]] {
        let output = place.run(&args);
        let code = output.status.code();
        assert_eq!(code, Some(1), "{name} {args:?}: {}", err(&output));
        assert!(err(&output).contains(words), "{name}: {}", err(&output));
    }
    assert!(!place.data().join("verst.sqlite").exists(), "{name}");
    for left in ["objects/original", "objects/normalised", "scratch"] {
        let left = std::fs::read_dir(place.data().join(left));
        assert!(left.map_or(0, Iterator::count) == 0, "{name}");
    }
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 2, "{name}: the file, the data");
}

#[test]
fn process_refuses_a_backup_with_any_byte_changed_or_cut_off() {
    let (place, file) = backed_up();
    let sound = place.run(&["backup", "--verify", file.to_str().unwrap()]);
    assert!(sound.status.success() && err(&sound).contains("is sound"), "{}", err(&sound));
    let bytes = std::fs::read(&file).unwrap();
    // The first byte of each member, by the order in which they lie: a header, then the bytes.
    let mut at = 0;
    for (name, member) in members(&file) {
        at += 512;
        let mut damaged = bytes.clone();
        damaged[at + member.len() / 2] ^= 1;
        let words = if name == "verst-backup.json" { "" } else { "is damaged" };
        refused(&format!("{name} changed"), &damaged, words);
        refused(&format!("cut off in {name}"), &bytes[..at + member.len() / 2], "");
        at += member.len().next_multiple_of(512);
    }
    let sealed = at - 512;
    refused("cut off before the seal", &bytes[..sealed - 512], "ends too early");
    refused("half of it", &bytes[..bytes.len() / 2], "ends too early");
    let mut header = bytes.clone();
    header[1024 + 200] ^= 1;
    refused("a header changed", &header, "is damaged");
}

#[test]
fn process_refuses_what_is_no_backup_of_its_own() {
    let (place, file) = backed_up();
    let whole = members(&file);
    for name in [
        "objects/original/../../../verst.toml",
        "../outside",
        "/tmp/outside",
        "objects/home",
        "verst.toml",
    ] {
        refused(name, &archive(&whole, &[(name, EntryType::Regular)]), "is no backup");
    }
    let inside = "objects/original/0123";
    for kind in [
        EntryType::Symlink,
        EntryType::Link,
        EntryType::Fifo,
        EntryType::Directory,
        EntryType::GNULongName,
        EntryType::XHeader,
    ] {
        refused(&format!("{kind:?}"), &archive(&whole, &[(inside, kind)]), "is no backup");
    }
    let more = archive(&whole, &[(inside, EntryType::Regular)]);
    refused("one that the manifest does not name", &more, "is damaged");
    let mut twice = whole.clone();
    twice.insert(1, twice[1].clone());
    refused("the same twice", &archive(&twice, &[]), "is damaged");
    let mut fewer = whole.clone();
    fewer.remove(1);
    refused("one too few", &archive(&fewer, &[]), "is damaged");

    let mut newer = whole;
    newer[0].1 = b"{\"format\": 2, \"signed_by\": \"somebody\"}".to_vec();
    refused("of the future", &archive(&newer, &[]), "newer version");
    refused("empty", b"", "is no backup");
    refused("text", &b"no archive at all\n".repeat(200), "is no backup");
    let clip = std::fs::read(place.path().join("clip-0.ogg")).unwrap();
    refused("a recording", &clip, "is no backup");
}

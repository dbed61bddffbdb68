use super::*;
use proptest::prelude::*;

/// A string as bencode has it.
fn string(text: impl AsRef<[u8]>) -> Vec<u8> {
    let text = text.as_ref();
    [format!("{}:", text.len()).as_bytes(), text].concat()
}

/// A dictionary of values that are written already, its keys as they come.
fn dict<const N: usize>(entries: [(&str, Vec<u8>); N]) -> Vec<u8> {
    let inside = entries.map(|(key, value)| [string(key), value].concat()).concat();
    [b"d".to_vec(), inside, b"e".to_vec()].concat()
}

fn list(items: &[Vec<u8>]) -> Vec<u8> {
    [b"l".to_vec(), items.concat(), b"e".to_vec()].concat()
}

fn int(integer: i64) -> Vec<u8> {
    format!("i{integer}e").into_bytes()
}

fn piece() -> (&'static str, Vec<u8>) {
    ("piece length", int(16384))
}

fn pieces() -> (&'static str, Vec<u8>) {
    ("pieces", string([7; 20]))
}

/// A file of v1.
fn file(parts: &[&str], length: i64) -> Vec<u8> {
    let parts: Vec<_> = parts.iter().map(string).collect();
    dict([("length", int(length)), ("path", list(&parts))])
}

/// A file of v2.
fn leaf(length: i64) -> Vec<u8> {
    dict([("", dict([("length", int(length)), ("pieces root", string([1; 32]))]))])
}

fn of_files(name: &str, files: &[Vec<u8>]) -> Vec<u8> {
    let info = dict([("files", list(files)), ("name", string(name)), piece(), pieces()]);
    dict([("info", info)])
}

fn of_tree(tree: Vec<u8>) -> Vec<u8> {
    let name = ("name", string("Name"));
    dict([("info", dict([("file tree", tree), ("meta version", int(2)), name, piece()]))])
}

fn paths(bytes: &[u8]) -> Vec<(String, bool)> {
    let files = Torrent::parse(bytes).expect("it is a torrent").files;
    files.into_iter().map(|file| (file.path, file.plain)).collect()
}

#[track_caller]
fn refused(bytes: &[u8], why: &'static str) {
    assert_eq!(Torrent::parse(bytes), Err(TorrentError::Broken(why)));
}

fn v1_of(info: &[u8]) -> InfoHash {
    InfoHash::v1(Sha1::digest(info).into())
}

fn v2_of(info: &[u8]) -> InfoHash {
    InfoHash::v2(Sha256::digest(info).into())
}

#[test]
fn a_single_file_is_called_as_its_torrent_is() {
    let info = dict([
        ("length", int(5)),
        ("name", string("a.mkv")),
        piece(),
        pieces(),
        ("private", int(1)),
    ]);
    let tiers = list(&[
        list(&[string("udp://a"), string("udp://b")]),
        list(&[string("udp://b"), string("")]),
    ]);
    let bytes =
        dict([("announce", string("udp://a")), ("announce-list", tiers), ("info", info.clone())]);
    let expected = Torrent {
        hashes: [v1_of(&info)].into_iter().collect(),
        name: "a.mkv".to_owned(),
        size_bytes: 5,
        files: vec![Listed {
            path: "a.mkv".to_owned(),
            plain: true,
            size_bytes: 5,
            symlink: false,
        }],
        private: true,
        trackers: 2,
    };
    assert_eq!(Torrent::parse(&bytes), Ok(expected.clone()));
    assert_eq!(Torrent::parse(&[bytes, b"\r\n".to_vec()].concat()), Ok(expected));
}

#[test]
fn the_hash_is_of_the_bytes_that_are_there_and_not_of_better_ones() {
    // Keys out of order, one of them twice, and an info inside of the info.
    let inner = dict([("length", int(1)), ("name", string("other")), piece(), pieces()]);
    let info = dict([
        ("pieces", string([7; 20])),
        ("name", string("first")),
        ("name", string("second")),
        ("info", inner.clone()),
        piece(),
        ("length", int(5)),
    ]);
    let bytes = dict([("zzz", int(1)), ("info", info.clone()), ("info", inner), ("a", int(2))]);
    let torrent = Torrent::parse(&bytes).unwrap();
    assert_eq!(torrent.hashes, [v1_of(&info)].into_iter().collect());
    assert_eq!((torrent.name.as_str(), torrent.size_bytes), ("first", 5));
}

#[test]
fn hashes_are_those_that_other_programs_compute() {
    let pieces = ("pieces", string([b'.'; 20]));
    let info = dict([("length", int(5)), ("name", string("a.mkv")), piece(), pieces]);
    let v1 = Torrent::parse(&dict([("info", info)])).unwrap().hashes;
    assert!(v1.contains(&InfoHash::parse("1de01d97b22260ec3bdcec6ad91c4206e23021c1").unwrap()));
    let tree = dict([("a.mkv", dict([("", dict([("length", int(5))]))]))]);
    let version = ("meta version", int(2));
    let info = dict([("file tree", tree), version, ("name", string("a.mkv")), piece()]);
    let v2 = Torrent::parse(&dict([("info", info)])).unwrap().hashes;
    let whole = "6c8074b9968486066004eb137d372e9b86854268a6496d18b0b262bf40bf0039";
    assert_eq!(v2, [InfoHash::parse(whole).unwrap()].into_iter().collect());
}

#[test]
fn paths_that_lead_elsewhere_are_shown_as_plain_names() {
    let files = [
        file(&["Season 1", "e1.mkv"], 1),
        file(&["..", "..", "etc", "passwd"], 1),
        file(&["/etc/passwd"], 1),
        file(&["a", "", "b"], 1),
        file(&["C:\\a\0"], 1),
    ];
    let plain = |path: &str| (path.to_owned(), true);
    let altered = |path: &str| (path.to_owned(), false);
    assert_eq!(
        paths(&of_files("Name", &files)),
        [
            plain("Name/Season 1/e1.mkv"),
            altered("Name/_/_/etc/passwd"),
            altered("Name/_etc_passwd"),
            altered("Name/a/_/b"),
            altered("Name/C:_a_"),
        ]
    );
    let up = of_files("../../etc", &[file(&["a"], 1)]);
    assert_eq!(paths(&up), [altered(".._.._etc/a")]);
    assert_eq!(paths(&of_files("..", &[file(&["a"], 1)])), [altered("_/a")]);
}

#[test]
fn a_better_encoding_counts_before_an_older_one() {
    let both = dict([
        ("length", int(1)),
        ("path", list(&[string([0xc8, 0xec, 0xff])])),
        ("path.utf-8", list(&[string("Имя")])),
    ]);
    let info = dict([
        ("files", list(&[both])),
        ("name", string([0xc8])),
        ("name.utf-8", string("Имя\n")),
        piece(),
        pieces(),
    ]);
    let torrent = Torrent::parse(&dict([("info", info)])).unwrap();
    assert_eq!((torrent.name.as_str(), torrent.files[0].path.as_str()), ("Имя", "Имя_/Имя"));
}

#[test]
fn padding_is_left_out_and_links_are_marked() {
    let pad = dict([("attr", string("p")), ("length", int(9)), ("path", list(&[string(".pad")]))]);
    let nameless = dict([("attr", string("xp")), ("length", int(9))]);
    let old = file(&["_____padding_file_0_____"], 9);
    let link = dict([
        ("attr", string("l")),
        ("length", int(7)),
        ("path", list(&[string("link")])),
        ("symlink path", list(&[string("..")])),
    ]);
    let torrent =
        Torrent::parse(&of_files("N", &[file(&["a"], 1), pad, nameless, old, link])).unwrap();
    let seen: Vec<_> =
        torrent.files.iter().map(|f| (f.path.as_str(), f.size_bytes, f.symlink)).collect();
    assert_eq!(seen, [("N/a", 1, false), ("N/link", 0, true)]);
    assert_eq!(torrent.size_bytes, 1);
    let link = dict([("", dict([("attr", string("hl"))]))]);
    let torrent = Torrent::parse(&of_tree(dict([("a", leaf(3)), ("b", link)]))).unwrap();
    assert_eq!(torrent.files.iter().map(|f| f.symlink).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn a_tree_is_walked_in_its_order() {
    let season =
        dict([("e1.mkv", leaf(2)), ("..", dict([("e2.mkv", leaf(3))])), ("none", dict([]))]);
    let tree = dict([("S1", season), ("z.nfo", leaf(0))]);
    let bytes = of_tree(tree);
    let torrent = Torrent::parse(&bytes).unwrap();
    let seen: Vec<_> =
        torrent.files.iter().map(|f| (f.path.as_str(), f.plain, f.size_bytes)).collect();
    assert_eq!(
        seen,
        [("Name/S1/e1.mkv", true, 2), ("Name/S1/_/e2.mkv", false, 3), ("Name/z.nfo", true, 0)]
    );
    let info = &bytes[b"d4:info".len()..bytes.len() - 1];
    assert_eq!(torrent.hashes, [v2_of(info)].into_iter().collect());
    assert_eq!(torrent.hashes.iter().count(), 2, "whole and shortened");
    // A single file has no folder, and a single file in a folder has two.
    assert_eq!(paths(&of_tree(dict([("a.mkv", leaf(1))])))[0].0, "a.mkv");
    assert_eq!(paths(&of_tree(dict([("d", dict([("a", leaf(1))]))])))[0].0, "Name/d/a");
}

#[test]
fn a_torrent_of_both_kinds_has_all_hashes() {
    let info = dict([
        ("file tree", dict([("a", leaf(4)), ("b", leaf(5))])),
        ("files", list(&[file(&["a"], 4), file(&["b"], 5)])),
        ("meta version", int(2)),
        ("name", string("Both")),
        piece(),
        pieces(),
    ]);
    let torrent = Torrent::parse(&dict([("info", info.clone())])).unwrap();
    assert_eq!(torrent.hashes, [v1_of(&info), v2_of(&info)].into_iter().collect());
    assert_eq!((torrent.hashes.iter().count(), torrent.size_bytes), (3, 9));
    // A tree without the version that has trees is none.
    let old = dict([
        ("file tree", dict([("a", leaf(4))])),
        ("length", int(7)),
        ("name", string("Old")),
        piece(),
        pieces(),
    ]);
    let torrent = Torrent::parse(&dict([("info", old.clone())])).unwrap();
    assert_eq!(torrent.hashes, [v1_of(&old)].into_iter().collect());
    assert_eq!(torrent.size_bytes, 7);
}

#[test]
fn what_is_no_torrent_is_refused() {
    let name = || ("name", string("a"));
    let length = || ("length", int(1));
    let info = |info: Vec<u8>| dict([("info", info)]);
    refused(b"", "no bencode");
    refused(b"<html>", "no bencode");
    for nothing in [&b"i1e"[..], b"de", b"le", b"4:info", b"d4:infolee", b"d4:info3:abce"] {
        refused(nothing, "no info");
    }
    let good = info(dict([length(), name(), piece(), pieces()]));
    refused(&[good.as_slice(), &good].concat(), "something comes after it");
    refused(&info(dict([length(), name(), pieces()])), "no length of pieces");
    let zero = ("piece length", int(0));
    refused(&info(dict([length(), name(), zero, pieces()])), "no length of pieces");
    refused(&info(dict([length(), piece(), pieces()])), "no name");
    refused(&info(dict([length(), ("name", int(1)), piece(), pieces()])), "no name");
    refused(&info(dict([length(), name(), piece()])), "no pieces");
    let odd = ("pieces", string([1; 21]));
    refused(&info(dict([length(), name(), piece(), odd])), "pieces without a whole hash");
    let third = ("meta version", int(3));
    refused(
        &info(dict([length(), third, name(), piece(), pieces()])),
        "a version that is not known",
    );
    refused(&info(dict([name(), piece(), pieces()])), "a file without a length");
    refused(&info(dict([("length", int(-1)), name(), piece(), pieces()])), "a negative length");
}

#[test]
fn lists_of_files_that_are_none_are_refused() {
    refused(&of_files("N", &[]), "no files");
    refused(&of_files("N", &[int(1)]), "a file without a length");
    refused(&of_files("N", &[file(&[], 1)]), "a file without a name");
    let number = dict([("length", int(1)), ("path", list(&[int(1)]))]);
    refused(&of_files("N", &[number]), "a path of something else than names");
    let large = file(&["a"], i64::MAX);
    refused(&of_files("N", &[large.clone(), large.clone(), large]), "too many bytes");
    refused(&of_files("N", &[file(&[&"x".repeat(5000)], 1)]), "a path is too long");
    refused(&of_files("N", &[file(&vec!["x"; 3000], 1)]), "a path is too long");
    for tree in [int(1), dict([("a", int(1))])] {
        refused(&of_tree(tree), "no file tree");
    }
    refused(&of_tree(dict([])), "no files");
    let nameless = dict([("", leaf(1)), ("a", leaf(1))]);
    refused(&of_tree(nameless), "a directory without a name");
    refused(&of_tree(dict([("a", dict([("", int(1))]))])), "a file without a length");
}

#[test]
fn a_torrent_has_its_limits() {
    let files = |count: usize| vec![file(&["a"], 1); count];
    assert_eq!(Torrent::parse(&of_files("N", &files(FILES))).unwrap().files.len(), FILES);
    let many = of_files("N", &files(FILES + 1));
    assert_eq!(Torrent::parse(&many), Err(TorrentError::TooManyFiles));
    // Padding counts: it is read, too.
    let pad = dict([("attr", string("p")), ("length", int(1))]);
    let padded = of_files("N", &vec![pad; FILES + 1]);
    assert_eq!(Torrent::parse(&padded), Err(TorrentError::TooManyFiles));
    let large = vec![b'x'; TORRENT_BYTES + 1];
    assert_eq!(Torrent::parse(&large), Err(TorrentError::TooLarge));
    // A few bytes that would become gigabytes of paths.
    let inside: Vec<u8> =
        (0..50_000).flat_map(|n| [string(format!("{n}")), leaf(1)].concat()).collect();
    let wide = [b"d".to_vec(), inside, b"e".to_vec()].concat();
    let folder = "x".repeat(4000);
    let deep = of_tree(dict([(folder.as_str(), wide)]));
    refused(&deep, "paths are too long");
}

proptest! {
    #[test]
    fn hashes_and_sizes_are_those_of_what_was_written(
        sizes in prop::collection::vec(0_i64..1 << 40, 1..20),
        name in r"[^/\\\p{C}]{1,20}",
        noise in prop::collection::vec(any::<u8>(), 0..40),
        hybrid: bool,
    ) {
        let files: Vec<_> = sizes.iter().map(|size| file(&["f"], *size)).collect();
        let leaves: Vec<_> = sizes.iter().enumerate()
            .flat_map(|(n, size)| [string(format!("{n}")), leaf(*size)].concat()).collect();
        let tree = [b"d".to_vec(), leaves, b"e".to_vec()].concat();
        let version = ("meta version", int(if hybrid { 2 } else { 1 }));
        let info = dict([("x", string(&noise)), ("file tree", tree), ("files", list(&files)),
            version, ("name", string(&name)), piece(), pieces()]);
        let torrent = Torrent::parse(&dict([("info", info.clone())])).unwrap();
        let mut hashes: Hashes = [v1_of(&info)].into_iter().collect();
        if hybrid {
            hashes.insert(v2_of(&info));
        }
        prop_assert_eq!(torrent.hashes, hashes);
        prop_assert_eq!(torrent.files.len(), sizes.len());
        prop_assert_eq!(i64::try_from(torrent.size_bytes).unwrap(), sizes.iter().sum::<i64>());
    }

    #[test]
    fn a_torrent_with_any_byte_changed_ends_in_something(at: prop::sample::Index, to: u8) {
        let season = dict([("e1.mkv", leaf(2)), ("e2.mkv", leaf(3))]);
        let mut bytes = of_tree(dict([("S1", season), ("z.nfo", leaf(0))]));
        let at = at.index(bytes.len());
        bytes[at] = to;
        if let Ok(torrent) = Torrent::parse(&bytes) {
            prop_assert!(!torrent.files.is_empty() && !torrent.hashes.is_empty());
            prop_assert!(!torrent.name.contains(['\n', '\0']));
        }
    }
}

use super::*;
use data_encoding::BASE32_NOPAD;
use proptest::prelude::*;

const V1: &str = "dd8255ecdc7ca55fb0bbf81323d87062db1f6d1c";
const V2: &str = "caf1e1c30e81cb361b9ee167c4aa64228a7fa4fa9f6105232b28ad099f3a302e";

fn parsed(query: &str) -> Magnet {
    Magnet::parse(&format!("magnet:?{query}")).expect("it is a magnet")
}

#[track_caller]
fn refused(link: &str, why: &'static str) {
    assert_eq!(Magnet::parse(link), Err(NotAMagnet(why)), "{link}");
}

#[test]
fn a_hash_is_read_however_it_is_written() {
    let plain = parsed(&format!("xt=urn:btih:{V1}"));
    assert_eq!(plain.to_string(), format!("magnet:?xt=urn:btih:{V1}"));
    let bytes = base16ct::lower::decode_vec(V1).unwrap();
    let base32 = BASE32_NOPAD.encode(&bytes);
    for query in [
        format!("xt=urn:btih:{}", V1.to_uppercase()),
        format!("xt=urn:btih:{base32}"),
        format!("xt=urn:btih:{}", base32.to_lowercase()),
        format!("xt=URN:BTIH:{V1}"),
        format!("xt=urn%3Abtih%3A{V1}"),
        format!("xt.1=urn:btih:{V1}"),
        format!("xt=urn:sha1:{base32}&xt=urn:btih:{V1}&x.pe=10.0.0.1:80&ws=http://10.0.0.1/"),
        format!("&&xt=urn:btih:{V1}&xt=urn:btih:{base32}&="),
    ] {
        assert_eq!(parsed(&query), plain, "{query}");
    }
    for link in ["MAGNET:?", "Magnet:/?", "magnet://?", " magnet:?"] {
        assert_eq!(Magnet::parse(&format!("{link}xt=urn:btih:{V1}\n")).as_ref(), Ok(&plain));
    }
}

#[test]
fn a_magnet_of_two_kinds_is_called_by_all_its_hashes() {
    let both = parsed(&format!("xt=urn:btmh:1220{V2}&xt=urn:btih:{V1}"));
    let hashes = both.hashes();
    for called in [V1, V2, &V2[..40]] {
        assert!(hashes.contains(&InfoHash::parse(called).unwrap()));
    }
    assert_eq!(hashes.iter().count(), 3);
    assert_eq!(both.to_string(), format!("magnet:?xt=urn:btih:{V1}&xt=urn:btmh:1220{V2}"));
    let only = parsed(&format!("xt=urn:btmh:1220{}", V2.to_uppercase()));
    assert!(!only.hashes().contains(&InfoHash::parse(V1).unwrap()) && only.hashes().meets(&hashes));
}

#[test]
fn what_names_no_torrent_or_two_is_refused() {
    for link in ["", "magnet", "magnet:", "magnet:xt=urn:btih:", "http://a.test/?xt=urn:btih:"] {
        refused(&format!("{link}{V1}"), "another scheme");
    }
    for query in ["", "dn=a", "xt=", "xt=urn:ed2k:31D6CFE0D16AE931B73C59D7E0C089C0", "xt"] {
        refused(&format!("magnet:?{query}"), "no hash of a torrent");
    }
    let short = &V1[1..];
    for hash in [
        "btih:",
        &format!("btih:{short}"),
        &format!("btih:{V1}0"),
        &format!("btih:{V2}"),
        &format!("btih:{}", "z".repeat(40)),
        &format!("btih:{}", "1".repeat(32)),
        &format!("btih:{}", "я".repeat(20)),
        &format!("btmh:{V2}"),
        &format!("btmh:1220{V1}"),
        &format!("btmh:1114{V1}"),
        &format!("btmh:1220{}", &V2[1..]),
    ] {
        refused(&format!("magnet:?xt=urn:{hash}"), "a hash that is none");
    }
    let other = V1.replace('d', "e");
    refused(&format!("magnet:?xt=urn:btih:{V1}&xt=urn:btih:{other}"), "two torrents in one link");
    let long = "x".repeat(LINK_BYTES);
    refused(&format!("magnet:?xt=urn:btih:{V1}&dn={long}"), "too long");
}

#[test]
fn names_sizes_and_trackers_are_read_and_limited() {
    let magnet = parsed(&format!(
        "dn=%D0%98%D0%BC%D1%8F+1%0A&amp;xt=urn:btih:{V1}&#38;xl=42&amp;amp;tr=udp%3A%2F%2Ft.test%3A1%2Fa&\
         tr.2=HTTPS://t.test/a?b=c%26d&tr=udp://t.test:1/a&tr=ftp://t.test&tr=&tr=udp://t%0A.test&dn=b"
    ));
    assert_eq!((magnet.name(), magnet.size_bytes()), (Some("Имя 1"), Some(42)));
    assert_eq!(magnet.trackers(), ["udp://t.test:1/a", "HTTPS://t.test/a?b=c&d"]);
    for size in ["0", "-1", "1e9", "18446744073709551616"] {
        assert_eq!(parsed(&format!("xt=urn:btih:{V1}&xl={size}")).size_bytes(), None);
    }
    let trackers: Vec<_> = (0..100).map(|n| format!("tr=udp://{n}.test")).collect();
    let (trackers, name) = (trackers.join("&"), "я".repeat(1000));
    let many = parsed(&format!("xt=urn:btih:{V1}&{trackers}&dn={name}"));
    assert_eq!((many.trackers().len(), many.name().map(str::len)), (TRACKERS, Some(NAME_BYTES)));
    let long = format!("udp://{}", "x".repeat(TRACKER_BYTES));
    assert!(parsed(&format!("xt=urn:btih:{V1}&tr={long}")).trackers().is_empty());
}

#[test]
fn the_longest_that_is_written_is_read() {
    let tracker = |n: usize| format!("udp://{n:02}{}", "я".repeat((TRACKER_BYTES - 8) / 2));
    let magnet = Magnet {
        v1: InfoHash::parse(V1),
        v2: InfoHash::parse(V2),
        name: Some("я".repeat(NAME_BYTES / 2)),
        trackers: (0..TRACKERS).map(tracker).collect(),
        size_bytes: None,
    };
    assert_eq!(Magnet::parse(&magnet.to_string()), Ok(magnet));
}

fn any_magnet() -> impl Strategy<Value = Magnet> {
    let name = prop::option::of(any::<String>());
    let trackers = prop::collection::vec(r"(udp|http|https|ws|wss)://[^\s\p{Cc}]{0,20}", 0..8);
    let hashes = (any::<[u8; 20]>(), any::<[u8; 32]>(), 0..3_u8);
    (hashes, name, trackers).prop_map(|((v1, v2, kinds), name, mut trackers)| {
        trackers.sort();
        trackers.dedup();
        Magnet {
            v1: (kinds != 1).then(|| InfoHash::v1(v1)),
            v2: (kinds != 0).then(|| InfoHash::v2(v2)),
            name: name.and_then(|name| shown::name(&name, NAME_BYTES)),
            trackers,
            size_bytes: None,
        }
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read(magnet in any_magnet()) {
        prop_assert_eq!(Magnet::parse(&magnet.to_string()), Ok(magnet));
    }

    #[test]
    fn any_text_ends_in_a_magnet_that_is_read_again_or_in_an_error(
        text in r"(magnet:\?|xt=urn:bt[im]h:(1220)?|[a-f0-9]{40}|[A-Z2-7]{32}|&|=|dn|tr|xl|%|\PC){0,20}",
    ) {
        if let Ok(magnet) = Magnet::parse(&text) {
            let plain = Magnet { size_bytes: None, ..magnet };
            prop_assert_eq!(Magnet::parse(&plain.to_string()), Ok(plain));
        }
    }
}

use super::*;
use proptest::prelude::*;

/// A value as it is built here, to be compared with what is read.
#[derive(Clone, Debug, PartialEq)]
enum Built {
    Integer(i64),
    String(Vec<u8>),
    List(Vec<Built>),
    /// Keys in any order, and more than once.
    Dict(Vec<(Vec<u8>, Built)>),
}

fn write(value: &Built, to: &mut Vec<u8>) {
    let string = |bytes: &[u8], to: &mut Vec<u8>| {
        to.extend(format!("{}:", bytes.len()).into_bytes());
        to.extend(bytes);
    };
    match value {
        Built::Integer(integer) => to.extend(format!("i{integer}e").into_bytes()),
        Built::String(bytes) => string(bytes, to),
        Built::List(items) => {
            to.push(b'l');
            for item in items {
                write(item, to);
            }
            to.push(b'e');
        }
        Built::Dict(entries) => {
            to.push(b'd');
            for (key, value) in entries {
                string(key, to);
                write(value, to);
            }
            to.push(b'e');
        }
    }
}

fn rebuilt(node: Node<'_>) -> Built {
    if let Some(integer) = node.integer() {
        Built::Integer(integer)
    } else if let Some(bytes) = node.string() {
        Built::String(bytes.to_vec())
    } else if let Some(items) = node.items() {
        Built::List(items.map(rebuilt).collect())
    } else {
        let entries = node.entries().expect("there is no fifth kind");
        Built::Dict(entries.map(|(key, value)| (key.to_vec(), rebuilt(value))).collect())
    }
}

fn any_value() -> impl Strategy<Value = Built> {
    let string = || prop::collection::vec(any::<u8>(), 0..8);
    let leaf = prop_oneof![any::<i64>().prop_map(Built::Integer), string().prop_map(Built::String)];
    leaf.prop_recursive(6, 64, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Built::List),
            prop::collection::vec((string(), inner), 0..6).prop_map(Built::Dict),
        ]
    })
}

fn read(bytes: &[u8]) -> Result<(), BencodeError> {
    Document::read(bytes).map(drop)
}

#[test]
fn what_is_bencode_is_read() {
    let long = format!("i{}e", "9".repeat(400));
    for good in ["i0e", "i-1e", "i10e", &long, "0:", "3:abc", "le", "de", "d1:ai1ee", "lli0eelee"] {
        assert_eq!(read(good.as_bytes()), Ok(()), "{good}");
    }
    let (document, rest) = Document::read(long.as_bytes()).unwrap();
    assert_eq!((document.root().integer(), rest), (None, b"".as_slice()));
    let (document, rest) = Document::read(b"2:i0e").unwrap();
    assert_eq!((document.root().string(), rest), (Some(b"i0".as_slice()), b"e".as_slice()));
}

#[test]
fn what_is_not_bencode_is_refused_with_its_place() {
    #[track_caller]
    fn check(bad: &str, at: usize) {
        assert_eq!(read(bad.as_bytes()), Err(BencodeError::Syntax { at }), "{bad}");
    }
    check("", 0);
    check("x", 0);
    check("e", 0);
    check("-1:", 0);
    // Integers.
    for bad in ["i", "ie", "i-e", "i-0e", "i00e", "i01e", "i-01e", "i1", "i+1e", "i1.0e", "i 1e"] {
        check(bad, 0);
    }
    // Strings.
    for bad in ["1", "1:", "01:a", "00:", "1a", "18446744073709551615:", "18446744073709551616:a"] {
        check(bad, 0);
    }
    check("l", 1);
    check("li1e", 4);
    check("lx", 1);
    // A key that is no string; a key without a value.
    check("di1ei1ee", 1);
    check("dlei1ee", 1);
    check("d1:ae", 4);
    check("d1:a", 4);
}

#[test]
fn keys_in_any_order_are_read_and_the_first_of_several_counts() {
    let bytes = b"d1:bi1e1:ai2e1:bi3ee";
    let (document, _) = Document::read(bytes).unwrap();
    let root = document.root();
    assert_eq!(root.get(b"b").and_then(Node::integer), Some(1));
    assert_eq!(root.get(b"a").and_then(Node::integer), Some(2));
    assert!(root.get(b"c").is_none());
    let keys: Vec<_> = root.entries().unwrap().map(|(key, _)| key).collect();
    assert_eq!(keys, [b"b", b"a", b"b"]);
}

#[test]
fn depth_and_number_have_their_limits() {
    let nested = |depth: usize| [vec![b'l'; depth], vec![b'e'; depth]].concat();
    assert_eq!(read(&nested(DEPTH)), Ok(()));
    assert_eq!(read(&nested(DEPTH + 1)), Err(BencodeError::TooDeep));
    assert_eq!(read(&vec![b'd'; 1 << 20]), Err(BencodeError::Syntax { at: 1 }));
    assert_eq!(read(&vec![b'l'; 1 << 20]), Err(BencodeError::TooDeep));
    let wide = |count: usize| [b"l".to_vec(), b"0:".repeat(count), b"e".to_vec()].concat();
    assert_eq!(read(&wide(VALUES - 1)), Ok(()));
    assert_eq!(read(&wide(VALUES)), Err(BencodeError::TooMany));
}

proptest! {
    #[test]
    fn what_is_written_is_read(value in any_value(), rest: Vec<u8>) {
        let mut bytes = Vec::new();
        write(&value, &mut bytes);
        let length = bytes.len();
        bytes.extend(&rest);
        let (document, after) = Document::read(&bytes).unwrap();
        prop_assert_eq!(rebuilt(document.root()), value);
        prop_assert_eq!((document.root().raw(), after), (&bytes[..length], rest.as_slice()));
    }

    #[test]
    fn a_document_that_breaks_off_is_none(value in any_value(), at: prop::sample::Index) {
        let mut bytes = Vec::new();
        write(&value, &mut bytes);
        prop_assert!(read(&bytes[..at.index(bytes.len())]).is_err());
    }

    #[test]
    fn every_value_keeps_its_own_bytes(value in any_value()) {
        let mut bytes = Vec::new();
        write(&value, &mut bytes);
        let (document, _) = Document::read(&bytes).unwrap();
        if let Some(mut entries) = document.root().entries() {
            prop_assert!(entries.all(|(_, inner)| Document::read(inner.raw()).is_ok_and(
                |(alone, rest)| rest.is_empty() && rebuilt(alone.root()) == rebuilt(inner))));
        }
    }

    #[test]
    fn any_bytes_end_in_something(bytes in r"(d|l|e|i|-|[0-9]|:|[0-3]:.|\PC){0,60}") {
        if let Ok((document, rest)) = Document::read(bytes.as_bytes()) {
            prop_assert_eq!(document.root().raw().len() + rest.len(), bytes.len());
            rebuilt(document.root());
        }
    }
}

use super::*;

fn segment(start_ms: u64, text: &str) -> Segment {
    Segment { start_ms, end_ms: start_ms + 1000, text: text.to_owned(), speaker: None }
}

/// Segments as a store keeps them, and the card that goes with them.
fn card(texts: &[&str]) -> (String, Card) {
    let segments: Vec<Segment> =
        texts.iter().enumerate().map(|(n, text)| segment(n as u64, text)).collect();
    let stored: Vec<String> = segments.iter().map(|s| serde_json::to_string(s).unwrap()).collect();
    let lengths: Vec<usize> = stored.iter().map(String::len).collect();
    (format!("[{}]", stored.join(",")), Card::new(&segments, &lengths))
}

fn part(stored: &str, stretch: Stretch) -> Vec<Segment> {
    let part = &stored[stretch.from..stretch.from + stretch.length];
    serde_json::from_str(&format!("[{part}]")).unwrap()
}

#[test]
fn it_reads_back() {
    for texts in [&[][..], &["Привет, мир! Hello \"world\""], &["а", "б", "в"]] {
        let (_, card) = card(texts);
        assert_eq!(Card::read(&card.write()).as_ref(), Some(&card), "{texts:?}");
    }
}

#[test]
fn a_stretch_is_a_part_of_what_is_stored() {
    let long = "слово ".repeat(50);
    let (stored, card) = card(&["раз два", &long, "\"три\"\n四 🎈", &long, "три четыре"]);
    let found = |typed: &str| -> Vec<u64> {
        let stretches = Card::stretches(&card.write(), &Query::new(typed).unwrap()).unwrap();
        stretches.into_iter().map(|s| part(&stored, s)[0].start_ms).collect()
    };
    assert_eq!(found("раз"), [0]);
    assert_eq!(found("три"), [2, 4]);
    assert_eq!(found("слово"), [0, 2]);
    assert_eq!(found("четырём три"), [2, 4], "both words together, and the other place");
    assert_eq!(found("раз четыре"), [0, 4]);
    assert_eq!(found("четыр* тря"), [4]);
    assert_eq!(found("пять"), [0; 0]);
}

#[test]
fn it_is_found_by_everything_that_is_told_of_it() {
    let (_, card) = card(&["Говорили о договоре"]);
    let content = Content::new(["Встреча", "", "anna_2024-05-01.ogg", "о договорах"]);
    let expected = ["01", "05", "2024", "anna", "ogg", "встреч", "говор", "договор", "о"];
    assert_eq!(card.stems(&content), expected);
    assert_eq!(Card::default().stems(&Content::default()), [""; 0]);
}

#[test]
fn stems_have_a_limit() {
    let words: Vec<String> = (0..2 * MOST_STEMS).map(|n| format!("слово{n}")).collect();
    let (_, few) = card(&[&words.join(" ")]);
    assert_eq!(few.stems.len(), MOST_STEMS);
    let words: Vec<String> = (0..MOST_STEMS).map(|n| format!("{}{n}", "щ".repeat(30))).collect();
    let (_, short) = card(&[&words.join(" ")]);
    assert!(short.stems.keys().map(String::len).sum::<usize>() <= MOST_BYTES);
    let many = vec!["слово ".repeat(100); 100];
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let (_, often) = card(&many);
    assert_eq!(often.stems["слов"], [0, 1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn other_bytes_are_refused() {
    let (_, card) = card(&["раз два", "три"]);
    let bytes = card.write();
    let query = Query::new("раз").unwrap();
    for end in 0..bytes.len() {
        assert_eq!(Card::read(&bytes[..end]), None);
    }
    for at in 0..bytes.len() {
        for value in [0, 1, 0x7f, 0x80, 0xff] {
            let mut other = bytes.clone();
            other[at] = value;
            // Whatever they say, it is an answer.
            let _ = (Card::read(&other), Card::stretches(&other, &query));
        }
    }
    assert_eq!(Card::read(b"[{\"text\":\"x\"}]"), None);
    assert_eq!(Card::read(&[0xff; 64]), None);
}

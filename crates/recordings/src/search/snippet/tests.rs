use super::*;

fn segment(start_ms: u64, text: &str) -> Segment {
    Segment { start_ms, end_ms: start_ms + 1000, text: text.to_owned(), speaker: None }
}

/// The snippet with its hits in brackets, and its time.
fn check(texts: &[(u64, &str)], typed: &str, expected: Option<(&str, u64)>) {
    let segments: Vec<Segment> = texts.iter().map(|(ms, text)| segment(*ms, text)).collect();
    let found = snippet(&segments, &Query::new(typed).unwrap());
    let shown = found.as_ref().map(|snippet| {
        let pieces = snippet
            .pieces()
            .map(|(piece, hit)| if hit { format!("[{piece}]") } else { piece.to_owned() });
        (pieces.collect::<String>(), snippet.start_ms)
    });
    assert_eq!(shown.as_ref().map(|(text, ms)| (text.as_str(), *ms)), expected);
}

#[test]
fn hits_are_the_words_as_they_were_said() {
    check(
        &[(0, "Обсудили Счёт"), (1500, "и ДОГОВОРЫ аренды.")],
        "счета договор",
        Some(("Обсудили [Счёт] и [ДОГОВОРЫ] аренды.", 0)),
    );
    check(&[(0, "Раз."), (1500, "Два, два!")], "два", Some(("Раз. [Два], [два]!", 1500)));
    check(&[(0, "за\u{301}мок, Café’s")], "замка cafes", Some(("[за\u{301}мок], [Café’s]", 0)));
    check(&[(0, "микрофоны и микроскоп")], "микр*", Some(("[микрофоны] и [микроскоп]", 0)));
    check(&[(0, "a\nb\u{1b}[2J c")], "c", Some(("a b [2J [c]", 0)));
    check(&[(0, "Раз, два.")], "три", None);
    check(&[], "три", None);
}

#[test]
fn it_is_short_and_cut_between_words() {
    let long = format!("{}цель {}", "слово ".repeat(60), "конец ".repeat(60));
    let segments = [segment(7, &long)];
    let found = snippet(&segments, &Query::new("цель").unwrap()).unwrap();
    assert!(found.text.starts_with("…слово ") && found.text.ends_with(" конец…"), "{}", found.text);
    let chars = found.text.chars().count();
    assert!((LONGEST - 10..=LONGEST + 2).contains(&chars), "{chars}");
    assert_eq!(found.hits.iter().map(|at| &found.text[at.clone()]).collect::<Vec<_>>(), ["цель"]);
    let last = snippet(&segments, &Query::new("конец").unwrap()).unwrap();
    assert!(last.hits.len() > 15, "{last:?}");
}

#[test]
fn the_end_of_a_text_has_more_before_it() {
    let long = format!("{}цель", "слово ".repeat(60));
    let found = snippet(&[segment(0, &long)], &Query::new("цель").unwrap()).unwrap();
    assert!(found.text.chars().count() > LONGEST - 10, "{}", found.text);
}

#[test]
fn what_is_together_is_shown() {
    let far = "и ".repeat(100);
    let text = format!("аренда {far} договор {far} договор аренды {far} аренда");
    let found = snippet(&[segment(0, &text)], &Query::new("договор аренды").unwrap()).unwrap();
    assert_eq!(found.hits.len(), 2);
    assert!(found.text.contains("договор аренды"), "{}", found.text);
}

#[test]
fn a_word_without_end_is_cut_all_the_same() {
    for word in ["щ".repeat(5000), "ไทย".repeat(2000), "a\u{301}".repeat(3000), "🎈".repeat(500)]
    {
        let text = format!("{word} цель {word}");
        let found = snippet(&[segment(0, &text)], &Query::new("цель").unwrap()).unwrap();
        assert!(found.text.chars().count() <= LONGEST + 2, "{}", found.text);
        if let Some(found) = Query::new(&word[..word.floor_char_boundary(900)])
            .ok()
            .and_then(|query| snippet(&[segment(0, &text)], &query))
        {
            assert!(found.text.chars().count() <= LONGEST + 2, "{}", found.text);
        }
    }
}

#[test]
fn hits_of_any_text() {
    let query = Query::new("встречи").unwrap();
    assert_eq!(hits("О встрече", &query), vec![3..17; 1]);
    assert_eq!(hits("Совещание", &query), []);
    assert_eq!(hits(&"встреча ".repeat(5000), &query).len(), MOST_HITS);
}

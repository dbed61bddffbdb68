use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use verst_kernel::WorkId;

use super::*;
use crate::model::{NewRecording, Recording, Source};
use crate::ports::Wish;
use crate::transcript::{Segment, Transcript};

fn text(sheet: &Sheet<'_>, format: Format) -> String {
    String::from_utf8(export(sheet, format)).unwrap()
}

fn transcript() -> Transcript {
    let segment = |start_ms, end_ms, text: &str| Segment {
        start_ms,
        end_ms,
        text: text.into(),
        speaker: None,
    };
    Transcript {
        language: Some("ru".into()),
        model: "base".into(),
        segments: vec![
            segment(0, 1500, "Привет,\n\nмир"),
            segment(3_599_999, 360_000_001, "a < b --> c & d"),
        ],
    }
}

#[test]
fn text_has_a_line_per_segment() {
    assert_eq!(text(&Sheet::bare(&transcript()), Format::Txt), "Привет, мир\na < b --> c & d\n");
    assert_eq!(text(&Sheet::bare(&Transcript::default()), Format::Txt), "");
}

#[test]
fn subrip_numbers_cues_and_uses_a_comma() {
    assert_eq!(
        text(&Sheet::bare(&transcript()), Format::Srt),
        "1\n00:00:00,000 --> 00:00:01,500\nПривет, мир\n\n\
         2\n00:59:59,999 --> 100:00:00,001\na < b → c & d\n\n"
    );
}

#[test]
fn webvtt_escapes_markup() {
    assert_eq!(
        text(&Sheet::bare(&transcript()), Format::Vtt),
        "WEBVTT\n\n00:00:00.000 --> 00:00:01.500\nПривет, мир\n\n\
         00:59:59.999 --> 100:00:00.001\na &lt; b --&gt; c &amp; d\n\n"
    );
}

#[test]
fn json_reads_back_and_has_the_whole_text() {
    let exported = text(&Sheet::bare(&transcript()), Format::Json);
    let value: serde_json::Value = serde_json::from_str(&exported).unwrap();
    assert_eq!(value["language"], "ru");
    assert_eq!(value["segments"][1]["end_ms"], 360_000_001);
    assert_eq!(value["text"], "Привет,\n\nмир a < b --> c & d");
}

/// Everything that somebody could type to get out of where it belongs.
const HOSTILE: &str =
    "a\u{0}b\u{1b}[31m \u{202e}gnp.exe\u{2066} <w:p>&amp;</w:t> ]]> *x* _y_ [z](q) # \u{ffff}\"'";

fn recording() -> Recording {
    Recording {
        id: WorkId(7),
        given: NewRecording {
            source: Source::Http,
            reply_to: None,
            owner: None,
            original: "original/x".into(),
            handle: None,
            name: Some("voice.ogg".into()),
            size_bytes: 1,
            wish: Wish::default(),
        },
        original_deleted: false,
        title: Some("Встреча №5".into()),
        summary: Some("Решили:\n\n- подписать\n1. оплатить".into()),
        topics: vec!["аренда".into(), "счёт".into()],
        speakers: BTreeMap::from([("S1".to_owned(), "Анна".to_owned())]),
        audio: None,
        duration: None,
        warnings: Vec::new(),
    }
}

fn talk() -> Transcript {
    let said = |start_ms, speaker: &str, text: &str| Segment {
        start_ms,
        end_ms: start_ms + 1000,
        text: text.into(),
        speaker: Some(speaker.into()),
    };
    Transcript {
        language: Some("ru".into()),
        model: "base".into(),
        segments: vec![
            said(0, "S1", "Добрый день."),
            said(1000, "S1", "Начнём?"),
            said(2000, "S2", "Да."),
            said(9000, "S2", "Итак…"),
            said(3_723_000, "S1", HOSTILE),
        ],
    }
}

fn say(key: &str) -> String {
    key.trim_start_matches("export-").to_owned()
}

#[test]
fn speakers_have_the_names_they_were_given() {
    let (recording, transcript) = (recording(), talk());
    let sheet = Sheet::new(&recording, &transcript, say);
    let lines = text(&sheet, Format::Txt);
    assert_eq!(lines.lines().next(), Some("Анна: Добрый день."));
    assert_eq!(lines.lines().nth(2), Some("S2: Да."));
    let value: serde_json::Value = serde_json::from_str(&text(&sheet, Format::Json)).unwrap();
    assert_eq!((&value["speakers"]["S1"], &value["title"]), (&"Анна".into(), &"Встреча №5".into()));
    assert_eq!(value["segments"][4]["text"], HOSTILE);
}

#[test]
fn markdown_has_everything_in_paragraphs_by_speaker() {
    let (recording, transcript) = (recording(), talk());
    let mut sheet = Sheet::new(&recording, &transcript, say);
    sheet.link = Some("https://verst.example/recordings/7".into());
    let expected = "# Встреча №5\n\n\
        - **language:** ru\n- **model:** base\n\n\
        ## summary\n\nРешили:\n\n\\- подписать\n\n1\\. оплатить\n\n\
        ## topics\n\n- аренда\n- счёт\n\n\
        ## text\n\n\
        [0:00](<https://verst.example/recordings/7#t=0>) **Анна:** Добрый день. Начнём?\n\n\
        [0:02](<https://verst.example/recordings/7#t=2>) **S2:** Да.\n\n\
        [0:09](<https://verst.example/recordings/7#t=9>) **S2:** Итак…\n\n\
        [1:02:03](<https://verst.example/recordings/7#t=3723>) **Анна:** \
        a b \\[31m gnp.exe \\<w:p\\>\\&amp;\\</w:t\\> \\]\\]\\> \\*x\\* \\_y\\_ \\[z\\](q) \\# \"'\n";
    assert_eq!(text(&sheet, Format::Md), expected);
    let silent = Transcript { segments: Vec::new(), ..talk() };
    let silent = text(&Sheet::new(&recording, &silent, say), Format::Md);
    assert!(silent.ends_with("## text\n\nsilence\n"), "{silent}");
}

/// The file of that name inside the document.
fn part(document: &[u8], name: &str) -> String {
    let mut archive = zip::ZipArchive::new(Cursor::new(document)).unwrap();
    let mut part = String::new();
    archive.by_name(name).unwrap().read_to_string(&mut part).unwrap();
    part
}

#[test]
fn a_document_has_everything_and_no_markup_of_others() {
    let (recording, transcript) = (recording(), talk());
    let mut sheet = Sheet::new(&recording, &transcript, say);
    sheet.link = Some("https://verst.example/r?a=1&b=\"2\"".into());
    let document = export(&sheet, Format::Docx);
    let body = part(&document, "word/document.xml");
    for told in [
        "Встреча №5",
        "language: ru",
        "• аренда",
        "- подписать",
        "Анна: ",
        "Добрый день. Начнём?",
        "[1:02:03]",
        "a b [31m gnp.exe &lt;w:p&gt;&amp;amp;&lt;/w:t&gt; ]]&gt; *x* _y_ [z](q) # ",
    ] {
        assert!(body.contains(told), "{told}: {body}");
    }
    let forbidden = |c: &char| !matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
    assert_eq!(body.chars().find(forbidden), None);
    assert!(!body.contains(['\u{202e}', '\u{2066}']), "nothing turns the direction");
    let links = part(&document, "word/_rels/document.xml.rels");
    assert!(links.contains("r?a=1&amp;b=&quot;2&quot;#t=3723"), "{links}");
}

#[test]
fn formats_have_names() {
    for format in Format::ALL {
        assert_eq!(Format::from_name(format.name()), Some(format));
        assert_eq!(
            format.media_type().starts_with("text/")
                || format.media_type().contains("subrip")
                || format == Format::Json,
            format.is_text()
        );
    }
    assert_eq!(Format::from_name("pdf"), None);
}

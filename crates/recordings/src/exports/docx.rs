//! A document of Word, as other programs read it too. It refuses to be beautiful: headings,
//! paragraphs and links are what any template of the reader's can dress.
//!
//! **Invariant:** no text comes to the library but through `line`, which leaves no character that
//! XML cannot have.

use std::io::Cursor;

use docx_rs::{BreakType, Docx, Hyperlink, HyperlinkType, Paragraph, Run, Style, StyleType};

use super::{Section, Sheet, line, time};

const TITLE: &str = "Title";
const HEADING: &str = "Heading1";
/// Colours of links and of what is less important than the text.
const BLUE: &str = "0563C1";
const GREY: &str = "595959";

pub(super) fn docx(sheet: &Sheet<'_>) -> Vec<u8> {
    let mut document = Docx::new()
        .add_style(Style::new(TITLE, StyleType::Paragraph).name("Title").size(40).bold())
        .add_style(
            Style::new(HEADING, StyleType::Paragraph)
                .name("heading 1")
                .size(28)
                .bold()
                .outline_lvl(0),
        )
        .add_paragraph(styled(TITLE, &sheet.heading));
    let mut facts = Paragraph::new();
    for (n, (name, value)) in sheet.facts.iter().enumerate() {
        let mut run = Run::new().color(GREY);
        if n > 0 {
            run = run.add_break(BreakType::TextWrapping);
        }
        facts = facts.add_run(run.add_text(format!("{}: {}", line(name), line(value))));
    }
    document = document.add_paragraph(facts);
    if let Some(summary) = &sheet.summary {
        document = section(document, summary, "");
    }
    if let Some(topics) = &sheet.topics {
        document = section(document, topics, "• ");
    }
    document = document.add_paragraph(styled(HEADING, &sheet.text));
    let turns = sheet.turns();
    if turns.is_empty() {
        document = document.add_paragraph(plain(&sheet.silence));
    }
    for turn in turns {
        let mut paragraph = at(sheet, turn.start_ms);
        if let Some(speaker) = turn.speaker {
            let run = Run::new().bold().add_text(format!("{}: ", line(speaker)));
            paragraph = paragraph.add_run(run);
        }
        document = document.add_paragraph(paragraph.add_run(Run::new().add_text(turn.text)));
    }
    let mut bytes = Cursor::new(Vec::new());
    // Memory does not refuse to be written to.
    let _ = document.build().pack(&mut bytes);
    bytes.into_inner()
}

fn plain(text: &str) -> Paragraph {
    Paragraph::new().add_run(Run::new().add_text(line(text)))
}

fn styled(style: &str, text: &str) -> Paragraph {
    plain(text).style(style)
}

fn section(mut document: Docx, section: &Section, mark: &str) -> Docx {
    document = document.add_paragraph(styled(HEADING, &section.heading));
    for line in section.lines.iter().map(|it| line(it)).filter(|it| !it.is_empty()) {
        document = document.add_paragraph(plain(&format!("{mark}{line}")));
    }
    document
}

/// A paragraph that begins with a time, which leads to the moment if there is an address.
fn at(sheet: &Sheet<'_>, ms: u64) -> Paragraph {
    let shown = format!("[{}]", time(ms));
    let paragraph = match sheet.moment(ms) {
        Some(address) => {
            let run = Run::new().color(BLUE).underline("single").add_text(shown);
            let link = Hyperlink::new(line(&address), HyperlinkType::External).add_run(run);
            Paragraph::new().add_hyperlink(link)
        }
        None => Paragraph::new().add_run(Run::new().color(GREY).add_text(shown)),
    };
    paragraph.add_run(Run::new().add_text(" "))
}

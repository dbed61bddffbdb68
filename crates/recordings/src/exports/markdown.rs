//! Markdown, as CommonMark has it: <https://spec.commonmark.org>.
//!
//! **Invariant:** nothing that was said or typed is markup.

use std::fmt::Write;

use super::{Section, Sheet, line, time};

pub(super) fn markdown(sheet: &Sheet<'_>) -> String {
    let mut out = format!("# {}\n\n", escaped(&sheet.heading));
    for (name, value) in &sheet.facts {
        let _ = writeln!(out, "- **{}:** {}", escaped(name), escaped(value));
    }
    out.push('\n');
    if let Some(summary) = &sheet.summary {
        section(&mut out, summary, "");
    }
    if let Some(topics) = &sheet.topics {
        section(&mut out, topics, "- ");
    }
    let _ = write!(out, "## {}\n\n", escaped(&sheet.text));
    let turns = sheet.turns();
    if turns.is_empty() {
        let _ = writeln!(out, "{}", escaped(&sheet.silence));
    }
    for (n, turn) in turns.iter().enumerate() {
        if n > 0 {
            out.push('\n');
        }
        let at = time(turn.start_ms);
        match sheet.moment(turn.start_ms) {
            Some(link) => {
                let _ = write!(out, "[{at}](<{}>) ", address(&link));
            }
            None => {
                let _ = write!(out, "\\[{at}\\] ");
            }
        }
        if let Some(speaker) = turn.speaker {
            let _ = write!(out, "**{}:** ", escaped(speaker));
        }
        let _ = writeln!(out, "{}", escaped(&turn.text));
    }
    out
}

/// A heading, and its lines each by itself.
fn section(out: &mut String, section: &Section, mark: &str) {
    let _ = write!(out, "## {}\n\n", escaped(&section.heading));
    let apart = if mark.is_empty() { "\n" } else { "" };
    let lines = section.lines.iter().map(|line| escaped(line)).filter(|line| !line.is_empty());
    for line in lines {
        let _ = write!(out, "{mark}{line}\n{apart}");
    }
    if apart.is_empty() {
        out.push('\n');
    }
}

/// A line of text in which no character is markup.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let text = line(text);
    for (at, c) in text.char_indices() {
        let begins = at == 0 && matches!(c, '-' | '+' | '=');
        // What a list with numbers begins with.
        let numbers = matches!(c, '.' | ')') && text[..at].bytes().all(|b| b.is_ascii_digit());
        let markup = "\\`*_{}[]<>#|~&!$".contains(c);
        if begins || markup || (at > 0 && numbers) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// An address between angle brackets.
fn address(link: &str) -> String {
    let plain = |c: &char| !matches!(c, '<' | '>' | '\\') && !c.is_control();
    link.chars().filter(plain).collect()
}

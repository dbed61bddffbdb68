//! `verst list`: what there is and where it stands, one line each.

use verst_kernel::WorkId;
use verst_service::{Filter, State, View};
use verst_words::Arg;

use crate::acts::house;
use crate::cli::List;
use crate::hits;
use crate::refusal::Refusal;
use crate::tongue::Tongue;

pub(crate) async fn list(args: List, tongue: &Tongue) -> Result<u8, Refusal> {
    let search = args.search.as_deref().map(hits::query).transpose()?;
    let searched = search.is_some();
    let house = house(&args.place).await?;
    // One more than shown tells whether there are more.
    let filter = Filter {
        state: args.pages.moving.then_some(State::Moving),
        before: args.pages.before.map(WorkId),
        limit: args.pages.limit.saturating_add(1),
        search,
        ..Filter::default()
    };
    let mut found = house.service.find(filter).await?;
    let more = found.len() > args.pages.limit as usize;
    found.truncate(args.pages.limit as usize);
    let Some(last) = found.last() else {
        let key = if searched { "search-nothing" } else { "cli-empty-list" };
        tongue.err(&tongue.say(key, &[]));
        return Ok(0);
    };
    let before = last.view.work.id.to_string();
    let heads = ["list-id", "list-state", "list-length", "list-name"];
    let mut rows = vec![heads.map(|key| tongue.say(key, &[])).to_vec()];
    rows.extend(found.iter().map(|one| row(&one.view, tongue)));
    let table = table(&rows);
    // The head has nothing below it.
    let below = std::iter::once(String::new()).chain(found.iter().map(hits::lines));
    let lines = table.lines().zip(below).map(|(line, below)| format!("{line}\n{below}"));
    let text = lines.collect::<Vec<_>>().concat();
    tongue.print(&text)?;
    if more {
        let key = if searched { "search-more" } else { "list-more" };
        tongue.err(&tongue.say(key, &[("before", Arg::Text(&before))]));
    }
    Ok(0)
}

fn row(view: &View, tongue: &Tongue) -> Vec<String> {
    vec![
        view.work.id.to_string(),
        state(view, tongue),
        view.recording.duration.map(|d| tongue.length(d)).unwrap_or_default(),
        name(view),
    ]
}

/// The title, else the name it came with; control characters must not reach the terminal.
pub(crate) fn name(view: &View) -> String {
    let name = view.recording.title.as_ref().or(view.recording.given.name.as_ref());
    clean(name.map_or("?", String::as_str))
}

/// Replaces characters that could steer a terminal.
pub(crate) fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

pub(crate) fn state(view: &View, tongue: &Tongue) -> String {
    let milestone = tongue.milestone(&view.work.milestone);
    let key = match (&view.work.stop, view.work.held) {
        (Some(_), _) => "state-stopped",
        (None, true) => "state-working",
        (None, false) => "state-waiting",
    };
    tongue.say(key, &[("milestone", Arg::Text(&milestone))])
}

/// Left-aligned columns two spaces apart.
pub(crate) fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |i: usize| rows.iter().map(|r| r[i].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_align_whatever_the_script() {
        let rows = [vec!["№".to_owned(), "имя".into()], vec!["12".into(), "a".into()]];
        assert_eq!(table(&rows), "№   имя\n12  a\n");
    }

    #[test]
    fn names_cannot_steer_the_terminal() {
        assert_eq!(clean("a\u{1b}[2Jb\n"), "a\u{fffd}[2Jb\u{fffd}");
    }
}

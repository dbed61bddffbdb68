//! `verst show`: everything about one recording, or one download.

use std::fmt::Write;
use std::time::Duration;

use verst_kernel::{Actor, Entry, Event, Timestamp};
use verst_recordings::exports::Format;
use verst_service::View;
use verst_words::Arg;

use crate::acts::{found, house};
use crate::cli::Show;
use crate::downloads;
use crate::inspect::{clean, name, state};
use crate::refusal::Refusal;
use crate::sheet;
use crate::tongue::{Tongue, moment};

pub(crate) async fn show(args: Show, tongue: &Tongue) -> Result<u8, Refusal> {
    let format = args.format.map(Format::from);
    format.map_or(Ok(()), sheet::check_terminal)?;
    let house = house(&args.place).await?;
    if let Some(download) = downloads::find(&house, args.id).await? {
        if format.is_some() {
            return Err(Refusal::Cannot("cli-is-download", vec![("id", args.id.to_string())]));
        }
        return downloads::show(&house, &download, tongue).await.map(|()| 0);
    }
    let view = found(&house, args.id).await?;
    let entries = house.service.ledger.journal(view.work.id).await?;
    let transcript = house.service.recordings.transcript(view.work.id).await?;
    if let Some(format) = format {
        let Some(transcript) = transcript else {
            return Err(Refusal::Cannot("cli-no-text-yet", Vec::new()));
        };
        tongue.put(&sheet::written(&view, &transcript, format, tongue))?;
        return Ok(0);
    }
    let mut text = head(&view, tongue);
    let mut fact = |key: &str, value: &str| {
        let _ = writeln!(text, "{}: {value}", tongue.say(key, &[]));
    };
    if let Some(transcript) = &transcript {
        if let Some(language) = &transcript.language {
            fact("show-language", language);
        }
        fact("show-model", &clean(&transcript.model));
    }
    journal(&mut text, &entries, view.work.created_at, tongue);
    let _ = writeln!(text, "\n{}:", tongue.say("show-text", &[]));
    match &transcript {
        None => text.push_str(&(tongue.say("cli-no-text-yet", &[]) + "\n")),
        Some(t) if t.segments.is_empty() => {
            text.push_str(&(tongue.say("cli-text-empty", &[]) + "\n"));
        }
        Some(t) => {
            let lines = sheet::written(&view, t, Format::Txt, tongue);
            text.push_str(&String::from_utf8_lossy(&lines));
        }
    }
    tongue.print(&text)?;
    Ok(0)
}

fn head(view: &View, tongue: &Tongue) -> String {
    let (work, recording) = (&view.work, &view.recording);
    let mut text = format!("{}  {}\n\n", work.id, name(view));
    let mut fact = |key: &str, value: &str| {
        let _ = writeln!(text, "{}: {value}", tongue.say(key, &[]));
    };
    fact("show-state", &state(view, tongue));
    if let Some(stop) = &work.stop {
        fact("show-reason", &tongue.failure(&stop.failure));
    } else if let Some(why) = &work.why {
        fact("show-waits", &tongue.failure(why));
    }
    fact("show-taken", &moment(work.created_at));
    let bytes = i64::try_from(recording.given.size_bytes).unwrap_or(i64::MAX);
    fact("show-size", &tongue.say("show-bytes", &[("count", Arg::Int(bytes))]));
    if let Some(duration) = recording.duration {
        fact("show-length", &tongue.length(duration));
    }
    for warning in &recording.warnings {
        fact("show-warning", &tongue.warning(warning));
    }
    text
}

/// What happened to it, a line each.
pub(crate) fn journal(text: &mut String, entries: &[Entry], taken_at: Timestamp, tongue: &Tongue) {
    let _ = writeln!(text, "\n{}:", tongue.say("show-journal", &[]));
    // How long the last run of a step took says little; how long it stood there, much.
    let mut before = taken_at;
    for entry in entries {
        let stood = entry.at.since(before);
        before = entry.at;
        let _ = writeln!(text, "  {}  {}", moment(entry.at), line(entry, stood, tongue));
    }
}

fn line(entry: &Entry, stood: Duration, tongue: &Tongue) -> String {
    let actor = match &entry.actor {
        Actor::Step(step) => tongue.say("actor-step", &[("name", Arg::Text(step))]),
        Actor::Person(who) => tongue.say("actor-person", &[("name", Arg::Text(&clean(who)))]),
    };
    let milestone = tongue.milestone(&entry.milestone);
    let duration = tongue.length(stood);
    let key = match entry.event {
        Event::Advanced => "event-advanced",
        Event::Stopped => "event-stopped",
        Event::Lifted => "event-lifted",
        Event::Restarted => "event-restarted",
    };
    tongue.say(
        key,
        &[
            ("milestone", Arg::Text(&milestone)),
            ("actor", Arg::Text(&actor)),
            ("duration", Arg::Text(&duration)),
        ],
    )
}

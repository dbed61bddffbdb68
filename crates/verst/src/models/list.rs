//! `verst models list`: what there is, what lies here, what is in use.

use std::collections::BTreeSet;
use std::path::Path;

use verst_adapters::engine::free_memory_bytes;
use verst_words::Arg;

use super::{Model, Role, Shelf, advice, known, told};
use crate::cli::Place;
use crate::house::settings;
use crate::inspect::{clean, table};
use crate::refusal::Refusal;
use crate::settings::Settings;
use crate::tongue::Tongue;

/// So many languages are named; of more the number is told.
const NAMED: usize = 3;

pub(super) fn list(place: &Place, tongue: &Tongue) -> Result<u8, Refusal> {
    let settings = settings(place)?;
    let shelf = Shelf::of(place, &settings);
    let free = free_memory_bytes();
    let heads = ["name", "state", "size", "memory", "fits", "languages", "errors", "licence"];
    let head = |name| tongue.say(&format!("models-head-{name}"), &[]);
    let mut rows = vec![heads.map(head).to_vec()];
    rows.extend(known().iter().map(|model| row(model, &shelf, &settings, free, tongue)));
    rows.extend(shelf.strangers().iter().map(|file| stranger(file, &shelf, &settings, tongue)));
    tongue.print(&table(&rows))?;
    tongue.print(&format!("\n{}\n", notes(&shelf, &settings, tongue).join("\n")))?;
    Ok(0)
}

fn row(
    model: &Model,
    shelf: &Shelf,
    settings: &Settings,
    free: Option<u64>,
    tongue: &Tongue,
) -> Vec<String> {
    let need = model.memory_bytes();
    let about = if model.working_measured { "" } else { "~" };
    let fits = free.map(|free| if need <= free { "models-fits" } else { "models-too-large" });
    vec![
        model.id.clone(),
        state(model, shelf, settings, tongue),
        megabytes(model.size_bytes(), tongue),
        format!("{about}{}", megabytes(need, tongue)),
        fits.map(|key| tongue.say(key, &[])).unwrap_or_default(),
        languages(model, tongue),
        errors(model),
        model.licence.clone(),
    ]
}

/// A file that the catalogue does not know.
fn stranger(file: &Path, shelf: &Shelf, settings: &Settings, tongue: &Tongue) -> Vec<String> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let size = std::fs::metadata(file).map_or(0, |file| file.len());
    let state = used(file, shelf, settings, tongue);
    let state = state.unwrap_or_else(|| tongue.say("models-here", &[]));
    let mut row = vec![clean(&name), state, megabytes(size, tongue)];
    row.resize(8, String::new());
    row
}

fn state(model: &Model, shelf: &Shelf, settings: &Settings, tongue: &Tongue) -> String {
    let file = shelf.file(&model.id);
    if !file.is_file() {
        let mut part = shelf.pulled.join(&model.file).into_os_string();
        part.push(".part");
        let begun = std::fs::metadata(part).is_ok_and(|part| part.len() > 0);
        let key = if begun { "models-begun" } else { "models-absent" };
        return tongue.say(key, &[]);
    }
    let always = match model.role {
        Role::Recognise => false,
        Role::VoiceActivity => true,
        Role::Diarise => settings.diarises(),
    };
    let used = used(&file, shelf, settings, tongue);
    let used = used.or_else(|| always.then(|| tongue.say("models-used", &[])));
    used.unwrap_or_else(|| tongue.say("models-here", &[]))
}

/// What a file is used for, if the settings name it.
fn used(file: &Path, shelf: &Shelf, settings: &Settings, tongue: &Tongue) -> Option<String> {
    if shelf.file(settings.model()) == file {
        return Some(tongue.say("models-used", &[]));
    }
    let by_language = settings.models_by_language();
    let languages = by_language.0.iter().filter(|(_, name)| shelf.file(name) == file);
    let languages: Vec<&str> = languages.map(|(language, _)| language.as_str()).collect();
    let listed = languages.join(", ");
    (!listed.is_empty())
        .then(|| tongue.say("models-used-for", &[("languages", Arg::Text(&listed))]))
}

fn languages(model: &Model, tongue: &Tongue) -> String {
    let languages = model.languages();
    if languages.len() <= NAMED {
        return languages.join(", ");
    }
    let count = Arg::Int(i64::try_from(languages.len()).unwrap_or(i64::MAX));
    tongue.say("models-languages", &[("count", count)])
}

fn errors(model: &Model) -> String {
    let figure =
        |figure: &super::catalogue::Figure| format!("{} %: {}", figure.error_percent, figure.set);
    model.figures.iter().map(figure).collect::<Vec<_>>().join("; ")
}

pub(super) fn megabytes(bytes: u64, tongue: &Tongue) -> String {
    let mb = i64::try_from(bytes.div_ceil(1_000_000)).unwrap_or(i64::MAX);
    tongue.say("models-size", &[("mb", Arg::Int(mb))])
}

/// What has to be known to read the table.
fn notes(shelf: &Shelf, settings: &Settings, tongue: &Tongue) -> Vec<String> {
    let sources: BTreeSet<&str> =
        known().iter().flat_map(|model| &model.figures).map(|f| f.source.as_str()).collect();
    let sources = sources.into_iter().collect::<Vec<_>>().join(", ");
    let mut notes = vec![
        tongue.say("models-note-estimates", &[]),
        tongue.say("models-note-errors", &[("sources", Arg::Text(&sources))]),
    ];
    let unhashed = known().iter().filter(|model| model.sha256.is_none());
    let unhashed: Vec<&str> = unhashed.map(|model| model.id.as_str()).collect();
    if !unhashed.is_empty() {
        let names = unhashed.join(", ");
        notes.push(tongue.say("models-note-hashes", &[("names", Arg::Text(&names))]));
    }
    if let Some(advice) = advice(settings, shelf) {
        notes.push(told(&advice, tongue));
    }
    notes
}

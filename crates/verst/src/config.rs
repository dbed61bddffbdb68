//! `verst config`: whether the settings can be used, and which hold for what reason.

use std::net::{Ipv4Addr, SocketAddr};

use toml::Value;
use verst_words::Arg;

use crate::cli::Place;
use crate::house::{loaded, settings_file};
use crate::inspect::table;
use crate::refusal::Refusal;
use crate::settings::{KEYS, Source};
use crate::tongue::Tongue;

pub(crate) fn check(place: &Place, tongue: &Tongue) -> Result<u8, Refusal> {
    let loaded = loaded(place)?;
    let somewhere = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    if let Err(error) = loaded.settings.web(somewhere) {
        return Err(Refusal::Settings(settings_file(place), error.to_string()));
    }
    let set = loaded.sources.values().filter(|source| **source != Source::Default).count();
    let file = settings_file(place).display().to_string();
    let count = Arg::Int(i64::try_from(set).unwrap_or(i64::MAX));
    let args = [("file", Arg::Text(&file)), ("count", count)];
    tongue.err(&tongue.say("config-good", &args));
    Ok(0)
}

/// One line each: the key, its value as it would be typed, where it comes from.
pub(crate) fn show(place: &Place, tongue: &Tongue) -> Result<u8, Refusal> {
    let loaded = loaded(place)?;
    let values = loaded.settings.shown();
    let file = settings_file(place).display().to_string();
    let heads = ["config-key", "config-value", "config-source"];
    let mut rows = vec![heads.map(|key| tongue.say(key, &[])).to_vec()];
    for key in KEYS {
        let value = values.get(key.name).map(Value::to_string).unwrap_or_default();
        let source = match loaded.sources.get(key.name) {
            None | Some(Source::Default) => tongue.say("config-default", &[]),
            Some(Source::File) => file.clone(),
            Some(Source::Variable(name)) => name.clone(),
            Some(Source::Named(by, path)) => format!("{by}: {}", path.display()),
        };
        rows.push(vec![key.name.to_owned(), value, source]);
    }
    tongue.print(&table(&rows))?;
    Ok(0)
}

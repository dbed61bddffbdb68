//! `verst models remove`: removes a model's file and what lies beside it.

use std::io::ErrorKind;
use std::path::Path;

use verst_words::Arg;

use super::args::Remove;
use super::pull::unknown;
use super::{Shelf, VAD, named};
use crate::house::settings;
use crate::refusal::Refusal;
use crate::tongue::Tongue;

/// What lies beside a file that was pulled, or is in the making.
const BESIDE: [&str; 4] = [".sha256", ".sha256.part", ".part.note", ".part"];

pub(super) fn remove(args: &Remove, tongue: &Tongue) -> Result<u8, Refusal> {
    let settings = settings(&args.place)?;
    let shelf = Shelf::of(&args.place, &settings);
    let file = shelf.file(&args.name);
    let model = named(&args.name);
    let stranger = model.is_none() && shelf.strangers().contains(&file);
    if model.is_none() && !stranger {
        return Err(unknown(&args.name));
    }
    let name = || vec![("name", args.name.clone())];
    let names = settings.models_by_language().0.values().map(String::as_str);
    let used = names.chain([settings.model(), VAD]).any(|name| shelf.file(name) == file);
    if !args.force {
        if model.is_some_and(|model| model.bundled) {
            return Err(Refusal::Cannot("models-remove-bundled", name()));
        }
        if used && file.is_file() {
            return Err(Refusal::Cannot("models-remove-used", name()));
        }
    }
    let failed = |error: std::io::Error| {
        let cause = vec![("path", file.display().to_string()), ("cause", error.to_string())];
        Refusal::Setup("models-remove-failed", cause)
    };
    let mut gone = clear(&file).map_err(failed)?;
    let part = shelf.pulled.join(file.file_name().unwrap_or_default());
    for end in BESIDE {
        for path in [&file, &part] {
            let mut beside = path.clone().into_os_string();
            beside.push(end);
            gone |= clear(Path::new(&beside)).map_err(failed)?;
        }
    }
    if !gone {
        return Err(Refusal::Cannot("models-remove-absent", name()));
    }
    tongue.err(&tongue.say("models-removed", &[("name", Arg::Text(&args.name))]));
    Ok(0)
}

/// Whether something was there to remove.
fn clear(path: &Path) -> std::io::Result<bool> {
    match std::fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

//! The models: whether each that the settings name is there, whole, and small enough.

use std::path::Path;

use verst_kernel::Failure;
use verst_recordings::codes;
use verst_recordings::ports::{Recogniser, Wish};
use verst_words::Arg;

use super::Finding;
use crate::cli::Place;
use crate::house::recogniser;
use crate::models::{Shelf, VAD, advice, told};
use crate::refusal::Refusal;
use crate::settings::Settings;
use crate::tongue::Tongue;

pub(super) async fn findings(
    place: &Place,
    settings: &Settings,
    tongue: &Tongue,
) -> Result<Vec<(&'static str, Finding)>, Refusal> {
    let shelf = Shelf::of(place, settings);
    let recogniser = recogniser(settings, &shelf)?;
    let heard = recogniser.check(&Wish::default()).await;
    let usual = shelf.file(settings.model());
    let advice = advice(settings, &shelf).map(|advice| told(&advice, tongue));
    let good = advice.unwrap_or_else(|| custom(&usual, tongue));
    let mut findings = vec![("doctor-model", model(&usual, heard.as_ref().err(), good, tongue))];
    for (language, name) in &settings.models_by_language().0 {
        let wish = Wish { language: Some(language.clone()), ..Wish::default() };
        let checked = recogniser.check(&wish).await;
        let file = shelf.file(name);
        let good = format!("{language}: {}", custom(&file, tongue));
        findings.push(("doctor-model", model(&file, checked.as_ref().err(), good, tongue)));
    }
    findings.push(("doctor-engine", heard.map_err(|failure| tongue.failure(&failure))));
    findings.push(("doctor-vad", vad(&shelf.file(VAD), tongue)));
    if let Some(diariser) = shelf.diariser().filter(|_| settings.diarises()) {
        findings.push(("doctor-speakers", Ok(shown(&shelf.file(&diariser.id)))));
    }
    Ok(findings)
}

fn custom(file: &Path, tongue: &Tongue) -> String {
    tongue.say("doctor-custom", &[("model", Arg::Text(&shown(file)))])
}

/// What is wrong with a model, unless it is not the model that is wrong.
fn model(file: &Path, trouble: Option<&Failure>, good: String, tongue: &Tongue) -> Finding {
    let about = [
        codes::MODEL_MISSING,
        codes::MODEL_DAMAGED,
        codes::MODEL_TOO_LARGE,
        codes::LANGUAGE_UNSUPPORTED,
    ];
    match trouble.filter(|failure| about.contains(&failure.code.as_ref())) {
        Some(failure) => Err(format!("{}: {}", shown(file), tongue.failure(failure))),
        None => Ok(good),
    }
}

fn vad(file: &Path, tongue: &Tongue) -> Finding {
    if file.is_file() {
        return Ok(shown(file));
    }
    let missing = tongue.failure(&Failure::new(codes::MODEL_MISSING));
    Err(format!("{}: {missing}", shown(file)))
}

fn shown(file: &Path) -> String {
    file.display().to_string()
}

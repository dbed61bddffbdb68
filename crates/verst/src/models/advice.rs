//! What to tell somebody who still uses the model that comes along: it is for a first try, and these
//! are better.

use verst_service::{Better, ModelAdvice};
use verst_words::Arg;

use super::{BUNDLED, Shelf, named};
use crate::settings::Settings;
use crate::tongue::Tongue;

/// Which model to pull for whom. Error rates are the published ones in the catalogue.
const BETTER: [(&str, &str); 2] = [("ru", "gigaam-v3-e2e"), ("en", "parakeet-tdt-0.6b-v3")];

/// What there is to tell about the models in use; `None` where the owner has chosen.
pub(crate) fn advice(settings: &Settings, shelf: &Shelf) -> Option<ModelAdvice> {
    let chosen = settings.models_by_language();
    let usual = shelf.file(settings.model());
    if usual.file_name().is_none_or(|file| file != BUNDLED) {
        return None;
    }
    let better = BETTER.into_iter().filter(|(language, _)| !chosen.0.contains_key(*language));
    let better: Vec<Better> = better
        .map(|(language, model)| Better {
            language: language.to_owned(),
            model: model.to_owned(),
            title: named(model).map_or(model, |known| &known.title).to_owned(),
            here: shelf.file(model).is_file(),
        })
        .collect();
    (!better.is_empty()).then(|| ModelAdvice { model: usual.display().to_string(), better })
}

/// The advice as sentences, the first of which names the model in use.
pub(crate) fn told(advice: &ModelAdvice, tongue: &Tongue) -> String {
    let model = Arg::Text(&advice.model);
    let mut sentences = vec![tongue.say("models-first-try", &[("model", model)])];
    for better in &advice.better {
        let key = if better.here { "models-better-here" } else { "models-better" };
        let language = tongue.say(&format!("models-for-{}", better.language), &[]);
        let args = [
            ("name", Arg::Text(&better.model)),
            ("title", Arg::Text(&better.title)),
            ("language", Arg::Text(&language)),
            ("code", Arg::Text(&better.language)),
        ];
        sentences.push(tongue.say(key, &args));
    }
    sentences.join(" ")
}

//! What is wanted of a recording, checked before a byte of it is read.

use verst_service::Wish;

use crate::app::App;
use crate::kinds;
use crate::languages;
use crate::problem::Answer;

/// Reads a language and a model. Empty means: as configured.
pub(crate) async fn wish(app: &App, language: Option<&str>, model: Option<&str>) -> Answer<Wish> {
    let language = set(language).filter(|language| *language != "auto");
    if language.is_some_and(|code| languages::name(code).is_none()) {
        return Err(kinds::LANGUAGE_UNKNOWN.into());
    }
    let model = set(model);
    // A path would tell whoever asks what there is on this machine: only names of models will do.
    if let Some(model) = model
        && !app.house.models.installed().await.iter().any(|name| name == model)
    {
        return Err(kinds::MODEL_UNKNOWN.into());
    }
    Ok(Wish { language: language.map(str::to_owned), model: model.map(str::to_owned) })
}

/// A text that says something.
fn set(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}

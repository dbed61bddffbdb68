//! What handlers are given, with problems in place of a library's words.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use verst_service::WorkId;

use crate::app::App;
use crate::kinds;
use crate::problem::{Answer, Problem};
use crate::trouble::broken;

/// The longest body that is no recording.
pub(crate) const BODY_BYTES: usize = 64 * 1024;

/// A body of JSON.
pub(crate) struct Input<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for Input<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Answer<Self> {
        // An object and nothing else: a list of the same values would do for serde.
        match Json::<Map<String, Value>>::from_request(request, app).await {
            Ok(Json(fields)) => match serde_json::from_value(Value::Object(fields)) {
                Ok(value) => Ok(Self(value)),
                Err(_) => Err(kinds::BODY_WRONG.into()),
            },
            Err(JsonRejection::JsonDataError(_)) => Err(kinds::BODY_WRONG.into()),
            Err(JsonRejection::JsonSyntaxError(_)) => Err(kinds::BODY_NOT_JSON.into()),
            Err(JsonRejection::MissingJsonContentType(_)) => Err(kinds::MEDIA_TYPE.into()),
            Err(other) if other.status().as_u16() == 413 => Err(kinds::BODY_TOO_LARGE.into()),
            Err(other) => Err(broken(&other)),
        }
    }
}

/// Parameters of the address, as text: each is read, and named when it is wrong, by its handler.
pub(crate) struct Asked<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequestParts<App> for Asked<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Answer<Self> {
        let query = Query::from_request_parts(parts, app).await;
        query.map(|Query(value)| Self(value)).map_err(|_| kinds::BAD_REQUEST.into())
    }
}

/// The number of a recording. What is no number names none.
pub(crate) struct Which(pub(crate) WorkId);

impl FromRequestParts<App> for Which {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Answer<Self> {
        let id = Path::<i64>::from_request_parts(parts, app).await;
        id.map(|Path(id)| Self(WorkId(id))).map_err(|_| kinds::NO_SUCH_RECORDING.into())
    }
}

/// Reads a parameter, or says which one is wrong.
pub(crate) fn parameter<T: std::str::FromStr>(
    name: &'static str,
    text: Option<&str>,
) -> Answer<Option<T>> {
    text.map(|text| text.parse().map_err(|_| wrong(name))).transpose()
}

/// A parameter or field with a value that is none.
pub(crate) fn wrong(name: &str) -> Problem {
    Problem::from(kinds::PARAMETER_WRONG).term("parameter", name)
}

//! Something that was not done, as RFC 9457 describes it: <https://www.rfc-editor.org/rfc/rfc9457>.
//!
//! A handler returns a [`Problem`] as data; the sentences are put in on the way out, in the caller's
//! language. **Invariant:** no answer repeats what was sent, another program's words, or a path.

use axum::body::Body;
use axum::http::header::{CONTENT_LANGUAGE, CONTENT_TYPE, VARY};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use utoipa::ToSchema;
use verst_service::{Failure, Value};
use verst_words::Words;

use crate::kinds::{self, Kind};
use crate::panel::{self, Guest, Speech};

/// What was not done, and why.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    /// A code with parameters, for which there are sentences.
    pub(crate) failure: Failure,
    headers: Vec<(HeaderName, HeaderValue)>,
}

/// The result of a handler.
pub(crate) type Answer<T> = Result<T, Problem>;

impl Problem {
    /// A failure of the service that means this status.
    pub(crate) fn told(status: StatusCode, failure: Failure) -> Self {
        Self { status, failure, headers: Vec::new() }
    }

    pub(crate) fn int(mut self, name: &'static str, value: i64) -> Self {
        self.failure = self.failure.int(name, value);
        self
    }

    pub(crate) fn term(mut self, name: &'static str, value: &str) -> Self {
        self.failure = self.failure.term(name, value);
        self
    }

    pub(crate) fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }
}

impl From<Kind> for Problem {
    fn from(kind: Kind) -> Self {
        Self::told(kind.status, Failure::new(kind.code))
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// The body of an answer that says what was not done.
#[derive(Serialize, ToSchema)]
#[schema(as = Problem)]
pub(crate) struct ProblemBody {
    /// What kind of problem: `urn:verst:problem:` and the code.
    r#type: String,
    /// The status in words.
    title: String,
    /// The status.
    status: u16,
    /// What happened, what it means, what to do; in the caller's language.
    detail: String,
    /// Stable name of the problem, for programs.
    code: String,
    /// What the sentence is about: numbers and fixed words.
    #[schema(value_type = Object)]
    params: Map<String, Json>,
}

/// Parameters as JSON.
pub(crate) fn params(failure: &Failure) -> Map<String, Json> {
    let json = |value: &Value| match value {
        Value::Int(number) => Json::from(*number),
        Value::Term(term) => Json::from(term.clone()),
    };
    failure.params.iter().map(|(name, value)| (name.to_string(), json(value))).collect()
}

/// The sentence of a failure or of a problem of this face.
pub(crate) fn sentence(failure: &Failure, words: &Words) -> String {
    words.tell("problem", failure).unwrap_or_else(|| words.failure(failure))
}

/// In which form problems are told.
#[derive(Clone)]
pub(crate) enum Form {
    /// RFC 9457.
    Problem,
    /// As OpenAI's clients expect it.
    OpenAi,
    /// The sentence alone, for a script of the panel.
    Sentence,
    /// A page for whoever looks at it.
    Page(Box<Guest>),
}

/// Puts the sentences in. An error without any, which a library made, gets those of its status.
pub(crate) fn tell(response: Response, form: &Form, words: &Words, tag: &'static str) -> Response {
    let status = response.status();
    let silent = status.is_client_error() || status.is_server_error();
    let (mut parts, body) = response.into_parts();
    let problem = match parts.extensions.remove::<Problem>() {
        Some(problem) => problem,
        None if silent && !parts.headers.contains_key(TOLD) => kinds::of_status(status).into(),
        None => {
            parts.headers.remove(TOLD);
            return Response::from_parts(parts, body);
        }
    };
    let (kind, text) = match form {
        Form::Problem => ("application/problem+json", rfc9457(&problem, words).to_string()),
        Form::OpenAi => ("application/json", openai(&problem, words).to_string()),
        Form::Sentence => ("text/plain; charset=utf-8", sentence(&problem.failure, words)),
        Form::Page(guest) => {
            parts.headers.extend(panel::headers());
            let text = panel::problem_page(&problem, Speech { words, tag }, guest);
            ("text/html; charset=utf-8", text)
        }
    };
    parts.headers.remove(axum::http::header::CONTENT_LENGTH);
    parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    parts.headers.insert(CONTENT_LANGUAGE, HeaderValue::from_static(tag));
    parts.headers.append(VARY, HeaderValue::from_static("accept-language"));
    parts.headers.extend(problem.headers);
    Response::from_parts(parts, Body::from(text))
}

/// Marks an answer with an error's status whose body is its own.
pub(crate) const TOLD: HeaderName = HeaderName::from_static("x-verst-told");

fn rfc9457(problem: &Problem, words: &Words) -> Json {
    let body = ProblemBody {
        r#type: format!("urn:verst:problem:{}", problem.failure.code),
        title: words.say(&format!("status-{}", problem.status.as_u16()), &[]),
        status: problem.status.as_u16(),
        detail: sentence(&problem.failure, words),
        code: problem.failure.code.to_string(),
        params: params(&problem.failure),
    };
    serde_json::to_value(body).unwrap_or_default()
}

fn openai(problem: &Problem, words: &Words) -> Json {
    let kind = match problem.status {
        StatusCode::TOO_MANY_REQUESTS => "rate_limit_error",
        status if status.is_server_error() => "server_error",
        _ => "invalid_request_error",
    };
    // The names that OpenAI's own server uses, where programs look at them.
    let code = match problem.failure.code.as_ref() {
        "token_missing" | "token_invalid" => "invalid_api_key",
        "model_unknown" => "model_not_found",
        code => code,
    };
    let param = problem.failure.params.get("parameter").and_then(|value| match value {
        Value::Term(term) => Some(term.clone()),
        Value::Int(_) => None,
    });
    json!({ "error": {
        "message": sentence(&problem.failure, words),
        "type": kind,
        "param": param,
        "code": code,
    }})
}

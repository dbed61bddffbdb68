//! What happens to every request on its way in and to every answer on its way out.
//!
//! **Invariant:** nothing behind this runs for a request whose host or origin is not ours.

use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{
    ACCEPT, CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use metrics::{counter, histogram};
use tokio::time::Instant;
use tracing::debug;

use crate::app::App;
use crate::kinds;
use crate::panel::Guest;
use crate::problem::{self, Form};
use crate::tongue;
use crate::visit::{Peer, Visit};

pub(crate) async fn front(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let language = tongue::asked(request.headers());
    let form = form(&request);
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map_or("none", MatchedPath::as_str).to_owned();
    let answer = match look(&app, &request) {
        Ok(visit) => {
            request.extensions_mut().insert(visit);
            next.run(request).await
        }
        Err(problem) => problem.into_response(),
    };
    let words = app.tongues.words(language);
    let mut answer = problem::tell(answer, &form, words, tongue::tag(language));
    secure(answer.headers_mut());
    let status = answer.status().as_u16().to_string();
    debug!(%method, route, status, "answered");
    let labels = [("method", known(method.as_str())), ("route", route.clone()), ("status", status)];
    counter!("verst_http_requests_total", &labels).increment(1);
    histogram!("verst_http_request_seconds", "route" => route).record(begun.elapsed());
    answer
}

fn look(app: &App, request: &Request) -> Result<Visit, problem::Problem> {
    let peer = request.extensions().get::<Peer>().ok_or(kinds::INTERNAL)?;
    Visit::of(&app.config, *peer, request.uri(), request.headers())
}

/// Who speaks OpenAI's language is answered in it, a browser with a page, and a program with JSON.
fn form(request: &Request) -> Form {
    let path = request.uri().path();
    let headers = request.headers();
    if path.starts_with("/v1/") {
        return Form::OpenAi;
    }
    if path.starts_with("/api/") {
        return Form::Problem;
    }
    let back = request.uri().path_and_query().map_or("/", |it| it.as_str());
    let guest = Guest::of(headers, back);
    let accept = headers.get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if guest.piece {
        Form::Sentence
    } else if accept.contains("text/html") {
        Form::Page(Box::new(guest))
    } else {
        Form::Problem
    }
}

/// A method as a label; what anybody may invent is one label.
fn known(method: &str) -> String {
    let usual = ["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"];
    usual.into_iter().find(|it| *it == method).unwrap_or("other").to_owned()
}

/// No answer is listed by an engine, or run, framed, sniffed or kept by a browser, unless its handler says otherwise.
fn secure(headers: &mut HeaderMap) {
    let usual: [(HeaderName, &str); 6] = [
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'; sandbox"),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("x-robots-tag"), "noindex, nofollow"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    for (name, value) in usual {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
}

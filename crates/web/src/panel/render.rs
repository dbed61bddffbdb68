//! A template as an answer.
//!
//! **Invariant:** a page runs only scripts and styles that come from this host as files of their own,
//! sends forms only here, and stands in no other page's frame.

use askama::Template;
use axum::http::header::{
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, REFERRER_POLICY, VARY,
};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use tracing::error;

use crate::kinds;
use crate::problem::Answer;

const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     media-src 'self' blob:; connect-src 'self'; form-action 'self'; base-uri 'none'; \
     frame-ancestors 'none'",
);

/// A page, or a piece of one.
pub(crate) fn render(template: &impl Template) -> Answer<Response> {
    match template.render() {
        Ok(text) => Ok((headers(), text).into_response()),
        Err(cause) => {
            error!(%cause, "a page could not be made");
            Err(kinds::INTERNAL.into())
        }
    }
}

/// What every page says to a browser besides its text.
pub(crate) fn headers() -> HeaderMap {
    let html = HeaderValue::from_static("text/html; charset=utf-8");
    // Without a referrer of our own pages, a browser names no origin when it sends a form.
    let referrer = HeaderValue::from_static("same-origin");
    let alone = HeaderName::from_static("cross-origin-opener-policy");
    let vary = HeaderValue::from_static("accept-language, cookie, hx-request");
    HeaderMap::from_iter([
        (CONTENT_TYPE, html),
        (CONTENT_SECURITY_POLICY, POLICY),
        (REFERRER_POLICY, referrer),
        (alone, HeaderValue::from_static("same-origin")),
        (VARY, vary),
    ])
}

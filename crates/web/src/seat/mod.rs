//! Who sits at a browser: the session behind its cookie.
//!
//! A page that asks for a [`Seat`] is for those who are signed in; others are sent to `/login`. What
//! changes anything asks for a [`SeatedForm`] or, over the interface for
//! programs, a header: a page of another site has the cookie sent along, but cannot know the form's
//! token. **Invariant:** a cookie alone changes nothing.

mod cookie;
mod door;
mod form;

use axum::extract::FromRequestParts;
use axum::http::header::{ACCEPT, HeaderName, LOCATION};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use url::Url;
use verst_service::Caller;
use verst_service::accounts::{Account, Seated, SessionId};

use crate::app::App;
use crate::kinds;
use crate::problem::{Answer, Problem};
use crate::trouble::store;

pub(crate) use door::{SignedIn, change_password, found_first_account, sign_in, sign_out};
pub(crate) use form::SeatedForm;

/// Where people sign in.
const LOGIN: &str = "/login";
/// The header that vouches for a request like a form's hidden field.
const CSRF: HeaderName = HeaderName::from_static("x-csrf-token");
const HX_REQUEST: HeaderName = HeaderName::from_static("hx-request");
const HX_REDIRECT: HeaderName = HeaderName::from_static("hx-redirect");
const HX_CURRENT_URL: HeaderName = HeaderName::from_static("hx-current-url");

/// Somebody who is signed in.
#[derive(Clone, Debug)]
pub(crate) struct Seat {
    /// As they ask for things.
    pub(crate) caller: Caller,
    /// Their account: its name, role and language.
    pub(crate) account: Account,
    /// Their session, for showing which of several this one is.
    pub(crate) session: SessionId,
    /// What every form has in its hidden field `csrf`.
    pub(crate) csrf: String,
}

impl From<Seated> for Seat {
    fn from(seated: Seated) -> Self {
        let Seated { caller, account, session, csrf } = seated;
        Self { caller, account, session: session.id, csrf }
    }
}

impl FromRequestParts<App> for Seat {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Response> {
        match seated(app, &parts.headers).await {
            Ok(Some(seated)) => Ok(seated.into()),
            Ok(None) => Err(outside(parts)),
            Err(problem) => Err(problem.into_response()),
        }
    }
}

/// The session of a request, if it has one that has not ended.
pub(crate) async fn seated(app: &App, headers: &HeaderMap) -> Answer<Option<Seated>> {
    match cookie::secret(&app.config, headers) {
        Some(secret) => app.service().seated(secret).await.map_err(store),
        None => Ok(None),
    }
}

/// The session of a request of a program, which has to vouch for what changes anything.
pub(crate) async fn vouched(app: &App, parts: &Parts) -> Answer<Option<Seated>> {
    let Some(seated) = seated(app, &parts.headers).await? else { return Ok(None) };
    if !parts.method.is_safe() && !vouches(&seated, &parts.headers) {
        return Err(kinds::NOT_VOUCHED.into());
    }
    Ok(Some(seated))
}

/// Whether a header vouches for a request.
fn vouches(seated: &Seated, headers: &HeaderMap) -> bool {
    let mut brought = headers.get_all(&CSRF).iter();
    let one = brought.next().and_then(|value| value.to_str().ok());
    brought.next().is_none() && one.is_some_and(|one| seated.vouches(one))
}

/// How a request is answered by whoever is not signed in.
fn outside(parts: &Parts) -> Response {
    let headers = &parts.headers;
    if headers.contains_key(&HX_REQUEST) {
        let from = headers.get(&HX_CURRENT_URL).and_then(|url| url.to_str().ok());
        let page = from.and_then(|url| Url::parse(url).ok()).map(|url| match url.query() {
            Some(query) => format!("{}?{query}", url.path()),
            None => url.path().to_owned(),
        });
        let to = (HX_REDIRECT, login(page.as_deref().unwrap_or("/")));
        return ([to], Problem::from(kinds::SESSION_NEEDED)).into_response();
    }
    let accepts = headers.get(ACCEPT).and_then(|value| value.to_str().ok());
    let page = accepts.is_some_and(|kinds| kinds.contains("text/html"));
    if page && (parts.method == Method::GET || parts.method == Method::HEAD) {
        let wanted = parts.uri.path_and_query().map_or("/", |wanted| wanted.as_str());
        return (StatusCode::SEE_OTHER, [(LOCATION, login(wanted))]).into_response();
    }
    Problem::from(kinds::SESSION_NEEDED).into_response()
}

/// Where somebody signs in who wanted to be there.
fn login(wanted: &str) -> HeaderValue {
    let wanted = local(wanted);
    let address = match wanted {
        "/" => LOGIN.to_owned(),
        wanted => format!("{LOGIN}?next={}", utf8_percent_encode(wanted, NON_ALPHANUMERIC)),
    };
    HeaderValue::try_from(address).unwrap_or(HeaderValue::from_static(LOGIN))
}

/// Where somebody goes after signing in: to a page of ours, or to the first one.
pub(crate) fn local(wanted: &str) -> &str {
    // A second slash, or what browsers take for one, would lead to another host.
    let mut after = wanted.strip_prefix('/').unwrap_or("/").chars();
    let ours = wanted.starts_with('/') && !matches!(after.next(), Some('/' | '\\'));
    let plain = wanted.bytes().all(|b| b.is_ascii_graphic() && b != b'\\');
    let again = wanted.split(['?', '#']).next() == Some(LOGIN);
    if ours && plain && !again && wanted.len() <= 2000 { wanted } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(method: Method, path: &str, headers: &[(&'static str, &'static str)]) -> Response {
        let mut request = axum::http::Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        outside(&request.body(()).unwrap().into_parts().0)
    }

    #[test]
    fn who_is_not_signed_in_is_sent_to_sign_in_as_they_can_be() {
        let page = [("accept", "text/html,*/*")];
        let sent = asked(Method::GET, "/recordings/5?q=a", &page);
        assert_eq!(sent.status(), StatusCode::SEE_OTHER);
        assert_eq!(sent.headers()[LOCATION], "/login?next=%2Frecordings%2F5%3Fq%3Da");
        let scripted =
            [("accept", "text/html"), ("hx-request", "true"), ("hx-current-url", "http://h/a?b")];
        let told = asked(Method::POST, "/recordings/5/stop", &scripted);
        assert_eq!(told.status(), StatusCode::UNAUTHORIZED);
        assert_eq!(told.headers()["hx-redirect"], "/login?next=%2Fa%3Fb");
        for (method, headers) in [
            (Method::POST, &page[..]),
            (Method::GET, &[("accept", "application/json")]),
            (Method::GET, &[]),
        ] {
            let refused = asked(method, "/recordings/5", headers);
            assert_eq!(refused.status(), StatusCode::UNAUTHORIZED);
            assert!(!refused.headers().contains_key(LOCATION));
        }
    }

    #[test]
    fn nobody_is_led_elsewhere() {
        for (wanted, to) in [
            ("/recordings/5?q=a%20b", "/recordings/5?q=a%20b"),
            ("/", "/"),
            ("", "/"),
            ("recordings", "/"),
            ("//evil.example", "/"),
            ("/\\evil.example", "/"),
            ("/\t/evil.example", "/"),
            ("/a\\b", "/"),
            ("https://evil.example/", "/"),
            ("javascript:alert(1)", "/"),
            ("/login?next=%2F", "/"),
            ("/a\r\nset-cookie: x=y", "/"),
        ] {
            assert_eq!(local(wanted), to, "{wanted:?}");
        }
        assert_eq!(login("/a?b=c&d"), "/login?next=%2Fa%3Fb%3Dc%26d");
        assert_eq!(login("//evil.example"), "/login");
    }
}

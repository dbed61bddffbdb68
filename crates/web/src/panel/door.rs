//! Coming in and going out: the first account, signing in, signing out.
//!
//! **Invariant:** what was typed as a password or a setup token stands on no page.

use askama::Template;
use axum::Extension;
use axum::Form;
use axum::extract::{Query, State};
use axum::http::header::{LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::guest::Guest;
use super::look;
use super::render::render;
use super::shell::Shell;
use super::speech::Speech;
use crate::app::App;
use crate::problem::{Answer, Problem};
use crate::seat::{SeatedForm, SignedIn, found_first_account, local, seated, sign_in, sign_out};
use crate::visit::Visit;

#[derive(Template)]
#[template(path = "login.html")]
struct Login<'a> {
    t: Speech<'a>,
    shell: Shell,
    next: String,
    name: String,
    wrong: Option<String>,
}

#[derive(Template)]
#[template(path = "setup.html")]
struct Setup<'a> {
    t: Speech<'a>,
    shell: Shell,
    name: String,
    wrong: Option<String>,
}

/// Where somebody wanted to go.
#[derive(Default, Deserialize)]
pub(super) struct Going {
    #[serde(default)]
    next: String,
}

/// The page for signing in; whoever is signed in goes on at once.
pub(super) async fn login_page(
    State(app): State<App>,
    headers: HeaderMap,
    guest: Guest,
    Query(going): Query<Going>,
) -> Answer<Response> {
    if seated(&app, &headers).await?.is_some() {
        return Ok(onward(&going.next, HeaderMap::new()));
    }
    let t = guest.speech(&app);
    let (next, name) = (local(&going.next).to_owned(), String::new());
    render(&Login { t, shell: Shell::alone(&guest), next, name, wrong: None })
}

/// What is typed to sign in.
#[derive(Deserialize)]
pub(super) struct Typed {
    name: String,
    password: String,
    #[serde(default)]
    next: String,
}

/// Signs in, or says why not.
pub(super) async fn login(
    State(app): State<App>,
    Extension(visit): Extension<Visit>,
    guest: Guest,
    headers: HeaderMap,
    Form(typed): Form<Typed>,
) -> Answer<Response> {
    match sign_in(&app, &visit, &headers, &typed.name, &typed.password).await {
        Ok(signed) => enter(&app, &signed, &typed.next).await,
        Err(not_in) => {
            let t = guest.speech(&app);
            let (status, wrong) = told(&Problem::from(not_in), t);
            let (next, name) = (local(&typed.next).to_owned(), typed.name);
            let shell = Shell::alone(&guest).leading_to("/login");
            let page = render(&Login { t, shell, next, name, wrong: Some(wrong) })?;
            Ok(marked(status, page))
        }
    }
}

/// Signs out.
pub(super) async fn logout(
    State(app): State<App>,
    SeatedForm { seat, form: _ }: SeatedForm<Vec<(String, String)>>,
) -> Answer<Response> {
    let cookie = sign_out(&app, &seat).await?;
    Ok(onward("/", HeaderMap::from_iter([(SET_COOKIE, cookie)])))
}

/// The page of a first start.
pub(super) async fn setup_page(State(app): State<App>, guest: Guest) -> Answer<Response> {
    let t = guest.speech(&app);
    render(&Setup { t, shell: Shell::alone(&guest), name: String::new(), wrong: None })
}

/// What is typed for the first account.
#[derive(Deserialize)]
pub(super) struct First {
    token: String,
    name: String,
    password: String,
}

/// Makes the first account and signs it in, or says why not.
pub(super) async fn setup(
    State(app): State<App>,
    Extension(visit): Extension<Visit>,
    guest: Guest,
    headers: HeaderMap,
    Form(First { token, name, password }): Form<First>,
) -> Answer<Response> {
    match found_first_account(&app, &visit, &headers, &token, &name, &password).await {
        Ok(signed) => enter(&app, &signed, "/").await,
        Err(not_in) => {
            let t = guest.speech(&app);
            let (status, wrong) = told(&Problem::from(not_in), t);
            let shell = Shell::alone(&guest).leading_to("/setup");
            let page = render(&Setup { t, shell, name, wrong: Some(wrong) })?;
            Ok(marked(status, page))
        }
    }
}

/// Leads on with the cookies of somebody who came in, among them the language of their account.
async fn enter(app: &App, signed: &SignedIn, next: &str) -> Answer<Response> {
    let mut headers = HeaderMap::from_iter([(SET_COOKIE, signed.cookie.clone())]);
    if let Some(cookie) = look::spoken(signed.seat(app).await?.account.language.as_deref()) {
        headers.append(SET_COOKIE, cookie);
    }
    Ok(onward(next, headers))
}

fn onward(next: &str, mut headers: HeaderMap) -> Response {
    let to = HeaderValue::from_str(local(next)).unwrap_or(HeaderValue::from_static("/"));
    headers.insert(LOCATION, to);
    (StatusCode::SEE_OTHER, headers).into_response()
}

/// What a page says of a problem.
fn told(problem: &Problem, t: Speech<'_>) -> (StatusCode, String) {
    (problem.status, t.why(&problem.failure))
}

/// A page with the status of what it says.
fn marked(status: StatusCode, mut page: Response) -> Response {
    *page.status_mut() = status;
    page.headers_mut().insert(crate::problem::TOLD, HeaderValue::from_static("1"));
    page
}

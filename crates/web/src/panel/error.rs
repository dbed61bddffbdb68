//! What was not done, as a page for people: the same sentences that programs are told.

use askama::Template;
use axum::http::StatusCode;

use super::guest::Guest;
use super::shell::Shell;
use super::speech::Speech;
use crate::problem::Problem;

#[derive(Template)]
#[template(path = "error.html")]
struct Page<'a> {
    t: Speech<'a>,
    shell: Shell,
    title: String,
    detail: String,
    status: StatusCode,
    code: &'a str,
}

/// The page about a problem.
pub(crate) fn page(problem: &Problem, t: Speech<'_>, guest: &Guest) -> String {
    let page = Page {
        t,
        shell: Shell::alone(guest),
        title: t.say(&format!("status-{}", problem.status.as_u16())),
        detail: t.why(&problem.failure),
        status: problem.status,
        code: &problem.failure.code,
    };
    // A template of texts has nothing that can fail; who gets an empty page still has the status.
    page.render().unwrap_or_default()
}

//! Forms of somebody who is signed in.
//!
//! **Invariant:** nothing of a form is given to a handler before its token was found to be the
//! session's: the hidden field `csrf`, or the header `X-CSRF-Token`.

use axum::Form;
use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Request};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use verst_service::accounts::Seated;

use super::{Seat, outside, seated, vouches};
use crate::app::App;
use crate::kinds;
use crate::problem::{Answer, Problem};

const FIELD: &str = "csrf";

/// A form of plain fields.
pub(crate) struct SeatedForm<T> {
    /// Who sent it.
    pub(crate) seat: Seat,
    /// What they typed.
    pub(crate) form: T,
}

impl<T: DeserializeOwned> FromRequest<App> for SeatedForm<T> {
    type Rejection = Response;

    async fn from_request(request: Request, app: &App) -> Result<Self, Response> {
        let (seated, request) = sitting(request, app).await?;
        read(seated, request, app).await.map_err(IntoResponse::into_response)
    }
}

async fn read<T: DeserializeOwned>(
    seated: Seated,
    request: Request,
    app: &App,
) -> Answer<SeatedForm<T>> {
    let by_header = vouches(&seated, request.headers());
    let (parts, body) = request.into_parts();
    let plain = parts.headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    if !plain.is_some_and(|kind| kind.starts_with("application/x-www-form-urlencoded")) {
        return Err(kinds::MEDIA_TYPE.into());
    }
    let whole = Request::from_parts(parts.clone(), body);
    let bytes = Bytes::from_request(whole, app).await.map_err(|error| {
        let large = error.status().as_u16() == 413;
        Problem::from(if large { kinds::BODY_TOO_LARGE } else { kinds::BODY_BROKEN })
    })?;
    if !by_header {
        let mut tokens = url::form_urlencoded::parse(&bytes).filter(|(name, _)| name == FIELD);
        if !tokens.next().is_some_and(|(_, brought)| seated.vouches(&brought)) {
            return Err(kinds::NOT_VOUCHED.into());
        }
    }
    let again = Request::from_parts(parts, Body::from(bytes));
    let Form(form) = Form::<T>::from_request(again, app).await.map_err(|_| kinds::BODY_WRONG)?;
    Ok(SeatedForm { seat: seated.into(), form })
}

/// Whoever sends a form, or the answer to somebody who is not signed in.
async fn sitting(request: Request, app: &App) -> Result<(Seated, Request), Response> {
    let (parts, body) = request.into_parts();
    match seated(app, &parts.headers).await {
        Ok(Some(seated)) => Ok((seated, Request::from_parts(parts, body))),
        Ok(None) => Err(outside(&parts)),
        Err(problem) => Err(problem.into_response()),
    }
}

//! Tokens for programs: their own for everybody, all of them for administrators.

use std::time::Duration;

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use verst_service::{Token, TokenId};

use crate::app::App;
use crate::auth::Asking;
use crate::input::{Input, wrong};
use crate::kinds;
use crate::problem::{Answer, ProblemBody};
use crate::recordings::shape::moment;
use crate::setup::{Made, NAME_BYTES};
use crate::trouble::store;

const DAY: Duration = Duration::from_hours(24);
const MOST_DAYS: u32 = 36_500;

/// A token, without its secret.
#[derive(Serialize, ToSchema)]
#[schema(as = Token)]
pub(crate) struct Shown {
    /// Its number.
    id: i64,
    /// What it was called.
    name: String,
    /// Whose things it opens; null: everything.
    owner: Option<String>,
    /// Since when.
    created_at: String,
    /// When it was last used, to the minute.
    last_used_at: Option<String>,
    /// Until when.
    expires_at: Option<String>,
    /// Since when it opens nothing.
    revoked_at: Option<String>,
}

impl From<Token> for Shown {
    fn from(token: Token) -> Self {
        Self {
            id: token.id.0,
            name: token.name,
            owner: token.owner,
            created_at: moment(token.created_at),
            last_used_at: token.last_used_at.map(moment),
            expires_at: token.expires_at.map(moment),
            revoked_at: token.revoked_at.map(moment),
        }
    }
}

/// Tokens.
#[derive(Serialize, ToSchema)]
pub(crate) struct TokenList {
    /// Newest first.
    tokens: Vec<Shown>,
}

/// Lists the tokens that open what belongs to whoever asks; for administrators all.
#[utoipa::path(get, path = "/api/v1/tokens", tag = "accounts", responses(
    (status = 200, body = TokenList),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
    (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn list(State(app): State<App>, asking: Asking) -> Answer<Json<TokenList>> {
    let found = app.service().tokens.tokens(asking.caller.scope()).await.map_err(store)?;
    Ok(Json(TokenList { tokens: found.into_iter().map(Shown::from).collect() }))
}

/// A token to make.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WantedToken {
    /// What to call it.
    #[schema(min_length = 1, max_length = 200, pattern = r"\S")]
    name: String,
    /// Whose things it opens. Who is no administrator makes tokens for themselves alone; of an
    /// administrator, a token without an owner opens everything.
    #[serde(default)]
    owner: Option<String>,
    /// Lasts so many days; until it is revoked if it is left out.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 36_500)]
    days: Option<u32>,
}

/// Makes a token. A token that opens the things of one owner makes no others: sign in for that.
#[utoipa::path(post, path = "/api/v1/tokens", tag = "accounts", request_body = WantedToken, responses(
    (status = 201, body = Made),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
    (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn create(
    State(app): State<App>,
    asking: Asking,
    Input(wanted): Input<WantedToken>,
) -> Answer<(StatusCode, Json<Made>)> {
    let Asking { caller, seat } = asking;
    let owner = wanted.owner.as_deref().map(str::trim);
    let owner = match (caller.is_admin(), &seat, owner) {
        (true, _, owner) => owner.map(str::to_owned),
        (false, None, _) => return Err(kinds::SIGN_IN_FOR_THIS.into()),
        (false, Some(seat), None) => Some(seat.account.name.clone()),
        (false, Some(seat), Some(owner)) if owner == seat.account.name => Some(owner.to_owned()),
        (false, Some(_), Some(_)) => return Err(kinds::ADMIN_ONLY.into()),
    };
    let name = wanted.name.trim();
    if name.is_empty() || name.len() > NAME_BYTES {
        return Err(wrong("name"));
    }
    if owner.as_ref().is_some_and(|owner| owner.is_empty() || owner.len() > NAME_BYTES) {
        return Err(wrong("owner"));
    }
    if wanted.days.is_some_and(|days| !(1..=MOST_DAYS).contains(&days)) {
        return Err(wrong("days"));
    }
    let service = app.service();
    let now = service.queue.now().await.map_err(store)?;
    let until = wanted.days.map(|days| now.after(DAY * days));
    let made = service.add_token_for(caller.account, name, owner.as_deref(), until).await;
    let (id, token) = made.map_err(store)?;
    Ok((StatusCode::CREATED, Json(Made { id: id.0, token })))
}

/// Makes a token open nothing any more: one's own, or, for administrators, any.
#[utoipa::path(delete, path = "/api/v1/tokens/{id}", tag = "accounts",
    params(("id" = i64, Path, description = "Its number")),
    responses(
        (status = 204, description = "It opens nothing"),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn revoke(
    State(app): State<App>,
    asking: Asking,
    path: Result<Path<i64>, PathRejection>,
) -> Answer<StatusCode> {
    let id = TokenId(path.map_err(|_| kinds::NO_SUCH_TOKEN)?.0);
    let revoked = app.service().tokens.revoke_token(id, asking.caller.scope()).await;
    if revoked.map_err(store)? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(kinds::NO_SUCH_TOKEN.into())
    }
}

//! Accounts, for those who decide who comes in.

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use verst_service::accounts::{AccountId, Role};

use super::Account;
use crate::app::App;
use crate::auth::Admin;
use crate::input::{Input, wrong};
use crate::kinds;
use crate::problem::{Answer, ProblemBody};
use crate::trouble::{self, store};

/// All accounts.
#[derive(Serialize, ToSchema)]
pub(crate) struct Accounts {
    /// By name.
    accounts: Vec<Account>,
}

/// Lists all accounts. For administrators.
#[utoipa::path(get, path = "/api/v1/accounts", tag = "accounts", responses(
    (status = 200, body = Accounts),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
    (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn list(State(app): State<App>, _: Admin) -> Answer<Json<Accounts>> {
    let found = app.service().accounts.accounts().await.map_err(store)?;
    Ok(Json(Accounts { accounts: found.into_iter().map(Account::from).collect() }))
}

/// An account to make.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewAccount {
    /// Its name, up to 64 visible characters; two that differ only in capitals are one.
    #[schema(min_length = 1, max_length = 64)]
    name: String,
    /// Its password, from 10 to 1000 bytes.
    #[schema(min_length = 10, max_length = 1000)]
    password: String,
    /// `owner`, who sees what belongs to them, or `admin`, who sees everything.
    #[serde(default)]
    #[schema(pattern = "^(owner|admin)$")]
    role: Option<String>,
}

/// Makes an account: an owner, unless it is to be an admin. For administrators.
#[utoipa::path(post, path = "/api/v1/accounts", tag = "accounts", request_body = NewAccount, responses(
    (status = 201, body = Account),
    (status = 409, description = "There is one of this name", body = ProblemBody, content_type = "application/problem+json"),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
    (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn create(
    State(app): State<App>,
    _: Admin,
    Input(new): Input<NewAccount>,
) -> Answer<(StatusCode, Json<Account>)> {
    let role = role(new.role.as_deref())?.unwrap_or(Role::Owner);
    let made = app.service().add_account(&new.name, &new.password, role).await;
    let id = made.map_err(trouble::account)?;
    Ok((StatusCode::CREATED, Json(find(&app, id).await?)))
}

/// What is to become of an account: one of these.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AccountChange {
    /// What it may do: `owner` or `admin`.
    #[serde(default)]
    #[schema(pattern = "^(owner|admin)$")]
    role: Option<String>,
    /// Whether nobody may come in by it. Its sessions end, and its tokens open nothing.
    #[serde(default)]
    disabled: Option<bool>,
    /// Another password. Its sessions end.
    #[serde(default)]
    #[schema(min_length = 10, max_length = 1000)]
    password: Option<String>,
}

/// Changes the role or the password of an account, disables or enables it. For administrators.
#[utoipa::path(patch, path = "/api/v1/accounts/{id}", tag = "accounts",
    params(("id" = i64, Path, description = "Its number")),
    request_body = AccountChange,
    responses(
        (status = 200, body = Account),
        (status = 409, description = "It is the last administrator who can sign in", body = ProblemBody, content_type = "application/problem+json"),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn change(
    State(app): State<App>,
    _: Admin,
    path: Result<Path<i64>, PathRejection>,
    Input(change): Input<AccountChange>,
) -> Answer<Json<Account>> {
    let id = AccountId(path.map_err(|_| kinds::NO_SUCH_ACCOUNT)?.0);
    let service = app.service();
    let changed = match (role(change.role.as_deref())?, change.disabled, change.password) {
        (Some(role), None, None) => service.set_role(id, role).await,
        (None, Some(true), None) => service.disable_account(id).await,
        (None, Some(false), None) => service.enable_account(id).await,
        (None, None, Some(password)) => service.set_password(id, &password, None).await,
        _ => return Err(kinds::BODY_WRONG.into()),
    };
    changed.map_err(trouble::account)?;
    Ok(Json(find(&app, id).await?))
}

fn role(typed: Option<&str>) -> Answer<Option<Role>> {
    typed.map(|name| Role::from_name(name).ok_or_else(|| wrong("role"))).transpose()
}

async fn find(app: &App, id: AccountId) -> Answer<Account> {
    let all = app.service().accounts.accounts().await.map_err(store)?;
    let found = all.into_iter().find(|account| account.id == id);
    Ok(found.map(Account::from).ok_or(kinds::NO_SUCH_ACCOUNT)?)
}

//! `/api/v1/accounts`, `/sessions`, `/me` and `/tokens`: who may come in.
//!
//! **Invariant:** nobody is told a password or a secret but the one to whom it was just made, and
//! nobody makes more than they may themselves.

mod me;
mod people;
mod sessions;
mod tokens;

use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use verst_service::accounts;

use crate::app::App;
use crate::recordings::shape::moment;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(people::list, people::create))
        .routes(routes!(people::change))
        .routes(routes!(sessions::list, sessions::sign_in, sessions::end_others))
        .routes(routes!(sessions::end))
        .routes(routes!(me::show, me::change))
        .routes(routes!(me::password))
        .routes(routes!(tokens::list, tokens::create))
        .routes(routes!(tokens::revoke))
}

/// An account.
#[derive(Serialize, ToSchema)]
pub(crate) struct Account {
    /// Its number.
    id: i64,
    /// Its name, which never changes.
    name: String,
    /// `owner` or `admin`.
    role: &'static str,
    /// The language in which it is spoken to; null: the browser's.
    language: Option<String>,
    /// Since when.
    created_at: String,
    /// Since when nobody comes in by it.
    disabled_at: Option<String>,
}

pub(crate) use sessions::SignedIn;

impl From<accounts::Account> for Account {
    fn from(account: accounts::Account) -> Self {
        Self {
            id: account.id.0,
            name: account.name,
            role: account.role.name(),
            language: account.language,
            created_at: moment(account.created_at),
            disabled_at: account.disabled_at.map(moment),
        }
    }
}

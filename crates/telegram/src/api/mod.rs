//! Telegram's Bot API, as <https://core.telegram.org/bots/api> has it: the types are a library's, the
//! requests are carried by the house's own client.
//!
//! **Invariant:** the address of a request has the token in it, so no error keeps an address, and what
//! a server says in its own words is read here and handed to nobody.

mod client;
mod error;
mod file;
mod methods;

use std::time::Duration;

use frankenstein::response::{ErrorResponse, MethodResponse};
use metrics::counter;
use reqwest::multipart::Form;
use reqwest::{Client, RequestBuilder, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::config::Token;
pub(crate) use error::ApiError;
pub(crate) use file::{FileError, again};
pub(crate) use methods::Outgoing;

/// The longest answer that is read: a hundred updates, each with a long message that answers another.
const ANSWER_BYTES: usize = 16 << 20;
/// How long an answer may take that is not waited for on purpose.
const PATIENCE: Duration = Duration::from_secs(30);

/// A client of one bot.
#[derive(Clone)]
pub(crate) struct Api {
    client: Client,
    base: String,
    token: Token,
}

impl Api {
    pub(crate) fn new(base: String, token: Token) -> reqwest::Result<Self> {
        Ok(Self { client: client::client()?, base, token })
    }

    /// Calls a method.
    async fn call<P: Serialize + Sync, R: DeserializeOwned>(
        &self,
        method: &'static str,
        params: &P,
        patience: Duration,
    ) -> Result<R, ApiError> {
        let body = serde_json::to_vec(params).map_err(|_| ApiError::Unexpected)?;
        let request = self.client.post(self.address(method));
        let request = request.header("content-type", "application/json").body(body);
        self.ask(method, request, patience).await
    }

    /// Calls a method that takes a file.
    async fn upload<R: DeserializeOwned>(
        &self,
        method: &'static str,
        form: Form,
    ) -> Result<R, ApiError> {
        self.ask(method, self.client.post(self.address(method)).multipart(form), PATIENCE).await
    }

    fn address(&self, method: &str) -> String {
        format!("{}/bot{}/{method}", self.base, self.token.secret())
    }

    async fn ask<R: DeserializeOwned>(
        &self,
        method: &'static str,
        request: RequestBuilder,
        patience: Duration,
    ) -> Result<R, ApiError> {
        let answer = tokio::time::timeout(patience, async {
            // The client's errors name the address.
            let response = request.send().await.map_err(|_| ApiError::Unreachable)?;
            let status = response.status().as_u16();
            let body = read(response).await?;
            understand(status, &body)
        });
        let answer = answer.await.unwrap_or(Err(ApiError::Unreachable));
        let outcome = answer.as_ref().map_or_else(ApiError::name, |_| "ok");
        counter!("verst_telegram_requests_total", "method" => method, "outcome" => outcome)
            .increment(1);
        answer
    }
}

async fn read(mut response: Response) -> Result<Vec<u8>, ApiError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| ApiError::Unreachable)? {
        if body.len() + chunk.len() > ANSWER_BYTES {
            return Err(ApiError::Unexpected);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn understand<R: DeserializeOwned>(status: u16, body: &[u8]) -> Result<R, ApiError> {
    if status == 200
        && let Ok(answer) = serde_json::from_slice::<MethodResponse<R>>(body)
        && answer.ok
    {
        return Ok(answer.result);
    }
    match serde_json::from_slice::<ErrorResponse>(body) {
        Ok(error) => Err(ApiError::of(&error)),
        // A server in front of Telegram's, or a page of somebody else's.
        Err(_) if status >= 500 => Err(ApiError::Server(status)),
        Err(_) if status == 401 || status == 404 => Err(ApiError::Unauthorised),
        Err(_) => Err(ApiError::Unexpected),
    }
}

/// An update as it came, and its number.
pub(crate) fn number(update: &Value) -> Option<i64> {
    update.get("update_id").and_then(Value::as_i64)
}

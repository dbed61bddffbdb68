//! The server, and what a test asks of it.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, FromRequest, Multipart, Path, Request, State as Shared};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use serde_json::{Map, Value, json};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use super::methods::{Refused, answer};
use super::state::{Sent, State, Trick};

/// A Bot API server of one bot.
pub struct BotServer {
    inner: Arc<Inner>,
    at: SocketAddr,
    serving: JoinHandle<()>,
}

pub(super) struct Inner {
    pub(super) state: Mutex<State>,
    pub(super) came: Notify,
}

impl BotServer {
    /// The token of its bot.
    pub const TOKEN: &'static str = "123456:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-bc";

    /// Starts one on a free port.
    pub async fn start() -> Self {
        let state = State {
            token: Self::TOKEN.to_owned(),
            next_update: 500,
            next_message: 10,
            largest_file: 20 << 20,
            ..State::default()
        };
        let inner = Arc::new(Inner { state: Mutex::new(state), came: Notify::new() });
        let routes = Router::new()
            .route("/{bot}/{method}", any(called))
            .route("/file/{bot}/{*path}", get(file))
            .layer(DefaultBodyLimit::max(64 << 20))
            .with_state(inner.clone());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = listener.local_addr().unwrap();
        let serving = tokio::spawn(async move { axum::serve(listener, routes).await.unwrap() });
        Self { inner, at, serving }
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("http://{}", self.at)
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.inner.state.lock().unwrap()
    }

    /// Something comes to the bot.
    pub fn update(&self, mut what: Value) -> i64 {
        let mut state = self.state();
        let id = state.next_update;
        state.next_update += 1;
        what["update_id"] = json!(id);
        state.updates.push_back((id, what));
        drop(state);
        self.inner.came.notify_waiters();
        id
    }

    /// Messages of the bot that stand in a chat, oldest first.
    pub fn sent(&self, chat: i64) -> Vec<Sent> {
        let state = self.state();
        state
            .messages
            .iter()
            .filter(|((it, _), _)| *it == chat)
            .map(|(_, sent)| sent.clone())
            .collect()
    }

    /// What the bot says in a chat now.
    pub fn texts(&self, chat: i64) -> Vec<String> {
        self.sent(chat).into_iter().map(|sent| sent.text).collect()
    }

    /// Whatever was said in answer to pressed buttons.
    pub fn toasts(&self) -> Vec<String> {
        self.state().answers.iter().map(|(_, text)| text.clone()).collect()
    }

    /// How often a method was called.
    pub fn called(&self, method: &str) -> usize {
        self.state().calls.iter().filter(|it| *it == method).count()
    }

    /// Which files were fetched.
    pub fn fetched(&self) -> Vec<String> {
        self.state().fetched.clone()
    }

    /// Updates that the bot has not confirmed.
    pub fn unconfirmed(&self) -> usize {
        self.state().updates.len()
    }

    /// The next call of a method is not simply answered.
    pub fn play(&self, method: &str, trick: Trick) {
        self.state().tricks.entry(method.to_owned()).or_default().push_back(trick);
    }

    /// Somebody blocks the bot, or throws it out.
    pub fn block(&self, chat: i64) {
        self.state().blocked.insert(chat);
    }

    /// A chat is there no longer.
    pub fn remove_chat(&self, chat: i64) {
        self.state().gone.insert(chat);
    }

    /// Somebody deletes a message of the bot.
    pub fn delete(&self, chat: i64, message: i64) {
        let mut state = self.state();
        state.messages.remove(&(chat, message));
        state.deleted.insert((chat, message));
    }

    /// Another program asks for the same updates, or does so no longer.
    pub fn rival(&self, there: bool) {
        self.state().rival = there;
        self.inner.came.notify_waiters();
    }

    /// The token is not the bot's any more.
    pub fn revoke(&self) {
        "123456:revoked".clone_into(&mut self.state().token);
        self.inner.came.notify_waiters();
    }

    /// Hands out files as a local server does: by where they lie on the disk.
    pub fn put_files_under(&self, place: &std::path::Path) {
        let mut state = self.state();
        state.largest_file = u64::MAX;
        for (path, bytes) in state.files.values_mut() {
            let at = place.join(&*path);
            std::fs::create_dir_all(at.parent().unwrap()).unwrap();
            std::fs::write(&at, bytes).unwrap();
            *path = at.display().to_string();
        }
    }

    /// A file lies elsewhere by now.
    pub fn name_file(&self, id: &str, path: &str) {
        let mut state = self.state();
        let file = state.files.get_mut(id).expect("there is such a file");
        path.clone_into(&mut file.0);
    }

    /// What was answered, by method.
    pub fn said(&self) -> Vec<(String, Value)> {
        self.state().said.clone()
    }
}

impl Drop for BotServer {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn called(
    Shared(inner): Shared<Arc<Inner>>,
    Path((bot, method)): Path<(String, String)>,
    request: Request,
) -> Response {
    let mut form = Form::default();
    form.read(request).await;
    let trick = {
        let mut state = inner.state.lock().unwrap();
        if bot != format!("bot{}", state.token) {
            return refuse(&Refused::of(401, "Unauthorized"));
        }
        state.calls.push(method.clone());
        state.trick(&method)
    };
    match trick {
        Some(Trick::SlowDown(seconds)) => {
            let said = format!("Too Many Requests: retry after {seconds}");
            return refuse(&Refused { retry_after: Some(seconds), ..Refused::of(429, &said) });
        }
        Some(Trick::Refuse(code, said)) => return refuse(&Refused::of(code, said)),
        Some(Trick::BadGateway) => {
            return (StatusCode::BAD_GATEWAY, "<html><h1>502 Bad Gateway</h1></html>")
                .into_response();
        }
        Some(Trick::Silence) => {
            let _ = answer(&inner, &method, form).await;
            // A connection that ends in the middle of the answer.
            return Response::builder().header("content-length", "1000").body("{".into()).unwrap();
        }
        None => {}
    }
    match answer(&inner, &method, form).await {
        Ok(result) => {
            inner.state.lock().unwrap().said.push((method, result.clone()));
            axum::Json(json!({"ok": true, "result": result})).into_response()
        }
        Err(refused) => refuse(&refused),
    }
}

fn refuse(refused: &Refused) -> Response {
    let mut body =
        json!({"ok": false, "error_code": refused.code, "description": refused.description});
    if let Some(seconds) = refused.retry_after {
        body["parameters"] = json!({"retry_after": seconds});
    }
    let status = StatusCode::from_u16(refused.code).unwrap();
    (status, axum::Json(body)).into_response()
}

async fn file(
    Shared(inner): Shared<Arc<Inner>>,
    Path((bot, path)): Path<(String, String)>,
) -> Response {
    let mut state = inner.state.lock().unwrap();
    if bot != format!("bot{}", state.token) {
        return refuse(&Refused::of(401, "Unauthorized"));
    }
    let found = state.files.values().find(|(it, _)| *it == path).map(|(_, bytes)| bytes.clone());
    state.fetched.push(path);
    match state.trick("file") {
        Some(Trick::Silence) => {
            // More is announced than comes.
            let length = found.map_or(10, |bytes| bytes.len() + 10);
            let answer = Response::builder().header("content-length", length);
            return answer.body("x".into()).unwrap();
        }
        Some(_) => return (StatusCode::BAD_GATEWAY, "bad gateway").into_response(),
        None => {}
    }
    match found {
        Some(bytes) => bytes.into_response(),
        None => refuse(&Refused::of(404, "Not Found")),
    }
}

/// What a call brings: as JSON, or as a form with files.
#[derive(Default)]
pub(super) struct Form {
    pub(super) params: Map<String, Value>,
    pub(super) file: Option<(String, Vec<u8>)>,
}

impl Form {
    async fn read(&mut self, request: Request) {
        let kind = request.headers().get("content-type").and_then(|it| it.to_str().ok());
        if kind.is_some_and(|kind| kind.starts_with("multipart/form-data")) {
            let mut form = Multipart::from_request(request, &()).await.unwrap();
            while let Some(field) = form.next_field().await.unwrap() {
                let name = field.name().unwrap_or_default().to_owned();
                if let Some(file) = field.file_name().map(str::to_owned) {
                    self.file = Some((file, field.bytes().await.unwrap().to_vec()));
                } else {
                    let text = field.text().await.unwrap();
                    let value = serde_json::from_str(&text).unwrap_or(Value::String(text));
                    self.params.insert(name, value);
                }
            }
            return;
        }
        let body = axum::body::to_bytes(request.into_body(), 1 << 20).await.unwrap_or_default();
        if let Ok(Value::Object(params)) = serde_json::from_slice(&body) {
            self.params = params;
        }
    }

    pub(super) fn number(&self, name: &str) -> Option<i64> {
        self.params.get(name).and_then(Value::as_i64)
    }

    pub(super) fn text(&self, name: &str) -> String {
        self.params.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
    }

    pub(super) fn seconds(&self, name: &str) -> Duration {
        Duration::from_secs(self.number(name).and_then(|it| u64::try_from(it).ok()).unwrap_or(0))
    }
}

//! The verbs, their statuses and their words.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, UNIX_EPOCH};

use axum::body::Body;
use axum::extract::{FromRequest, Multipart, Request};
use axum::response::Response;
use bytes::Bytes;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, DATE, HOST, ORIGIN, REFERER, SET_COOKIE};
use hyper::{HeaderMap, Method};
use serde_json::{Value, json};
use verst_downloads::hash::InfoHash;
use verst_downloads::ports::ClientState;

use super::addition::{Form, add};
use super::sync::maindata;
use super::world::{Login, World};
use super::{Deed, Held, Trick};

const BANNED: &str =
    "Your IP address has been banned after too many failed authentication attempts.";
/// Verbs that only read, and may be asked with GET.
const READS: [&str; 8] = [
    "app/version",
    "app/defaultSavePath",
    "app/webapiVersion",
    "sync/maindata",
    "torrents/info",
    "torrents/categories",
    "torrents/files",
    "torrents/export",
];

/// What is answered.
#[derive(Debug)]
pub(super) struct Reply {
    status: u16,
    kind: &'static str,
    body: Vec<u8>,
    cookie: Option<String>,
}

impl Reply {
    pub(super) fn text(status: u16, text: &str) -> Self {
        let kind = "text/plain; charset=UTF-8";
        Self { status, kind, body: text.as_bytes().to_vec(), cookie: None }
    }

    pub(super) fn json(status: u16, json: &Value) -> Self {
        let (kind, body) = ("application/json", serde_json::to_vec(json).unwrap());
        Self { status, kind, body, cookie: None }
    }

    fn done() -> Self {
        Self::text(200, "")
    }

    fn into_response(self, now_s: i64) -> Response {
        let now = UNIX_EPOCH + Duration::from_secs(u64::try_from(now_s).unwrap());
        let mut response = Response::builder()
            .status(self.status)
            .header(CONTENT_TYPE, self.kind)
            .header(DATE, httpdate::fmt_http_date(now));
        if let Some(cookie) = self.cookie {
            response = response.header(SET_COOKIE, format!("{cookie}; HttpOnly; path=/"));
        }
        response.body(Body::from(self.body)).unwrap()
    }
}

/// Answers a request, unless a test has other plans for it.
pub(super) async fn answer(world: Arc<Mutex<World>>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    let verb = path.strip_prefix("/api/v2/").unwrap_or_default().to_owned();
    let (headers, method) = (request.headers().clone(), request.method().clone());
    let query = request.uri().query().unwrap_or_default().to_owned();
    let trick = {
        let mut world = world.lock().unwrap();
        world.heard.push(verb.clone());
        world.trick(&verb)
    };
    match &trick {
        Some(Trick::Say(status, text)) => {
            let now_s = world.lock().unwrap().now_s();
            return Reply::text(*status, text).into_response(now_s);
        }
        Some(Trick::Never) => std::future::pending().await,
        Some(Trick::Hold(gate)) => gate.hold().await,
        Some(Trick::Unheard) | None => {}
    }
    let Some(form) = form(request, &query).await else {
        let now_s = world.lock().unwrap().now_s();
        return Reply::text(400, "Bad Request").into_response(now_s);
    };
    let response = {
        let mut world = world.lock().unwrap();
        let reply = admit(&mut world, &verb, &method, &headers, &form);
        reply.into_response(world.now_s())
    };
    if let Some(Trick::Unheard) = trick {
        std::future::pending::<()>().await;
    }
    response
}

/// Reads the query, and the body however it is written.
async fn form(request: Request, query: &str) -> Option<Form> {
    let mut form = Form { fields: pairs(query.as_bytes()), files: Vec::new() };
    let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    if kind.is_some_and(|kind| kind.starts_with("multipart/form-data")) {
        let mut parts = Multipart::from_request(request, &()).await.ok()?;
        while let Some(part) = parts.next_field().await.ok()? {
            let (name, is_file) = (part.name()?.to_owned(), part.file_name().is_some());
            let bytes = part.bytes().await.ok()?;
            if is_file {
                form.files.push(bytes.to_vec());
            } else {
                form.fields.insert(name, String::from_utf8(bytes.to_vec()).ok()?);
            }
        }
    } else {
        let body = Bytes::from_request(request, &()).await.ok()?;
        form.fields.extend(pairs(&body));
    }
    Some(form)
}

fn pairs(written: &[u8]) -> BTreeMap<String, String> {
    url::form_urlencoded::parse(written).into_owned().collect()
}

/// Sees who asks, and whether that is a way to ask.
fn admit(
    world: &mut World,
    verb: &str,
    method: &Method,
    headers: &HeaderMap,
    form: &Form,
) -> Reply {
    let header = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let host = header(HOST).unwrap_or_default();
    let elsewhere = |it: &str| !it.starts_with(&format!("http://{host}"));
    if [header(ORIGIN), header(REFERER)].into_iter().flatten().any(elsewhere) {
        return Reply::text(401, "Unauthorized");
    }
    if !READS.contains(&verb) && *method != Method::POST {
        return Reply::text(405, "Method Not Allowed");
    }
    let field = |name: &str| form.fields.get(name).map_or("", String::as_str);
    let name = world.dialect.cookie(world.port);
    if verb == "auth/login" {
        return match world.login(field("username"), field("password")) {
            Login::In(session) => {
                let reply = if world.dialect.since_5_2 {
                    Reply::text(204, "")
                } else {
                    Reply::text(200, "Ok.")
                };
                Reply { cookie: Some(format!("{name}={session}")), ..reply }
            }
            Login::Wrong if world.dialect.since_5_2 => Reply::text(401, "Unauthorized"),
            Login::Wrong => Reply::text(200, "Fails."),
            Login::Banned => Reply::text(403, BANNED),
        };
    }
    let key = header(AUTHORIZATION).and_then(|it| it.strip_prefix("Bearer "));
    let Some((session, fresh)) = world.session(header(COOKIE).unwrap_or_default(), key) else {
        return Reply::text(403, "Forbidden");
    };
    let reply = serve(world, verb, &session, form);
    let cookie = fresh.then(|| format!("{name}={session}"));
    Reply { cookie, ..reply }
}

fn serve(world: &mut World, verb: &str, session: &str, form: &Form) -> Reply {
    let field = |name: &str| form.fields.get(name).map_or("", String::as_str);
    let (resume, pause) =
        if world.dialect.since_5_0 { ("start", "stop") } else { ("resume", "pause") };
    let held = |world: &World| {
        InfoHash::parse(field("hash")).and_then(|key| world.torrents.get(&key).cloned())
    };
    match verb.strip_prefix("torrents/").unwrap_or(verb) {
        "app/version" => Reply::text(200, world.dialect.version),
        "app/webapiVersion" => Reply::text(200, world.dialect.webapi),
        "app/defaultSavePath" => Reply::text(200, &world.save_path),
        "categories" => {
            let category = |name: &String| (name.clone(), json!({ "name": name, "savePath": "" }));
            Reply::json(200, &world.categories.iter().map(category).collect())
        }
        "sync/maindata" => {
            let rid = field("rid").parse().unwrap_or(0);
            Reply::json(200, &maindata(world, session, rid))
        }
        "add" => add(world, form),
        "createCategory" => match field("category") {
            "" => Reply::text(400, "Category name is empty"),
            name if world.categories.insert(name.to_owned()) => Reply::done(),
            _ => Reply::text(409, "Unable to create category"),
        },
        "files" => held(world)
            .map_or(Reply::text(404, "Not Found"), |held| Reply::json(200, &held.files_json())),
        "export" => match held(world) {
            None => Reply::text(404, "Not Found"),
            Some(Held { bytes: None, .. }) => {
                Reply::text(409, "Unable to export torrent file. Error: Missing metadata")
            }
            Some(Held { bytes: Some(body), .. }) => {
                Reply { kind: "application/x-bittorrent", body, ..Reply::done() }
            }
        },
        verb if verb == resume => each(world, form, "start", started),
        verb if verb == pause => each(world, form, "stop", stopped),
        "reannounce" => each(world, form, "reannounce", |_| {}),
        "delete" => delete(world, form),
        _ => Reply::text(404, "Not Found"),
    }
}

fn named(world: &World, form: &Form) -> Vec<InfoHash> {
    let hashes = form.fields.get("hashes").map_or("", String::as_str);
    if hashes == "all" {
        return world.torrents.keys().cloned().collect();
    }
    hashes.split('|').filter_map(InfoHash::parse).collect()
}

fn each(world: &mut World, form: &Form, verb: &str, change: impl Fn(&mut Held)) -> Reply {
    for key in named(world, form) {
        if let Some(held) = world.torrents.get_mut(&key) {
            change(held);
            world.deeds.push(Deed::Did(verb.to_owned(), key));
        }
    }
    Reply::done()
}

fn started(held: &mut Held) {
    held.state = match (held.is_whole(), held.bytes.is_some()) {
        (true, _) => ClientState::StalledUp,
        (false, true) => ClientState::StalledDl,
        (false, false) => ClientState::MetaDl,
    };
}

fn stopped(held: &mut Held) {
    held.state = if held.is_whole() { ClientState::StoppedUp } else { ClientState::StoppedDl };
}

fn delete(world: &mut World, form: &Form) -> Reply {
    let files = match form.fields.get("deleteFiles").map(String::as_str) {
        Some("true") => true,
        Some("false") => false,
        _ => return Reply::text(400, "Bad Request"),
    };
    for key in named(world, form) {
        if let Some(held) = world.torrents.remove(&key) {
            world.deeds.push(Deed::Removed { hashes: held.hashes(), files });
        }
    }
    Reply::done()
}

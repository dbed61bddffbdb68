//! Who gets in: every address, asked by those who must not be answered.

use reqwest::{Method, Response};
use serde_json::Value;
use verst_service::WorkId;
use verst_service::accounts::Role;
use verst_testkit::Backend;
use verst_web::Typed;

use crate::dock::ROUTE;
use crate::support::{Plan, Site, json, problem};

/// Addresses that answer without a token.
const OPEN: [&str; 5] =
    ["/healthz", "/readyz", "/metrics", "/api/v1/setup", "/api/v1/setup/account"];

/// A recording and a download.
#[derive(Clone, Copy)]
struct Ids {
    recording: WorkId,
    download: WorkId,
}

impl Ids {
    async fn of(site: &Site) -> Self {
        Self { recording: site.upload().await, download: site.download("film.mkv").await.1 }
    }

    fn at(self, path: &str) -> WorkId {
        if path.starts_with(ROUTE) { self.download } else { self.recording }
    }
}

/// Every address with every method, as the description has them.
fn routes(ids: Ids) -> Vec<(Method, String, String)> {
    let described: Value = serde_json::from_str(&verst_web::openapi()).unwrap();
    let mut routes = Vec::new();
    for (path, methods) in described["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            let Ok(method) = Method::from_bytes(method.to_uppercase().as_bytes()) else { continue };
            if ["GET", "POST", "PUT", "PATCH", "DELETE"].contains(&method.as_str()) {
                let asked =
                    path.replace("{id}", &ids.at(path).to_string()).replace("{model}", "base.bin");
                let asked = ["{index}", "{correction}", "{share}", "{secret}"]
                    .iter()
                    .fold(asked, |asked, name| asked.replace(name, "0"));
                routes.push((method, path.clone(), asked));
            }
        }
    }
    assert!(routes.len() > 30, "{routes:?}");
    routes
}

/// Those that answer nobody who is not known.
fn closed(ids: Ids) -> impl Iterator<Item = (Method, String, String)> {
    routes(ids).into_iter().filter(|(method, route, _)| {
        let signs_in = *method == Method::POST && route == "/api/v1/sessions";
        let shared = route.starts_with("/api/v1/shared/");
        !OPEN.contains(&route.as_str()) && !signs_in && !shared
    })
}

/// Those that name a thing, which may be another's.
fn of_things(ids: Ids) -> impl Iterator<Item = (Method, String, String)> {
    // Accounts, sessions and tokens have numbers of their own, and tests of their own.
    let of_people = |route: &str| {
        ["/api/v1/accounts", "/api/v1/sessions", "/api/v1/tokens"]
            .iter()
            .any(|it| route.starts_with(it))
    };
    routes(ids).into_iter().filter(move |(_, route, _)| route.contains("{id}") && !of_people(route))
}

async fn ask(site: &Site, method: Method, path: &str, token: Option<&str>) -> Response {
    let mut request = site.bare(method, path).header("content-type", "application/json");
    if let Some(token) = token {
        request = request.bearer_auth(token);
    }
    request.body("{}").send().await.unwrap()
}

#[tokio::test]
async fn nothing_is_answered_without_a_token_that_opens_something() {
    let site = Site::docked(Backend::Sqlite).await;
    let ids = Ids::of(&site).await;
    let (token, secret) = site.world.service.add_token("old", None, None).await.unwrap();
    json(ask(&site, Method::GET, "/api/v1/recordings", Some(&secret)).await, 200).await;
    site.world.service.tokens.revoke_token(token, None).await.unwrap();
    for (method, route, path) in closed(ids) {
        let answer = ask(&site, method.clone(), &path, None).await;
        assert_eq!(answer.status(), 401, "{method} {route}");
        assert!(answer.headers()["www-authenticate"].to_str().unwrap().starts_with("Bearer"));
        let answer = ask(&site, method.clone(), &path, Some(&secret)).await;
        assert!([401, 429].contains(&answer.status().as_u16()), "revoked: {method} {route}");
    }
    assert_eq!(site.count().await, 1);
}

#[tokio::test]
async fn what_belongs_to_another_is_answered_like_what_is_not_there() {
    let site = Site::docked(Backend::Sqlite).await;
    let ids = Ids::of(&site).await;
    let stranger = site.token_of("anna").await;
    for (method, route, path) in of_things(ids) {
        let foreign = ask(&site, method.clone(), &path, Some(&stranger)).await;
        let foreign = (foreign.status(), foreign.text().await.unwrap());
        let missing = path.replace(&format!("/{}", ids.at(&path)), "/999999");
        let missing = ask(&site, method.clone(), &missing, Some(&stranger)).await;
        let missing = (missing.status(), missing.text().await.unwrap());
        assert_eq!(foreign.0, 404, "{method} {route}: {}", foreign.1);
        assert_eq!(foreign, missing, "{method} {route}");
    }
    let list = ask(&site, Method::GET, "/api/v1/recordings", Some(&stranger)).await;
    assert_eq!(json(list, 200).await["recordings"], serde_json::json!([]));
    let list = ask(&site, Method::GET, ROUTE, Some(&stranger)).await;
    assert_eq!(json(list, 200).await["downloads"], serde_json::json!([]));
    assert_eq!(site.shown(ids.download).await["state"], "caught");
    assert_eq!(site.count().await, 1);
}

#[tokio::test]
async fn a_session_that_has_ended_opens_nothing() {
    let site = Site::docked(Backend::Sqlite).await;
    let ids = Ids::of(&site).await;
    let anna = site.account("Анна", Role::Admin).await;
    site.account("root", Role::Admin).await;
    let stolen = site.browser("Анна").await;
    stolen.get("/api/v1/recordings").await;
    site.world.service.disable_account(anna).await.unwrap();
    for (method, route, path) in closed(ids) {
        let answer = stolen.ask(method.clone(), &path).json(&serde_json::json!({})).send().await;
        assert_eq!(answer.unwrap().status(), 401, "{method} {route}");
    }
    assert_eq!(site.count().await, 1);
}

#[tokio::test]
async fn a_session_shows_what_belongs_to_its_account_alone() {
    let site = Site::docked(Backend::Sqlite).await;
    let ids = Ids::of(&site).await;
    site.account("Анна", Role::Owner).await;
    let stranger = site.browser("Анна").await;
    for (method, route, path) in of_things(ids) {
        let request = stranger.ask(method.clone(), &path).json(&serde_json::json!({}));
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), 404, "{method} {route}");
    }
    for (path, listed) in [("/api/v1/recordings", "recordings"), (ROUTE, "downloads")] {
        assert_eq!(stranger.get(path).await[listed], serde_json::json!([]));
    }
    let refused = stranger.ask(Method::GET, "/api/v1/accounts").send().await.unwrap();
    assert_eq!(problem(refused, 403).await, "admin_only");
    assert_eq!(site.count().await, 1);
}

#[tokio::test]
async fn another_host_or_origin_is_refused_everywhere() {
    let site = Site::docked(Backend::Sqlite).await;
    let ids = Ids::of(&site).await;
    for (method, route, path) in routes(ids) {
        let request = || site.bare(method.clone(), &path).bearer_auth(&site.token);
        // The name of a page whose owner lets it point to this machine.
        for host in
            ["evil.example", "evil.example:80", "127.0.0.1:1", "localhost", "127.0.0.1@evil"]
        {
            let answer = request().header("host", host).send().await.unwrap();
            assert_eq!(answer.status(), 421, "{method} {route} {host}");
        }
        for origin in ["https://evil.example", "null", "http://127.0.0.1:1", "https://localhost"] {
            let answer = request().header("origin", origin).send().await.unwrap();
            assert_eq!(answer.status(), 403, "{method} {route} {origin}");
        }
    }
    assert_eq!(site.count().await, 1);
    let port = site.at.port();
    for host in [format!("localhost:{port}"), format!("[::1]:{port}"), format!("LOCALHOST:{port}")]
    {
        let own = format!("http://{host}");
        let answer = site.get("/api/v1/recordings").header("host", &host).header("origin", own);
        json(answer.send().await.unwrap(), 200).await;
    }
    // An absolute address in the request line comes before the header.
    let absolute = format!(
        "GET http://evil.example/healthz HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
        site.at
    );
    assert_eq!(site.raw(absolute.as_bytes()).await.status, Some(421));
}

#[tokio::test]
async fn a_proxy_is_believed_only_if_it_is_trusted() {
    for (trusted_proxies, believed) in [("", false), ("127.0.0.0/8", true)] {
        let usual = Plan::default();
        let public_url = "https://verst.example.org";
        let typed = Typed { public_url, trusted_proxies, ..usual.typed.clone() };
        let site = Site::with(Backend::Sqlite, Plan { typed, ..usual }).await;
        let through = |host: &str, from: &str, token: &str| {
            let request = site.bare(Method::GET, "/api/v1/recordings").bearer_auth(token);
            request
                .header("x-forwarded-host", host)
                .header("x-forwarded-proto", "https")
                .header("x-forwarded-for", from)
                .header("origin", public_url)
                .send()
        };
        let good = through("verst.example.org", "192.0.2.1", &site.token).await.unwrap();
        assert_eq!(good.status(), 200);
        let evil = through("evil.example", "192.0.2.1", &site.token).await.unwrap();
        assert_eq!(evil.status(), if believed { 421 } else { 200 });
        // Wrong tokens are counted where they come from.
        for _ in 0..30 {
            through("verst.example.org", "192.0.2.1, 192.0.2.7", "verst_x").await.unwrap();
        }
        let other = through("verst.example.org", "192.0.2.1", "verst_x").await.unwrap();
        assert_eq!(other.status(), if believed { 401 } else { 429 });
    }
}

#[tokio::test]
async fn every_answer_forbids_what_a_browser_could_do_with_it() {
    let site = Site::docked(Backend::Sqlite).await;
    let recording = site.finished().await;
    let ids = Ids { recording, download: site.download("film.mkv").await.1 };
    for (method, route, path) in routes(ids) {
        if method != Method::GET || route.ends_with("/events") {
            continue;
        }
        let answer = ask(&site, method, &path, Some(&site.token)).await;
        let headers = answer.headers();
        assert_eq!(headers["x-content-type-options"], "nosniff", "{route}");
        let policy = headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("default-src 'none'") && policy.contains("sandbox"), "{route}");
        let cache = headers["cache-control"].to_str().unwrap();
        assert!(cache == "no-store" || cache == "private, no-cache", "{route}: {cache}");
    }
    let none = site.get("/nothing").send().await.unwrap();
    assert_eq!(problem(none, 404).await, "no_such_route");
}

//! Alive, ready, counted.

use std::sync::atomic::Ordering;

use reqwest::Method;
use verst_testkit::Backend;
use verst_web::Typed;

use crate::support::{Plan, Site, json, problem};

#[tokio::test]
async fn it_says_that_it_lives_and_whether_it_is_ready() {
    let site = Site::new(Backend::Sqlite).await;
    let alive = site.bare(Method::GET, "/healthz").send().await.unwrap();
    assert_eq!((alive.status().as_u16(), alive.text().await.unwrap().as_str()), (200, "ok\n"));
    site.well.store(false, Ordering::SeqCst);
    // Who has no token learns no more than that.
    let bare = json(site.bare(Method::GET, "/readyz").send().await.unwrap(), 503).await;
    assert_eq!(bare.to_string(), "{\"ready\":false}");
    let owner = site.token_of("anna").await;
    let owner = site.bare(Method::GET, "/readyz").bearer_auth(owner).send().await.unwrap();
    assert_eq!(json(owner, 503).await.to_string(), "{\"ready\":false}");
    let told = json(site.get("/readyz").send().await.unwrap(), 503).await;
    assert_eq!(told["parts"][1]["code"], "disk_full");
    assert_eq!(told["parts"][0]["ready"], true);
}

#[tokio::test]
async fn requests_are_counted_by_their_route_and_nothing_of_what_they_say() {
    let site = Site::new(Backend::Sqlite).await;
    let id = site.upload().await;
    json(site.get(&format!("/api/v1/recordings/{id}")).send().await.unwrap(), 200).await;
    problem(site.get("/secret-name").send().await.unwrap(), 404).await;
    let counted = site.get("/metrics").send().await.unwrap().text().await.unwrap();
    for line in [
        "verst_http_requests_total{method=\"GET\",route=\"/api/v1/recordings/{id}\",status=\"200\"}",
        "verst_http_requests_total{method=\"GET\",route=\"none\",status=\"404\"}",
        "verst_http_request_seconds_count{route=\"/api/v1/recordings\"}",
    ] {
        assert!(counted.contains(line), "{line} in {counted}");
    }
    assert!(!counted.contains("secret-name"));
}

#[tokio::test]
async fn metrics_are_closed_where_others_may_come() {
    let usual = Plan::default();
    let typed = Typed { public_url: "https://verst.example.org", ..usual.typed.clone() };
    let site = Site::with(Backend::Sqlite, Plan { typed, ..usual }).await;
    let bare = site.bare(Method::GET, "/metrics").send().await.unwrap();
    assert_eq!(problem(bare, 401).await, "token_missing");
    let owner = site.token_of("anna").await;
    let owner = site.bare(Method::GET, "/metrics").bearer_auth(owner).send().await.unwrap();
    assert_eq!(problem(owner, 403).await, "admin_only");
    assert_eq!(site.get("/metrics").send().await.unwrap().status(), 200);
}

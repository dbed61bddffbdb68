//! The panel as a browser gets it: who may see it, what else comes with a page, how it says no.

use reqwest::redirect::Policy;
use reqwest::{Client, Method, Response, StatusCode};
use verst_testkit::Backend;

use crate::support::Site;

on_every_store!(
    a_first_start_makes_an_account_that_signs_in_and_out,
    pages_are_for_those_who_are_signed_in,
    a_person_stops_and_lifts_and_edits_by_page,
);

const PASSWORD: &str = "correct horse battery";

/// A browser: it keeps cookies by hand, and follows nothing by itself.
struct Browser<'a> {
    site: &'a Site,
    client: Client,
    cookie: String,
    csrf: String,
}

impl<'a> Browser<'a> {
    fn new(site: &'a Site) -> Self {
        let client = Client::builder().redirect(Policy::none()).build().unwrap();
        Self { site, client, cookie: String::new(), csrf: String::new() }
    }

    async fn get(&self, path: &str) -> Response {
        let request = self.client.get(self.site.url(path)).header("accept", "text/html");
        request.header("cookie", &self.cookie).send().await.unwrap()
    }

    async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Response {
        let origin = format!("http://{}", self.site.at);
        let mut all = vec![("csrf", self.csrf.as_str())];
        all.extend_from_slice(fields);
        let body = url(&all);
        let request = self.client.post(self.site.url(path)).header("accept", "text/html");
        let request = request.header("cookie", &self.cookie).header("origin", origin);
        let request = request.header("x-csrf-token", &self.csrf);
        let form = "application/x-www-form-urlencoded";
        request.header("content-type", form).body(body).send().await.unwrap()
    }

    /// Makes an account and signs it in.
    async fn signed_in(site: &'a Site) -> Self {
        let service = &site.world.service;
        let admin = verst_service::accounts::Role::Admin;
        service.add_account("anna", PASSWORD, admin).await.unwrap();
        let mut browser = Self::new(site);
        let answer = browser.post("/login", &[("name", "anna"), ("password", PASSWORD)]).await;
        browser.enter(&answer).await;
        browser
    }

    async fn enter(&mut self, answer: &Response) {
        assert_eq!(answer.status(), StatusCode::SEE_OTHER);
        let cookie = answer.headers()["set-cookie"].to_str().unwrap();
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
        cookie.split(';').next().unwrap().clone_into(&mut self.cookie);
        let page = self.get("/").await;
        assert_eq!(page.status(), StatusCode::OK);
        let text = page.text().await.unwrap();
        let (_, rest) = text.split_once("name=\"csrf\" content=\"").expect("the page has a token");
        rest.split('"').next().unwrap().clone_into(&mut self.csrf);
    }
}

fn url(fields: &[(&str, &str)]) -> String {
    let mut text = reqwest::Url::parse("http://a/").unwrap();
    text.query_pairs_mut().extend_pairs(fields);
    text.query().unwrap().to_owned()
}

async fn a_first_start_makes_an_account_that_signs_in_and_out(backend: Backend) {
    let site = Site::new(backend).await;
    // The site's own token stands in the way of a first start.
    for token in site.world.service.tokens.tokens(None).await.unwrap() {
        site.world.service.tokens.revoke_token(token.id, None).await.unwrap();
    }
    let setup = site.world.service.offer_setup().await.unwrap().unwrap();
    let mut browser = Browser::new(&site);
    let typed = |token: &'static str| [("token", token), ("name", "anna"), ("password", PASSWORD)];
    let refused = browser.post("/setup", &typed("setup_wrong")).await;
    assert_eq!(refused.status(), StatusCode::FORBIDDEN);
    let text = refused.text().await.unwrap();
    assert!(text.contains("role=\"alert\"") && !text.contains(PASSWORD), "{text}");
    let fields = [("token", setup.as_str()), ("name", "anna"), ("password", PASSWORD)];
    let made = browser.post("/setup", &fields).await;
    browser.enter(&made).await;
    let again = Browser::new(&site).post("/setup", &fields).await;
    assert_eq!(again.status(), StatusCode::FORBIDDEN, "it works once");
    let out = browser.post("/logout", &[]).await;
    assert_eq!(out.headers()["location"], "/");
    assert_eq!(browser.get("/").await.status(), StatusCode::SEE_OTHER, "the session has ended");
    let wrong = browser.post("/login", &[("name", "anna"), ("password", "wrong horse")]).await;
    assert_eq!(wrong.status(), StatusCode::FORBIDDEN);
    assert!(wrong.text().await.unwrap().contains("role=\"alert\""));
}

async fn pages_are_for_those_who_are_signed_in(backend: Backend) {
    let site = Site::new(backend).await;
    let id = site.upload().await;
    let stranger = Browser::new(&site);
    let signed = Browser::signed_in(&site).await;
    let pages = [
        "/".to_owned(),
        "/motion".to_owned(),
        "/recordings".to_owned(),
        format!("/recordings/{id}"),
    ];
    for page in pages {
        let answer = stranger.get(&page).await;
        assert_eq!(answer.status(), StatusCode::SEE_OTHER, "{page}");
        assert!(answer.headers()["location"].to_str().unwrap().starts_with("/login"), "{page}");
        let answer = signed.get(&page).await;
        assert_eq!(answer.status(), StatusCode::OK, "{page}");
        let policy = answer.headers()["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        let text = answer.text().await.unwrap();
        for never in ["<script>", " style=", "javascript:", " onclick", "http://", "https://"] {
            assert!(!text.contains(never), "{page}: {never}");
        }
    }
}

async fn a_person_stops_and_lifts_and_edits_by_page(backend: Backend) {
    let site = Site::new(backend).await;
    let id = site.upload().await;
    let browser = Browser::signed_in(&site).await;
    let act = |path: &str| format!("/recordings/{id}/{path}");
    let text = async |answer: Response| {
        assert_eq!(answer.status(), StatusCode::OK);
        answer.text().await.unwrap()
    };
    let row = text(browser.post(&act("stop"), &[]).await).await;
    assert!(row.contains("Lift the stop to go on"), "{row}");
    let part = text(browser.post(&act("lift?page=1"), &[]).await).await;
    assert!(part.contains("id=\"stands\""), "{part}");
    let about =
        text(browser.post(&act("edit"), &[("title", "<b>Имя"), ("topics", "a, b")]).await).await;
    assert!(about.contains("&#60;b&#62;Имя") && !about.contains("<b>"), "{about}");
    let list = text(browser.get("/recordings?q=%D0%B8%D0%BC%D1%8F").await).await;
    assert!(list.contains("Имя"), "{list}");
    let many = [("id", "1"), ("id", "999"), ("act", "delete")];
    let bulk = text(browser.post("/recordings/bulk", &many).await).await;
    assert!(bulk.contains("One was deleted.") && bulk.contains("One could not be"), "{bulk}");
    assert_eq!(browser.get(&act("")).await.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_browser_is_told_no_with_a_page_and_a_program_with_json() {
    let site = Site::new(Backend::Sqlite).await;
    let asks = async |path: &str, name: &str, value: &str| {
        site.bare(Method::GET, path).header(name, value).send().await.unwrap()
    };
    let page = asks("/nowhere", "accept", "text/html").await;
    assert_eq!(page.status(), StatusCode::NOT_FOUND);
    assert_eq!(page.headers()["content-type"], "text/html; charset=utf-8");
    assert!(page.text().await.unwrap().contains("<h1>Not found</h1>"));
    let sentence = asks("/nowhere", "hx-request", "true").await;
    assert_eq!(sentence.headers()["content-type"], "text/plain; charset=utf-8");
    let json = asks("/api/v1/nowhere", "accept", "text/html").await;
    assert_eq!(json.headers()["content-type"], "application/problem+json");
}

#[tokio::test]
async fn language_and_theme_are_chosen_and_lead_back_here_alone() {
    let site = Site::new(Backend::Sqlite).await;
    let mut browser = Browser::new(&site);
    let chosen = [("language", "ru"), ("theme", "dark"), ("next", "//evil.example")];
    let answer = browser.post("/look", &chosen).await;
    assert_eq!(answer.headers()["location"], "/");
    let cookies: Vec<_> = answer.headers().get_all("set-cookie").iter().collect();
    assert_eq!(cookies.len(), 2);
    browser.cookie = "verst-language=ru; verst-theme=dark".to_owned();
    let page = browser.get("/login").await.text().await.unwrap();
    assert!(page.contains("<html lang=\"ru\" data-theme=\"dark\">"), "{page}");
}

#[tokio::test]
async fn what_pages_are_made_of_is_kept_by_a_browser_for_good() {
    let site = Site::new(Backend::Sqlite).await;
    let page = Browser::new(&site).get("/login").await.text().await.unwrap();
    let found: Vec<&str> = page.split('"').filter(|it| it.starts_with("/assets/")).collect();
    assert!(found.len() >= 6, "{found:?}");
    for path in found {
        let answer = site.bare(Method::GET, path).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        assert!(answer.headers()["cache-control"].to_str().unwrap().contains("immutable"));
    }
    let gone = site.bare(Method::GET, "/assets/tokens-0000000000000000.css").send().await.unwrap();
    assert_eq!(gone.status(), StatusCode::NOT_FOUND);
}

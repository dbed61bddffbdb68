//! Sessions against those who have, steal, guess or forge them.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;
use verst_service::accounts::Role;
use verst_testkit::Backend;
use verst_web::Typed;

use crate::browser::{Browser, PASSWORD, cookie};
use crate::support::{Plan, Site, json, problem};

const DAY: Duration = Duration::from_hours(24);

on_every_store!(
    a_session_ends_by_idleness_and_by_age,
    sessions_are_listed_and_ended,
    a_new_password_ends_the_other_sessions,
);

async fn a_session_ends_by_idleness_and_by_age(backend: Backend) {
    let site = Site::new(backend).await;
    site.account("Анна", Role::Owner).await;
    let (idle, used) = (site.browser("Анна").await, site.browser("Анна").await);
    for _ in 0..7 {
        site.world.pass(DAY * 13);
        assert_eq!(used.lasts().await, site.world.now() < used_until(&used).await);
    }
    assert!(!idle.lasts().await, "not used for two weeks");
    assert!(!used.lasts().await, "older than ninety days");
}

/// When a session ends however much it is used; the past if it has ended.
async fn used_until(browser: &Browser<'_>) -> verst_service::Timestamp {
    let answer = browser.ask(Method::GET, "/api/v1/sessions").send().await.unwrap();
    if answer.status() != 200 {
        return verst_service::Timestamp(0);
    }
    let list = json(answer, 200).await;
    let own = list["sessions"].as_array().unwrap().iter().find(|it| it["current"] == true);
    let until = own.unwrap()["expires_at"].as_str().unwrap().parse::<jiff::Timestamp>().unwrap();
    verst_service::Timestamp(until.as_microsecond())
}

async fn sessions_are_listed_and_ended(backend: Backend) {
    let site = Site::new(backend).await;
    site.account("Анна", Role::Owner).await;
    site.account("Борис", Role::Owner).await;
    let (one, two) = (site.browser("Анна").await, site.browser("Анна").await);
    let boris = site.browser("Борис").await;
    let list = one.get("/api/v1/sessions").await["sessions"].clone();
    let current: Vec<_> = list.as_array().unwrap().iter().map(|it| it["current"].clone()).collect();
    assert_eq!(current, [false, true]);
    let end = |who: &Browser<'_>, id: &serde_json::Value| {
        who.ask(Method::DELETE, &format!("/api/v1/sessions/{id}")).send()
    };
    let foreign = end(&boris, &list[0]["id"]).await.unwrap();
    assert_eq!(problem(foreign, 404).await, "no_such_session");
    assert_eq!(end(&one, &list[0]["id"]).await.unwrap().status(), 204);
    assert!(one.lasts().await && !two.lasts().await && boris.lasts().await);
    let three = site.browser("Анна").await;
    let others = one.ask(Method::DELETE, "/api/v1/sessions").send().await.unwrap();
    assert_eq!(others.status(), 204);
    assert!(one.lasts().await && !three.lasts().await && boris.lasts().await);
    let out = end(&one, &list[1]["id"]).await.unwrap();
    assert!(out.headers()["set-cookie"].to_str().unwrap().contains("Max-Age=0"));
    assert!(!one.lasts().await, "who kept the cookie has nothing");
}

async fn a_new_password_ends_the_other_sessions(backend: Backend) {
    let site = Site::new(backend).await;
    site.account("Анна", Role::Owner).await;
    let (one, thief) = (site.browser("Анна").await, site.browser("Анна").await);
    let change = |current: &str, password: &str| {
        let body = json!({ "current": current, "password": password });
        one.ask(Method::PUT, "/api/v1/me/password").json(&body).send()
    };
    let wrong = change("неверный пароль", "другой пароль").await.unwrap();
    assert_eq!(problem(wrong, 403).await, "password_wrong");
    let short = change(PASSWORD, "короткий".split_at(8).0).await.unwrap();
    assert_eq!(problem(short, 422).await, "password_length");
    assert!(thief.lasts().await);
    assert_eq!(change(PASSWORD, "другой пароль").await.unwrap().status(), 204);
    assert!(one.lasts().await && !thief.lasts().await);
    for _ in 0..20 {
        change("неверный пароль", "другой пароль").await.unwrap();
    }
    let guess = change("неверный пароль", "другой пароль").await.unwrap();
    assert_eq!(problem(guess, 429).await, "too_many_sign_ins");
    let tongue = one.ask(Method::PATCH, "/api/v1/me").json(&json!({ "language": "ru" }));
    assert_eq!(tongue.send().await.unwrap().status(), 204);
    assert_eq!(one.get("/api/v1/me").await["account"]["language"], "ru");
    let odd = one.ask(Method::PATCH, "/api/v1/me").json(&json!({ "language": "de" }));
    assert_eq!(problem(odd.send().await.unwrap(), 400).await, "parameter_wrong");
}

#[tokio::test]
async fn a_cookie_before_signing_in_is_not_the_one_after() {
    let site = Site::new(Backend::Sqlite).await;
    site.account("Анна", Role::Owner).await;
    site.account("Мэллори", Role::Owner).await;
    // Planted by somebody who has that session.
    let planted = site.browser("Мэллори").await;
    let answer = site.try_to_sign_in("Анна", PASSWORD, Some(&planted.cookie)).await;
    let after = cookie(&answer);
    assert_ne!(after, planted.cookie);
    assert!(!planted.lasts().await, "the session that was there has ended");
    // One that never was a session, and that nobody issued.
    let invented = format!("verst={}", "a".repeat(43));
    let answer = site.try_to_sign_in("Анна", PASSWORD, Some(&invented)).await;
    assert_ne!(cookie(&answer), invented);
    let with = site.bare(Method::GET, "/api/v1/me").header("cookie", invented);
    assert_eq!(problem(with.send().await.unwrap(), 401).await, "token_missing");
}

#[tokio::test]
async fn a_cookie_alone_changes_nothing() {
    let site = Site::new(Backend::Sqlite).await;
    site.account("root", Role::Admin).await;
    let (root, other) = (site.browser("root").await, site.browser("root").await);
    let id = site.upload().await;
    let path = format!("/api/v1/recordings/{id}");
    for (method, path) in [
        (Method::POST, "/api/v1/recordings"),
        (Method::PATCH, &*path),
        (Method::DELETE, &*path),
        (Method::POST, "/api/v1/accounts"),
        (Method::DELETE, "/api/v1/sessions"),
        (Method::PUT, "/api/v1/me/password"),
    ] {
        let bare = root.bare(method.clone(), path).json(&json!({}));
        assert_eq!(
            problem(bare.send().await.unwrap(), 403).await,
            "not_vouched",
            "{method} {path}"
        );
        for forged in ["", "x", &other.csrf, &root.csrf.to_uppercase()] {
            let forged = root.bare(method.clone(), path).header("x-csrf-token", forged);
            let answer = forged.json(&json!({})).send().await.unwrap();
            assert_eq!(problem(answer, 403).await, "not_vouched", "{method} {path}");
        }
        let foreign = root.ask(method, path).header("origin", "https://evil.example");
        let answer = foreign.json(&json!({})).send().await.unwrap();
        assert_eq!(problem(answer, 403).await, "origin_foreign");
    }
    let rename = root.ask(Method::PATCH, &path).json(&json!({ "title": "имя" }));
    json(rename.send().await.unwrap(), 200).await;
}

#[tokio::test]
async fn passwords_are_guessed_slowly_and_names_are_not_told() {
    let site = Site::new(Backend::Sqlite).await;
    site.account("Анна", Role::Owner).await;
    let here = site.browser("Анна").await;
    let mut told = Vec::new();
    for guess in 0..12 {
        let answer = site.try_to_sign_in("АННА", &format!("неверный {guess}"), None).await;
        let (status, waits) =
            (answer.status().as_u16(), answer.headers().contains_key("retry-after"));
        assert_eq!(waits, status == 429);
        told.push(problem(answer, status).await);
    }
    assert_eq!(told.first().map(String::as_str), Some("sign_in_wrong"));
    assert_eq!(told.last().map(String::as_str), Some("too_many_sign_ins"));
    let right = site.try_to_sign_in("Анна", PASSWORD, None).await;
    assert_eq!(problem(right, 429).await, "too_many_sign_ins");
    assert!(here.lasts().await, "who is in stays in");
    let nobody = site.try_to_sign_in("Никто", PASSWORD, None).await;
    assert_eq!(problem(nobody, 403).await, "sign_in_wrong");
}

#[tokio::test]
async fn behind_https_the_cookie_is_for_https_alone() {
    let usual = Plan::default();
    let typed = Typed { public_url: "https://verst.example.org", ..usual.typed.clone() };
    let site = Site::with(Backend::Sqlite, Plan { typed, ..usual }).await;
    site.account("Анна", Role::Owner).await;
    let answer = site.try_to_sign_in("Анна", PASSWORD, None).await;
    let set = answer.headers()["set-cookie"].to_str().unwrap().to_owned();
    assert!(set.starts_with("__Host-verst="), "{set}");
    for kept in ["; Path=/;", "; HttpOnly", "; SameSite=Lax", "; Secure"] {
        assert!(set.contains(kept), "{kept}: {set}");
    }
    let anna = Browser::of(&site, answer).await;
    assert!(anna.lasts().await);
    let plain = anna.cookie.replace("__Host-verst", "verst");
    let plain = site.bare(Method::GET, "/api/v1/me").header("cookie", plain).send().await.unwrap();
    assert_eq!(plain.status(), 401);
}

//! The first token, and how wrong ones are answered.

use serde_json::json;
use verst_service::Service;
use verst_testkit::Backend;

use crate::support::{Site, json, problem};

on_every_store!(a_setup_token_makes_the_first_token_and_no_other);

async fn a_setup_token_makes_the_first_token_and_no_other(backend: Backend) {
    let site = Site::new(backend).await;
    let service: &Service = &site.world.service;
    let make = |token: &str| {
        let body = json!({ "token": token, "name": "first" });
        site.bare(reqwest::Method::POST, "/api/v1/setup").json(&body).send()
    };
    // There is a token already, so nothing is offered, and nothing would be made.
    assert_eq!(service.offer_setup().await.unwrap(), None);
    for token in service.tokens.tokens(None).await.unwrap() {
        service.tokens.revoke_token(token.id, None).await.unwrap();
    }
    let setup = service.offer_setup().await.unwrap().expect("nobody has a token now");
    assert_eq!(problem(make("setup_guess").await.unwrap(), 403).await, "setup_refused");
    let first = json(make(&setup).await.unwrap(), 201).await;
    assert_eq!(problem(make(&setup).await.unwrap(), 403).await, "setup_refused");
    let list = site.bare(reqwest::Method::GET, "/api/v1/recordings");
    json(list.bearer_auth(first["token"].as_str().unwrap()).send().await.unwrap(), 200).await;
    let empty = site.bare(reqwest::Method::POST, "/api/v1/setup");
    let empty = empty.json(&json!({ "token": setup, "name": " " })).send().await.unwrap();
    assert_eq!(problem(empty, 400).await, "parameter_wrong");
}

#[tokio::test]
async fn who_guesses_waits_and_who_is_known_does_not() {
    let site = Site::new(Backend::Sqlite).await;
    let list = |token: &str| {
        site.bare(reqwest::Method::GET, "/api/v1/recordings").bearer_auth(token).send()
    };
    json(list(&site.token).await.unwrap(), 200).await;
    let mut code = String::new();
    for guess in 0..30 {
        let answer = list(&format!("verst_{guess}")).await.unwrap();
        let waits = answer.headers().contains_key("retry-after");
        let status = answer.status().as_u16();
        assert_eq!(waits, status == 429, "{status}");
        code = problem(answer, status).await;
    }
    assert_eq!(code, "too_many_attempts");
    json(list(&site.token).await.unwrap(), 200).await;
}

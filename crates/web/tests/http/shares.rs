//! Links by which anybody may look at one recording.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use verst_service::WorkId;
use verst_service::accounts::Role;
use verst_testkit::{Backend, World};

use crate::support::{Site, json, problem};

const DAY: Duration = Duration::from_hours(24);

on_every_store!(a_link_shows_one_recording_until_it_ends);

async fn share(site: &Site, id: WorkId, body: Value) -> Value {
    let path = format!("/api/v1/recordings/{id}/shares");
    json(site.post(&path).json(&body).send().await.unwrap(), 201).await
}

fn at(made: &Value) -> String {
    format!("/api/v1/shared/{}", made["secret"].as_str().unwrap())
}

async fn a_link_shows_one_recording_until_it_ends(backend: Backend) {
    let site = Site::hearing(backend).await;
    let id = site.finished().await;
    let path = format!("/api/v1/recordings/{id}");
    let title = site.bare(Method::PATCH, &path).bearer_auth(&site.token);
    json(title.json(&json!({ "title": "Беседа" })).send().await.unwrap(), 200).await;
    let (short, usual) =
        (share(&site, id, json!({ "days": 1 })).await, share(&site, id, json!({})).await);
    assert_eq!(usual["path"], format!("/s/{}", usual["secret"].as_str().unwrap()));

    let answer = site.bare(Method::GET, &at(&short)).send().await.unwrap();
    assert_eq!(answer.headers()["referrer-policy"], "no-referrer");
    assert_eq!(answer.headers()["x-robots-tag"], "noindex, nofollow");
    let seen = json(answer, 200).await;
    assert_eq!(seen["title"], "Беседа");
    assert!(!seen["segments"].as_array().unwrap().is_empty());
    let stem = World::NAME.split('.').next().unwrap();
    assert!(!seen.to_string().contains(stem), "the file's name is its owner's: {seen}");
    let sound = format!("{}/audio", at(&short));
    let sound = site.bare(Method::GET, &sound).header("range", "bytes=0-3").send().await.unwrap();
    assert_eq!(sound.status(), 206);
    let named = sound.headers()["content-disposition"].to_str().unwrap();
    assert!(!named.contains(stem), "{named}");

    // It opens nothing else, and changes nothing.
    let secret = short["secret"].as_str().unwrap();
    let token = site.bare(Method::GET, &path).bearer_auth(secret).send().await.unwrap();
    assert_eq!(token.status(), 401);
    for method in [Method::DELETE, Method::PATCH, Method::POST, Method::PUT] {
        let changed = site.bare(method, &at(&short)).json(&json!({})).send().await.unwrap();
        assert_eq!(changed.status(), 405);
    }

    let list = format!("{path}/shares");
    let shares = json(site.get(&list).send().await.unwrap(), 200).await["shares"].clone();
    assert_eq!(shares.as_array().unwrap().len(), 2);
    assert!(!shares.to_string().contains(secret), "a secret is shown once");
    site.world.pass(DAY);
    let gone = site.bare(Method::GET, &at(&short)).send().await.unwrap();
    assert_eq!(problem(gone, 404).await, "no_such_link");
    json(site.bare(Method::GET, &at(&usual)).send().await.unwrap(), 200).await;
    let own = format!("{list}/{}", usual["id"]);
    let revoke = || site.bare(Method::DELETE, &own).bearer_auth(&site.token).send();
    assert_eq!(revoke().await.unwrap().status(), 204);
    assert_eq!(problem(revoke().await.unwrap(), 404).await, "no_such_share");
    for path in [at(&usual), format!("{}/audio", at(&usual))] {
        let gone = site.bare(Method::GET, &path).send().await.unwrap();
        assert_eq!(problem(gone, 404).await, "no_such_link");
    }
    for days in [0, 367] {
        let wrong = site.post(&list).json(&json!({ "days": days })).send().await.unwrap();
        assert_eq!(problem(wrong, 400).await, "parameter_wrong");
    }
}

#[tokio::test]
async fn a_link_ends_with_the_account_that_made_it_and_guesses_wait() {
    let site = Site::new(Backend::Sqlite).await;
    let anna = site.account("Анна", Role::Owner).await;
    let browser = site.browser("Анна").await;
    let upload = browser.ask(Method::POST, "/api/v1/recordings").multipart(Site::form());
    let id = json(upload.send().await.unwrap(), 201).await["id"].as_i64().unwrap();
    let made = browser.ask(Method::POST, &format!("/api/v1/recordings/{id}/shares"));
    let made = json(made.json(&json!({})).send().await.unwrap(), 201).await;
    let look = || site.bare(Method::GET, &at(&made)).send();
    assert_eq!(json(look().await.unwrap(), 200).await["segments"], Value::Null, "no text yet");
    let mut code = String::new();
    for guess in 0..20 {
        let path = format!("/api/v1/shared/{guess}");
        let answer = site.bare(Method::GET, &path).send().await.unwrap();
        let status = answer.status().as_u16();
        code = problem(answer, status).await;
    }
    assert_eq!(code, "too_many_attempts");
    assert_eq!(look().await.unwrap().status(), 200, "who is known is not kept out");
    site.world.service.disable_account(anna).await.unwrap();
    assert!(look().await.unwrap().status().is_client_error());
}

//! People: making accounts, changing them, and their tokens.

use reqwest::Method;
use serde_json::{Value, json};
use verst_service::accounts::Role;
use verst_testkit::Backend;

use crate::browser::{Browser, PASSWORD};
use crate::support::{Site, json, problem};

on_every_store!(
    the_first_account_is_made_once_and_signed_in,
    administrators_make_and_change_accounts,
    tokens_are_made_for_oneself_and_by_administrators_for_anybody,
);

async fn the_first_account_is_made_once_and_signed_in(backend: Backend) {
    let site = Site::new(backend).await;
    let service = &site.world.service;
    for token in service.tokens.tokens(None).await.unwrap() {
        service.tokens.revoke_token(token.id, None).await.unwrap();
    }
    let setup = service.offer_setup().await.unwrap().expect("nobody can come in");
    let first = |token: &str, name: &str, password: &str| {
        let body = json!({ "token": token, "name": name, "password": password });
        site.bare(Method::POST, "/api/v1/setup/account").json(&body).send()
    };
    let refused = first("setup_guess", "Анна", PASSWORD).await.unwrap();
    assert_eq!(problem(refused, 403).await, "setup_refused");
    assert_eq!(
        problem(first(&setup, "Анна", "short").await.unwrap(), 422).await,
        "password_length"
    );
    assert_eq!(problem(first(&setup, " ", PASSWORD).await.unwrap(), 422).await, "name_wrong");
    let anna = Browser::of(&site, first(&setup, "Анна", PASSWORD).await.unwrap()).await;
    let me = anna.get("/api/v1/me").await;
    assert_eq!((&me["account"]["name"], &me["account"]["role"]), (&json!("Анна"), &json!("admin")));
    assert_eq!(
        problem(first(&setup, "Борис", PASSWORD).await.unwrap(), 403).await,
        "setup_refused"
    );
    assert_eq!(service.offer_setup().await.unwrap(), None);
    assert_eq!(site.try_to_sign_in("АННА", PASSWORD, None).await.status(), 201);
}

async fn administrators_make_and_change_accounts(backend: Backend) {
    let site = Site::new(backend).await;
    site.account("root", Role::Admin).await;
    let root = site.browser("root").await;
    let make = |name: &str, role: &str| {
        let body = json!({ "name": name, "password": PASSWORD, "role": role });
        root.ask(Method::POST, "/api/v1/accounts").json(&body).send()
    };
    let anna = json(make("Анна", "owner").await.unwrap(), 201).await;
    assert_eq!(problem(make(" анна ", "admin").await.unwrap(), 409).await, "name_taken");
    assert_eq!(problem(make("Борис", "king").await.unwrap(), 400).await, "parameter_wrong");
    let list = root.get("/api/v1/accounts").await;
    let names: Vec<&Value> =
        list["accounts"].as_array().unwrap().iter().map(|it| &it["name"]).collect();
    assert_eq!(names, ["root", "Анна"]);

    let path = format!("/api/v1/accounts/{}", anna["id"]);
    let change = |body: Value| root.ask(Method::PATCH, &path).json(&body).send();
    let browser = site.browser("анна").await;
    let refused = browser.ask(Method::GET, "/api/v1/accounts").send().await.unwrap();
    assert_eq!(problem(refused, 403).await, "admin_only");
    let both = change(json!({ "role": "admin", "disabled": true })).await.unwrap();
    assert_eq!(problem(both, 422).await, "body_wrong");
    let admin = json(change(json!({ "role": "admin" })).await.unwrap(), 200).await;
    assert_eq!(admin["role"], "admin");
    browser.get("/api/v1/accounts").await;
    json(change(json!({ "role": "owner" })).await.unwrap(), 200).await;
    let refused = browser.ask(Method::GET, "/api/v1/accounts").send().await.unwrap();
    assert_eq!(problem(refused, 403).await, "admin_only");

    json(change(json!({ "password": "другой пароль" })).await.unwrap(), 200).await;
    assert!(!browser.lasts().await);
    let old = site.try_to_sign_in("анна", PASSWORD, None).await;
    assert_eq!(problem(old, 403).await, "sign_in_wrong");
    let again = site.try_to_sign_in("анна", "другой пароль", None).await;
    let again = Browser::of(&site, again).await;
    let disabled = json(change(json!({ "disabled": true })).await.unwrap(), 200).await;
    assert!(disabled["disabled_at"].is_string());
    assert!(!again.lasts().await);
    let refused = site.try_to_sign_in("анна", "другой пароль", None).await;
    assert_eq!(problem(refused, 403).await, "account_disabled");
    let wrong = site.try_to_sign_in("анна", "неверный пароль", None).await;
    assert_eq!(problem(wrong, 403).await, "sign_in_wrong", "a stranger learns nothing");
    json(change(json!({ "disabled": false })).await.unwrap(), 200).await;
    assert_eq!(site.try_to_sign_in("анна", "другой пароль", None).await.status(), 201);

    let me = root.get("/api/v1/me").await;
    let mine = format!("/api/v1/accounts/{}", me["account"]["id"]);
    for change in [json!({ "disabled": true }), json!({ "role": "owner" })] {
        let refused = root.ask(Method::PATCH, &mine).json(&change).send().await.unwrap();
        assert_eq!(problem(refused, 409).await, "last_admin");
    }
    let none = root.ask(Method::PATCH, "/api/v1/accounts/999").json(&json!({ "role": "owner" }));
    assert_eq!(problem(none.send().await.unwrap(), 404).await, "no_such_account");
}

async fn tokens_are_made_for_oneself_and_by_administrators_for_anybody(backend: Backend) {
    let site = Site::new(backend).await;
    site.account("root", Role::Admin).await;
    site.account("Анна", Role::Owner).await;
    let (root, anna) = (site.browser("root").await, site.browser("Анна").await);
    let make =
        |who: &Browser<'_>, body: Value| who.ask(Method::POST, "/api/v1/tokens").json(&body).send();
    let hers = json(make(&anna, json!({ "name": "phone", "days": 1 })).await.unwrap(), 201).await;
    let foreign = make(&anna, json!({ "name": "x", "owner": "root" })).await.unwrap();
    assert_eq!(problem(foreign, 403).await, "admin_only");
    let given = make(&root, json!({ "name": "given", "owner": "анна" })).await.unwrap();
    let given = json(given, 201).await;
    json(make(&root, json!({ "name": "all" })).await.unwrap(), 201).await;
    for (body, parameter) in [
        (json!({ "name": " " }), "name"),
        (json!({ "name": "x", "days": 0 }), "days"),
        (json!({ "name": "x", "owner": "" }), "owner"),
    ] {
        let wrong = json(make(&root, body).await.unwrap(), 400).await;
        assert_eq!(wrong["params"]["parameter"], parameter);
    }
    let names = async |who: &Browser<'_>| {
        let list = who.get("/api/v1/tokens").await;
        let named = list["tokens"].as_array().unwrap().iter().map(|it| it["name"].clone());
        named.collect::<Vec<Value>>()
    };
    assert_eq!(names(&anna).await, ["given", "phone"]);
    assert_eq!(names(&root).await, ["all", "given", "phone", "me"]);

    // What each of them hands in is hers, and a token makes no other.
    let token = |made: &Value| made["token"].as_str().unwrap().to_owned();
    for secret in [token(&hers), token(&given)] {
        let upload = site.bare(Method::POST, "/api/v1/recordings").bearer_auth(&secret);
        json(upload.multipart(Site::form()).send().await.unwrap(), 201).await;
        let another = site.bare(Method::POST, "/api/v1/tokens").bearer_auth(&secret);
        let another = another.json(&json!({ "name": "another" })).send().await.unwrap();
        assert_eq!(problem(another, 403).await, "sign_in_for_this");
    }
    let upload = root.ask(Method::POST, "/api/v1/recordings").multipart(Site::form());
    json(upload.send().await.unwrap(), 201).await;
    assert_eq!(anna.get("/api/v1/recordings").await["recordings"].as_array().unwrap().len(), 2);
    assert_eq!(root.get("/api/v1/recordings").await["recordings"].as_array().unwrap().len(), 3);

    let all = root.get("/api/v1/tokens").await["tokens"][0]["id"].clone();
    let revoke = |who: &Browser<'_>, id: &Value| {
        who.ask(Method::DELETE, &format!("/api/v1/tokens/{id}")).send()
    };
    assert_eq!(problem(revoke(&anna, &all).await.unwrap(), 404).await, "no_such_token");
    assert_eq!(revoke(&anna, &given["id"]).await.unwrap().status(), 204);
    assert_eq!(problem(revoke(&root, &given["id"]).await.unwrap(), 404).await, "no_such_token");
    let list = site.bare(Method::GET, "/api/v1/recordings").bearer_auth(token(&given));
    assert_eq!(problem(list.send().await.unwrap(), 401).await, "token_invalid");
}

#[tokio::test]
async fn what_a_person_did_is_in_the_journal_under_their_name() {
    let site = Site::new(Backend::Sqlite).await;
    site.account("Анна", Role::Owner).await;
    let anna = site.browser("Анна").await;
    let upload = anna.ask(Method::POST, "/api/v1/recordings").multipart(Site::form());
    let id = json(upload.send().await.unwrap(), 201).await["id"].clone();
    let stop = anna.ask(Method::POST, &format!("/api/v1/recordings/{id}/stop"));
    json(stop.send().await.unwrap(), 200).await;
    let journal = anna.get(&format!("/api/v1/recordings/{id}/journal")).await;
    assert!(journal.to_string().contains("Анна"), "{journal}");
}

//! What is heard by who listens.

use std::collections::VecDeque;

use reqwest::Response;
use serde_json::Value;
use verst_testkit::Backend;
use verst_web::Typed;

use crate::support::{Plan, Site, json, problem};

/// Events as they come.
struct Ear {
    answer: Response,
    text: String,
    heard: VecDeque<(String, Value)>,
}

impl Ear {
    async fn on(site: &Site, token: &str, path: &str) -> Self {
        let request = site.bare(reqwest::Method::GET, path).bearer_auth(token);
        let answer = request.send().await.unwrap();
        assert_eq!(answer.headers()["content-type"], "text/event-stream");
        Self { answer, text: String::new(), heard: VecDeque::new() }
    }

    /// The next event; nothing when the stream has ended.
    async fn next(&mut self) -> Option<(String, Value)> {
        loop {
            if let Some(event) = self.heard.pop_front() {
                return Some(event);
            }
            let chunk = self.answer.chunk().await.ok().flatten()?;
            self.text.push_str(std::str::from_utf8(&chunk).unwrap());
            while let Some((event, rest)) = self.text.split_once("\n\n") {
                let field = |name: &str| {
                    let line = event.lines().find_map(|line| line.strip_prefix(name));
                    line.unwrap_or_default().trim().to_owned()
                };
                if !field("event:").is_empty() {
                    let data = serde_json::from_str(&field("data:")).unwrap();
                    self.heard.push_back((field("event:"), data));
                }
                let rest = rest.to_owned();
                self.text = rest;
            }
        }
    }

    /// Waits for an event of this kind about this recording that is so.
    async fn wait_for(&mut self, kind: &str, id: i64, so: impl Fn(&Value) -> bool) {
        let come = async {
            loop {
                let (event, data) = self.next().await.expect("it goes on");
                if event == kind && data["id"] == id && so(&data) {
                    return;
                }
            }
        };
        crate::support::in_time(come).await;
    }
}

#[tokio::test]
async fn changes_are_heard_by_who_may_see_them() {
    let site = Site::new(Backend::Sqlite).await;
    let id = site.upload().await;
    let mut all = Ear::on(&site, &site.token, "/api/v1/events").await;
    let mut one = Ear::on(&site, &site.token, &format!("/api/v1/recordings/{id}/events")).await;
    let stranger = site.token_of("anna").await;
    let mut other = Ear::on(&site, &stranger, "/api/v1/events").await;

    site.world.reach(id, "done").await;
    let done = |data: &Value| data["state"] == "done";
    all.wait_for("recording", id.0, done).await;
    one.wait_for("recording", id.0, done).await;

    let second = site.upload().await;
    all.wait_for("recording", second.0, |data| data["state"] == "moving").await;
    let route = format!("/api/v1/recordings/{id}");
    let delete = site.bare(reqwest::Method::DELETE, &route).bearer_auth(&site.token);
    assert_eq!(delete.send().await.unwrap().status(), 204);
    all.wait_for("deleted", id.0, |_| true).await;
    one.wait_for("deleted", id.0, |_| true).await;

    // The stranger hears of their own first, so of nothing that came before.
    let form = site.bare(reqwest::Method::POST, "/api/v1/recordings").bearer_auth(&stranger);
    let own = json(form.multipart(Site::form()).send().await.unwrap(), 201).await;
    let (event, data) = other.next().await.unwrap();
    assert_eq!((event.as_str(), &data["id"]), ("recording", &own["id"]));
    let route = format!("/api/v1/recordings/{second}/events");
    let foreign = site.bare(reqwest::Method::GET, &route).bearer_auth(&stranger);
    assert_eq!(problem(foreign.send().await.unwrap(), 404).await, "no_such_recording");

    // All streams end with the service, and it does not wait for their listeners.
    site.end().await;
    for ear in [&mut all, &mut other] {
        while ear.next().await.is_some() {}
    }
}

#[tokio::test]
async fn whatever_changes_after_the_answer_began_is_heard() {
    let site = Site::new(Backend::Sqlite).await;
    for _ in 0..4 {
        let id = site.upload().await;
        let mut ear = Ear::on(&site, &site.token, "/api/v1/events").await;
        // By another way than this face, which tells nobody.
        site.world.service.stop(id, "me").await.unwrap();
        ear.wait_for("recording", id.0, |data| data["state"] == "stopped").await;
        drop(ear);
        // What is written about a recording on its way is no step of it.
        let id = site.upload().await;
        let route = format!("/api/v1/recordings/{id}");
        let mut ear = Ear::on(&site, &site.token, &format!("{route}/events")).await;
        let edit = site.bare(reqwest::Method::PATCH, &route).bearer_auth(&site.token);
        let edit = edit.json(&serde_json::json!({ "summary": "short" })).send().await.unwrap();
        json(edit, 200).await;
        ear.wait_for("recording", id.0, |data| data["summary"] == "short").await;
    }
}

#[tokio::test]
async fn those_who_listen_are_limited() {
    let usual = Plan::default();
    let typed = Typed { connections: 300, ..usual.typed.clone() };
    let site = Site::with(Backend::Sqlite, Plan { typed, ..usual }).await;
    let mut ears = Vec::new();
    let refused = loop {
        let answer = site.get("/api/v1/events").send().await.unwrap();
        if answer.status() != 200 {
            break answer;
        }
        ears.push(answer);
        assert!(ears.len() <= 200, "there is a limit");
    };
    assert!(refused.headers().contains_key("retry-after"));
    assert_eq!(problem(refused, 503).await, "too_many_listeners");
}

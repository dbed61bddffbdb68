//! What is heard by who listens.

use std::collections::VecDeque;

use reqwest::Response;
use serde_json::Value;
use verst_service::download::ClientState;
use verst_testkit::Backend;
use verst_testkit::torrents::Torrent;
use verst_web::Typed;

use crate::dock::ROUTE;
use crate::support::{Plan, Site, json, problem};

on_every_store!(
    changes_of_downloads_are_heard_by_who_may_see_them,
    of_two_that_are_one_each_sender_hears,
);

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

    /// Waits for an event of this kind about this recording or download that is so.
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

async fn changes_of_downloads_are_heard_by_who_may_see_them(backend: Backend) {
    let site = Site::docked(backend).await;
    let (torrent, id) = site.download("film.mkv").await;
    let route = format!("{ROUTE}/{id}");
    let mut all = Ear::on(&site, &site.token, "/api/v1/events").await;
    let mut one = Ear::on(&site, &site.token, &format!("{route}/events")).await;
    let (anna, boris) = (site.token_of("anna").await, site.token_of("boris").await);
    let mut other = Ear::on(&site, &anna, "/api/v1/events").await;

    let dock = site.dock();
    dock.harbour.reach(id, "downloading").await;
    let coming = |data: &Value| data["state"] == "downloading";
    all.wait_for("download", id.0, coming).await;
    one.wait_for("download", id.0, coming).await;
    let hash = torrent.v1.as_ref().unwrap();
    for (progress, percent) in [(0.25, 25), (0.5, 50)] {
        dock.server.change(hash, |held| {
            (held.state, held.down_rate) = (ClientState::Downloading, 1234);
            held.files[0].progress = progress;
        });
        dock.harbour.tick().await;
        let far = |data: &Value| data["live"]["percent"] == percent;
        all.wait_for("download", id.0, far).await;
        one.wait_for("download", id.0, far).await;
    }
    // What is heard is what looking would have said.
    json(site.act(id, "stop").await, 200).await;
    let shown = site.shown(id).await;
    assert_eq!(shown["error_code"], "stopped_by_person");
    all.wait_for("download", id.0, |data| *data == shown).await;
    // Of what a person changes in one that is stopped already, too.
    json(site.act(id, "retry").await, 200).await;
    one.wait_for("download", id.0, |data| data["state"] == "downloading").await;
    assert_eq!(site.delete(&route).send().await.unwrap().status(), 204);
    all.wait_for("deleted", id.0, |_| true).await;
    one.wait_for("deleted", id.0, |_| true).await;

    // The stranger hears of their own first, so of nothing that came before.
    let own = site.hand_in(&Torrent::sample("own.mkv"), &anna).await;
    let (event, data) = other.next().await.unwrap();
    assert_eq!((event.as_str(), &data["id"]), ("download", &own.0.into()));
    // Whoever sends the same is one of those who sent it, for who may know that.
    assert_eq!(site.hand_in(&Torrent::sample("own.mkv"), &boris).await, own);
    all.wait_for("download", own.0, |data| data["senders"][1]["owner"] == "boris").await;
    other.wait_for("download", own.0, |data| data["senders"].as_array().unwrap().len() == 1).await;
    let foreign = site.hand_in(&Torrent::sample("foreign.mkv"), &boris).await;
    let route = format!("{ROUTE}/{foreign}/events");
    let refused = site.bare(reqwest::Method::GET, &route).bearer_auth(&anna).send().await.unwrap();
    assert_eq!(problem(refused, 404).await, "no_such_download");
}

/// Two magnets of one hybrid become one download when its metadata comes.
async fn of_two_that_are_one_each_sender_hears(backend: Backend) {
    let site = Site::docked(backend).await;
    let (anna, boris) = (site.token_of("anna").await, site.token_of("boris").await);
    let torrent = Torrent::sample_hybrid("hybrid.mkv");
    let by_v2 = format!("magnet:?xt=urn:btmh:1220{}", torrent.v2.as_ref().unwrap());
    let first = site.hand_in_link(&torrent.magnet(None), &anna).await;
    let second = site.hand_in_link(&by_v2, &boris).await;
    let dock = site.dock();
    dock.harbour.reach(first, "downloading").await;
    dock.harbour.reach(second, "downloading").await;
    let mut ear = Ear::on(&site, &boris, "/api/v1/events").await;
    dock.server.learn(&torrent);
    dock.harbour.tick().await;
    // The one that goes on is theirs now, and the other is there no more for who has no part in it.
    let both = async {
        let mut left = vec![("deleted", second.0), ("download", first.0)];
        while !left.is_empty() {
            let (event, data) = ear.next().await.expect("it goes on");
            left.retain(|(kind, id)| event != *kind || data["id"] != *id);
        }
    };
    crate::support::in_time(both).await;
}

//! A site with a torrent client behind it, which follows a script.

use std::path::PathBuf;

use reqwest::Method;
use serde_json::Value;
use verst_service::WorkId;
use verst_testkit::torrents::{Dialect, ScriptedQBittorrent, Torrent};
use verst_testkit::{Backend, Harbour, World};

use crate::support::{Plan, Site, json};

pub(crate) const ROUTE: &str = "/api/v1/downloads";

/// Where torrents are.
pub(crate) struct Dock {
    pub(crate) server: ScriptedQBittorrent,
    pub(crate) harbour: Harbour,
}

impl Dock {
    pub(crate) async fn beside(world: &World) -> Self {
        let server = ScriptedQBittorrent::start(Dialect::V5_1, world.clock.clone());
        let harbour = Harbour::beside(world, &server).await;
        Self { server, harbour }
    }

    /// Writes files with these names, in a directory of this name, and makes a torrent of it.
    pub(crate) fn made(&self, dir: &str, names: &[&str]) -> Torrent {
        let whole = self.saved().join(dir);
        std::fs::create_dir_all(&whole).unwrap();
        for name in names {
            std::fs::write(whole.join(name), name.repeat(1000)).unwrap();
        }
        Torrent::v1(&whole, None)
    }

    fn saved(&self) -> PathBuf {
        self.harbour.dir().join("saved")
    }

    /// All of it has come.
    pub(crate) fn complete(&self, torrent: &Torrent) {
        let saved = self.saved().to_str().unwrap().to_owned();
        self.server.change(torrent.v1.as_ref().unwrap(), |held| {
            held.complete();
            held.save_path = saved;
        });
    }
}

impl Site {
    pub(crate) async fn docked(backend: Backend) -> Self {
        Self::with(backend, Plan { dock: true, ..Plan::default() }).await
    }

    pub(crate) fn dock(&self) -> &Dock {
        self.dock.as_ref().unwrap()
    }

    pub(crate) fn delete(&self, path: &str) -> reqwest::RequestBuilder {
        self.bare(Method::DELETE, path).bearer_auth(&self.token)
    }

    /// Hands a torrent in, with this token.
    pub(crate) async fn hand_in(&self, torrent: &Torrent, token: &str) -> WorkId {
        let request = self.bare(Method::POST, ROUTE).bearer_auth(token);
        let request = request.header("content-type", "application/x-bittorrent");
        let answer = request.body(torrent.bytes.clone()).send().await.unwrap();
        assert!(answer.status().is_success(), "{answer:?}");
        let body: Value = answer.json().await.unwrap();
        WorkId(body["downloads"][0]["id"].as_i64().unwrap())
    }

    /// Hands a link in, with this token.
    pub(crate) async fn hand_in_link(&self, link: &str, token: &str) -> WorkId {
        let request = self.bare(Method::POST, ROUTE).bearer_auth(token);
        let answer = request.json(&serde_json::json!({ "link": link })).send().await.unwrap();
        let body = json(answer, 201).await;
        WorkId(body["downloads"][0]["id"].as_i64().unwrap())
    }

    /// Hands in a torrent that nobody has.
    pub(crate) async fn download(&self, name: &str) -> (Torrent, WorkId) {
        let torrent = Torrent::sample(name);
        let id = self.hand_in(&torrent, &self.token).await;
        (torrent, id)
    }

    /// Hands in a torrent of these files, which comes whole, and carries it to this state.
    pub(crate) async fn come(&self, dir: &str, names: &[&str], state: &str) -> (Torrent, WorkId) {
        let dock = self.dock();
        let torrent = dock.made(dir, names);
        let id = self.hand_in(&torrent, &self.token).await;
        dock.harbour.reach(id, "downloading").await;
        dock.complete(&torrent);
        dock.harbour.reach(id, state).await;
        (torrent, id)
    }

    pub(crate) async fn shown(&self, id: WorkId) -> Value {
        json(self.get(&format!("{ROUTE}/{id}")).send().await.unwrap(), 200).await
    }

    /// What is answered when this is done to it.
    pub(crate) async fn act(&self, id: WorkId, act: &str) -> reqwest::Response {
        self.post(&format!("{ROUTE}/{id}/{act}")).send().await.unwrap()
    }

    /// The same, with these words.
    pub(crate) async fn say(&self, id: WorkId, act: &str, words: Value) -> reqwest::Response {
        self.post(&format!("{ROUTE}/{id}/{act}")).json(&words).send().await.unwrap()
    }
}

//! `torrents/add`: one torrent or magnet each, as versions answer it.

use std::collections::BTreeMap;

use serde_json::json;
use verst_downloads::hash::InfoHash;
use verst_downloads::ports::ClientState;

use super::routes::Reply;
use super::world::World;
use super::{Deed, Held};
use crate::torrents::Torrent;

/// The fields of a form, and its files.
#[derive(Debug, Default)]
pub(super) struct Form {
    pub(super) fields: BTreeMap<String, String>,
    pub(super) files: Vec<Vec<u8>>,
}

pub(super) fn add(world: &mut World, form: &Form) -> Reply {
    let field = |name: &str| form.fields.get(name).map_or("", String::as_str);
    let category = field("category").to_owned();
    if !category.is_empty() {
        world.categories.insert(category.clone());
    }
    let stops = if world.dialect.since_5_0 { "stopped" } else { "paused" };
    let stopped = field(stops) == "true";
    let mut asked = Vec::new();
    for file in &form.files {
        let Some(torrent) = Torrent::read(file) else {
            return Reply::text(415, "Error: 'it.torrent' is not a valid torrent file.");
        };
        let mut held = Held::magnet((None, None), "");
        held.learn(&torrent);
        asked.push(held);
    }
    let (mut pending, mut bad) = (0, 0);
    for link in field("urls").lines().map(str::trim).filter(|link| !link.is_empty()) {
        match magnet(link) {
            Some(held) => asked.push(held),
            None if link.starts_with("http") => pending += 1,
            None => bad += 1,
        }
    }
    let mut ids = Vec::new();
    for mut held in asked {
        world.deeds.push(Deed::Added(held.hashes()));
        if held.hashes().iter().any(|hash| world.find(hash).is_some()) {
            bad += 1;
            continue;
        }
        let now_s = world.now_s();
        (held.added_on_s, held.last_activity_s) = (now_s, now_s);
        held.category.clone_from(&category);
        if stopped {
            held.state = ClientState::StoppedDl;
        }
        ids.push(held.key().to_string());
        world.hold(held);
    }
    if !world.dialect.since_5_2 {
        let taken = !ids.is_empty() || pending > 0;
        return Reply::text(200, if taken { "Ok." } else { "Fails." });
    }
    if ids.is_empty() && pending == 0 {
        return Reply::text(409, "Conflict");
    }
    let status = if ids.is_empty() { 202 } else { 200 };
    let counts = json!({
        "success_count": ids.len(), "failure_count": bad, "pending_count": pending,
        "added_torrent_ids": ids,
    });
    Reply::json(status, &counts)
}

fn magnet(link: &str) -> Option<Held> {
    let query = link.strip_prefix("magnet:?")?;
    let (mut v1, mut v2, mut name) = (None, None, None);
    let hash =
        |digits: &str, count| InfoHash::parse(digits).filter(|it| it.as_str().len() == count);
    for (key, value) in url::form_urlencoded::parse(query.as_bytes()) {
        match (&*key, value.strip_prefix("urn:btih:"), value.strip_prefix("urn:btmh:1220")) {
            ("xt", Some(short), _) => v1 = hash(short, 40),
            ("xt", _, Some(long)) => v2 = hash(long, 64),
            ("dn", ..) => name = Some(value.into_owned()),
            _ => {}
        }
    }
    let first = v1.as_ref().or(v2.as_ref())?.to_string();
    Some(Held::magnet((v1, v2), &name.unwrap_or(first)))
}

//! `sync/maindata`: what changed since an answer that the other side has certainly got.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::world::World;

type Fields = Map<String, Value>;

/// Everything at one moment.
#[derive(Clone, Debug, Default)]
struct Moment {
    torrents: BTreeMap<String, Fields>,
    server: Fields,
}

/// What a session was told.
#[derive(Clone, Debug, Default)]
pub(super) struct Told {
    /// The last answer and its number.
    sent: (i64, Moment),
    /// The last of which the other side said that it has it.
    accepted: (i64, Moment),
}

/// Answers a session that says it has the answer of that number.
pub(super) fn maindata(world: &mut World, session: &str, rid: i64) -> Value {
    let moment = moment(world);
    let told = world.told(session);
    if rid > 0 && rid == told.sent.0 {
        told.accepted = told.sent.clone();
    }
    let next = told.sent.0 + 1;
    let known = (rid > 0 && rid == told.accepted.0).then(|| told.accepted.1.clone());
    told.sent = (next, moment.clone());
    let mut answer = match known {
        Some(before) => changes(&before, &moment),
        None => json!({
            "full_update": true, "categories": {}, "tags": [], "trackers": {},
            "torrents": moment.torrents, "server_state": moment.server,
        }),
    };
    answer["rid"] = json!(next);
    answer
}

fn moment(world: &World) -> Moment {
    let torrents = world.torrents.iter();
    let torrents = torrents.map(|(key, held)| (key.to_string(), held.json(world.dialect)));
    let mut server = Map::new();
    server.insert("connection_status".to_owned(), json!(world.connection));
    server.insert("free_space_on_disk".to_owned(), json!(world.free_bytes));
    server.insert("dht_nodes".to_owned(), json!(0));
    Moment { torrents: torrents.collect(), server }
}

/// Names what is the same in neither; a list or a map that would be empty is left out.
fn changes(before: &Moment, now: &Moment) -> Value {
    let mut torrents = Map::new();
    for (key, fields) in &now.torrents {
        let changed = before.torrents.get(key).map_or(fields.clone(), |was| differing(was, fields));
        if !changed.is_empty() {
            torrents.insert(key.clone(), Value::Object(changed));
        }
    }
    let gone = before.torrents.keys().filter(|key| !now.torrents.contains_key(*key));
    let gone: Vec<&String> = gone.collect();
    let server = differing(&before.server, &now.server);
    let mut answer = json!({});
    if !torrents.is_empty() {
        answer["torrents"] = Value::Object(torrents);
    }
    if !gone.is_empty() {
        answer["torrents_removed"] = json!(gone);
    }
    if !server.is_empty() {
        answer["server_state"] = Value::Object(server);
    }
    answer
}

fn differing(was: &Fields, is: &Fields) -> Fields {
    let changed = is.iter().filter(|(name, value)| was.get(*name) != Some(value));
    changed.map(|(name, value)| (name.clone(), value.clone())).collect()
}

//! One process on SQLite.

use std::sync::Arc;

use verst_adapters::clock::SystemClock;
use verst_kernel::{Event, Stage};
use verst_recordings::LINE;
use verst_recordings::ports::RecordingStore;
use verst_service::{Filter, Ledger};
use verst_store::{Durability, Sqlite};

use crate::binary::{Place, call, recordings, told};
use crate::dice;
use crate::riot::{Host, drain, riot};

pub(crate) fn soak(kills: u64) {
    let (mut dice, place) = (dice(1), Place::new(""));
    let audio = tempfile::tempdir().unwrap();
    let files = recordings(audio.path(), (kills / 4).max(10));
    let data = place.data();
    let mut hosts = [Host::start(&place.log(), move || call(&data, &["serve"]))];
    let mut next = files.iter();
    let mut promised = Vec::new();
    riot(&mut hosts, &mut dice, kills, (100, 4000), |n, _| {
        if n % 4 == 0 {
            promised.extend(next.next().and_then(|file| place.submit(file)));
        }
    });
    let moving = || {
        let listed = place.command(&["list", "--moving"]).output().unwrap();
        assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
        u64::try_from(listed.stdout.len()).unwrap()
    };
    drain(&mut hosts, moving);
    hosts[0].kill();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(count(&place, &promised, &hosts[0].said()));
}

async fn count(place: &Place, promised: &[u64], log: &str) {
    let file = place.data().join("verst.sqlite");
    let store =
        Sqlite::open(&file, Durability::Full, Arc::new(SystemClock), &LINE.stages()).unwrap();
    let all = store.list(Filter { limit: 10_000, ..Filter::default() }).await.unwrap();
    let (mut finished, mut stopped) = (0, 0);
    for view in &all {
        let id = view.work.id;
        let mut steps: Vec<String> = Vec::new();
        for entry in store.journal(id).await.unwrap() {
            if entry.event == Event::Advanced {
                assert!(!steps.contains(&entry.milestone), "{id}: {steps:?} twice");
                steps.push(entry.milestone);
            }
        }
        if view.work.milestone == Stage::FINAL {
            finished += 1;
            assert!(store.transcript(id).await.unwrap().is_some(), "{id} is done without a text");
        } else {
            stopped += usize::from(view.work.stop.is_some());
        }
    }
    let told = told(std::iter::once(log));
    let twice = told.values().filter(|count| **count > 1).count();
    eprintln!(
        "promised {}; finished {finished}, stopped {stopped} of {}; told {}, twice {twice}",
        promised.len(),
        all.len(),
        told.len()
    );
    assert_eq!(finished + stopped, all.len());
    for id in promised {
        let there = all.iter().any(|view| view.work.id.to_string() == id.to_string());
        assert!(there, "{id} was accepted and is gone");
    }
    assert_eq!(twice, 0);
    assert!(finished > 0 && promised.len() > 2);
}

//! What is measured of our own stores. Every command prints one line of JSON.
//!
//!   drain PLACE JOBS WORKERS MODE    claims and settles JOBS until there are none; see `drain`
//!   bare  FILE  JOBS WORKERS MODE    the same on a bare table, with the same group commit
//!   fill  PLACE FINISHED DEFERRED READY
//!   steps PLACE PLACE                plan and cost of a claim in two databases
//!   idle  PLACE SECONDS [SERVER]     processor time of a service with nothing to do
//!   ready PLACE                      from nothing to the first answered claim
//!   texts PLACE RECORDINGS           recordings with texts, and their index cards
//!   search PLACE RECORDINGS ROUNDS   pages of lists and of hits over what `texts` made
//!   shelve DOWNLOADS LIBRARY FILES   links the files of a download into a library
//!   tick PLACE TORRENTS TURNS [SERVER]   looks at a client in which nothing changes
//!   crowd TORRENTS                   is that client, until its standard input ends
//!
//! A PLACE is a file, or an address that begins with `postgres://`.

mod bare;
mod crowd;
mod drain;
mod fill;
mod idle;
// Two modules that are measured: the crate that they stand in links the C++ of the engine.
#[path = "../../../crates/adapters/src/library/mod.rs"]
mod library;
#[path = "../../common/measured.rs"]
#[expect(dead_code, reason = "not every program uses all of it")]
mod measured;
mod place;
#[path = "../../../crates/adapters/src/qbittorrent/mod.rs"]
#[expect(
    dead_code,
    unused_imports,
    reason = "where the client's directories lie is asked by others"
)]
mod qbittorrent;
mod ready;
mod search;
mod service;
mod shelve;
mod sql;
mod steps;
mod tick;
#[path = "../../../crates/adapters/src/unsupervised.rs"]
mod unsupervised;

use std::fmt::Debug;
use std::str::FromStr;

use measured::Asked;

fn number<T: FromStr<Err: Debug>>(word: &str) -> T {
    word.parse().expect("a number")
}

#[tokio::main]
async fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["drain", place, jobs, workers, mode] => {
            drain::run(&Asked::new(place, jobs, workers, mode)).await;
        }
        ["bare", file, jobs, workers, mode] => {
            bare::run(&Asked::new(file, jobs, workers, mode)).await;
        }
        ["fill", place, finished, deferred, ready] => {
            let rows = fill::Rows {
                finished: number(finished),
                deferred: number(deferred),
                ready: number(ready),
            };
            drop(place::open(place).await);
            fill::fill(place, rows).await;
        }
        ["steps", one, other] => steps::run(one, other).await,
        ["idle", place, seconds] => idle::run(place, number(seconds), None).await,
        ["idle", place, seconds, server] => {
            idle::run(place, number(seconds), Some(number(server))).await;
        }
        ["texts", place, recordings] => search::fill(place, number(recordings)).await,
        ["search", place, recordings, rounds] => {
            search::run(place, number(recordings), number(rounds)).await;
        }
        ["ready", place] => ready::run(place).await,
        ["shelve", downloads, library, files] => {
            shelve::run(downloads, library, number(files)).await;
        }
        ["tick", place, torrents, turns] => {
            tick::run(place, number(torrents), number(turns), None).await;
        }
        ["tick", place, torrents, turns, server] => {
            let server = Some(number(server));
            tick::run(place, number(torrents), number(turns), server).await;
        }
        ["crowd", torrents] => crowd::serve(number(torrents)).await,
        _ => panic!("the first lines of src/main.rs say what can be asked for"),
    }
}

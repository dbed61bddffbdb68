//! Random sequences of commands against a store and a model of it: the same answers, and the same
//! rows in every table, after each of them.
//!
//! **Invariant:** time is a clock that the commands move and chance is an argument, so a sequence
//! always comes to the same end.

#![expect(clippy::unwrap_used, reason = "a store that does not answer fails its test")]

mod answer;
mod command;
mod downloads;
mod given;
mod ground;
mod model;
mod run;
mod subject;
mod tables;
mod witness;

use tokio::runtime::{Builder, Runtime};

use ground::{File, Server};

#[test]
fn sqlite_does_as_the_model() {
    let runtime = runtime();
    let _inside = runtime.enter();
    run::check(&mut File::new(), 150);
}

#[test]
fn postgres_does_as_the_model() {
    let runtime = runtime();
    let _inside = runtime.enter();
    run::check(&mut runtime.block_on(Server::new()), 30);
}

#[test]
fn downloads_of_sqlite_do_as_their_model() {
    let runtime = runtime();
    let _inside = runtime.enter();
    downloads::check(&mut File::new(), 150);
}

#[test]
fn downloads_of_postgres_do_as_their_model() {
    let runtime = runtime();
    let _inside = runtime.enter();
    downloads::check(&mut runtime.block_on(Server::new()), 20);
}

fn runtime() -> Runtime {
    Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
}

//! Every scenario of `specs/` by its number, through the runtime and a real store.
//!
//! A test is written once and run on every store: `on_every_store!` names the tests of a module.
//! Files named `pNN_...` and `dNN_...` hold the numbered scenarios; the others tell stories that cross them.

#![expect(clippy::unwrap_used, reason = "what a test unwraps is what it says must be there")]

macro_rules! on_every_store {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test]
            async fn $name() {
                let story = super::$name(verst_testkit::Backend::Sqlite);
                crate::common::in_time(story).await;
            })+
        }
        mod postgres {
            $(#[tokio::test]
            async fn $name() {
                super::$name(verst_testkit::Backend::Postgres).await;
            })+
        }
    };
}

mod common;
mod real_shore;
mod shore;

mod bulk;
mod choices;
mod clocks;
mod downloads_misfortunes;
mod downloads_mishaps;
mod faults;
mod lanes;
mod notices;
mod owner;
mod provider;
mod stops;
mod watching;
mod zombies;

mod d01_revival;
mod d02_retry;
mod p01_empty_run;
mod p02_claim;
mod p03_holder;
mod p04_lease;
mod p05_pause;
mod p06_undelivered;
mod p07_owner;
mod p08_milestones;
mod p09_stop;
mod p10_told;
mod p11_patience;
mod p12_deferring;
mod p13_calls;
mod p13_paid;
mod p14_workers;
mod p15_journal;
mod p16_failures;
mod process_d01_revival;
mod process_d02_retry;
mod process_restarts;

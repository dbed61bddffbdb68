//! The bot through the real wire: a Bot API server on this machine, long polling, a real store.
//!
//! A test is written once and runs on every store. Files named `pNN` and `dNN` hold numbered scenarios.

#![expect(clippy::unwrap_used, reason = "what a test unwraps is what it says must be there")]

macro_rules! on_every_store {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test]
            async fn $name() {
                crate::support::in_time(super::$name(verst_testkit::Backend::Sqlite)).await;
            })+
        }
        mod postgres {
            $(#[tokio::test]
            async fn $name() {
                crate::support::in_time(super::$name(verst_testkit::Backend::Postgres)).await;
            })+
        }
    };
}

mod commands;
mod d02_retry;
mod linking;
mod once;
mod p06_undelivered;
mod p10_told;
mod pace;
mod quiet;
mod support;
mod taking_in;
mod trouble;
mod wire;

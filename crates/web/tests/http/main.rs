//! The interface over HTTP: a real server on a port of its own, a real store, real requests.
//!
//! A test is written once. What depends on the store runs on every one of them.

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

mod accounts;
mod audio;
mod browser;
mod dock;
mod downloads_acting;
mod downloads_choosing;
mod downloads_looking;
mod downloads_taking_in;
mod events;
mod health;
mod limits;
mod looking;
mod malformed;
mod openai;
mod panel;
mod raw;
mod security;
mod sessions;
mod setup;
mod shares;
mod support;
mod taking_in;
mod wording;

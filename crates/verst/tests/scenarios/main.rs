//! Every scenario of `specs/` by its number, through the runtime and a real store.
//!
//! A test is written once and run on every store: `on_every_store!` names the tests of a module.

macro_rules! on_every_store {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test]
            async fn $name() {
                super::$name(verst_testkit::Backend::Sqlite).await;
            })+
        }
    };
}

mod p01_empty_run;

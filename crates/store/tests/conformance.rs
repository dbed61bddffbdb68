//! Every store against the one suite of checks; a further one joins with a module of its own.

#![expect(clippy::unwrap_used, reason = "a store that does not open fails its test")]

/// SQLite, on a file.
mod sqlite {
    use std::sync::Arc;

    use verst_store::{Durability, Sqlite};
    use verst_testkit::TestClock;
    use verst_testkit::conformance::Subject;

    fn open() -> Subject {
        let dir = tempfile::tempdir().unwrap();
        let clock = Arc::new(TestClock::default());
        let file = dir.path().join("verst.sqlite");
        let stages = verst_service::stages();
        let store = Sqlite::open(&file, Durability::Normal, clock.clone(), &stages).unwrap();
        Subject { store: Arc::new(store), clock, keeps: Box::new(dir) }
    }

    verst_testkit::store_conformance!(super::open);
}

/// PostgreSQL, in a schema of the tests' server.
mod postgres {
    use std::sync::Arc;

    use verst_testkit::conformance::Subject;
    use verst_testkit::{Schema, TestClock};

    fn open() -> Subject {
        let (schema, clock) = (Schema::create(), Arc::new(TestClock::default()));
        Subject { store: schema.open(&clock), clock, keeps: Box::new(schema) }
    }

    verst_testkit::store_conformance!(super::open);
}

//! The stores' own statements, taken from their source when this is compiled: what is measured here
//! cannot drift from what they run, and they need not show it to anybody.

const SQLITE: &str = include_str!("../../../crates/store/src/sqlite/queue.rs");
const POSTGRES: &str = include_str!("../../../crates/store/src/postgres/queue.rs");

/// The statement that claims, on SQLite.
pub fn sqlite_claim() -> &'static str {
    constant(SQLITE, "CLAIM")
}

/// The statement that claims, on PostgreSQL.
pub fn postgres_claim() -> &'static str {
    constant(POSTGRES, "CLAIM")
}

fn constant(source: &'static str, name: &str) -> &'static str {
    let begin = format!("const {name}: &str = \"");
    let (_, rest) = source.split_once(&begin).expect("the store has such a statement");
    let (text, _) = rest.split_once("\";").expect("it ends");
    assert!(!text.contains(['\\', '"']), "it is written without escapes");
    text
}

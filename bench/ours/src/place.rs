//! Where a database is, and how it is opened: as the service opens it.

use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use tokio_postgres::{Client, NoTls};
use verst_kernel::{Clock, Timestamp};
use verst_store::{Durability, Postgres, Sqlite, Store};

/// The machine's clock.
#[derive(Debug)]
pub struct Now;

impl Clock for Now {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Timestamp(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
    }
}

pub fn is_postgres(place: &str) -> bool {
    place.starts_with("postgres://")
}

pub async fn open(place: &str) -> Arc<dyn Store> {
    let stages = verst_service::stages();
    if is_postgres(place) {
        let store = Postgres::open(place, Durability::Full, &stages).await.expect("it opens");
        return Arc::new(store);
    }
    let clock = Arc::new(Now);
    Arc::new(Sqlite::open(Path::new(place), Durability::Full, clock, &stages).expect("it opens"))
}

/// A connection beside the store's.
pub async fn connect(address: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(address, NoTls).await.expect("it connects");
    tokio::spawn(connection);
    client
}

//! Which store stands behind the ports: a file in the data directory, or a server.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep};
use verst_adapters::data_dir::DataDir;
use verst_kernel::Clock;
use verst_store::{Postgres, Sqlite, Store, Versions};

use crate::refusal::Refusal;
use crate::settings::Settings;
use crate::tongue::Tongue;

/// Longer than a server takes to notice that a host was cut off: its session ends by then.
const SESSION_ENDS: Duration = Duration::from_secs(40);

/// An open database.
pub(crate) enum Database {
    File(Sqlite),
    Server(Box<Postgres>),
}

impl Database {
    /// Opens what the settings name. Whoever has not locked the directory changes no schema: another
    /// process may be working there.
    pub(crate) async fn open(
        settings: &Settings,
        dir: &DataDir,
        path: &Path,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, Refusal> {
        let (stages, durability) = (verst_service::stages(), settings.durability());
        if let Some(address) = settings.database() {
            let opened = if dir.is_locked() {
                Postgres::open(address, durability, &stages).await
            } else {
                Postgres::visit(address, durability, &stages).await
            };
            return opened.map(|store| Self::Server(Box::new(store))).map_err(Refusal::Server);
        }
        let open = if dir.is_locked() { Sqlite::open } else { Sqlite::visit };
        open(&dir.database(), durability, clock, &stages)
            .map(Self::File)
            .map_err(|error| Refusal::Database(path.to_owned(), error))
    }

    pub(crate) fn versions(&self) -> Versions {
        match self {
            Self::File(store) => store.versions(),
            Self::Server(store) => store.versions(),
        }
    }

    /// Sees that no other process of this installation works on the server: a data directory that
    /// was copied to another host. What a process was that has just died may stand there for a
    /// moment, and is waited for.
    pub(crate) async fn lock(&self, dir: &DataDir, tongue: &Tongue) -> Result<(), Refusal> {
        let Self::Server(store) = self else { return Ok(()) };
        let begun = Instant::now();
        let mut told = false;
        while !store.lock_instance(dir.instance()).await? {
            if begun.elapsed() > SESSION_ENDS {
                return Err(Refusal::Setup("cli-twin", Vec::new()));
            }
            if !std::mem::replace(&mut told, true) {
                tongue.err(&tongue.say("cli-twin-waiting", &[]));
            }
            sleep(Duration::from_secs(1)).await;
        }
        Ok(())
    }

    pub(crate) fn store(&self) -> Arc<dyn Store> {
        match self {
            Self::File(store) => Arc::new(store.clone()),
            Self::Server(store) => Arc::new((**store).clone()),
        }
    }
}

//! One process per installation: a lock of a session on the instance's id. A directory that was
//! copied to another host carries the same id, and two processes of one id would take back each
//! other's claims at every start.
//!
//! The lock ends with its session: at once when the process ends, within half a minute when its
//! host is cut off.

use std::future::poll_fn;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::sleep;
use tokio_postgres::{Client, Config, Error};
use tokio_postgres_rustls::MakeRustlsConnect;
use tracing::{debug, error};
use verst_kernel::{Instance, StoreError};

use super::{Driver, Postgres};

/// Between two attempts to have the lock back.
const AGAIN: Duration = Duration::from_secs(5);

/// The session idles for as long as the process lives, and its end is to be noticed soon.
const SESSION: &str = "
    SET idle_session_timeout = 0;
    SET tcp_keepalives_idle = 10;
    SET tcp_keepalives_interval = 5;
    SET tcp_keepalives_count = 3;";

const LOCK: &str = "SELECT pg_try_advisory_lock(
    hashtextextended('verst:instance:' || current_schema() || ':' || $1, 0))";

/// A session, with what drives its connection.
type Session = (Client, JoinHandle<()>);

impl Postgres {
    /// Makes this process the only one of its installation, until the store is closed. `false`
    /// when another process is.
    pub async fn lock_instance(&self, instance: &Instance) -> Result<bool, StoreError> {
        let ((config, tls), id) = (self.connect.clone(), instance.0.clone());
        self.threads
            .run(async move {
                let Some(session) = lock(&config, tls.clone(), &id).await.or_trouble()? else {
                    return Ok(false);
                };
                tokio::spawn(keep(session, config, tls, id));
                Ok(true)
            })
            .await
    }
}

/// Connects and asks for the lock; `None` when another has it.
async fn lock(config: &Config, tls: MakeRustlsConnect, id: &str) -> Result<Option<Session>, Error> {
    let (client, mut connection) = config.connect(tls).await?;
    let driver = tokio::spawn(async move {
        while let Some(Ok(_)) = poll_fn(|context| connection.poll_message(context)).await {}
    });
    client.batch_execute(SESSION).await?;
    let row = client.query_one(LOCK, &[&id]).await?;
    Ok(row.get::<_, bool>(0).then_some((client, driver)))
}

/// Holds the lock, and has it back whenever its session was lost.
async fn keep(mut session: Session, config: Config, tls: MakeRustlsConnect, id: String) {
    let mut told = false;
    loop {
        // The client is what keeps the session open.
        let (_client, driver) = &mut session;
        let _ = driver.await;
        session = loop {
            sleep(AGAIN.mul_f64(0.75 + fastrand::f64() / 2.0)).await;
            match lock(&config, tls.clone(), &id).await {
                Ok(Some(session)) => break session,
                Ok(None) if !told => {
                    told = true;
                    error!(
                        "another process works under this installation's id: a data directory was \
                         copied. Make a new one for one of the two"
                    );
                }
                Ok(None) => {}
                Err(failure) => debug!(%failure, "the lock on the instance cannot be had yet"),
            }
        };
        told = false;
    }
}

//! The bell: wakes workers here at once, and on other hosts by a notification of the database.
//!
//! It promises nothing. A ring may be lost with its connection and may come for nothing; workers
//! look by themselves besides. Every notification takes a lock that all commits share, so they are
//! sent apart from the work's transactions, and many rings become one.
//!
//! **Invariant:** a transaction of the queue never waits for a notification.

use std::future::{pending, poll_fn};
use std::sync::Arc;
use std::time::Duration;

use deadpool_postgres::Pool;
use tokio::sync::Notify;
use tokio::time::sleep;
use tokio_postgres::{AsyncMessage, Config, Error};
use tokio_postgres_rustls::MakeRustlsConnect;
use tracing::{debug, warn};

/// Between two notifications of one process.
const PAUSE: Duration = Duration::from_millis(20);
const FIRST_WAIT: Duration = Duration::from_millis(250);
const LONGEST_WAIT: Duration = Duration::from_secs(30);

#[derive(Debug)]
pub(super) struct Bell {
    here: Notify,
    elsewhere: Notify,
    /// The schema: several installations may share a database.
    schema: String,
    /// Who rings, so that a process does not wake itself a second time.
    me: String,
}

impl Bell {
    pub(super) fn new(schema: &str) -> Self {
        Self {
            here: Notify::new(),
            elsewhere: Notify::new(),
            schema: schema.to_owned(),
            me: format!("{:016x}", fastrand::u64(..)),
        }
    }

    /// Work may be ready.
    pub(super) fn ring(&self) {
        self.here.notify_one();
        self.elsewhere.notify_one();
    }

    /// Returns when it was rung, here or elsewhere.
    pub(super) async fn rung(&self) {
        self.here.notified().await;
    }

    /// One ring from elsewhere may stand for much work: everybody who waits gets up.
    fn wake_all(&self) {
        self.here.notify_waiters();
        self.here.notify_one();
    }

    fn payload(&self) -> String {
        format!("{} {}", self.me, self.schema)
    }

    fn hear(&self, payload: &str) {
        let Some((ringer, schema)) = payload.split_once(' ') else { return };
        if schema == self.schema && ringer != self.me {
            self.wake_all();
        }
    }
}

/// Tells other hosts, for as long as the store is open.
pub(super) async fn tell(bell: Arc<Bell>, pool: Pool) {
    loop {
        bell.elsewhere.notified().await;
        if let Ok(db) = pool.get().await {
            let ring = "SELECT pg_notify('verst_work', $1)";
            let told = super::execute(&db, ring, &[&bell.payload()]).await;
            if let Err(failure) = told {
                debug!(%failure, "other hosts were not told; they find the work by themselves");
            }
        }
        sleep(PAUSE).await;
    }
}

/// Listens to other hosts, for as long as the store is open.
pub(super) async fn listen(bell: Arc<Bell>, config: Config, tls: MakeRustlsConnect) {
    let mut wait = FIRST_WAIT;
    loop {
        let mut heard = false;
        let ended = listen_once(&bell, &config, tls.clone(), &mut heard).await;
        if heard {
            wait = FIRST_WAIT;
            warn!("the database's notifications broke off; connecting again");
        } else if let Err(failure) = ended {
            debug!(%failure, "the database's notifications cannot be had yet");
        }
        // Jitter keeps hosts from coming back in step when the server does.
        sleep(wait.mul_f64(0.75 + fastrand::f64() / 2.0)).await;
        wait = (wait * 2).min(LONGEST_WAIT);
    }
}

/// Returns when the connection has ended; `heard` says whether it ever stood.
async fn listen_once(
    bell: &Bell,
    config: &Config,
    tls: MakeRustlsConnect,
    heard: &mut bool,
) -> Result<(), Error> {
    let (client, mut connection) = config.connect(tls).await?;
    let messages = async {
        while let Some(message) = poll_fn(|context| connection.poll_message(context)).await {
            if let AsyncMessage::Notification(told) = message? {
                bell.hear(told.payload());
            }
        }
        Ok(())
    };
    let listening = async {
        client.batch_execute("LISTEN verst_work").await?;
        *heard = true;
        // What came while nobody listened was rung for nobody.
        bell.wake_all();
        pending::<Result<(), Error>>().await
    };
    tokio::select! {
        ended = messages => ended,
        failed = listening => failed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn woken(bell: &Bell) -> bool {
        use std::task::{Context, Poll, Waker};
        let rung = std::pin::pin!(bell.rung());
        rung.poll(&mut Context::from_waker(Waker::noop())) == Poll::Ready(())
    }

    #[test]
    fn only_another_process_on_the_same_schema_wakes_us() {
        let (bell, other, stranger) = (Bell::new("public"), Bell::new("public"), Bell::new("x"));
        for payload in [bell.payload(), stranger.payload(), "nonsense".into(), String::new()] {
            bell.hear(&payload);
            assert!(!woken(&bell), "{payload}");
        }
        bell.hear(&other.payload());
        assert!(woken(&bell));
        assert!(!woken(&bell), "once");
    }
}

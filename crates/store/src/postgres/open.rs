//! Opening: the address, TLS, limits of a connection, and the pool. A database that is not there
//! is not created: that is for whoever owns the server.
//!
//! **Invariant:** a certificate is verified whenever TLS is used; there is no mode that trusts any.

use std::sync::Arc;
use std::time::Duration;

use deadpool_postgres::{
    Client, Hook, HookError, Manager, ManagerConfig, Pool, PoolError, RecyclingMethod,
    Runtime as PoolRuntime, Timeouts,
};
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres_rustls::MakeRustlsConnect;
use verst_kernel::{Stage, StoreError};

use super::bell::{self, Bell};
use super::{Postgres, Threads, migrate};
use crate::opening::{Durability, OpenError, Upgrade, Versions};

/// Operations at the same time. Each holds its connection for milliseconds, so that many more
/// workers than this share them.
const CONNECTIONS: usize = 16;
/// How long an operation waits for a connection, and a connection for the server.
const WAIT: Duration = Duration::from_secs(15);

/// Nothing of ours takes a second. What does is stuck behind something, and holds others up.
const LIMITS: &str = "
    SET statement_timeout = '30s';
    SET lock_timeout = '10s';
    SET idle_in_transaction_session_timeout = '30s';
    SET default_transaction_isolation = 'read committed';";

impl Postgres {
    /// Connects, brings the database up to date and declares the lines' milestones. The address is
    /// `postgres://user:password@host/database`; see the manual of libpq for more.
    pub async fn open(
        address: &str,
        durability: Durability,
        stages: &[Stage],
    ) -> Result<Self, OpenError> {
        Self::connect(address, durability, stages.to_owned(), Upgrade::Any).await
    }

    /// The same beside a process that may be working there: changes no schema that is there.
    pub async fn visit(
        address: &str,
        durability: Durability,
        stages: &[Stage],
    ) -> Result<Self, OpenError> {
        Self::connect(address, durability, stages.to_owned(), Upgrade::Empty).await
    }

    async fn connect(
        address: &str,
        durability: Durability,
        stages: Vec<Stage>,
        upgrade: Upgrade,
    ) -> Result<Self, OpenError> {
        let threads = Threads::start().map_err(StoreError::database)?;
        let (config, tls) = (configure(address)?, tls()?);
        let pool = pool(config.clone(), tls.clone(), durability)?;
        let opening = pool.clone();
        let prepared = threads.run(async move { Ok(prepare(&opening, &stages, upgrade).await) });
        let (schema, versions) = prepared.await??;
        let bell = Arc::new(Bell::new(&schema));
        let connect = (config, tls);
        if let Some(runtime) = &threads.0 {
            let (config, tls) = connect.clone();
            runtime.spawn(bell::tell(Arc::clone(&bell), pool.clone()));
            runtime.spawn(bell::listen(Arc::clone(&bell), config, tls));
        }
        Ok(Self { pool, bell, threads: Arc::new(threads), connect, versions })
    }
}

/// Returns the schema that the address leads to, and its versions.
async fn prepare(
    pool: &Pool,
    stages: &[Stage],
    upgrade: Upgrade,
) -> Result<(String, Versions), OpenError> {
    let mut db: Client = pool.get().await.map_err(|error| match error {
        PoolError::Backend(error) | PoolError::PostCreateHook(HookError::Backend(error)) => {
            OpenError::Postgres(error)
        }
        other => OpenError::Store(StoreError::database(other)),
    })?;
    let row = db
        .query_one(
            "SELECT current_setting('server_version_num')::int4, current_setting('server_version'),
                    current_setting('server_encoding'), coalesce(current_schema()::text, '')",
            &[],
        )
        .await?;
    if row.get::<_, i32>(0) < 140_000 {
        return Err(OpenError::OldPostgres(row.get(1)));
    }
    let encoding: String = row.get(2);
    if encoding != "UTF8" {
        return Err(OpenError::Encoding(encoding));
    }
    let versions = migrate::to_latest(&mut db, stages, upgrade).await?;
    Ok((row.get(3), versions))
}

fn configure(address: &str) -> Result<Config, OpenError> {
    // The driver knows only `require`. A certificate is verified in any case, so these are the same.
    let address = address
        .replace("sslmode=verify-full", "sslmode=require")
        .replace("sslmode=verify-ca", "sslmode=require");
    let mut config: Config = address.parse().map_err(OpenError::Address)?;
    // Nobody listens on the way to a server on this machine, and its certificate, where a
    // distribution made one, is signed by nobody.
    if config.get_ssl_mode() == SslMode::Prefer && config.get_hosts().iter().all(is_local) {
        config.ssl_mode(SslMode::Disable);
    }
    if config.get_application_name().is_none() {
        config.application_name("verst");
    }
    // A cable that was pulled is noticed in a minute and not after two hours.
    config
        .connect_timeout(WAIT)
        .keepalives_idle(Duration::from_secs(20))
        .keepalives_interval(Duration::from_secs(10))
        .keepalives_retries(3)
        .tcp_user_timeout(Duration::from_secs(45));
    Ok(config)
}

fn is_local(host: &Host) -> bool {
    match host {
        Host::Tcp(name) => {
            name == "localhost"
                || name.parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback())
        }
        #[cfg(unix)]
        Host::Unix(_) => true,
    }
}

/// Trusts what this machine trusts, and what `SSL_CERT_FILE` names.
fn tls() -> Result<MakeRustlsConnect, StoreError> {
    let mut roots = rustls::RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(StoreError::database)?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

fn pool(
    config: Config,
    tls: MakeRustlsConnect,
    durability: Durability,
) -> Result<Pool, StoreError> {
    let commits = match durability {
        Durability::Full => "SET synchronous_commit = on;",
        Durability::Normal => "SET synchronous_commit = off;",
    };
    let settings = format!("{LIMITS}\n{commits}");
    let limit = Hook::async_fn(move |client: &mut deadpool_postgres::ClientWrapper, _| {
        let settings = settings.clone();
        Box::pin(async move { client.batch_execute(&settings).await.map_err(HookError::Backend) })
    });
    let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
    Pool::builder(Manager::from_config(config, tls, recycling))
        .max_size(CONNECTIONS)
        .runtime(PoolRuntime::Tokio1)
        .timeouts(Timeouts { wait: Some(WAIT), create: Some(WAIT), recycle: Some(WAIT) })
        .post_create(limit)
        .build()
        .map_err(StoreError::database)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(address: &str, mode: SslMode) {
        assert_eq!(configure(address).unwrap().get_ssl_mode(), mode, "{address}");
    }

    #[test]
    fn tls_is_used_where_somebody_could_listen() {
        check("postgres://a:b@db.example.org/verst", SslMode::Prefer);
        check("postgres://a:b@db.example.org/verst?sslmode=verify-full", SslMode::Require);
        check("postgres://a:b@localhost/verst?sslmode=require", SslMode::Require);
        check("postgres://a:b@localhost/verst", SslMode::Disable);
        check("postgres://a:b@127.0.0.1,[::1]/verst", SslMode::Disable);
        check("postgres://a:b@127.0.0.1,10.0.0.1/verst", SslMode::Prefer);
        check("host=/run/postgresql dbname=verst user=a", SslMode::Disable);
    }

    #[test]
    fn an_address_that_is_none_is_refused_without_repeating_it() {
        let Err(error) = configure("postgres://a:secret@host:many/verst") else { panic!() };
        assert!(matches!(error, OpenError::Address(_)));
        assert!(!format!("{error:?}").contains("secret"));
    }
}

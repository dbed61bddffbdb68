//! A bucket on S3 or on a server that speaks its protocol (MinIO, Ceph, Garage).

use std::sync::Arc;
use std::time::Duration;

use object_store::aws::AmazonS3Builder;
use object_store::prefix::PrefixStore;
use object_store::{ClientOptions, ObjectStore, RetryConfig};
use thiserror::Error;

/// Between two bytes of an answer. A whole answer takes as long as it is large.
const SILENT: Duration = Duration::from_secs(30);
const CONNECT: Duration = Duration::from_secs(5);
/// A stumble is passed over here; what lasts longer is trouble that the road knows how to wait for.
const RETRIES: usize = 3;
const RETRYING: Duration = Duration::from_secs(20);

/// What the settings say of a bucket. What is empty is taken from the variables that every program
/// for S3 reads (`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT`).
#[derive(Clone, Default)]
pub struct Credentials {
    /// The server's address, if it is not Amazon's.
    pub endpoint: String,
    /// The region.
    pub region: String,
    /// The public half of the key.
    pub access_key_id: String,
    /// The secret half.
    pub secret_access_key: String,
}

/// Why there is no bucket.
#[derive(Debug, Error)]
pub enum BucketError {
    /// Not `s3://bucket` or `s3://bucket/prefix`.
    #[error("not an address of a bucket; it looks like s3://bucket/prefix")]
    Address,
    /// Not an address of a server.
    #[error("not an address of a server; it looks like https://s3.example.org")]
    Endpoint,
    /// The settings contradict one another.
    #[error("the bucket cannot be used with these settings")]
    Settings(#[from] object_store::Error),
}

/// The bucket, or the part of it below a prefix. Nothing is asked of it yet.
pub fn bucket(
    address: &str,
    credentials: Credentials,
) -> Result<Arc<dyn ObjectStore>, BucketError> {
    let path = address.strip_prefix("s3://").ok_or(BucketError::Address)?;
    let (name, prefix) = path.split_once('/').unwrap_or((path, ""));
    if name.is_empty() {
        return Err(BucketError::Address);
    }
    // Only one provider of cryptography is linked; whoever was first has chosen the same.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = ClientOptions::new()
        .with_timeout_disabled()
        .with_read_timeout(SILENT)
        .with_connect_timeout(CONNECT);
    let retry =
        RetryConfig { max_retries: RETRIES, retry_timeout: RETRYING, ..RetryConfig::default() };
    let mut builder = AmazonS3Builder::from_env()
        .with_bucket_name(name)
        .with_client_options(client)
        .with_retry(retry);
    let Credentials { endpoint, region, access_key_id, secret_access_key } = credentials;
    if !endpoint.is_empty() {
        // The client panics over one without a scheme or a host.
        let host = endpoint.strip_prefix("https://").or(endpoint.strip_prefix("http://"));
        if host.is_none_or(|host| host.is_empty() || host.starts_with([':', '/'])) {
            return Err(BucketError::Endpoint);
        }
        // Without TLS only where the owner has written so.
        builder = builder.with_allow_http(endpoint.starts_with("http://")).with_endpoint(endpoint);
    }
    if !region.is_empty() {
        builder = builder.with_region(region);
    }
    if !access_key_id.is_empty() {
        builder = builder.with_access_key_id(access_key_id);
    }
    if !secret_access_key.is_empty() {
        builder = builder.with_secret_access_key(secret_access_key);
    }
    let store = builder.build()?;
    let prefix = prefix.trim_end_matches('/');
    Ok(if prefix.is_empty() {
        Arc::new(store)
    } else {
        Arc::new(PrefixStore::new(store, prefix.to_owned()))
    })
}

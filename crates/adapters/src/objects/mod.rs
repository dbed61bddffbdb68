//! Where audio lies, through the `object_store` crate: a directory, or a bucket that hosts share.

mod cache;
mod home;
mod local;
mod remote;
mod s3;
mod stored;
mod unfinished;

pub use local::LocalObjects;
pub use remote::RemoteObjects;
pub use s3::{BucketError, Credentials, bucket};

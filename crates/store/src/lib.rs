//! The ports of the kernel, the lines and the service, on SQLite and on PostgreSQL.
//!
//! Here is SQL, written plainly and once per store, and nothing else: every rule that is more than
//! a comparison of fences is a function of the kernel or of a line, called inside the transaction.
//!
//! **Invariant:** every store passes the one conformance suite.

mod cards;
mod codec;
mod opening;
pub mod postgres;
pub mod snapshot;
pub mod sqlite;
pub mod transfer;

pub use opening::{Durability, OpenError, Versions};
pub use postgres::Postgres;
pub use sqlite::Sqlite;

use verst_downloads::ports::DownloadStore;
use verst_kernel::Queue;
use verst_recordings::ports::RecordingStore;
use verst_service::accounts::{Accounts, Sessions};
use verst_service::{Chats, Corrections, DownloadLedger, Inbox, Ledger, Product, Shares, Tokens};

/// All ports at once: what an installation stands on.
pub trait Store:
    Queue<Product>
    + RecordingStore
    + DownloadStore
    + Ledger
    + DownloadLedger
    + Tokens
    + Accounts
    + Corrections
    + Shares
    + Sessions
    + Inbox
    + Chats
{
}
impl<
    T: Queue<Product>
        + RecordingStore
        + DownloadStore
        + Ledger
        + DownloadLedger
        + Tokens
        + Accounts
        + Corrections
        + Shares
        + Sessions
        + Inbox
        + Chats,
> Store for T
{
}

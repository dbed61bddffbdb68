//! Seeing to it that a torrent is in the client: look, add, look.
//!
//! **Invariant:** only a look tells whether it is there. What was added by hand before is adopted, and
//! nothing that is healthy is added a second time.

use std::time::Duration;

use crate::hash::Hashes;
use crate::ports::{
    ClientError, ClientState, Given, Listing, Pauses, Remove, Snapshot, TorrentClient,
};

/// Looks for what was asked for: clients answer before they have done it.
const LOOKS: u32 = 40;
const BETWEEN: Duration = Duration::from_millis(250);

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ensured {
    /// It was there, healthy.
    Adopted,
    /// It was added.
    Added,
    /// It did not appear, or a broken one did not go: the client would not.
    Refused,
    /// There is no room for it.
    NoRoom,
}

/// A client, and what waiting for it is.
#[derive(Clone, Copy)]
pub struct Desk<'a> {
    /// The client.
    pub client: &'a dyn TorrentClient,
    /// What passes between two looks.
    pub pauses: &'a dyn Pauses,
}

/// Whether it waits for others to give it something.
fn waits(state: ClientState) -> bool {
    use ClientState::{ForcedMetaDl, MetaDl, StalledDl, StoppedDl};
    matches!(state, MetaDl | ForcedMetaDl | StalledDl | StoppedDl)
}

/// The torrent of a download in a listing.
pub fn find<'a>(listing: &'a Listing, hashes: &Hashes) -> Option<&'a Snapshot> {
    listing.torrents.iter().find(|torrent| torrent.hashes.meets(hashes))
}

impl Desk<'_> {
    /// Has a torrent in the client and going. `size_bytes` is what it needs, if that is known.
    pub async fn ensure(
        &self,
        hashes: &Hashes,
        given: &Given,
        size_bytes: Option<u64>,
    ) -> Result<Ensured, ClientError> {
        let listing = self.client.list().await?;
        if let Some(torrent) = find(&listing, hashes) {
            if !matches!(torrent.state, ClientState::Error | ClientState::MissingFiles) {
                if matches!(torrent.state, ClientState::StoppedDl | ClientState::StoppedUp) {
                    self.client.start(&torrent.key).await?;
                }
                if waits(torrent.state) {
                    // A tracker may know of somebody who came since; that it is asked is no condition.
                    let _ = self.client.reannounce(&torrent.key).await;
                }
                return Ok(Ensured::Adopted);
            }
            self.client.remove(&torrent.key, Remove::KeepFiles).await?;
            if !self.look_until(|listing| find(listing, hashes).is_none()).await? {
                return Ok(Ensured::Refused);
            }
        } else if size_bytes.zip(listing.free_bytes).is_some_and(|(size, free)| size > free) {
            // What a broken torrent kept is on the disk already; what is new is not.
            return Ok(Ensured::NoRoom);
        }
        self.client.add(given).await?;
        let there = self.look_until(|listing| find(listing, hashes).is_some()).await?;
        Ok(if there { Ensured::Added } else { Ensured::Refused })
    }

    async fn look_until(&self, done: impl Fn(&Listing) -> bool) -> Result<bool, ClientError> {
        for _ in 0..LOOKS {
            if done(&self.client.list().await?) {
                return Ok(true);
            }
            self.pauses.pause(BETWEEN).await;
        }
        Ok(false)
    }
}

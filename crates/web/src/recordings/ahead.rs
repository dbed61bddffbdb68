//! How far the reader of a form may run ahead of what comes out of it.
//!
//! It looks for the end of a part's head for as long as there are bytes, and keeps them all meanwhile.
//! **Invariant:** no more than [`MOST_BYTES`] of a form are in memory that were not handed on.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Body;
use futures::{StreamExt, TryStreamExt, stream};

use crate::kinds;
use crate::trouble::Broken;

/// A head of a part, with everything that was read along with it.
const MOST_BYTES: usize = 1 << 20;

/// Bytes that went into the reader since something last came out.
#[derive(Clone, Default)]
pub(super) struct Ahead(Arc<AtomicUsize>);

impl Ahead {
    /// Something came out.
    pub(super) fn caught_up(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// A body that ends with an error when its reader is too far ahead. It comes a piece at a time:
    /// the reader would take all that is there before it hands anything on.
    pub(super) fn watch(&self, body: Body) -> Body {
        let pieces = body.into_data_stream().map_err(io::Error::other).boxed();
        Body::from_stream(stream::unfold((pieces, self.clone()), |(mut pieces, ahead)| async {
            tokio::task::yield_now().await;
            let piece = pieces.next().await?;
            let piece = piece.and_then(|piece| {
                let before = ahead.0.fetch_add(piece.len(), Ordering::Relaxed);
                if before > MOST_BYTES {
                    return Err(io::Error::other(Broken(kinds::BODY_BROKEN.into())));
                }
                Ok(piece)
            });
            Some((piece, (pieces, ahead)))
        }))
    }
}

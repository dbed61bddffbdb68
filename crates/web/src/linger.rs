//! A body that is listened to for a moment after its handler has heard enough.
//!
//! Many clients read no answer before they have sent everything, and take a connection that is closed
//! under their hands for a failure of the network: the 401 or 413 would never be seen. **Invariant:**
//! what is listened to so is bounded in time and in bytes, and nothing of it is kept.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use http_body_util::BodyExt;
use hyper::body::{Frame, SizeHint};
use tokio::time::timeout;

/// How long, and how much at most.
const MOMENT: Duration = Duration::from_secs(5);
const MOST_BYTES: usize = 64 << 20;

/// A body of a request.
pub(crate) struct Lingering(Option<Body>);

impl Lingering {
    pub(crate) fn new(body: Body) -> Self {
        Self(Some(body))
    }
}

impl HttpBody for Lingering {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let Some(body) = self.0.as_mut() else { return Poll::Ready(None) };
        let frame = Pin::new(body).poll_frame(context);
        if matches!(frame, Poll::Ready(None | Some(Err(_)))) {
            self.0 = None;
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.0.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.0.as_ref().map_or_else(|| SizeHint::with_exact(0), HttpBody::size_hint)
    }
}

impl Drop for Lingering {
    fn drop(&mut self) {
        let Some(mut body) = self.0.take().filter(|body| !body.is_end_stream()) else { return };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        runtime.spawn(async move {
            let mut left = MOST_BYTES;
            let _ = timeout(MOMENT, async {
                while let Some(Ok(frame)) = body.frame().await {
                    left = left.saturating_sub(frame.data_ref().map_or(0, Bytes::len));
                    if left == 0 {
                        return;
                    }
                }
            })
            .await;
        });
    }
}

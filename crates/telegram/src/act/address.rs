//! A recording behind an address that somebody sent.

use verst_service::FetchError;

use super::text::unfetched;
use super::{ActError, Ask};
use crate::bot::Bot;

impl Bot {
    pub(super) async fn address(&self, ask: &Ask<'_>, url: &str) -> Result<(), ActError> {
        if let Some(id) = self.house.service.recordings.by_handle(ask.handle.clone()).await? {
            return self.introduce(ask, id).await;
        }
        let fetched = match self.house.fetch.fetch(url).await {
            Ok(fetched) => fetched,
            Err(FetchError::TooLarge { .. }) => return self.too_large(ask).await,
            Err(error) => return self.answer(ask, &ask.words.failure(&unfetched(error))).await,
        };
        match self.recording(ask, fetched.name, fetched.bytes).await {
            // The other side may break off each time.
            Err(ActError::Later) => {
                let failure = unfetched(FetchError::Unreachable);
                self.answer(ask, &ask.words.failure(&failure)).await
            }
            told => told,
        }
    }
}

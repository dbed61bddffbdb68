//! A text that was sent: magnets anywhere in it, or an address.

use verst_service::{CatchError, FetchError, Offer, TakeError, Taken};
use verst_words::Arg;

use super::{ActError, Ask};
use crate::bot::Bot;

impl Bot {
    pub(super) async fn text(&self, ask: &Ask<'_>, text: &str) -> Result<(), ActError> {
        if self.house.downloads.is_none() {
            if let Some(url) = address(text) {
                return self.address(ask, url).await;
            }
            if text.to_ascii_lowercase().contains("magnet:?") {
                return self.say(ask, "telegram-downloads-off").await;
            }
            return self.nothing_in(ask).await;
        }
        self.offer(ask, Offer::Text(text.to_owned())).await
    }

    /// Takes in what may be downloaded.
    pub(super) async fn offer(&self, ask: &Ask<'_>, offer: Offer) -> Result<(), ActError> {
        let Some(downloads) = &self.house.downloads else {
            return self.say(ask, "telegram-downloads-off").await;
        };
        let talk = matches!(&offer, Offer::Text(text) if address(text).is_none());
        match downloads.take_in(offer, ask.sender()).await {
            Ok(Taken::Downloads { accepted, broken }) => {
                for accepted in accepted {
                    self.introduce(ask, accepted.id).await?;
                }
                if broken == 0 {
                    return Ok(());
                }
                let count = i64::try_from(broken).unwrap_or(i64::MAX);
                self.say_with(ask, "telegram-broken", &[("count", Arg::Int(count))]).await
            }
            Ok(Taken::Recording { url }) => self.address(ask, &url).await,
            Err(TakeError::Catch(CatchError::NotATorrent)) if talk => self.nothing_in(ask).await,
            Err(TakeError::Catch(error)) => {
                self.answer(ask, &ask.words.failure(&error.failure())).await
            }
            Err(TakeError::Store(error)) => Err(error.into()),
        }
    }

    /// In a group people talk with one another, and a bot that answers everything is thrown out.
    async fn nothing_in(&self, ask: &Ask<'_>) -> Result<(), ActError> {
        if ask.incoming.private { self.say(ask, "telegram-nothing-found").await } else { Ok(()) }
    }
}

/// What an address gives instead of a file, as people are told.
pub(super) fn unfetched(error: FetchError) -> verst_service::Failure {
    CatchError::Fetch(error).failure()
}

/// The address that a text consists of.
fn address(text: &str) -> Option<&str> {
    let text = text.trim();
    let begins = |scheme: &str| {
        text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    let one = (begins("http://") || begins("https://")) && !text.contains(char::is_whitespace);
    one.then_some(text)
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn an_address_is_a_text_that_is_nothing_else() {
        assert_eq!(address(" HTTPS://a.test/b "), Some("HTTPS://a.test/b"));
        for text in ["see https://a.test", "ftp://a.test", "http", "привет", ""] {
            assert_eq!(address(text), None, "{text}");
        }
    }
}

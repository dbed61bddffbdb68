//! What the settings say of requests that go out.

use std::time::Duration;

use verst_adapters::outward::{OutwardLimits, Reach, is_address};
use verst_adapters::webhook::{PAUSES, SigningKeys, WebhookConfig};

use super::Settings;

/// Longer than anybody lets a webhook wait.
const LONGEST_TIMEOUT_S: u64 = 120;

/// The webhook, checked.
#[derive(Clone)]
pub(crate) struct WebhookSettings {
    pub(crate) config: WebhookConfig,
    /// Whether it is told of recordings that are done.
    pub(crate) done: bool,
    /// Whether it is told of recordings that were stopped.
    pub(crate) stopped: bool,
    /// Whether the text goes along.
    pub(crate) text: bool,
    /// Where others reach this installation.
    pub(crate) public_url: String,
}

impl Settings {
    /// Whom requests may go to.
    pub(crate) fn reach(&self) -> Reach {
        if self.allow_private_addresses { Reach::Anywhere } else { Reach::Public }
    }

    /// How long is waited for an answer, and how much of it is taken.
    pub(crate) fn outward_limits(&self) -> OutwardLimits {
        OutwardLimits::up_to(self.largest_bytes)
    }

    /// The webhook, if there is one. The error is a sentence with the key.
    pub(crate) fn webhook(&self) -> Result<Option<WebhookSettings>, String> {
        let url = self.webhook_url.0.clone();
        if url.is_empty() {
            return Ok(None);
        }
        if !is_address(&url) {
            return Err("`webhook_url` has to begin with http:// or https://".to_owned());
        }
        let keys = SigningKeys::parse(&self.webhook_secret.0).map_err(|error| {
            format!(
                "`webhook_secret`: {error}; make one with: echo whsec_$(openssl rand -base64 32)"
            )
        })?;
        if !(1..=LONGEST_TIMEOUT_S).contains(&self.webhook_timeout_s) {
            return Err(format!("`webhook_timeout_s` has to be 1 to {LONGEST_TIMEOUT_S}"));
        }
        let (mut done, mut stopped) = (false, false);
        for event in self.webhook_events.split(',') {
            match event.trim() {
                "done" => done = true,
                "stopped" => stopped = true,
                other => {
                    return Err(format!("`webhook_events`: “{other}” is not done or stopped"));
                }
            }
        }
        let timeout = Duration::from_secs(self.webhook_timeout_s);
        let config = WebhookConfig { url, keys, timeout, pauses: PAUSES.to_vec() };
        let public_url = self.public_url.clone();
        Ok(Some(WebhookSettings { config, done, stopped, text: self.webhook_text, public_url }))
    }

    /// How long deliveries that are under way may take at the end.
    pub(crate) fn webhook_grace(&self) -> Duration {
        Duration::from_secs(self.webhook_timeout_s.min(self.shutdown_grace_s))
    }

    /// The language of what is written unasked, if one is set. Like a locale, it may be any: what
    /// is not spoken here is English.
    pub(crate) fn lang(&self) -> Option<&str> {
        (!self.lang.is_empty()).then_some(self.lang.as_str())
    }

    /// Whether what goes out can go out. The error is a sentence with the key.
    pub(super) fn check_outward(&self) -> Result<(), String> {
        self.webhook().map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Secret;

    const KEY: &str = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

    fn with(url: &str, secret: &str, events: &str) -> Settings {
        Settings {
            webhook_url: Secret(url.to_owned()),
            webhook_secret: Secret(secret.to_owned()),
            webhook_events: events.to_owned(),
            ..Settings::default()
        }
    }

    #[test]
    fn a_webhook_needs_an_address_and_a_key_and_knows_its_events() {
        let url = "https://a.test/hook?token=geheim";
        let good = with(url, KEY, "stopped, done").webhook().unwrap().unwrap();
        assert!(good.done && good.stopped && !good.text);
        assert!(!with(url, KEY, "done").webhook().unwrap().unwrap().stopped);
        assert!(Settings::default().webhook().unwrap().is_none());
        for (settings, named) in [
            (with("a.test/hook", KEY, "done"), "`webhook_url`"),
            (with("ftp://a.test", KEY, "done"), "`webhook_url`"),
            (with(url, "", "done"), "`webhook_secret`"),
            (with(url, "hunter2", "done"), "`webhook_secret`"),
            (with(url, KEY, ""), "`webhook_events`"),
            (with(url, KEY, "done,gone"), "`webhook_events`"),
            (Settings { webhook_timeout_s: 0, ..with(url, KEY, "done") }, "`webhook_timeout_s`"),
        ] {
            let error = settings.check_outward().err().unwrap();
            assert!(error.contains(named), "{error}");
            assert!(!error.contains("hunter2") && !error.contains("geheim"), "{error}");
        }
    }
}

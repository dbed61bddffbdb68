//! `verst webhook test`: sends one event and says what the other side answers.

use clap::Subcommand;
use verst_adapters::clock::SystemClock;
use verst_adapters::outward::{Answer, Outward};
use verst_adapters::webhook::{Event, send};
use verst_kernel::Clock;
use verst_service::FetchError;
use verst_words::Arg;

use super::payload;
use crate::cli::Place;
use crate::house::settings;
use crate::inspect::clean;
use crate::refusal::Refusal;
use crate::tongue::Tongue;

/// What is done with the webhook.
#[derive(Subcommand)]
pub(crate) enum Hook {
    /// Send a test event once, and say what the other side answers
    Test(Place),
}

pub(crate) async fn hook(what: Hook, tongue: &Tongue) -> Result<u8, Refusal> {
    let Hook::Test(place) = what;
    let settings = settings(&place)?;
    let Some(webhook) = settings.webhook().ok().flatten() else {
        return Err(Refusal::Cannot("webhook-none", Vec::new()));
    };
    let outward = Outward::new(settings.reach(), settings.outward_limits());
    let id = format!("test_{:032x}", fastrand::u128(..));
    let event = Event { body: payload::trial(&id, SystemClock.now()), id };
    match send(&webhook.config, &outward, &SystemClock, &event).await {
        Ok(answer) if (200..300).contains(&answer.status) => {
            let status = answer.status.to_string();
            let args = [("status", Arg::Text(&status))];
            tongue.print(&format!("{}\n", tongue.say("webhook-delivered", &args)))?;
            Ok(0)
        }
        Ok(answer) => Err(refused(&answer)),
        Err(error) => Err(Refusal::Cannot(trouble(error), Vec::new())),
    }
}

fn refused(answer: &Answer) -> Refusal {
    let said = clean(answer.beginning.trim());
    let status = ("status", answer.status.to_string());
    if said.is_empty() {
        return Refusal::Cannot("webhook-refused", vec![status]);
    }
    let said: String = said.chars().take(300).collect();
    Refusal::Cannot("webhook-refused-saying", vec![status, ("said", said)])
}

/// The sentence for why there was no answer.
pub(crate) fn trouble(error: FetchError) -> &'static str {
    match error {
        FetchError::NotAllowed => "webhook-not-allowed",
        FetchError::TimedOut => "webhook-timed-out",
        FetchError::Scheme
        | FetchError::Unreachable
        | FetchError::Status(_)
        | FetchError::TooManyRedirects
        | FetchError::TooLarge { .. } => "webhook-unreachable",
    }
}

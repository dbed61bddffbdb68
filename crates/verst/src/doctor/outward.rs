//! Whether what goes out could go out. Nothing is sent.

use verst_adapters::outward::Outward;
use verst_words::Arg;

use super::Finding;
use crate::settings::Settings;
use crate::tongue::Tongue;
use crate::webhook::trouble;

/// A finding about the webhook, if there is one. Its address may hold a secret and is not shown.
pub(super) async fn findings(settings: &Settings, tongue: &Tongue) -> Vec<(&'static str, Finding)> {
    let Some(webhook) = settings.webhook().ok().flatten() else { return Vec::new() };
    let outward = Outward::new(settings.reach(), settings.outward_limits());
    let finding = match outward.look(&webhook.config.url).await {
        Ok(found) => {
            let found: Vec<String> = found.iter().map(ToString::to_string).collect();
            let addresses = found.join(", ");
            Ok(tongue.say("doctor-webhook-leads", &[("addresses", Arg::Text(&addresses))]))
        }
        Err(error) => Err(tongue.say(trouble(error), &[])),
    };
    vec![("doctor-webhook", finding)]
}

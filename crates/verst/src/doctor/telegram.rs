//! Whether Telegram knows the bot. Nothing is said to anybody.

use verst_telegram::Voice;
use verst_words::Arg;

use super::Finding;
use crate::settings::Settings;
use crate::tongue::Tongue;

/// A finding about the bot, if there is one.
pub(super) async fn finding(
    settings: &Settings,
    tongue: &Tongue,
) -> Option<(&'static str, Finding)> {
    let config = settings.telegram().ok().flatten()?;
    let finding = match Voice::ask(config).await {
        Ok(name) => Ok(tongue.say("doctor-telegram-answers", &[("name", Arg::Text(&name))])),
        Err(failure) => Err(tongue.failure(&failure)),
    };
    Some(("doctor-telegram", finding))
}

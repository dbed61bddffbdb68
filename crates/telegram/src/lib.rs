//! The bot in Telegram: updates become intents, intents go to `service`, and what is said is a pure
//! function of how things stand.
//!
//! It sees `service` and `words` and decides nothing about recordings or downloads. **Invariant:**
//! whatever comes from Telegram is kept before it is acted on and acted on once; what comes from
//! strangers is neither kept nor fetched; and the token, which is part of every address that is
//! asked, is in no error and no log.

mod act;
mod allow;
mod api;
mod board;
mod bot;
mod buttons;
mod codes;
mod config;
mod entrance;
mod eyes;
mod look;
mod pace;
mod poll;
mod read;
mod result;
mod said;
mod text;
mod voice;
mod work;

pub use bot::{Bot, House};
pub use config::{Config, ConfigError, OFFICIAL_API, Token};
pub use entrance::TelegramEntrance;
pub use voice::Voice;

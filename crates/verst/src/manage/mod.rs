//! What an owner does at the terminal beyond stopping and lifting: delete, transcribe again, tokens,
//! accounts, the chats of the bot.

mod again;
mod delete;
mod telegram;
mod token;
mod user;

pub(crate) use again::{Again, again};
pub(crate) use delete::{Delete, delete};
pub(crate) use telegram::{TelegramCommand, telegram};
pub(crate) use token::{TokenCommand, token};
pub(crate) use user::{UserCommand, user};

use crate::refusal::Refusal;

fn cannot(key: &'static str, id: i64) -> Refusal {
    Refusal::Cannot(key, vec![("id", id.to_string())])
}

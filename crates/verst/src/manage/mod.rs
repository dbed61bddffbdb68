//! What an owner does at the terminal beyond stopping and lifting: delete, transcribe again, tokens.

mod again;
mod delete;
mod token;

pub(crate) use again::{Again, again};
pub(crate) use delete::{Delete, delete};
pub(crate) use token::{TokenCommand, token};

use crate::refusal::Refusal;

fn cannot(key: &'static str, id: i64) -> Refusal {
    Refusal::Cannot(key, vec![("id", id.to_string())])
}

//! `verst telegram`: which chats of the bot belong to whom.

use clap::{Args, Subcommand};
use verst_service::accounts::Name;
use verst_service::link_code;
use verst_words::Arg;

use crate::acts::house;
use crate::cli::Place;
use crate::inspect::{clean, table};
use crate::refusal::Refusal;
use crate::tongue::Tongue;

/// What is done with chats.
#[derive(Subcommand)]
pub(crate) enum TelegramCommand {
    /// Make a code that links a chat to an account, and print it, this once
    Code(Code),
    /// Show which chats are linked, and to whom
    Chats(Place),
}

#[derive(Args)]
pub(crate) struct Code {
    /// Whose things the chat's are to be: the name of an account
    owner: String,
    #[command(flatten)]
    place: Place,
}

pub(crate) async fn telegram(command: TelegramCommand, tongue: &Tongue) -> Result<u8, Refusal> {
    match command {
        TelegramCommand::Code(args) => code(args, tongue).await,
        TelegramCommand::Chats(place) => chats(&place, tongue).await,
    }
}

async fn code(args: Code, tongue: &Tongue) -> Result<u8, Refusal> {
    let owner = args.owner.trim();
    if owner.is_empty() {
        return Err(Refusal::Usage("telegram-code-nameless", Vec::new()));
    }
    let house = house(&args.place).await?;
    let name = Name::new(owner).ok();
    let known = match &name {
        Some(name) => house.service.accounts.account_named(name).await?,
        None => None,
    };
    let Some((account, _)) = known else {
        return Err(Refusal::Cannot("telegram-code-no-account", vec![("owner", clean(owner))]));
    };
    let owner = account.name.as_str();
    let now = house.service.queue.now().await?;
    let code = link_code(&*house.chats, &*house.service.random, owner, now).await?;
    tongue.err(&tongue.say("telegram-code-made", &[("owner", Arg::Text(&clean(owner)))]));
    tongue.print(&format!("/link {code}\n"))?;
    Ok(0)
}

async fn chats(place: &Place, tongue: &Tongue) -> Result<u8, Refusal> {
    let house = house(place).await?;
    let linked = house.chats.linked_chats(None).await?;
    if linked.is_empty() {
        tongue.err(&tongue.say("telegram-chats-none", &[]));
        return Ok(0);
    }
    let heads = ["telegram-chat", "telegram-chat-owner"];
    let mut rows = vec![heads.map(|key| tongue.say(key, &[])).to_vec()];
    rows.extend(
        linked
            .into_iter()
            .map(|chat| vec![chat.id.0.to_string(), clean(&chat.owner.unwrap_or_default())]),
    );
    tongue.print(&table(&rows))?;
    Ok(0)
}

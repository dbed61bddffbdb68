//! `verst token`: who may come in over HTTP.

use std::time::Duration;

use clap::{Args, Subcommand};
use verst_kernel::Timestamp;
use verst_service::{Token, TokenId};
use verst_words::Arg;

use super::cannot;
use crate::acts::house;
use crate::cli::Place;
use crate::inspect::{clean, table};
use crate::refusal::Refusal;
use crate::tongue::{Tongue, moment};

const DAY: Duration = Duration::from_hours(24);
const MOST_DAYS: u32 = 36_500;

/// What is done with tokens.
#[derive(Subcommand)]
pub(crate) enum TokenCommand {
    /// Make one and print it, this once
    Add(Add),
    /// Show which there are; not what they are
    List(Place),
    /// Make one open nothing any more
    Revoke(Revoke),
}

#[derive(Args)]
pub(crate) struct Add {
    /// What to call it, as in “phone”
    name: String,
    /// Opens only this owner's recordings, and what is handed in with it is theirs [default: opens everything]
    #[arg(long, value_name = "NAME")]
    owner: Option<String>,
    /// Lasts so many days [default: until it is revoked]
    #[arg(long, value_name = "N")]
    days: Option<u32>,
    #[command(flatten)]
    place: Place,
}

#[derive(Args)]
pub(crate) struct Revoke {
    /// Number of the token, as listed
    id: i64,
    #[command(flatten)]
    place: Place,
}

pub(crate) async fn token(command: TokenCommand, tongue: &Tongue) -> Result<u8, Refusal> {
    match command {
        TokenCommand::Add(args) => add(args, tongue).await,
        TokenCommand::List(place) => list(&place, tongue).await,
        TokenCommand::Revoke(args) => revoke(args, tongue).await,
    }
}

async fn add(args: Add, tongue: &Tongue) -> Result<u8, Refusal> {
    if args.name.trim().is_empty() {
        return Err(Refusal::Usage("token-nameless", Vec::new()));
    }
    if args.days.is_some_and(|days| !(1..=MOST_DAYS).contains(&days)) {
        return Err(Refusal::Usage("token-days", Vec::new()));
    }
    let house = house(&args.place).await?;
    let now = house.service.queue.now().await?;
    let until = args.days.map(|days| now.after(DAY * days));
    let owner = args.owner.as_deref().filter(|owner| !owner.trim().is_empty());
    let (TokenId(id), secret) = house.service.add_token(&args.name, owner, until).await?;
    tongue.err(&tongue.say("token-made", &[("id", Arg::Text(&id.to_string()))]));
    tongue.print(&format!("{secret}\n"))?;
    Ok(0)
}

async fn list(place: &Place, tongue: &Tongue) -> Result<u8, Refusal> {
    let house = house(place).await?;
    let tokens = house.service.tokens.tokens(None).await?;
    if tokens.is_empty() {
        tongue.err(&tongue.say("token-none", &[]));
        return Ok(0);
    }
    let now = house.service.queue.now().await?;
    let heads =
        ["token-id", "token-name", "token-owner", "token-created", "token-used", "token-state"];
    let mut rows = vec![heads.map(|key| tongue.say(key, &[])).to_vec()];
    rows.extend(tokens.iter().map(|token| row(token, now, tongue)));
    tongue.print(&table(&rows))?;
    Ok(0)
}

fn row(token: &Token, now: Timestamp, tongue: &Tongue) -> Vec<String> {
    let say = |key| tongue.say(key, &[]);
    vec![
        token.id.0.to_string(),
        clean(&token.name),
        token.owner.as_deref().map_or_else(|| say("token-all"), clean),
        moment(token.created_at),
        token.last_used_at.map_or_else(|| say("token-never"), moment),
        match (token.revoked_at, token.expires_at) {
            (Some(_), _) => say("token-revoked"),
            (None, Some(until)) if until <= now => say("token-expired"),
            (None, Some(until)) => {
                tongue.say("token-until", &[("time", Arg::Text(&moment(until)))])
            }
            (None, None) => say("token-good"),
        },
    ]
}

async fn revoke(args: Revoke, tongue: &Tongue) -> Result<u8, Refusal> {
    let house = house(&args.place).await?;
    if !house.service.tokens.revoke_token(TokenId(args.id), None).await? {
        return Err(cannot("token-unknown", args.id));
    }
    tongue.err(&tongue.say("token-was-revoked", &[("id", Arg::Text(&args.id.to_string()))]));
    Ok(0)
}

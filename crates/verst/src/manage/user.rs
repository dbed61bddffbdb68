//! `verst user`: accounts, for whoever is at the machine.
//!
//! **Invariant:** a password is never an argument: others on the machine see those.

use std::io::{BufRead, IsTerminal};

use clap::{Args, Subcommand, ValueEnum};
use verst_service::accounts::{
    Account, AccountError, AccountId, NAME_CHARACTERS, Name, PASSWORD_BYTES, Role,
};
use verst_words::Arg;

use crate::acts::house;
use crate::cli::Place;
use crate::house::House;
use crate::inspect::table;
use crate::refusal::Refusal;
use crate::tongue::{Tongue, moment};

/// What is done with accounts.
#[derive(Subcommand)]
pub(crate) enum UserCommand {
    /// Make an account; the password is asked for, or read from standard input
    Add(Add),
    /// Give an account another password; its browsers have to sign in again
    Passwd(One),
    /// Show which accounts there are
    List(Place),
    /// Say what an account may do
    Role(Say),
    /// Let nobody sign in by an account any more; its tokens open nothing meanwhile
    Disable(One),
    /// Let its owner sign in again
    Enable(One),
}

#[derive(Args)]
pub(crate) struct Add {
    /// Its name, which never changes: what belongs to it carries it
    name: String,
    /// What it may do
    #[arg(long, default_value = "owner")]
    role: May,
    #[command(flatten)]
    place: Place,
}

#[derive(Args)]
pub(crate) struct One {
    /// The account's name
    name: String,
    #[command(flatten)]
    place: Place,
}

#[derive(Args)]
pub(crate) struct Say {
    /// The account's name
    name: String,
    /// What it may do
    role: May,
    #[command(flatten)]
    place: Place,
}

/// Roles, as they are typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum May {
    /// Sees what belongs to it
    Owner,
    /// Sees everything, and decides who comes in
    Admin,
}

impl From<May> for Role {
    fn from(may: May) -> Self {
        match may {
            May::Owner => Self::Owner,
            May::Admin => Self::Admin,
        }
    }
}

pub(crate) async fn user(command: UserCommand, tongue: &Tongue) -> Result<u8, Refusal> {
    match command {
        UserCommand::Add(args) => {
            let house = house(&args.place).await?;
            let password = password(tongue).await?;
            let made = house.service.add_account(&args.name, &password, args.role.into()).await;
            made.map_err(|error| refusal(error, &args.name))?;
            Ok(said(tongue, "user-made", &args.name))
        }
        UserCommand::Passwd(One { name, place }) => {
            let house = house(&place).await?;
            let id = find(&house, &name).await?;
            let password = password(tongue).await?;
            let changed = house.service.set_password(id, &password, None).await;
            changed.map_err(|error| refusal(error, &name))?;
            Ok(said(tongue, "user-password-set", &name))
        }
        UserCommand::List(place) => list(&place, tongue).await,
        UserCommand::Role(Say { name, role, place }) => {
            let house = house(&place).await?;
            let id = find(&house, &name).await?;
            let changed = house.service.set_role(id, role.into()).await;
            changed.map_err(|error| refusal(error, &name))?;
            Ok(said(tongue, "user-role-set", &name))
        }
        UserCommand::Disable(One { name, place }) => {
            let house = house(&place).await?;
            let id = find(&house, &name).await?;
            let changed = house.service.disable_account(id).await;
            changed.map_err(|error| refusal(error, &name))?;
            Ok(said(tongue, "user-was-disabled", &name))
        }
        UserCommand::Enable(One { name, place }) => {
            let house = house(&place).await?;
            let id = find(&house, &name).await?;
            let changed = house.service.enable_account(id).await;
            changed.map_err(|error| refusal(error, &name))?;
            Ok(said(tongue, "user-was-enabled", &name))
        }
    }
}

fn said(tongue: &Tongue, key: &str, name: &str) -> u8 {
    tongue.err(&tongue.say(key, &[("name", Arg::Text(name.trim()))]));
    0
}

async fn find(house: &House, name: &str) -> Result<AccountId, Refusal> {
    let unknown = || refusal(AccountError::Missing, name);
    let typed = Name::new(name).map_err(|_| unknown())?;
    let found = house.service.accounts.account_named(&typed).await?;
    found.map(|(account, _)| account.id).ok_or_else(unknown)
}

/// Asked for twice at a terminal; otherwise the first line of standard input.
async fn password(tongue: &Tongue) -> Result<String, Refusal> {
    let (once, again) = (tongue.say("user-type", &[]), tongue.say("user-type-again", &[]));
    let read = move || {
        if !std::io::stdin().is_terminal() {
            let mut line = String::new();
            std::io::stdin().lock().read_line(&mut line)?;
            return Ok(Some(line.trim_end_matches(['\r', '\n']).to_owned()));
        }
        let typed = rpassword::prompt_password(once)?;
        let same = rpassword::prompt_password(again)? == typed;
        Ok::<_, std::io::Error>(same.then_some(typed))
    };
    match tokio::task::spawn_blocking(read).await {
        Ok(Ok(Some(password))) => Ok(password),
        Ok(Ok(None)) => Err(Refusal::Usage("user-passwords-differ", Vec::new())),
        Ok(Err(_)) | Err(_) => Err(Refusal::Usage("user-no-password", Vec::new())),
    }
}

fn refusal(error: AccountError, name: &str) -> Refusal {
    let named = || vec![("name", name.trim().to_owned())];
    match error {
        AccountError::Name(_) => {
            Refusal::Usage("problem-name-wrong", vec![("limit", NAME_CHARACTERS.to_string())])
        }
        AccountError::Password(_) => {
            let (least, limit) = (PASSWORD_BYTES.start(), PASSWORD_BYTES.end());
            let args = vec![("least", least.to_string()), ("limit", limit.to_string())];
            Refusal::Usage("problem-password-length", args)
        }
        AccountError::Taken => Refusal::Cannot("user-taken", named()),
        AccountError::LastAdmin => Refusal::Cannot("user-last-admin", named()),
        AccountError::Missing | AccountError::NotThePassword | AccountError::SetupRefused => {
            Refusal::Cannot("user-unknown", named())
        }
        AccountError::Busy(_) => Refusal::Cannot("user-busy", Vec::new()),
        AccountError::Store(error) => error.into(),
    }
}

async fn list(place: &Place, tongue: &Tongue) -> Result<u8, Refusal> {
    let house = house(place).await?;
    let accounts = house.service.accounts.accounts().await?;
    if accounts.is_empty() {
        tongue.err(&tongue.say("user-none", &[]));
        return Ok(0);
    }
    let heads = ["user-name", "user-role", "user-created", "user-state"];
    let mut rows = vec![heads.map(|key| tongue.say(key, &[])).to_vec()];
    rows.extend(accounts.iter().map(|account| row(account, tongue)));
    tongue.print(&table(&rows))?;
    Ok(0)
}

fn row(account: &Account, tongue: &Tongue) -> Vec<String> {
    let say = |key| tongue.say(key, &[]);
    vec![
        account.name.clone(),
        say(match account.role {
            Role::Owner => "user-is-owner",
            Role::Admin => "user-is-admin",
        }),
        moment(account.created_at),
        say(if account.disabled_at.is_some() { "user-is-disabled" } else { "user-is-enabled" }),
    ]
}

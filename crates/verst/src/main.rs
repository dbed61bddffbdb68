//! Verst: the binary. Command line, settings and the only wiring of ports to adapters.

mod acts;
mod backup;
mod cli;
mod config;
mod docs;
mod doctor;
mod downloads;
mod folder;
mod health;
mod hits;
mod house;
mod inspect;
mod intake;
mod logging;
mod manage;
mod models;
mod publish;
mod refusal;
mod serve;
mod settings;
mod sheet;
mod show;
mod signals;
mod submit;
mod sweep;
mod tongue;
mod transcribe;
mod upkeep;
mod web;
mod webhook;

use std::process::ExitCode;

use clap::Parser;
use verst_adapters::confine;

use cli::{Cli, Command, Config};
use refusal::Refusal;
use tongue::Tongue;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    // Once for each look at a file of a stranger's: no time is spent on anything else.
    if args.next().is_some_and(|arg| arg == confine::CALLED) {
        return ExitCode::from(confine::run(args));
    }
    let cli = Cli::parse();
    if let Command::Engine = cli.command {
        return engine();
    }
    let tongue = Tongue::new(cli.lang.as_deref());
    logging::start(cli.log_filter(), cli.log_format);
    let runtime =
        match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => {
                tongue.err(&error.to_string());
                return ExitCode::from(Refusal::SETUP);
            }
        };
    let code = match runtime.block_on(run(cli, &tongue)) {
        Ok(code) => code,
        Err(refusal) => {
            tongue.err(&refusal.sentence(&tongue));
            refusal.code()
        }
    };
    // A child that does not end must not keep the terminal.
    runtime.shutdown_timeout(std::time::Duration::from_secs(1));
    ExitCode::from(code)
}

/// The recogniser process: it speaks in frames on its standard streams and starts nothing else.
fn engine() -> ExitCode {
    match verst_engine::serve(std::io::stdin().lock(), std::io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(Refusal::SETUP),
    }
}

async fn run(cli: Cli, tongue: &Tongue) -> Result<u8, Refusal> {
    match cli.command {
        Command::Transcribe(args) => transcribe::transcribe(args, tongue).await,
        Command::Serve(place) => serve::serve(place, tongue).await,
        Command::Submit(args) => submit::submit(args, tongue).await,
        Command::Add(args) => downloads::add(args, tongue).await,
        Command::Downloads(args) => downloads::list(args, tongue).await,
        Command::Retry(args) => acts::retry(args, tongue).await,
        Command::Choose(args) => downloads::choose(args, tongue).await,
        Command::Unplace(args) => downloads::unplace(args, tongue).await,
        Command::List(args) => inspect::list(args, tongue).await,
        Command::Show(args) => show::show(args, tongue).await,
        Command::Stop(args) => acts::stop(args, tongue).await,
        Command::Lift(args) => acts::lift(args, tongue).await,
        Command::Rename(args) => acts::rename(args, tongue).await,
        Command::Again(args) => manage::again(args, tongue).await,
        Command::Delete(args) => manage::delete(args, tongue).await,
        Command::User { what } => manage::user(what, tongue).await,
        Command::Token { what } => manage::token(what, tongue).await,
        Command::Telegram { what } => manage::telegram(what, tongue).await,
        Command::Models { what } => models::models(what, tongue).await,
        Command::Doctor(args) => doctor::doctor(args, tongue).await,
        Command::Health(place) => health::health(place, tongue).await,
        Command::Config { what: Config::Check(place) } => config::check(&place, tongue),
        Command::Config { what: Config::Show(place) } => config::show(&place, tongue),
        Command::Webhook { what } => webhook::hook(what, tongue).await,
        Command::Migrate(place) => upkeep::migrate(place, tongue).await,
        Command::CopyDatabase(place) => upkeep::copy_database(place, tongue).await,
        Command::Backup(args) => backup::backup(args, tongue).await,
        Command::Restore(args) => backup::restore(args, tongue).await,
        Command::Completions { shell } => {
            tongue.print(&docs::completions(shell))?;
            Ok(0)
        }
        Command::Manual => {
            tongue.print(&docs::manual())?;
            Ok(0)
        }
        Command::Docs { page } => {
            tongue.print(&docs::page(page))?;
            Ok(0)
        }
        Command::Engine => Ok(0),
    }
}

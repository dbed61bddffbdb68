//! `verst models pull`: fetches models into the data directory.
//!
//! It refuses to put anything in a model's place whose bytes are not known to be right.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tokio_util::sync::CancellationToken;
use verst_adapters::data_dir::DataDir;
use verst_adapters::download::{DownloadError, Downloader, Fetched, Order};
use verst_kernel::Failure;
use verst_recordings::codes;
use verst_words::Arg;

use super::args::Pull;
use super::list::megabytes;
use super::{Model, Shelf, known, named};
use crate::house::{data_path, settings};
use crate::refusal::Refusal;
use crate::signals;
use crate::tongue::Tongue;
use verst_service::causes;

pub(super) async fn pull(args: Pull, tongue: &Tongue) -> Result<u8, Refusal> {
    let settings = settings(&args.place)?;
    let shelf = Shelf::of(&args.place, &settings);
    let models = args.names.iter().map(|name| wanted(name)).collect::<Result<Vec<_>, _>>()?;
    let sha256 = args.sha256.map(|hash| checked(hash, models.len())).transpose()?;
    let data = data_path(&args.place);
    // Only where an installation is, or may be made, is anything written.
    drop(DataDir::visit(&data, true).map_err(|error| Refusal::Data(data.clone(), error))?);
    let mut directory = DirBuilder::new();
    directory.recursive(true).mode(0o700).create(&shelf.pulled).map_err(|error| {
        let args = vec![("path", shelf.pulled.display().to_string()), ("cause", error.to_string())];
        Refusal::Setup("models-directory-unusable", args)
    })?;
    let shutdown = CancellationToken::new();
    let signal = signals::listen(tongue, shutdown.clone())
        .map_err(|_| Refusal::Needed(Failure::new(codes::INTERRUPTED)))?;
    let mut all = true;
    for model in models {
        let order = Order {
            url: format!("{}/{}", settings.models_mirror(), model.path.as_deref().unwrap_or("")),
            target: shelf.pulled.join(&model.file),
            sha256: sha256.clone().or_else(|| model.sha256.clone()),
        };
        let fetched = tokio::select! {
            biased;
            () = shutdown.cancelled() => return Ok(signal.borrow().map_or(130, |ended| ended.0)),
            fetched = one(model, &shelf, &order, tongue) => fetched,
        };
        if let Err(error) = fetched {
            tongue.err(&sentence(model, &error, tongue));
            all = false;
        }
    }
    Ok(if all { 0 } else { Refusal::SOME_FAILED })
}

/// The model of that name, if it can be fetched.
fn wanted(name: &str) -> Result<&'static Model, Refusal> {
    let Some(model) = named(name) else { return Err(unknown(name)) };
    if model.path.is_none() {
        return Err(Refusal::Usage("models-bundled", vec![("name", model.id.clone())]));
    }
    Ok(model)
}

/// Says that a name is not in the catalogue, and which are.
pub(super) fn unknown(name: &str) -> Refusal {
    let names: Vec<&str> = known().iter().map(|model| model.id.as_str()).collect();
    let args = vec![("name", name.to_owned()), ("known", names.join(", "))];
    Refusal::Usage("models-unknown", args)
}

fn checked(hash: String, models: usize) -> Result<String, Refusal> {
    let whole = hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    if whole && models == 1 {
        return Ok(hash);
    }
    Err(Refusal::Usage("models-hash-unusable", Vec::new()))
}

async fn one(
    model: &Model,
    shelf: &Shelf,
    order: &Order,
    tongue: &Tongue,
) -> Result<(), DownloadError> {
    let name = Arg::Text(&model.id);
    if shelf.file(&model.id).is_file() {
        let path = shelf.file(&model.id).display().to_string();
        tongue
            .err(&tongue.say("models-here-already", &[("name", name), ("path", Arg::Text(&path))]));
        return Ok(());
    }
    let size = megabytes(model.size_bytes(), tongue);
    tongue.err(&tongue.say("models-pulling", &[("name", name), ("size", Arg::Text(&size))]));
    let bar = bar();
    let progress = |bytes: u64, size: Option<u64>| {
        if let Some(size) = size {
            bar.set_length(size);
        }
        bar.set_position(bytes);
    };
    let fetched = Downloader::new()?.fetch(order, &progress).await;
    bar.finish_and_clear();
    let fetched = fetched?;
    said(model, &fetched, order, tongue);
    Ok(())
}

fn said(model: &Model, fetched: &Fetched, order: &Order, tongue: &Tongue) {
    let size = megabytes(fetched.size_bytes, tongue);
    let path = order.target.display().to_string();
    // A hash that came with the bytes says that none was lost, and not whose they are.
    let key = if order.sha256.is_some() { "models-pulled" } else { "models-pulled-unknown" };
    let args = [
        ("name", Arg::Text(&model.id)),
        ("size", Arg::Text(&size)),
        ("path", Arg::Text(&path)),
        ("hash", Arg::Text(&fetched.sha256)),
    ];
    tongue.err(&tongue.say(key, &args));
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let form = "{bar:24} {percent:>3}% {decimal_bytes}/{decimal_total_bytes} {decimal_bytes_per_sec} {eta}";
    if let Ok(style) = ProgressStyle::with_template(form) {
        bar.set_style(style);
    }
    bar
}

/// Why a model was not fetched, and what to do.
fn sentence(model: &Model, error: &DownloadError, tongue: &Tongue) -> String {
    let cause = causes(error);
    let mb = |bytes: u64| Arg::Int(i64::try_from(bytes.div_ceil(1_000_000)).unwrap_or(i64::MAX));
    let mut args = vec![("name", Arg::Text(&model.id)), ("cause", Arg::Text(&cause))];
    let key = match error {
        DownloadError::Busy => "models-pull-busy",
        DownloadError::Address => "models-pull-address",
        DownloadError::Missing => "models-pull-missing",
        DownloadError::Refused { .. } => "models-pull-refused",
        DownloadError::Troubled { .. }
        | DownloadError::Unreachable(_)
        | DownloadError::Broken(_)
        | DownloadError::Short
        | DownloadError::Changed
        | DownloadError::Unsteady => "models-pull-broken",
        DownloadError::Redirected => "models-pull-redirected",
        DownloadError::NoHash => "models-pull-no-hash",
        DownloadError::WrongHash { expected, found } => {
            args.extend([("expected", Arg::Text(expected)), ("found", Arg::Text(found))]);
            "models-pull-wrong-hash"
        }
        DownloadError::TooLarge { limit_bytes } => {
            args.push(("limit", mb(*limit_bytes)));
            "models-pull-too-large"
        }
        DownloadError::NoRoom { needed_bytes, free_bytes } => {
            args.extend([("needed", mb(*needed_bytes)), ("free", mb(*free_bytes))]);
            "models-pull-no-room"
        }
        DownloadError::Io(_) => "models-pull-unwritable",
    };
    tongue.say(key, &args)
}

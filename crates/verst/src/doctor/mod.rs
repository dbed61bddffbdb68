//! `verst doctor`: is everything there that Verst needs, and what to do if not.

mod args;
mod look;
mod permissions;
mod processor;
mod protections;
mod shared;

use std::fs::File;
use std::path::Path;

use verst_adapters::confine::{Confinement, Mode};
use verst_adapters::data_dir::{DataDir, DataDirError};
use verst_adapters::ffmpeg::{Ffmpeg, MediaLimits};
use verst_kernel::Failure;
use verst_recordings::codes;
use verst_recordings::ports::{Media, Recogniser, Wish};
use verst_words::Arg;

pub(crate) use args::Doctor;
use look::{Look, troubles};

use crate::house::{data_path, media, recogniser, settings};
use crate::models;
use crate::refusal::Refusal;
use crate::settings::Settings;
use crate::tongue::Tongue;

/// Below this, in GiB, a person should make room.
const LITTLE_SPACE: u64 = 2;

/// Fewer free files than this, on a file system that counts them, is as bad.
const FEW_FILES: u64 = 10_000;

type Finding = Result<String, String>;

pub(crate) async fn doctor(args: Doctor, tongue: &Tongue) -> Result<u8, Refusal> {
    let Doctor { json, place } = args;
    let settings = settings(&place)?;
    let recogniser = recogniser(&settings, Vec::new())?;
    let sentence = |failure: Failure| tongue.failure(&failure);
    let heard = recogniser.check(&Wish::default()).await;
    let models = models::directory(settings.models());
    let model = models.join(settings.model());
    let mut findings = vec![
        ("doctor-ffmpeg", ffmpeg_finding(&settings, tongue).await),
        ("doctor-model", model_finding(&model, heard.as_ref().err(), tongue)),
        ("doctor-engine", heard.map_err(sentence)),
        ("doctor-vad", vad_finding(&models.join(models::VAD.name), tongue)),
        ("doctor-data", data_finding(&data_path(&place), tongue)),
        ("doctor-space", space_finding(&data_path(&place), tongue)),
    ];
    findings.extend(shared::findings(&place, &settings, tongue).await);
    let mut looks: Vec<Look> = findings.into_iter().map(Look::of).collect();
    looks.push(processor::look(tongue));
    looks.push(protections::look(&settings, tongue).await);
    looks.extend(permissions::looks(&place, tongue));
    tongue.print(&if json { look::json(&looks) } else { look::told(&looks, tongue) })?;
    Ok(if troubles(&looks) == 0 { 0 } else { Refusal::SOME_FAILED })
}

async fn ffmpeg_finding(settings: &Settings, tongue: &Tongue) -> Finding {
    let failure = match media(settings).check().await {
        Ok(version) => return Ok(version),
        Err(failure) => failure,
    };
    // Some packages bring a wrapper that starts other programs.
    let free = Ffmpeg::new(MediaLimits::default(), Confinement::by_this_program(Mode::Off));
    if free.check().await.is_ok() {
        return Err(tongue.say("doctor-ffmpeg-unconfined", &[]));
    }
    Err(tongue.failure(&failure))
}

fn model_finding(model: &Path, trouble: Option<&Failure>, tongue: &Tongue) -> Finding {
    let path = model.display().to_string();
    let about_model =
        |f: &&Failure| f.code == codes::MODEL_MISSING || f.code == codes::MODEL_DAMAGED;
    if let Some(failure) = trouble.filter(about_model) {
        return Err(format!("{path}: {}", tongue.failure(failure)));
    }
    let bundled = model.file_name().is_some_and(|name| name == models::BUNDLED.name);
    let key = if bundled { "doctor-first-try" } else { "doctor-custom" };
    Ok(tongue.say(key, &[("model", Arg::Text(&path))]))
}

fn vad_finding(file: &Path, tongue: &Tongue) -> Finding {
    let path = file.display().to_string();
    // To be there is not enough: it has to be ours to read.
    if file.is_file() && File::open(file).is_ok() {
        return Ok(path);
    }
    Err(format!("{path}: {}", tongue.failure(&Failure::new(codes::MODEL_MISSING))))
}

fn data_finding(path: &Path, tongue: &Tongue) -> Finding {
    let shown = path.display().to_string();
    match DataDir::open(path) {
        Ok(_) => Ok(tongue.say("doctor-writable", &[("path", Arg::Text(&shown))])),
        Err(DataDirError::Missing) => {
            Ok(tongue.say("doctor-not-made", &[("path", Arg::Text(&shown))]))
        }
        Err(DataDirError::Held { holder }) => {
            Ok(tongue.say("doctor-held", &[("holder", Arg::Text(&holder))]))
        }
        Err(DataDirError::Foreign) => {
            Err(tongue.say("cli-data-foreign", &[("data", Arg::Text(&shown))]))
        }
        Err(DataDirError::Io(cause)) => Err(tongue.say(
            "cli-data-unusable",
            &[("data", Arg::Text(&shown)), ("cause", Arg::Text(&cause.to_string()))],
        )),
    }
}

fn space_finding(path: &Path, tongue: &Tongue) -> Finding {
    // The directory itself may not be made yet; its nearest ancestor is on the same disk.
    let there = path.ancestors().find(|dir| dir.exists()).unwrap_or(Path::new("."));
    let Ok(disk) = rustix::fs::statvfs(there) else {
        return Err(tongue.say("doctor-little-free", &[("free", Arg::Int(0))]));
    };
    // Some file systems make room for files as they go, and count none.
    if disk.f_files > 0 && disk.f_favail < FEW_FILES {
        let free = i64::try_from(disk.f_favail).unwrap_or(i64::MAX);
        return Err(tongue.say("doctor-few-files", &[("free", Arg::Int(free))]));
    }
    let gib = disk.f_bavail.saturating_mul(disk.f_frsize) >> 30;
    let args = [("free", Arg::Int(i64::try_from(gib).unwrap_or(i64::MAX)))];
    if gib < LITTLE_SPACE {
        return Err(tongue.say("doctor-little-free", &args));
    }
    Ok(tongue.say("doctor-free", &args))
}

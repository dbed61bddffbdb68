//! `verst doctor`: is everything there that Verst needs, and what to do if not.

mod args;
mod downloads;
mod folder;
mod look;
mod models;
mod outward;
mod permissions;
mod processor;
mod protections;
mod shared;
mod telegram;

use std::path::Path;

use verst_adapters::confine::{Confinement, Mode};
use verst_adapters::data_dir::{DataDir, DataDirError};
use verst_adapters::disk;
use verst_adapters::ffmpeg::{Ffmpeg, MediaLimits};
use verst_recordings::ports::{Media, Recogniser, Wish};
use verst_words::Arg;

pub(crate) use args::Doctor;
use look::{Look, troubles};

use crate::house::{data_path, media, openai, settings};
use crate::refusal::Refusal;
use crate::settings::{Chosen, Settings};
use crate::tongue::Tongue;

/// Below this, in GiB, a person should make room.
const LITTLE_SPACE: u64 = 2;

/// Fewer free files than this, on a file system that counts them, is as bad.
const FEW_FILES: u64 = 10_000;

type Finding = Result<String, String>;

pub(crate) async fn doctor(args: Doctor, tongue: &Tongue) -> Result<u8, Refusal> {
    let Doctor { json, place } = args;
    let settings = settings(&place)?;
    let mut findings = vec![("doctor-ffmpeg", ffmpeg_finding(&settings, tongue).await)];
    findings.extend(match settings.recogniser() {
        Chosen::Engine => models::findings(&place, &settings, tongue).await?,
        Chosen::OpenAi => vec![("doctor-openai", openai_finding(&settings, tongue).await)],
    });
    findings.extend([
        ("doctor-data", data_finding(&data_path(&place), tongue)),
        ("doctor-space", space_finding(&data_path(&place), tongue)),
    ]);
    findings.extend(folder::finding(&data_path(&place), &settings, tongue));
    findings.extend(outward::findings(&settings, tongue).await);
    findings.extend(downloads::findings(&settings, tongue).await);
    findings.extend(telegram::finding(&settings, tongue).await);
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

/// Asks which models there are, which costs nothing. Nothing is transcribed to try it.
async fn openai_finding(settings: &Settings, tongue: &Tongue) -> Finding {
    let server = openai(settings, std::env::temp_dir());
    let told = server.check(&Wish::default()).await.map_err(|it| tongue.failure(&it))?;
    let key = if server.profile().paid { "doctor-openai-paid" } else { "doctor-openai-free" };
    Ok(tongue.say(key, &[("server", Arg::Text(&told))]))
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
    let Some(free) = disk::free(path) else {
        return Err(tongue.say("doctor-little-free", &[("free", Arg::Int(0))]));
    };
    if let Some(few) = free.files.filter(|files| *files < FEW_FILES) {
        let few = i64::try_from(few).unwrap_or(i64::MAX);
        return Err(tongue.say("doctor-few-files", &[("free", Arg::Int(few))]));
    }
    let gib = free.bytes >> 30;
    let args = [("free", Arg::Int(i64::try_from(gib).unwrap_or(i64::MAX)))];
    if gib < LITTLE_SPACE {
        return Err(tongue.say("doctor-little-free", &args));
    }
    Ok(tongue.say("doctor-free", &args))
}

//! `verst doctor`: is everything there that Verst needs, and what to do if not.

mod models;
mod outward;
mod shared;

use std::path::Path;

use verst_adapters::data_dir::{DataDir, DataDirError};
use verst_kernel::Failure;
use verst_recordings::ports::{Media, Recogniser, Wish};
use verst_words::Arg;

use crate::cli::Place;
use crate::house::{data_path, media, openai, settings};
use crate::refusal::Refusal;
use crate::settings::{Chosen, Settings};
use crate::tongue::Tongue;

/// Below this, in GiB, a person should make room.
const LITTLE_SPACE: u64 = 2;

type Finding = Result<String, String>;

pub(crate) async fn doctor(place: Place, tongue: &Tongue) -> Result<u8, Refusal> {
    let settings = settings(&place)?;
    let sentence = |failure: Failure| tongue.failure(&failure);
    let mut findings = vec![("doctor-ffmpeg", media().check().await.map_err(sentence))];
    findings.extend(match settings.recogniser() {
        Chosen::Engine => models::findings(&place, &settings, tongue).await?,
        Chosen::OpenAi => vec![("doctor-openai", openai_finding(&settings, tongue).await)],
    });
    findings.extend([
        ("doctor-data", data_finding(&data_path(&place), tongue)),
        ("doctor-space", space_finding(&data_path(&place), tongue)),
    ]);
    findings.extend(outward::findings(&settings, tongue).await);
    findings.extend(shared::findings(&place, &settings, tongue).await);
    let mut troubles = 0;
    for (key, finding) in findings {
        let (mark, text) = match &finding {
            Ok(text) => ("doctor-ok", text),
            Err(text) => ("doctor-bad", text),
        };
        troubles += i64::from(finding.is_err());
        let (what, mark) = (tongue.say(key, &[]), tongue.say(mark, &[]));
        tongue.print(&format!("{what}: {mark} — {text}\n"))?;
    }
    if troubles == 0 {
        tongue.print(&format!("\n{}\n", tongue.say("doctor-all-well", &[])))?;
        return Ok(0);
    }
    let told = tongue.say("doctor-trouble", &[("count", Arg::Int(troubles))]);
    tongue.print(&format!("\n{told}\n"))?;
    Ok(Refusal::SOME_FAILED)
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
    // The directory itself may not be made yet; its nearest ancestor is on the same disk.
    let there = path.ancestors().find(|dir| dir.exists()).unwrap_or(Path::new("."));
    let free = rustix::fs::statvfs(there).map_or(0, |s| s.f_bavail.saturating_mul(s.f_frsize));
    let gib = free >> 30;
    let args = [("free", Arg::Int(i64::try_from(gib).unwrap_or(i64::MAX)))];
    if gib < LITTLE_SPACE {
        return Err(tongue.say("doctor-little-free", &args));
    }
    Ok(tongue.say("doctor-free", &args))
}

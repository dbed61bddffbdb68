//! `verst choose`: says what a download is.

use verst_downloads::codes;
use verst_downloads::filing::Ids;
use verst_downloads::names::{Choice, Kind};
use verst_kernel::WorkId;
use verst_service::{ChooseError, DownloadService, StopMark};
use verst_words::Arg;

use super::args::Choose;
use super::{candidates, cannot, client, service};
use crate::acts::{house, person};
use crate::refusal::Refusal;
use crate::tongue::Tongue;

pub(crate) async fn choose(args: Choose, tongue: &Tongue) -> Result<u8, Refusal> {
    let house = house(&args.place).await?;
    let service = service(&house)?;
    let (id, number) = (WorkId(args.id), args.candidate);
    let chosen = match (number, said(&args)) {
        (Some(number), _) => service.choose_candidate(id, &person(), number).await,
        (None, Some(choice)) => service.choose(id, &person(), &choice).await,
        (None, None) => return show(service, args.id, tongue).await,
    };
    match chosen {
        Ok(()) => {
            tongue.err(&tongue.say("download-chosen", &[("id", Arg::Text(&id.to_string()))]));
            Ok(0)
        }
        Err(ChooseError::NoCandidate) => {
            let number = number.unwrap_or_default().to_string();
            let args = vec![("id", args.id.to_string()), ("number", number)];
            Err(Refusal::Cannot("download-no-candidate", args))
        }
        Err(ChooseError::NothingToChoose) => Err(cannot("download-nothing-to-choose", args.id)),
        Err(ChooseError::Missing) => Err(cannot("cli-download-missing", args.id)),
        Err(ChooseError::Owned(other)) => {
            let args = vec![("id", args.id.to_string()), ("other", other.to_string())];
            Err(Refusal::Cannot("download-owned", args))
        }
        Err(ChooseError::Choice(error)) => Err(wrong(args.id, &error)),
        Err(ChooseError::Layout(error)) => Err(wrong(args.id, &error)),
        Err(ChooseError::Client(error)) => Err(client(&error)),
        Err(ChooseError::Store(error)) => Err(error.into()),
    }
}

fn wrong(id: i64, cause: &dyn std::error::Error) -> Refusal {
    let args = vec![("id", id.to_string()), ("cause", cause.to_string())];
    Refusal::Cannot("download-choice-wrong", args)
}

fn said(args: &Choose) -> Option<Choice> {
    let (kind, title) = match (&args.movie, &args.series) {
        (Some(title), _) => (Kind::Movie, title),
        (None, Some(title)) => (Kind::Series, title),
        (None, None) => return None,
    };
    Some(Choice {
        kind,
        title: title.clone(),
        year: args.year,
        season: args.season,
        ids: Ids::default(),
        files: std::collections::BTreeMap::new(),
    })
}

/// The candidates, numbered.
async fn show(service: &DownloadService, id: i64, tongue: &Tongue) -> Result<u8, Refusal> {
    let view = service.views.download_view(WorkId(id)).await?;
    let view = view.ok_or_else(|| cannot("cli-download-missing", id))?;
    let asked = |stop: &StopMark| stop.failure.code == codes::NEEDS_CHOICE;
    if !view.work.stop.as_ref().is_some_and(asked) {
        return Err(cannot("download-nothing-to-choose", id));
    }
    let id = id.to_string();
    if view.download.candidates.is_empty() {
        tongue.err(&tongue.say("download-no-candidates", &[("id", Arg::Text(&id))]));
        return Ok(Refusal::SOME_FAILED);
    }
    tongue.err(&tongue.say("download-candidates", &[("id", Arg::Text(&id))]));
    for line in candidates(&view, tongue) {
        tongue.print(&(line + "\n"))?;
    }
    Ok(0)
}

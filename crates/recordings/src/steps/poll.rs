//! `submitted -> transcribed`: asks for the text, always by the ticket that is kept.

use verst_kernel::{Failure, Noted, Outcome, Visit};

use super::call::{self, Errand};
use super::{Ended, lost, obstructed};
use crate::codes;
use crate::model::Product;
use crate::ports::{Hearing, Inquiry};
use crate::road::Recordings;

pub(crate) async fn poll(line: &Recordings, visit: &Visit<'_>) -> Ended {
    let id = visit.claim.id();
    let recording = line.store.recording(id).await?;
    let Some((recording, audio)) = recording.and_then(|r| r.audio.clone().map(|a| (r, a))) else {
        return Ok(Outcome::Verdict(Failure::new(codes::AUDIO_MISSING)));
    };
    let Some(attempt) = line.store.open_attempt_of(id).await? else {
        return Ok(Outcome::Verdict(Failure::new(codes::ATTEMPT_MISSING)));
    };
    let (Some(ticket), Some(recogniser)) = (&attempt.ticket, line.recogniser(&attempt.recogniser))
    else {
        return Ok(Outcome::Verdict(Failure::new(codes::ATTEMPT_MISSING)));
    };
    let recorded = line.store.calls(attempt.id).await?;
    if let Some(ended) = call::unanswered(line, visit, recogniser, &recorded).await? {
        return Ok(ended);
    }
    let calls = call::answered(&recorded);
    let parts = line.store.parts(attempt.id).await?;
    let file = line.objects.local(&audio.key).await?;
    let wish = &recording.given.wish;
    let inquiry = Inquiry { ticket, audio: file.path(), wish, parts: &parts, calls: &calls };
    Ok(match recogniser.ask(inquiry, visit.supervisor).await {
        Hearing::Running { progress, part } => {
            let mut why = Failure::new(codes::RECOGNISING);
            if let Some(fraction) = progress {
                why = why.int("percent", percent(fraction));
            }
            let product = part.map(|part| Product::Part { attempt: attempt.id, part });
            Outcome::Defer { delay: recogniser.profile().poll_every, why, product }
        }
        Hearing::Next(next) => {
            let errand = Errand { attempt: attempt.id, inquiry, call: next, total: audio.duration };
            call::make(line, visit, recogniser, errand).await?
        }
        Hearing::Done(transcript) => {
            Outcome::Advance(Product::Transcribed { attempt: attempt.id, transcript })
        }
        Hearing::Marred { transcript, warning } => {
            // Before the move: a warning without its text is repeated, a text without it is not.
            if line.store.note(visit.claim, Product::Warned { warning }).await? == Noted::Lost {
                return Ok(lost());
            }
            Outcome::Advance(Product::Transcribed { attempt: attempt.id, transcript })
        }
        Hearing::Obstacle(obstacle) => obstructed(obstacle),
    })
}

/// Whole percent, never 100 while something still runs.
pub(super) fn percent(fraction: f64) -> i64 {
    #[expect(clippy::cast_possible_truncation, reason = "clamped to 0..=99 first")]
    let whole = (fraction * 100.0).clamp(0.0, 99.0) as i64;
    whole
}

//! `transcribed -> done`: removes what only the way here needed. Everything it does may be done
//! twice.

use verst_kernel::{Failure, Outcome, Visit};

use super::Ended;
use crate::codes;
use crate::model::Product;
use crate::road::Recordings;

pub(crate) async fn finish(line: &Recordings, visit: &Visit<'_>) -> Ended {
    let id = visit.claim.id();
    let Some(recording) = line.store.recording(id).await? else {
        return Ok(Outcome::Verdict(Failure::new(codes::AUDIO_MISSING)));
    };
    if let Some(attempt) = line.store.open_attempt_of(id).await?
        && let Some(ticket) = &attempt.ticket
        && let Some(recogniser) = line.recogniser(&attempt.recogniser)
    {
        recogniser.forget(ticket).await;
    }
    if let Some(audio) = &recording.audio {
        line.objects.delete(&audio.key).await?;
    }
    if !line.keep_originals {
        line.objects.delete(&recording.given.original).await?;
    }
    Ok(Outcome::Advance(Product::Finished { original_deleted: !line.keep_originals }))
}

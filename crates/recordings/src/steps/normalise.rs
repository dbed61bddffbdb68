//! `uploaded -> normalized`: decodes the original to what the recogniser takes.

use verst_kernel::{Failure, Outcome, Visit};

use super::{Ended, failed, waiting_turn};
use crate::codes;
use crate::lanes;
use crate::model::{Audio, Product};
use crate::ports::{Codec, MediaError, Order};
use crate::road::Recordings;

pub(crate) async fn normalise(line: &Recordings, visit: &Visit<'_>) -> Ended {
    let id = visit.claim.id();
    let Some(recording) = line.store.recording(id).await? else {
        return Ok(Outcome::Verdict(Failure::new(codes::AUDIO_MISSING)));
    };
    let ahead = line.store.ahead(id, lanes::SMALL_BYTES).await?;
    if !lanes::may_decode(recording.given.size_bytes, ahead) {
        return Ok(waiting_turn(ahead));
    }
    let codec = line.current().map_or(Codec::Pcm16k, |r| r.profile().codec);
    let original = line.objects.local(&recording.given.original).await?;
    let output = line.objects.scratch();
    let order = Order { input: original.path().to_owned(), output: output.clone(), codec };
    let normalised = match line.media.normalise(&order, visit.supervisor).await {
        Ok(normalised) => normalised,
        Err(MediaError::Unusable(failure)) => return Ok(Outcome::Verdict(failure)),
        Err(MediaError::Failed(failure)) => return Ok(failed(failure)),
    };
    // The fence in the key keeps a run that lost its claim from overwriting its successor's audio.
    let key = format!("normalised/{id}-{}.{}", visit.claim.fence().0, codec.extension());
    line.objects.adopt(&key, &output).await?;
    Ok(Outcome::Advance(Product::Normalised {
        audio: Audio { key, duration: normalised.duration, level_db: normalised.level_db },
        warnings: normalised.warnings,
    }))
}

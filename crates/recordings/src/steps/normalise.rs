//! `uploaded -> normalized`: decodes the original to what the recogniser takes.

use verst_kernel::{Failure, Outcome, Visit};

use super::{Ended, failed, waiting_turn};
use crate::codes;
use crate::lanes;
use crate::model::{Audio, Product};
use crate::ports::{Codec, LocalFile, MediaError, Order};
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
    // Whatever keeps it from being adopted, a large file must not stay behind.
    let output = LocalFile::temporary(line.objects.scratch());
    let (input, made) = (original.path().to_owned(), output.path().to_owned());
    let order = Order { input, output: made, codec };
    let normalised = match line.media.normalise(&order, visit.supervisor).await {
        Ok(normalised) => normalised,
        Err(MediaError::Unusable(failure)) => return Ok(Outcome::Verdict(failure)),
        Err(MediaError::Failed(failure)) => return Ok(failed(failure)),
    };
    // The fence in the key keeps a run that lost its claim from overwriting its successor's audio.
    let key = format!("normalised/{id}-{}.{}", visit.claim.fence().0, codec.extension());
    line.objects.adopt(&key, output.path()).await?;
    Ok(Outcome::Advance(Product::Normalised {
        audio: Audio { key, duration: normalised.duration, level_db: normalised.level_db },
        warnings: normalised.warnings,
    }))
}

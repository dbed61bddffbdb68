//! `uploaded -> normalized`: decodes the original to what the recogniser takes.

use verst_kernel::{Failure, Outcome, Visit};

use super::{Ended, failed, waiting_turn};
use crate::codes;
use crate::lanes;
use crate::model::{Audio, Product, Recording};
use crate::ports::{Codec, LocalFile, MediaError, Order};
use crate::road::{Recordings, Trouble};

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
    Ok(match decode(line, visit, &recording, codec).await? {
        Ok(product) => Outcome::Advance(product),
        Err(ended) => ended,
    })
}

/// Decodes the original to a new object: what to write of it, or how the step ends without.
pub(super) async fn decode(
    line: &Recordings,
    visit: &Visit<'_>,
    recording: &Recording,
    codec: Codec,
) -> Result<Result<Product, Outcome<Product>>, Trouble> {
    let original = line.objects.local(&recording.given.original).await?;
    // Whatever keeps it from being adopted, a large file must not stay behind.
    let output = LocalFile::temporary(line.objects.scratch());
    let (input, made) = (original.path().to_owned(), output.path().to_owned());
    let order = Order { input, output: made, codec };
    let normalised = match line.media.normalise(&order, visit.supervisor).await {
        Ok(normalised) => normalised,
        Err(MediaError::Unusable(failure)) => return Ok(Err(Outcome::Verdict(failure))),
        Err(MediaError::Failed(failure)) => return Ok(Err(failed(failure))),
    };
    // The fence in the key keeps a run that lost its claim from overwriting its successor's audio.
    let (id, fence) = (visit.claim.id(), visit.claim.fence().0);
    let key = format!("normalised/{id}-{fence}.{}", codec.extension());
    line.objects.adopt(&key, output.path()).await?;
    Ok(Ok(Product::Normalised {
        audio: Audio { key, duration: normalised.duration, level_db: normalised.level_db },
        warnings: normalised.warnings,
    }))
}

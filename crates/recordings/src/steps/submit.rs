//! `normalized -> submitted`: begins the recognition, and never pays for it twice.
//!
//! The attempt row is written before the recogniser is called and its ticket right after. A row
//! without a ticket means that nobody knows whether the call went through: where a call costs
//! money, only a person may decide to make another.

use std::time::Duration;

use verst_kernel::{Failure, Noted, Outcome, Visit};

use super::normalise::decode;
use super::{Ended, failed, lost, obstructed, reason, waiting_turn};
use crate::codes;
use crate::model::{Attempt, AttemptId, Audio, Product, Recording};
use crate::ports::{Admission, Begins, Begun, Codec, Obstacle, Recogniser};
use crate::road::{Recordings, Trouble};

const TICKET_WAIT: Duration = Duration::from_mins(1);

pub(crate) async fn submit(line: &Recordings, visit: &Visit<'_>) -> Ended {
    let id = visit.claim.id();
    let recording = line.store.recording(id).await?;
    let Some((recording, audio)) = recording.and_then(|r| r.audio.clone().map(|a| (r, a))) else {
        return Ok(Outcome::Verdict(Failure::new(codes::AUDIO_MISSING)));
    };
    if let Some(attempt) = line.store.open_attempt_of(id).await? {
        return resume(line, visit, &recording, &audio, attempt).await;
    }
    let Some(recogniser) = line.current() else {
        return Ok(failed(Failure::new(codes::ENGINE_UNAVAILABLE)));
    };
    let profile = recogniser.profile();
    if audio.duration > profile.longest {
        let limit = i64::try_from(profile.longest.as_secs()).unwrap_or(i64::MAX);
        return Ok(Outcome::Verdict(Failure::new(codes::TOO_LONG).int("limit_s", limit)));
    }
    // Another recogniser is the current one since it was decoded, and takes another form.
    if !audio.key.ends_with(profile.codec.extension()) {
        return decode_anew(line, visit, &recording, profile.codec).await;
    }
    let store = &line.store;
    match store.open_attempt(visit.claim, profile.name, profile.lanes, audio.duration).await? {
        Admission::Opened(attempt) => {
            begin(line, visit, recogniser, &recording, &audio, attempt).await
        }
        Admission::Wait { ahead } => Ok(waiting_turn(ahead)),
        Admission::Lost => Ok(lost()),
    }
}

/// Decodes once more from the original. The attempt is the next claim's: each of the two may take
/// as long as a lease allows.
async fn decode_anew(
    line: &Recordings,
    visit: &Visit<'_>,
    recording: &Recording,
    codec: Codec,
) -> Ended {
    let product = match decode(line, visit, recording, codec).await? {
        Ok(product) => product,
        Err(ended) => return Ok(ended),
    };
    if line.store.note(visit.claim, product).await? == Noted::Lost {
        return Ok(lost());
    }
    Ok(obstructed(Obstacle::Busy { delay: Duration::ZERO }))
}

/// Goes on from an attempt row that is already there.
async fn resume(
    line: &Recordings,
    visit: &Visit<'_>,
    recording: &Recording,
    audio: &Audio,
    attempt: Attempt,
) -> Ended {
    if attempt.ticket.is_some() {
        return Ok(Outcome::Advance(Product::Submitted));
    }
    let Some(recogniser) = line.recogniser(&attempt.recogniser) else {
        return Ok(Outcome::Verdict(Failure::new(codes::UNKNOWN_SUBMISSION)));
    };
    let profile = recogniser.profile();
    if !profile.paid || profile.begins == Begins::Here {
        return begin(line, visit, recogniser, recording, audio, attempt.id).await;
    }
    Ok(if attempt.awaited {
        let why = Failure::new(codes::AWAITING_TICKET);
        Outcome::Defer { delay: TICKET_WAIT, why, product: None }
    } else {
        Outcome::Verdict(Failure::new(codes::UNKNOWN_SUBMISSION))
    })
}

async fn begin(
    line: &Recordings,
    visit: &Visit<'_>,
    recogniser: &dyn Recogniser,
    recording: &Recording,
    audio: &Audio,
    attempt: AttemptId,
) -> Ended {
    let paid = recogniser.profile().paid;
    let file = match line.objects.local(&audio.key).await {
        Ok(file) => file,
        Err(error) => {
            // The recogniser was certainly not called: nobody must have to decide about this row.
            let obstacle = Obstacle::Failed(Trouble::from(error).failure());
            return not_begun(line, visit, attempt, paid, obstacle).await;
        }
    };
    match recogniser.begin(file.path(), &recording.given.wish, visit.supervisor).await {
        Begun::Ticket(ticket) => {
            // Kept at once and whoever holds the claim by now. Should this one write fail, the
            // ticket still goes with the move.
            let _ = line.store.keep_ticket(attempt, &ticket).await;
            Ok(Outcome::Advance(Product::Begun { attempt, ticket }))
        }
        Begun::NotBegun(obstacle) => not_begun(line, visit, attempt, paid, obstacle).await,
        Begun::Unknown(_) if paid => Ok(Outcome::Verdict(Failure::new(codes::UNKNOWN_SUBMISSION))),
        Begun::Unknown(failure) => Ok(failed(failure)),
    }
}

/// Closes an intent that certainly came to nothing.
async fn not_begun(
    line: &Recordings,
    visit: &Visit<'_>,
    attempt: AttemptId,
    paid: bool,
    obstacle: Obstacle,
) -> Ended {
    // A free engine may simply be asked again on the same row, which keeps its lane.
    if paid || matches!(obstacle, Obstacle::Refused(_)) {
        let closed = Product::AttemptClosed { attempt, failure: reason(&obstacle) };
        if line.store.note(visit.claim, closed).await? == Noted::Lost {
            return Ok(lost());
        }
    }
    Ok(obstructed(obstacle))
}

//! Making a plan: voice activity over the whole recording, read in bounded stretches.
//!
//! Only the probabilities are kept, four bytes for 32 ms. Where the detector finds nothing in a
//! recording that is far from silent, a short recording is planned as a whole, to be heard under
//! stricter checks; a long one is music or noise, since nobody speaks for minutes without one
//! word that the detector knows.

use std::path::Path;

use transcribe_cpp::{Model, VadSessionOptions};

use crate::audio::{Pcm, SAMPLES_PER_MS};
use crate::level::Level;
use crate::pack::{FRAME_MS, pack, windows};
use crate::plan::Plan;
use crate::protocol::FrameError;
use crate::regions::Hysteresis;
use crate::trouble::Trouble;

/// Audio read at a time.
const STRETCH_MS: u64 = 10_000;

/// Audio between two signs of life.
const WORKING_EVERY_MS: u64 = 300_000;

/// Above this level there is something to hear. Silence of a good line is below -60.
const LOUD_DBFS: f32 = -45.0;

/// The longest recording that is heard as a whole without speech having been found.
const WHOLE_LIMIT_MS: u64 = 300_000;

/// Bounds of a slice's length that a request may ask for.
const SLICE_LIMITS_MS: std::ops::RangeInclusive<u64> = 1_000..=3_600_000;

/// Why there is no plan.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlanError {
    /// To be answered.
    #[error(transparent)]
    Trouble(#[from] Trouble),
    /// Nobody listens any more.
    #[error("sign of life not sent")]
    Working(#[source] FrameError),
}

/// Plans a recording. `working` is told how many of how many milliseconds are done.
pub(crate) fn plan(
    audio: &Path,
    vad: &Model,
    longest_ms: u64,
    working: &mut dyn FnMut(u64, u64) -> Result<(), FrameError>,
) -> Result<Plan, PlanError> {
    if !SLICE_LIMITS_MS.contains(&longest_ms) {
        return Err(Trouble::BAD_REQUEST.into());
    }
    let mut pcm = Pcm::open(audio)?;
    let duration_ms = pcm.duration_ms();
    let (probabilities, level_dbfs) = listen(&mut pcm, vad, working)?;
    let mut hysteresis = Hysteresis::default();
    let mut regions: Vec<_> = probabilities.iter().filter_map(|&p| hysteresis.push(p)).collect();
    regions.extend(hysteresis.finish());
    let loud = level_dbfs > LOUD_DBFS && duration_ms <= WHOLE_LIMIT_MS;
    let whole = regions.is_empty() && loud;
    let slices = if whole {
        windows(duration_ms, longest_ms)
    } else {
        pack(&regions, &probabilities, duration_ms, longest_ms)
    };
    Ok(Plan { duration_ms, slices, whole, level_dbfs })
}

/// The probability of speech in each frame, and the level.
fn listen(
    pcm: &mut Pcm,
    vad: &Model,
    working: &mut dyn FnMut(u64, u64) -> Result<(), FrameError>,
) -> Result<(Vec<f32>, f32), PlanError> {
    let info = vad.vad_info().map_err(|error| Trouble::native(&error))?;
    if u64::try_from(info.frame_samples) != Ok(FRAME_MS * SAMPLES_PER_MS) {
        return Err(Trouble::ModelDamaged.into());
    }
    // The detector is too small to gain from a second thread.
    let mut session = vad
        .vad_session_with(&VadSessionOptions { n_threads: 1 })
        .map_err(|error| Trouble::native(&error))?;
    let mut probabilities = Vec::new();
    let mut level = Level::default();
    let mut samples = Vec::new();
    let (mut start_ms, mut said_ms) = (0, 0);
    while start_ms * SAMPLES_PER_MS < pcm.samples() {
        samples.clear();
        pcm.read(start_ms * SAMPLES_PER_MS, STRETCH_MS * SAMPLES_PER_MS, &mut samples)?;
        level.feed(&samples);
        let heard = session.stream_feed(&samples).map_err(|error| Trouble::native(&error))?;
        probabilities.extend(heard.probs);
        start_ms += STRETCH_MS;
        if start_ms - said_ms >= WORKING_EVERY_MS {
            working(start_ms, pcm.duration_ms()).map_err(PlanError::Working)?;
            said_ms = start_ms;
        }
    }
    let rest = session.stream_flush().map_err(|error| Trouble::native(&error))?;
    probabilities.extend(rest.probs);
    Ok((probabilities, level.dbfs()))
}

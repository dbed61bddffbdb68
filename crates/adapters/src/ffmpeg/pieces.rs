//! Finding where a decoded recording may be cut, and cutting it, for recognisers that take only so
//! much at a time. Where to cut is decided elsewhere.
//!
//! Ogg is cut between its packets and nothing is encoded again, so that a piece sounds exactly as
//! the whole does. Its beginning is true to a packet: 20 ms.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use verst_kernel::{Failure, Supervisor};
use verst_recordings::codes;
use verst_recordings::ports::MediaError;

use super::argv::{self, Source};
use super::child::{Ended, Task, run};
use super::silences::Span;
use super::{Ffmpeg, verdict};

/// Between words and sentences. What is decoded was brought to a peak of -3 dBFS.
const PAUSE: &str = "silencedetect=noise=-36dB:duration=0.35";
/// Nothing at all, for so long that it is no pause: a far voice would still be louder.
const VOID: &str = "silencedetect=noise=-60dB:duration=3";
/// Whether the second may be there is seen by the first.
const VOID_MS: u64 = 3000;

/// Where a recording is quiet, and how long it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Quiet {
    /// Length of the recording in milliseconds.
    pub(crate) duration_ms: u64,
    /// Where it may be cut.
    pub(crate) pauses: Vec<Span>,
    /// Where there is nothing to hear.
    pub(crate) voids: Vec<Span>,
}

impl Ffmpeg {
    /// Listens to a decoded recording.
    pub(crate) async fn quiet(
        &self,
        audio: &Path,
        supervisor: &dyn Supervisor,
    ) -> Result<Quiet, Failure> {
        let (duration_ms, pauses) = self.silences(audio, PAUSE, supervisor).await?;
        let long = |span: &Span| span.end_ms.saturating_sub(span.start_ms) + 100 >= VOID_MS;
        let voids = if pauses.iter().any(long) {
            self.silences(audio, VOID, supervisor).await?.1
        } else {
            Vec::new()
        };
        Ok(Quiet { duration_ms, pauses, voids })
    }

    async fn silences(
        &self,
        audio: &Path,
        filter: &str,
        supervisor: &dyn Supervisor,
    ) -> Result<(u64, Vec<Span>), Failure> {
        let audio = absolute(audio)?;
        let args = argv::listen(Source { path: &audio, wrapped: false }, filter);
        let ended = self.decoder_run(args, 0, supervisor).await?;
        let duration_ms = u64::try_from(ended.end.as_millis()).unwrap_or(u64::MAX);
        Ok((duration_ms, ended.findings.silences.until(duration_ms)))
    }

    /// Cuts a stretch out of a decoded recording into a file of its own.
    pub(crate) async fn piece(
        &self,
        audio: &Path,
        stretch: (Duration, Duration),
        output: &Path,
        supervisor: &dyn Supervisor,
    ) -> Result<(), Failure> {
        let (audio, output) = (absolute(audio)?, absolute(output)?);
        let args = argv::cut(Source { path: &audio, wrapped: false }, stretch, &output);
        self.decoder_run(args, self.limits().output_bytes, supervisor).await.map(drop)
    }

    async fn decoder_run(
        &self,
        args: Vec<OsString>,
        file_bytes: u64,
        supervisor: &dyn Supervisor,
    ) -> Result<Ended, Failure> {
        let task = Task { program: &self.decoder, args, file_bytes };
        let ended = run(task, self.limits(), supervisor, &|_| {}).await?;
        if let Some(trouble) = verdict::trouble(ended.status, &ended.findings) {
            return Err(match trouble {
                MediaError::Unusable(failure) | MediaError::Failed(failure) => failure,
            });
        }
        if ended.status == 0 { Ok(ended) } else { Err(verdict::ended(ended.status)) }
    }
}

fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    std::path::absolute(path).map_err(|_| Failure::new(codes::OBJECTS_FAILED))
}

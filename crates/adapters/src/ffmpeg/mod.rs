//! FFmpeg behind the port [`Media`]: whatever people send becomes one channel at 16 kHz.
//!
//! Three children one after another: ffprobe says what there is, a first pass of ffmpeg measures every
//! track and channel, a second one decodes. Command lines, parsing, choices and verdicts are pure
//! functions in the files beside this one; `child` alone touches processes.
//!
//! It refuses to read through pipes, to follow a reference in a file, to believe a header about
//! duration, and to take an exit status of 0 for a result.
//!
//! **Invariant:** an output exists under its name only if it is whole and holds sound samples.

mod argv;
mod child;
mod findings;
mod head;
mod heard;
mod limits;
mod lines;
mod normalise;
mod partial;
mod pieces;
mod plan;
mod probe;
mod progress;
mod riff;
mod silences;
mod verdict;

use std::path::PathBuf;

use async_trait::async_trait;
use verst_kernel::{Failure, Supervisor};
use verst_recordings::codes;
use verst_recordings::ports::{Media, MediaError, Normalised, Order};

pub use limits::MediaLimits;
pub(crate) use silences::Span;

use crate::confine::Confinement;
use crate::unsupervised::Unsupervised;

use normalise::Work;

/// Decodes with the programs `ffmpeg` and `ffprobe`, version 4.4 or later.
#[derive(Clone, Debug)]
pub struct Ffmpeg {
    decoder: PathBuf,
    prober: PathBuf,
    limits: MediaLimits,
    confinement: Confinement,
}

impl Ffmpeg {
    /// With the programs of the search path.
    pub fn new(limits: MediaLimits, confinement: Confinement) -> Self {
        Self::with_programs("ffmpeg", "ffprobe", limits, confinement)
    }

    /// With these programs.
    pub fn with_programs(
        ffmpeg: impl Into<PathBuf>,
        ffprobe: impl Into<PathBuf>,
        limits: MediaLimits,
        confinement: Confinement,
    ) -> Self {
        Self { decoder: ffmpeg.into(), prober: ffprobe.into(), limits, confinement }
    }

    /// The limits that it works under.
    pub fn limits(&self) -> &MediaLimits {
        &self.limits
    }

    async fn version(&self, program: &PathBuf) -> Result<String, Failure> {
        let task = child::Task { program, args: argv::version(), input: None, output: None };
        let ended =
            child::run(task, &self.confinement, &self.limits, &Unsupervised, &|_| {}).await?;
        if ended.status != 0 {
            return Err(verdict::ended(ended.status));
        }
        // "ffmpeg version 5.1.9-0+deb12u1 Copyright (c) ..."
        let text = String::from_utf8_lossy(&ended.stdout);
        let mut words = text.split_whitespace();
        match (words.next(), words.next(), words.next()) {
            (Some(name), Some("version"), Some(version)) => Ok(format!("{name} {version}")),
            _ => Err(Failure::new(codes::FFMPEG_MISSING)),
        }
    }
}

#[async_trait]
impl Media for Ffmpeg {
    async fn normalise(
        &self,
        order: &Order,
        supervisor: &dyn Supervisor,
    ) -> Result<Normalised, MediaError> {
        Work::begin(self, order, supervisor).await?.run().await
    }

    fn refuse(&self, head: &[u8], size_bytes: u64) -> Option<Failure> {
        head::refuse(head, size_bytes)
    }

    async fn check(&self) -> Result<String, Failure> {
        let (ffmpeg, ffprobe) =
            tokio::join!(self.version(&self.decoder), self.version(&self.prober));
        Ok(format!("{}, {}", ffmpeg?, ffprobe?))
    }
}

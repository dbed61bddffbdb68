//! The order of the steps of one normalisation: look, probe, analyse, decode. Every decision is
//! taken by the pure functions beside this file.
//!
//! **Invariant:** on every way out but the good one, the partial output is removed.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::fs::File;
use tokio::io::AsyncReadExt;
use verst_kernel::Supervisor;
use verst_recordings::codes;
use verst_recordings::ports::{Codec, MediaError, Normalised, Order};

use super::argv::Source;
use super::child::{Ended, Task, run};
use super::findings::Fact;
use super::heard::{Measure, Point};
use super::partial::Partial;
use super::plan::Plan;
use super::probe::{Probe, Track};
use super::{Ffmpeg, argv, head, plan, probe, riff, verdict};

const PCM_SAMPLE_BYTES: u64 = 2;

/// One normalisation.
pub(super) struct Work<'a> {
    ffmpeg: &'a Ffmpeg,
    supervisor: &'a dyn Supervisor,
    input: PathBuf,
    output: &'a Path,
    codec: Codec,
    /// The beginning of the input.
    head: Vec<u8>,
    size_bytes: u64,
}

/// Half of the progress belongs to each pass.
#[derive(Clone, Copy)]
enum Pass {
    Analysis,
    Decoding,
}

/// What the analysis pass found out.
struct Analysis {
    plan: Plan,
    end: Duration,
}

impl<'a> Work<'a> {
    /// Looks at the input; refuses what is certainly no media.
    pub(super) async fn begin(
        ffmpeg: &'a Ffmpeg,
        order: &'a Order,
        supervisor: &'a dyn Supervisor,
    ) -> Result<Self, MediaError> {
        let (head, size_bytes) = look(&order.input).await.map_err(|error| {
            tracing::debug!(%error, "cannot read an input");
            verdict::failed(match error.kind() {
                ErrorKind::NotFound => codes::AUDIO_MISSING,
                _ => codes::OBJECTS_FAILED,
            })
        })?;
        if let Some(failure) = head::refuse(&head, size_bytes) {
            return Err(MediaError::Unusable(failure));
        }
        let input = std::path::absolute(&order.input)
            .map_err(|_| verdict::failed(codes::OBJECTS_FAILED))?;
        Ok(Self {
            ffmpeg,
            supervisor,
            input,
            output: &order.output,
            codec: order.codec,
            head,
            size_bytes,
        })
    }

    /// Does the rest.
    pub(super) async fn run(self) -> Result<Normalised, MediaError> {
        let probe = self.probe().await?;
        let analysis = self.analyse(&probe).await?;
        let output =
            std::path::absolute(self.output).map_err(|_| verdict::failed(codes::OBJECTS_FAILED))?;
        let partial = Partial::create(&output).await?;
        let normalised = self.decode(&probe, &analysis, &partial).await?;
        partial.finish(&output).await?;
        self.supervisor.progress(1.0);
        Ok(normalised)
    }

    async fn probe(&self) -> Result<Probe, MediaError> {
        let args = argv::probe(self.source());
        let ended = self.child(&self.ffmpeg.prober, args, None, &|_| {}).await?;
        if ended.status != 0 {
            return Err(self.condemned(&ended));
        }
        if let Some(trouble) = verdict::trouble(ended.status, &ended.findings) {
            return Err(trouble);
        }
        // Only a file with hundreds of streams is described at such length.
        if ended.cut {
            return Err(verdict::unusable(codes::UNSUPPORTED_FORMAT));
        }
        let estimated = ended.findings.saw(Fact::Estimated);
        let probe = probe::parse(&ended.stdout, estimated).map_err(|error| {
            tracing::debug!(%error, "cannot read ffprobe's answer");
            verdict::failed(codes::FFMPEG_FAILED)
        })?;
        match verdict::of_probe(&probe, &ended.findings) {
            Some(error) => Err(error),
            None => Ok(probe),
        }
    }

    async fn analyse(&self, probe: &Probe) -> Result<Analysis, MediaError> {
        let longest = self.ffmpeg.limits.longest;
        let args = argv::analyse(self.source(), &probe.tracks, longest);
        let tick = |time| self.show(Pass::Analysis, time, probe.about);
        let ended = self.child(&self.ffmpeg.decoder, args, None, &tick).await?;
        if ended.status != 0 {
            return Err(self.condemned(&ended));
        }
        if let Some(trouble) = verdict::trouble(ended.status, &ended.findings) {
            return Err(trouble);
        }
        let plan = plan::choose(&probe.tracks, &ended.findings.heard)
            .ok_or_else(|| self.nothing(probe, &ended))?;
        Ok(Analysis { plan, end: ended.end })
    }

    async fn decode(
        &self,
        probe: &Probe,
        analysis: &Analysis,
        partial: &Partial,
    ) -> Result<Normalised, MediaError> {
        let limits = &self.ffmpeg.limits;
        let plan = &analysis.plan;
        let args = argv::decode(self.source(), partial.path(), plan, self.codec, limits.longest);
        let output = (partial.path().to_owned(), limits.output_bytes);
        let tick = |time| self.show(Pass::Decoding, time, Some(analysis.end));
        let ended = self.child(&self.ffmpeg.decoder, args, Some(output), &tick).await?;
        if let Some(trouble) = verdict::trouble(ended.status, &ended.findings) {
            return Err(trouble);
        }
        // The analysis went well on the same file, so this is not about the file.
        if ended.status != 0 {
            return Err(MediaError::Failed(verdict::ended(ended.status)));
        }
        let size_bytes = partial.size().await?;
        let output = ended.findings.heard.at(Point::Output);
        let samples = match self.codec {
            Codec::Pcm16k => size_bytes / PCM_SAMPLE_BYTES,
            Codec::OggOpus => output.map_or(0, |measure| measure.samples),
        };
        if samples == 0 || size_bytes == 0 {
            return Err(self.nothing(probe, &ended));
        }
        let duration = span(samples);
        if duration > limits.longest {
            return Err(verdict::too_long(limits.longest));
        }
        let track = (plan.track, probe.tracks.len());
        let heard = duration.max(analysis.end);
        Ok(Normalised {
            duration,
            size_bytes,
            level_db: output.and_then(Measure::level).map(|level| level.mean_db),
            warnings: verdict::warnings(
                track,
                self.stated(&probe.tracks[plan.track]),
                heard,
                ended.findings.lost_packets,
            ),
        })
    }

    fn source(&self) -> Source<'_> {
        Source { path: &self.input, wrapped: riff::wrapped(&self.head, self.size_bytes) }
    }

    /// How long the header says the track is, where that is a statement.
    fn stated(&self, track: &Track) -> Option<Duration> {
        riff::declared_duration(&self.head).or(track.stated)
    }

    async fn child(
        &self,
        program: &Path,
        args: Vec<OsString>,
        output: Option<(PathBuf, u64)>,
        tick: &(dyn Fn(Duration) + Sync),
    ) -> Result<Ended, MediaError> {
        let task = Task { program, args, input: Some(self.input.clone()), output };
        let Ffmpeg { limits, confinement, .. } = self.ffmpeg;
        run(task, confinement, limits, self.supervisor, tick).await.map_err(MediaError::Failed)
    }

    fn condemned(&self, ended: &Ended) -> MediaError {
        verdict::of_input(ended.status, &ended.findings, head::begins_as_media(&self.head))
    }

    fn nothing(&self, probe: &Probe, ended: &Ended) -> MediaError {
        let promised = probe.tracks.iter().find_map(|track| self.stated(track));
        verdict::of_nothing(&ended.findings, promised.is_some_and(|time| !time.is_zero()))
    }

    fn show(&self, pass: Pass, time: Duration, about: Option<Duration>) {
        let Some(about) = about.filter(|about| !about.is_zero()) else { return };
        let share = (time.as_secs_f64() / about.as_secs_f64()).clamp(0.0, 1.0);
        self.supervisor.progress(match pass {
            Pass::Analysis => share / 2.0,
            Pass::Decoding => f64::midpoint(1.0, share),
        });
    }
}

/// The beginning of a regular file and its size in bytes.
async fn look(path: &Path) -> std::io::Result<(Vec<u8>, u64)> {
    let metadata = tokio::fs::metadata(path).await?;
    // Opening a pipe would wait for its other end, and FFmpeg has to seek.
    if !metadata.is_file() {
        return Err(ErrorKind::InvalidInput.into());
    }
    let mut head = Vec::new();
    let limit = u64::try_from(head::HEAD_BYTES).unwrap_or(u64::MAX);
    File::open(path).await?.take(limit).read_to_end(&mut head).await?;
    Ok((head, metadata.len()))
}

fn span(samples: u64) -> Duration {
    let rate = u64::from(argv::RATE);
    let nanos = samples % rate * 1_000_000_000 / rate;
    Duration::from_secs(samples / rate) + Duration::from_nanos(nanos)
}

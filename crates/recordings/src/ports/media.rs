//! The port that turns whatever people send into audio a recogniser takes.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use verst_kernel::{Failure, Supervisor};

/// What a recogniser wants to be given. Always one channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codec {
    /// Signed 16-bit little-endian samples at 16 kHz without a header: any part is found by
    /// arithmetic, and no 4 GB limit applies.
    Pcm16k,
    /// Opus in Ogg at 16 kHz input, for providers that are sent bytes over the network.
    OggOpus,
}

impl Codec {
    /// Extension of the object's name.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Pcm16k => "s16",
            Self::OggOpus => "ogg",
        }
    }
}

/// One order to normalise.
#[derive(Clone, Debug)]
pub struct Order {
    /// A regular file, readable and seekable.
    pub input: PathBuf,
    /// Where the result goes; overwritten if it is there.
    pub output: PathBuf,
    /// What to make.
    pub codec: Codec,
}

/// Something a person should know about a recording that was transcribed all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// The file ends before its header says; transcribed as far as it goes.
    CutOff,
    /// Parts of the stream could not be decoded and are missing.
    DamagedParts,
    /// The file has several audio tracks; this one (from 1) was loudest and was used.
    TrackChosen {
        /// Which, from 1.
        track: u32,
        /// Of how many.
        of: u32,
    },
    /// Speakers were to be told apart and could not be; the text is all there.
    SpeakersUnknown,
}

impl Warning {
    /// As data: a code and parameters, of which there is a sentence in each language.
    pub fn data(&self) -> Failure {
        match *self {
            Self::CutOff => Failure::new("cut_off"),
            Self::DamagedParts => Failure::new("damaged_parts"),
            Self::TrackChosen { track, of } => {
                Failure::new("track_chosen").int("track", track.into()).int("of", of.into())
            }
            Self::SpeakersUnknown => Failure::new("speakers_unknown"),
        }
    }
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Normalised {
    /// Duration of the decoded audio; headers are not believed.
    pub duration: Duration,
    /// Size of the output.
    pub size_bytes: u64,
    /// Root mean square level of the output in dB relative to full scale; `None` for digital
    /// silence.
    pub level_db: Option<f64>,
    /// What to tell.
    pub warnings: Vec<Warning>,
}

/// Why nothing came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MediaError {
    /// The file will never do: a verdict.
    Unusable(Failure),
    /// It may go right later.
    Failed(Failure),
}

/// Decodes media.
#[async_trait]
pub trait Media: Send + Sync {
    /// Normalises one file. Ends its child processes within a second of an interruption.
    async fn normalise(
        &self,
        order: &Order,
        supervisor: &dyn Supervisor,
    ) -> Result<Normalised, MediaError>;

    /// A cheap look at the first bytes: `Some(failure)` when the file certainly is no media.
    fn refuse(&self, head: &[u8], size_bytes: u64) -> Option<Failure>;

    /// Whether the outside program is there and usable, for `doctor`: its version, or the trouble.
    async fn check(&self) -> Result<String, Failure>;
}

/// A file on this machine for as long as the value or a copy of it lives; a store that is not local
/// downloads it.
#[derive(Clone, Debug)]
pub struct LocalFile(Arc<Located>);

#[derive(Debug)]
struct Located {
    path: PathBuf,
    temporary: bool,
}

impl LocalFile {
    /// A file that stays.
    pub fn kept(path: PathBuf) -> Self {
        Self(Arc::new(Located { path, temporary: false }))
    }

    /// A file that is removed with the last copy of the value.
    pub fn temporary(path: PathBuf) -> Self {
        Self(Arc::new(Located { path, temporary: true }))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0.path
    }
}

impl Drop for Located {
    fn drop(&mut self) {
        if self.temporary {
            // Nobody waits for this answer; the sweep of the temporary directory finds leftovers.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

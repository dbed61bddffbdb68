//! A directory for one test, makers of inputs, and the adapter behind its port.

use std::path::{Path, PathBuf};
use std::process::Command;

use async_trait::async_trait;
use tempfile::TempDir;
use verst_adapters::confine::{Confinement, Mode};
use verst_adapters::ffmpeg::{Ffmpeg, MediaLimits};
use verst_kernel::Supervisor;
use verst_recordings::ports::{Codec, Media, MediaError, Normalised, Order};

/// 44 s of English speech, one channel.
pub(crate) const SPEECH: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/two-cities-en.ogg");

/// All of it: every input here is decoded as one of a stranger's is.
pub(crate) fn confinement() -> Confinement {
    Confinement::by(env!("CARGO_BIN_EXE_verst-confine"), Mode::Required)
}

/// Nobody interrupts.
pub(crate) struct Quiet;

#[async_trait]
impl Supervisor for Quiet {
    fn interrupted(&self) -> bool {
        false
    }
    async fn interruption(&self) {
        std::future::pending::<()>().await;
    }
    fn progress(&self, fraction: f64) {
        assert!((0.0..=1.0).contains(&fraction), "{fraction}");
    }
}

/// A result together with its samples.
#[derive(Debug)]
pub(crate) struct Sound {
    pub(crate) made: Normalised,
    pub(crate) samples: Vec<i16>,
}

impl Sound {
    pub(crate) fn seconds(&self) -> f64 {
        self.made.duration.as_secs_f64()
    }

    /// Fails unless the duration is so many seconds, give or take a tenth.
    pub(crate) fn lasts(&self, seconds: f64) -> &Self {
        assert!((self.seconds() - seconds).abs() < 0.1, "{} instead of {seconds}", self.seconds());
        self
    }

    /// Fails unless the level is that of audible speech.
    pub(crate) fn is_audible(&self) -> &Self {
        assert!(self.made.level_db.is_some_and(|db| db > -35.0), "{:?}", self.made);
        self
    }

    pub(crate) fn has_no_warnings(&self) -> &Self {
        assert_eq!(self.made.warnings, []);
        self
    }

    /// Highest sample, from 0 to 1.
    pub(crate) fn peak(&self) -> f64 {
        self.samples.iter().map(|s| f64::from(*s).abs() / 32768.0).fold(0.0, f64::max)
    }

    /// Level of a tone in dB relative to a full-scale sine (Goertzel's algorithm).
    pub(crate) fn tone_db(&self, hertz: f64) -> f64 {
        let step = 2.0 * std::f64::consts::PI * hertz / 16_000.0;
        let (mut a, mut b) = (0.0, 0.0);
        for sample in &self.samples {
            (a, b) = (f64::from(*sample) / 32768.0 + 2.0 * step.cos() * a - b, a);
        }
        let power = a * a + b * b - 2.0 * step.cos() * a * b;
        let count = f64::from(u32::try_from(self.samples.len()).unwrap());
        20.0 * (2.0 * power.max(0.0).sqrt() / count).log10()
    }
}

pub(crate) struct Bench {
    dir: TempDir,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn output(&self) -> PathBuf {
        self.path("output")
    }

    /// Runs ffmpeg with these words, then `more`, then the file's path.
    pub(crate) fn make(&self, name: &str, words: &str, more: &[&str]) -> PathBuf {
        let path = self.path(name);
        let status = Command::new("ffmpeg")
            .args(["-nostdin", "-y", "-v", "error"])
            .args(words.replace("SPEECH", SPEECH).split_whitespace())
            .args(more)
            .arg(&path)
            .current_dir(self.dir.path())
            .status()
            .unwrap();
        assert!(status.success(), "{words} {more:?}");
        path
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    pub(crate) fn order(&self, input: &Path, codec: Codec) -> Order {
        Order { input: input.to_owned(), output: self.output(), codec }
    }

    /// Normalises to samples under the usual limits.
    pub(crate) async fn hear(&self, input: &Path) -> Result<Sound, MediaError> {
        self.hear_within(input, MediaLimits::default()).await
    }

    pub(crate) async fn hear_within(
        &self,
        input: &Path,
        limits: MediaLimits,
    ) -> Result<Sound, MediaError> {
        let order = self.order(input, Codec::Pcm16k);
        let result = Ffmpeg::new(limits, confinement()).normalise(&order, &Quiet).await;
        self.is_tidy(result.is_ok());
        let made = result?;
        let bytes = std::fs::read(self.output()).unwrap();
        assert_eq!(made.size_bytes, u64::try_from(bytes.len()).unwrap());
        let samples = bytes.chunks_exact(2).map(|b| i16::from_le_bytes([b[0], b[1]])).collect();
        Ok(Sound { made, samples })
    }

    /// The code and parameters of a verdict; fails on anything else.
    pub(crate) async fn verdict(&self, input: &Path) -> String {
        match self.hear(input).await {
            Err(MediaError::Unusable(failure)) => failure.to_string(),
            other => panic!("{other:?}"),
        }
    }

    /// Fails if anything but a whole output was left.
    pub(crate) fn is_tidy(&self, made: bool) {
        assert_eq!(self.output().exists(), made);
        assert!(!self.path("output.part").exists());
    }
}

/// Numbers that look like chance and are always the same.
pub(crate) fn noise(count: usize) -> Vec<u8> {
    let mut state = 0x2545_f491_u32;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state.to_le_bytes()[1]
    };
    (0..count).map(|_| next()).collect()
}

/// The header of a WAV whose data chunk is `data_bytes` long.
pub(crate) fn wav_header(
    kind: u16,
    channels: u16,
    rate: u32,
    bits: u16,
    data_bytes: u32,
) -> Vec<u8> {
    let frame = channels * (bits / 8);
    let mut bytes = b"RIFF".to_vec();
    bytes.extend_from_slice(&data_bytes.saturating_add(36).to_le_bytes());
    bytes.extend_from_slice(b"WAVEfmt \x10\0\0\0");
    bytes.extend_from_slice(&kind.to_le_bytes());
    bytes.extend_from_slice(&channels.to_le_bytes());
    bytes.extend_from_slice(&rate.to_le_bytes());
    bytes.extend_from_slice(&(rate * u32::from(frame)).to_le_bytes());
    bytes.extend_from_slice(&frame.to_le_bytes());
    bytes.extend_from_slice(&bits.to_le_bytes());
    bytes.extend_from_slice(b"data");
    bytes.extend_from_slice(&data_bytes.to_le_bytes());
    bytes
}

/// Silence as a WAV that takes no room on the disk.
pub(crate) fn sparse_wav(bench: &Bench, seconds: u32) -> PathBuf {
    let data = seconds * 32_000;
    let path = bench.write("sparse.wav", &wav_header(1, 1, 16_000, 16, data));
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    file.set_len(44 + u64::from(data)).unwrap();
    path
}

//! A recogniser outside that speaks OpenAI's `POST /audio/transcriptions`: OpenAI itself, or any of
//! the many servers that offer the same.
//!
//! The interface knows no operations: a request is answered with the text, and whoever loses the
//! answer cannot ask for it. So `begin` only listens where the recording is quiet, and each part is
//! a call of its own, which the line puts on record. It refuses to follow redirects, to repeat
//! anything by itself, and to keep a word of what servers say in errors.
//!
//! **Invariant:** what a server may have done and charged for is never reported as not made.

mod answer;
mod languages;
mod memory;
mod refusal;
mod stitch;
mod stretch;
mod ticket;
mod wire;

use std::path::{Path, PathBuf};
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::Instant;
use verst_kernel::{Failure, Supervisor};
use verst_recordings::ports::{
    Begins, Begun, Call, Called, Codec, Hearing, Inquiry, Lanes, LocalFile, Obstacle, Part,
    Profile, Recogniser, Ticket, Wish,
};
use verst_recordings::transcript::Transcript;
use verst_recordings::{LONGEST, codes};

use crate::ffmpeg::Ffmpeg;

use answer::Heard;
use memory::Memory;
use refusal::{Answer, No};
use stretch::Sound;
use ticket::Kept;
use wire::{Broken, Came, Question, Wire};

/// Name in attempt rows and settings.
const NAME: &str = "openai";
/// What counts as a short recording, of which one is heard beside a long one.
const SHORT: Duration = Duration::from_mins(5);
/// Fields, boundaries and headers around a recording.
const OVERHEAD_BYTES: u64 = 4096;
/// What a second of decoded speech takes at most, as a rule: 32 kbit/s and some.
const BYTES_PER_MS: u64 = 5;
/// The longest recording that OpenAI's models of this name take at once.
const GPT_4O: (&str, u64) = ("gpt-4o", 1_400_000);
const TIMED: &str = "verbose_json";
const UNTIMED: &str = "json";

/// Which server, and what it takes.
#[derive(Clone)]
pub struct OpenAiConfig {
    /// Its address up to and with the version, as in `https://api.openai.com/v1`.
    pub url: String,
    /// The key; empty for none.
    pub key: String,
    /// The model used where nobody asks for another.
    pub model: String,
    /// Whether calls cost money.
    pub paid: bool,
    /// The largest request it takes, in bytes.
    pub max_bytes: u64,
    /// The longest recording it takes at once; `None` for what is known of the model.
    pub longest: Option<Duration>,
    /// How long a call may take in all.
    pub timeout: Duration,
    /// A directory for files in the making.
    pub scratch: PathBuf,
}

/// The recogniser at a server.
pub struct OpenAiRecogniser {
    config: OpenAiConfig,
    ffmpeg: Ffmpeg,
    wire: Wire,
    memory: Memory,
}

impl OpenAiRecogniser {
    /// Asks nobody yet.
    pub fn new(config: OpenAiConfig, ffmpeg: Ffmpeg) -> Self {
        Self { wire: Wire::new(&config), memory: Memory::default(), config, ffmpeg }
    }

    /// The largest file that a request may carry.
    fn most_bytes(&self) -> u64 {
        // A margin of a twenty-fifth: how servers count is theirs.
        (self.config.max_bytes / 25 * 24).saturating_sub(OVERHEAD_BYTES)
    }

    fn most_ms(&self, model: &str) -> u64 {
        let by_size = self.most_bytes() / BYTES_PER_MS;
        let by_model = model.starts_with(GPT_4O.0).then_some(GPT_4O.1);
        let set = self.config.longest.map(millis).or(by_model);
        [Some(by_size), set, self.memory.most_ms(model)].into_iter().flatten().min().unwrap_or(0)
    }

    async fn listen(
        &self,
        audio: &Path,
        wish: &Wish,
        supervisor: &dyn Supervisor,
    ) -> Result<Ticket, Failure> {
        let quiet = self.ffmpeg.quiet(audio, supervisor).await?;
        let (duration_ms, pauses, voids) = (quiet.duration_ms, quiet.pauses, quiet.voids);
        let sound = Sound { duration_ms, pauses, voids };
        let model = wish.model.clone().unwrap_or_else(|| self.config.model.clone());
        Kept { own_model: wish.model.is_some(), model, sound }.ticket()
    }

    /// The stretch as a file: the recording itself if it is all of it.
    async fn file(
        &self,
        kept: &Kept,
        audio: &Path,
        call: Call,
        supervisor: &dyn Supervisor,
    ) -> Result<LocalFile, Failure> {
        if call.from_ms == 0 && call.until_ms >= kept.sound.duration_ms {
            return Ok(LocalFile::kept(audio.to_owned()));
        }
        let name = format!("piece-{:016x}.ogg", fastrand::u64(..));
        let piece = LocalFile::temporary(self.config.scratch.join(name));
        let stretch = (Duration::from_millis(call.from_ms), Duration::from_millis(call.until_ms));
        self.ffmpeg.piece(audio, stretch, piece.path(), supervisor).await?;
        Ok(piece)
    }

    async fn make(
        &self,
        inquiry: Inquiry<'_>,
        call: Call,
        supervisor: &dyn Supervisor,
    ) -> Result<Part, Called> {
        let kept = Kept::read(inquiry.ticket).map_err(refused)?;
        let file = self.file(&kept, inquiry.audio, call, supervisor).await.map_err(not_made)?;
        let size = tokio::fs::metadata(file.path()).await.map(|metadata| metadata.len());
        let size = size.map_err(|_| not_made(Failure::new(codes::AUDIO_MISSING)))?;
        if size > self.most_bytes() {
            return Err(self.no(No::TooMuch, &kept, call, inquiry.wish));
        }
        let heard_before = inquiry.parts.iter().find_map(|part| part.language.as_deref());
        let heard_before = heard_before.filter(|_| !self.memory.is_unled(&kept.model));
        let untimed = kept.model.starts_with("gpt-") || self.memory.is_untimed(&kept.model);
        let question = Question {
            file: file.path(),
            model: &kept.model,
            language: inquiry.wish.language.as_deref().or(heard_before),
            format: if untimed { UNTIMED } else { TIMED },
        };
        let came = self.wire.transcribe(question, self.config.paid, supervisor).await;
        let heard = self.understand(came, &kept, call, inquiry.wish)?;
        Ok(Part { index: call.index, segments: heard.segments, language: heard.language })
    }

    fn understand(
        &self,
        came: Result<Came, Broken>,
        kept: &Kept,
        call: Call,
        wish: &Wish,
    ) -> Result<Heard, Called> {
        let came = match came {
            Ok(came) => came,
            Err(Broken::Unreachable) => {
                let no = No::Paused(refusal::UNREACHABLE, refusal::SOON);
                return Err(self.no(no, kept, call, wish));
            }
            Err(Broken::Unsent) => return Err(not_made(Failure::new(codes::PROVIDER_FAILED))),
            Err(Broken::Interrupted) => return Err(not_made(Failure::new(codes::INTERRUPTED))),
            Err(Broken::Unanswered) => return Err(unknown()),
        };
        let stretch = (call.from_ms, call.until_ms);
        if came.status == 200
            && !came.html
            && let Some(heard) = answer::read(&came.body, came.json, stretch)
        {
            return Ok(heard);
        }
        let answer = Answer {
            status: came.status,
            retry_after: came.retry_after,
            html: came.html,
            body: &came.body,
        };
        Err(self.no(refusal::judge(answer), kept, call, wish))
    }

    /// What a no means for the recording, and what is learned from it.
    fn no(&self, no: No, kept: &Kept, call: Call, wish: &Wish) -> Called {
        let again = Called::NotMade(Obstacle::Busy { delay: Duration::ZERO });
        let model = kept.model.as_str();
        match no {
            No::Paused(why, delay) => self.pause(why, delay),
            No::Model if kept.own_model => refused(Failure::new(codes::OWN_MODEL_UNUSABLE)),
            No::Model => self.pause(refusal::MODEL, refusal::MENDED),
            No::Language if let Some(language) = &wish.language => {
                refused(Failure::new(codes::LANGUAGE_UNSUPPORTED).term("language", language))
            }
            // Nobody wished for it: the server named it itself, of an earlier part.
            No::Language if !self.memory.is_unled(model) => {
                self.memory.takes_no_language(model);
                again
            }
            No::TooMuch if self.memory.is_too_much(model, call.until_ms - call.from_ms) => again,
            No::Untimed if !self.memory.is_untimed(model) => {
                self.memory.gives_no_times(model);
                again
            }
            No::Language | No::TooMuch | No::Untimed | No::Refused => {
                refused(Failure::new(codes::RECOGNISER_REFUSED))
            }
            No::Failed => not_made(Failure::new(codes::PROVIDER_FAILED)),
            No::Unknown => unknown(),
        }
    }

    /// The other recordings need not find out for themselves.
    fn pause(&self, why: &'static str, delay: Duration) -> Called {
        let failure = paused(why);
        self.memory.pause(Instant::now(), delay, failure.clone());
        Called::NotMade(Obstacle::Paused { delay, failure })
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn paused(why: &'static str) -> Failure {
    Failure::new(codes::PROVIDER_PAUSED).term("reason", why)
}

fn not_made(failure: Failure) -> Called {
    Called::NotMade(Obstacle::Failed(failure))
}

fn refused(failure: Failure) -> Called {
    Called::NotMade(Obstacle::Refused(failure))
}

fn unknown() -> Called {
    Called::Unknown(Failure::new(codes::PROVIDER_FAILED))
}

#[async_trait]
impl Recogniser for OpenAiRecogniser {
    fn profile(&self) -> Profile {
        let own = Lanes::OldestAndShort { short: SHORT };
        Profile {
            name: NAME,
            codec: Codec::OggOpus,
            paid: self.config.paid,
            begins: Begins::Here,
            // A provider takes as many as come; a server of one's own computes for each.
            lanes: if self.config.paid { Lanes::Unlimited } else { own },
            poll_every: Duration::ZERO,
            longest: LONGEST,
        }
    }

    async fn begin(&self, audio: &Path, wish: &Wish, supervisor: &dyn Supervisor) -> Begun {
        match self.listen(audio, wish, supervisor).await {
            Ok(ticket) => Begun::Ticket(ticket),
            Err(failure) => Begun::NotBegun(Obstacle::Failed(failure)),
        }
    }

    async fn ask(&self, inquiry: Inquiry<'_>, _supervisor: &dyn Supervisor) -> Hearing {
        let kept = match Kept::read(inquiry.ticket) {
            Ok(kept) => kept,
            // Not ours, and no later time makes it so.
            Err(failure) => return Hearing::Obstacle(Obstacle::Refused(failure)),
        };
        let heard_ms = inquiry.calls.last().map(|call| call.until_ms);
        let Some((from_ms, until_ms)) =
            stretch::next(&kept.sound, heard_ms, self.most_ms(&kept.model))
        else {
            let heard = inquiry.parts.iter().find_map(|part| part.language.clone());
            return Hearing::Done(Transcript {
                language: inquiry.wish.language.clone().or(heard),
                segments: stitch::join(inquiry.parts, inquiry.calls),
                model: kept.model,
            });
        };
        if let Some((delay, failure)) = self.memory.paused(Instant::now()) {
            return Hearing::Obstacle(Obstacle::Paused { delay, failure });
        }
        let index = u32::try_from(inquiry.parts.len()).unwrap_or(u32::MAX);
        Hearing::Next(Call { index, from_ms, until_ms })
    }

    async fn call(&self, inquiry: Inquiry<'_>, call: Call, supervisor: &dyn Supervisor) -> Called {
        match self.make(inquiry, call, supervisor).await {
            Ok(part) => Called::Heard(part),
            Err(called) => called,
        }
    }

    async fn forget(&self, _ticket: &Ticket) {
        // A server keeps nothing that could be asked for.
    }

    async fn check(&self, wish: &Wish) -> Result<String, Failure> {
        let model = wish.model.as_deref().unwrap_or(&self.config.model);
        let served = || format!("{model}, {}", self.config.url);
        match self.wire.models().await {
            Err(_) => Err(paused(refusal::UNREACHABLE)),
            Ok(came) => match came.status {
                401 => Err(paused(refusal::KEY)),
                300..=399 => Err(paused(refusal::ADDRESS)),
                500..=599 => Err(Failure::new(codes::PROVIDER_FAILED)),
                _ if came.html => Err(paused(refusal::ADDRESS)),
                // Keys may be for transcriptions alone, and servers may list no models.
                _ => Ok(served()),
            },
        }
    }
}

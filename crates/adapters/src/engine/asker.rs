//! What the client asks the engine, one question each: what a model is, a plan, a slice, a window.
//!
//! Before a model is loaded it is asked whether there is memory for it, because a process that is
//! killed for want of memory takes its work with it and would be started again.

use std::path::Path;

use verst_engine::protocol::{self, ModelFile, Reply, Request};
use verst_engine::{Piece, Plan};
use verst_kernel::{Failure, Supervisor};
use verst_recordings::codes;
use verst_recordings::ports::Obstacle;

use super::memory;
use super::model::{self, Models};
use super::obstacle::{obstacle, own, unexpected};
use super::share::Share;
use super::slot::Turn;
use super::ticket::Kept;

/// Slices that are heard to find out the language: one usually tells, a short one may have no words.
const SLICES_FOR_LANGUAGE: usize = 3;

/// The right to ask, and what is needed for it.
pub(super) struct Asker<'a> {
    pub(super) turn: Turn,
    pub(super) models: &'a Models,
    pub(super) vad: &'a ModelFile,
    pub(super) threads: u16,
    pub(super) supervisor: &'a dyn Supervisor,
}

/// What a model says of itself.
pub(super) struct Checked {
    pub(super) description: String,
    pub(super) languages: Vec<String>,
    pub(super) longest_slice_ms: u64,
}

impl Checked {
    /// Whether the model knows the language, if one is named. Models that do not say which they know
    /// are believed to know any.
    pub(super) fn knows(&self, language: Option<&str>) -> Result<(), Failure> {
        let Some(language) = language else { return Ok(()) };
        if self.languages.is_empty() || self.languages.iter().any(|known| known == language) {
            return Ok(());
        }
        Err(Failure::new(codes::LANGUAGE_UNSUPPORTED).term("language", language))
    }
}

impl Asker<'_> {
    /// Loads a model and hears what it is.
    pub(super) async fn check(&mut self, model: &str) -> Result<Checked, Failure> {
        let (file, vad) = (self.models.file(model), self.vad.clone());
        match self.ask_of(model, 1, &Request::Check { model: file, vad }).await? {
            Reply::Checked { description, languages, longest_slice_ms } => {
                Ok(Checked { description, languages, longest_slice_ms })
            }
            other => Err(unexpected(other)),
        }
    }

    /// The same, and sees that it knows the language.
    pub(super) async fn check_language(
        &mut self,
        model: &str,
        language: Option<&str>,
    ) -> Result<Checked, Obstacle> {
        let checked = self
            .check(model)
            .await
            .map_err(|failure| obstacle(own(failure, self.models.whose(model))))?;
        checked.knows(language).map_err(obstacle)?;
        Ok(checked)
    }

    /// Which stretches of a recording are heard in which calls.
    pub(super) async fn plan(
        &mut self,
        audio: &Path,
        longest_slice_ms: u64,
    ) -> Result<Plan, Obstacle> {
        let (audio, vad) = (audio.to_owned(), self.vad.clone());
        let request = Request::Plan { audio, vad, longest_slice_ms };
        match self.turn.ask(&request, self.supervisor).await.map_err(obstacle)? {
            Reply::Planned(plan) => Ok(plan),
            other => Err(obstacle(unexpected(other))),
        }
    }

    /// Finds out which language is spoken, and plans for the model that it has. The text of what is
    /// heard for it is not kept: it comes from the right model later.
    pub(super) async fn choose_by_language(
        &mut self,
        kept: &mut Kept,
        audio: &Path,
        longest_slice_ms: u64,
    ) -> Result<(), Obstacle> {
        let slices = if kept.plan.whole { 0 } else { kept.plan.slices.len() };
        let mut heard = None;
        for slice in 0..slices.min(SLICES_FOR_LANGUAGE) {
            heard = self.hear(audio, kept, slice, None).await?.1;
            if heard.is_some() {
                break;
            }
        }
        let Some(language) = heard else { return Ok(()) };
        let model = self.models.reference(None, Some(&language));
        if model != kept.model {
            match self.check_language(&model, Some(&language)).await {
                Ok(checked) => {
                    if checked.longest_slice_ms != longest_slice_ms {
                        kept.plan = self.plan(audio, checked.longest_slice_ms).await?;
                    }
                    kept.model = model;
                }
                // The settings name a model for a language that it does not know. Nobody wished for
                // it, and the model for all has just heard that language.
                Err(Obstacle::Refused(_)) => {}
                Err(other) => return Err(other),
            }
        }
        kept.language = Some(language);
        Ok(())
    }

    /// What was said in the slice of that number, and in which language. If there is memory for it, the following one
    /// is heard beside it.
    pub(super) async fn hear(
        &mut self,
        audio: &Path,
        kept: &Kept,
        slice: usize,
        language: Option<String>,
    ) -> Result<(Vec<protocol::Segment>, Option<String>), Obstacle> {
        let model = self.models.file(&kept.model);
        let share = self.share(kept, slice, &model.path);
        let slices = &kept.plan.slices;
        let request = Request::Hear {
            audio: audio.to_owned(),
            model,
            slice: slices[slice].clone(),
            next: slices.get(slice + 1).filter(|_| share.ahead).cloned(),
            language,
            whole: kept.plan.whole,
            threads: share.threads,
            words: kept.diariser.is_some(),
        };
        let copies = if share == Share::alone(self.threads) { 1 } else { 2 };
        let reply = self.ask_of(&kept.model, copies, &request).await;
        let heard = reply.and_then(|reply| match reply {
            Reply::Heard { segments, language } => Ok((segments, language)),
            other => Err(unexpected(other)),
        });
        heard.map_err(|failure| obstacle(own(failure, self.models.whose(&kept.model))))
    }

    /// Who speaks when in a stretch.
    pub(super) async fn tell_apart(
        &mut self,
        audio: &Path,
        diariser: &str,
        window: Piece,
    ) -> Result<Vec<protocol::Turn>, Failure> {
        let (audio, model) = (audio.to_owned(), self.models.file(diariser));
        let request = Request::Diarise { audio, model, window, threads: self.threads };
        match self.ask_of(diariser, 1, &request).await? {
            Reply::Diarised { turns } => Ok(turns),
            other => Err(unexpected(other)),
        }
    }

    /// How a slice is heard: a second copy of the model is one that has to fit as well.
    fn share(&self, kept: &Kept, slice: usize, path: &Path) -> Share {
        // Where the file is not to be seen, the engine says so when it is asked.
        let file_bytes = std::fs::metadata(path).map_or(u64::MAX, |file| file.len());
        let share = Share::of(self.threads, file_bytes, slice, kept.plan.slices.len());
        if share != Share::alone(self.threads)
            && self.lacking(path, self.need_bytes(&kept.model, 2)).is_some()
        {
            return Share::alone(self.threads);
        }
        share
    }

    /// What so many copies of a model need. A file that is not there is the engine's to tell.
    fn need_bytes(&self, model: &str, copies: u64) -> u64 {
        self.models.need_bytes(model, copies).unwrap_or(0)
    }

    /// What could be had, if that is less than a process needs to have this model.
    fn lacking(&self, path: &Path, need_bytes: u64) -> Option<u64> {
        if self.turn.has(path, need_bytes) {
            return None;
        }
        let free = memory::free_bytes().map(|free| free.saturating_add(self.turn.taken_bytes()));
        let free = free.into_iter().chain(self.turn.limit_bytes()).min();
        free.filter(|&free_bytes| free_bytes < need_bytes)
    }

    /// Asks for what needs so many copies of this model loaded, if there is memory for them.
    async fn ask_of(
        &mut self,
        model: &str,
        copies: u64,
        request: &Request,
    ) -> Result<Reply, Failure> {
        let path = self.models.file(model).path;
        let need_bytes = self.need_bytes(model, copies);
        if let Some(free_bytes) = self.lacking(&path, need_bytes) {
            return Err(too_large(model, need_bytes, free_bytes));
        }
        let reply = self.turn.ask(request, self.supervisor).await?;
        if !matches!(reply, Reply::Failed { .. }) {
            self.turn.loads(path, need_bytes);
        }
        Ok(reply)
    }
}

fn too_large(model: &str, need_bytes: u64, free_bytes: u64) -> Failure {
    let mb = |bytes: u64| i64::try_from(bytes / 1_000_000).unwrap_or(i64::MAX);
    Failure::new(codes::MODEL_TOO_LARGE)
        .term("model", model::name(model))
        .int("need_mb", mb(need_bytes))
        .int("free_mb", mb(free_bytes))
}

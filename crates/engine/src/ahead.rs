//! Hearing slices, and the next one before it is asked for.
//!
//! Threads that share a slice wait for each other at every step of the decoder, so two copies of
//! the model with half of the threads each hear two slices sooner than one copy hears them in turn.
//! A request may therefore name the slice that follows, which is heard beside it and kept until it
//! is asked for. It also is at work while the client writes down what it was answered.
//!
//! *Invariant*: an answer is what hearing the slice alone would have given. What was heard ahead
//! counts only for the same file, slice and manner, and only if all went well.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use transcribe_cpp::CancelToken;

use crate::hear::{Heard, Manner, hear};
use crate::models::{Kind, Models};
use crate::plan::Slice;
use crate::protocol::ModelFile;
use crate::trouble::Trouble;
use crate::worker::Worker;

/// Copies of the recogniser's model that are loaded at most.
const COPIES: usize = 2;

/// Slices kept ahead at most: two recordings may take turns.
const KEPT: usize = 2;

/// What became of a slice.
pub(crate) type Outcome = Result<Heard, Trouble>;

/// A slice to hear, and how.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Task {
    /// The recording.
    pub(crate) audio: PathBuf,
    /// The recogniser's model.
    pub(crate) model: ModelFile,
    /// The slice.
    pub(crate) slice: Slice,
    /// How.
    pub(crate) manner: Manner,
}

impl Task {
    /// Whether they are the same but for the language, which may be detected ahead.
    fn same(&self, other: &Self) -> bool {
        let manner = Manner { language: self.manner.language.clone(), ..other.manner };
        (&self.audio, &self.model, &self.slice) == (&other.audio, &other.model, &other.slice)
            && self.manner == manner
    }
}

/// A slice that is being heard, or was. It is given up when this is dropped.
#[derive(Debug)]
pub(crate) struct Job {
    task: Task,
    copy: usize,
    cancel: CancelToken,
    worker: Worker<Heard>,
}

impl Job {
    fn begin(models: &Shared, task: Task, copy: usize) -> Result<Self, Trouble> {
        let cancel = CancelToken::new();
        let (models, work, token) = (Arc::clone(models), task.clone(), cancel.clone());
        let worker = Worker::begin(move || {
            let model = lock(&models).get(Kind::Recogniser { copy }, &work.model)?;
            hear(&work.audio, &model, &work.slice, &work.manner, &token)
        })?;
        Ok(Self { task, copy, cancel, worker })
    }

    /// What was heard; `None` if it takes longer than this.
    pub(crate) fn wait(&mut self, patience: Duration) -> Option<Outcome> {
        self.worker.wait(patience)
    }

    /// Whether what it heard answers a task.
    fn answers(&self, task: &Task, heard: &Outcome) -> bool {
        self.task == *task
            || heard.as_ref().is_ok_and(|heard| heard.language == task.manner.language)
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

/// Models that several threads load.
pub(crate) type Shared = Arc<Mutex<Models>>;

/// The models, whoever panicked while having them: they are replaced and never changed.
pub(crate) fn lock(models: &Shared) -> std::sync::MutexGuard<'_, Models> {
    models.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Those who hear.
#[derive(Debug, Default)]
pub(crate) struct Hearers {
    models: Shared,
    ahead: Vec<Job>,
}

impl Hearers {
    /// The models that they use.
    pub(crate) fn models(&self) -> &Shared {
        &self.models
    }

    /// Gives up what is heard ahead with another model than this: it would keep that in memory.
    pub(crate) fn give_up_others(&mut self, model: &ModelFile) {
        self.ahead.retain(|job| job.task.model == *model);
    }

    /// Hears a slice, and the next one beside it. `wait` waits for a job's result.
    pub(crate) fn hear<E>(
        &mut self,
        task: &Task,
        next: Option<Slice>,
        mut wait: impl FnMut(&mut Job) -> Result<Outcome, E>,
    ) -> Result<Outcome, E> {
        self.give_up_others(&task.model);
        let mut job = match self.take(task).map_or_else(|| self.begin(task), Ok) {
            Ok(job) => job,
            Err(trouble) => return Ok(Err(trouble)),
        };
        if let Some(slice) = next {
            self.look_ahead(Task { slice, ..task.clone() }, &job);
        }
        let heard = wait(&mut job)?;
        if job.answers(task, &heard) && (heard.is_ok() || job.copy == 0) {
            return Ok(heard);
        }
        drop(job);
        match Job::begin(&self.models, task.clone(), 0) {
            Ok(mut job) => wait(&mut job),
            Err(trouble) => Ok(Err(trouble)),
        }
    }

    /// The job that hears a slice already.
    fn take(&mut self, task: &Task) -> Option<Job> {
        let at = self.ahead.iter().position(|job| {
            let language = &job.task.manner.language;
            job.task.same(task) && (language.is_none() || *language == task.manner.language)
        })?;
        Some(self.ahead.remove(at))
    }

    fn begin(&self, task: &Task) -> Result<Job, Trouble> {
        // Where none is free, the library lets one call wait for the other.
        Job::begin(&self.models, task.clone(), self.free(None).unwrap_or(0))
    }

    /// Begins a slice that nobody has asked for, if a copy is free for it.
    fn look_ahead(&mut self, task: Task, beside: &Job) {
        if self.ahead.iter().any(|job| job.task == task) {
            return;
        }
        let Some(copy) = self.free(Some(beside)) else { return };
        if self.ahead.len() >= KEPT {
            self.ahead.remove(0);
        }
        // Without a thread for it, it is heard when it is asked for.
        self.ahead.extend(Job::begin(&self.models, task, copy));
    }

    fn free(&self, beside: Option<&Job>) -> Option<usize> {
        let busy =
            |copy| self.ahead.iter().chain(beside).any(|job| job.copy == copy && job.worker.runs());
        (0..COPIES).find(|&copy| !busy(copy))
    }
}

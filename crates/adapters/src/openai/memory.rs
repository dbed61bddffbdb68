//! What was learned of a server while this process runs: which models give no times or refuse a
//! language that they named themselves, how much it takes at once, and until when it does not serve.
//!
//! **Invariant:** bounded: names of models come from people.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use verst_kernel::Failure;

/// More models than any server has that a person would use.
const MODELS: usize = 64;
/// What refuses even so little refuses the recording.
const LEAST_MS: u64 = 60_000;

#[derive(Debug, Default)]
pub(super) struct Memory(Mutex<Learned>);

#[derive(Debug, Default)]
struct Learned {
    models: BTreeMap<String, Model>,
    paused: Option<(Instant, Failure)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Model {
    untimed: bool,
    unled: bool,
    most_ms: Option<u64>,
}

impl Memory {
    fn lock(&self) -> MutexGuard<'_, Learned> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn model(&self, name: &str) -> Model {
        self.lock().models.get(name).copied().unwrap_or_default()
    }

    fn learn(&self, name: &str, learn: impl FnOnce(&mut Model)) {
        let models = &mut self.lock().models;
        if models.len() >= MODELS && !models.contains_key(name) {
            models.clear();
        }
        learn(models.entry(name.to_owned()).or_default());
    }

    /// Whether this model was found to give no times.
    pub(super) fn is_untimed(&self, model: &str) -> bool {
        self.model(model).untimed
    }

    pub(super) fn gives_no_times(&self, model: &str) {
        self.learn(model, |it| it.untimed = true);
    }

    /// Whether this model is to find out the language of every part by itself.
    pub(super) fn is_unled(&self, model: &str) -> bool {
        self.model(model).unled
    }

    pub(super) fn takes_no_language(&self, model: &str) {
        self.learn(model, |it| it.unled = true);
    }

    /// The most that this model was found to take, in milliseconds.
    pub(super) fn most_ms(&self, model: &str) -> Option<u64> {
        self.model(model).most_ms
    }

    /// So much was too much: half of it is tried next. `false` when there is little left to halve.
    pub(super) fn is_too_much(&self, model: &str, length_ms: u64) -> bool {
        let half = length_ms / 2;
        if half < LEAST_MS {
            return false;
        }
        self.learn(model, |it| it.most_ms = Some(it.most_ms.map_or(half, |most| most.min(half))));
        true
    }

    /// The server does not serve for so long.
    pub(super) fn pause(&self, now: Instant, delay: Duration, failure: Failure) {
        self.lock().paused = Some((now + delay, failure));
    }

    /// Why the server is left alone, and for how much longer.
    pub(super) fn paused(&self, now: Instant) -> Option<(Duration, Failure)> {
        let mut learned = self.lock();
        let (until, failure) = learned.paused.clone()?;
        let left = until.saturating_duration_since(now);
        if left.is_zero() {
            learned.paused = None;
            return None;
        }
        Some((left, failure))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_much_is_halved_down_to_a_minute() {
        let memory = Memory::default();
        assert_eq!(memory.most_ms("a"), None);
        assert!(memory.is_too_much("a", 400_000) && memory.is_too_much("a", 1_000_000));
        assert_eq!((memory.most_ms("a"), memory.most_ms("b")), (Some(200_000), None));
        assert!(memory.is_too_much("a", 200_000));
        assert_eq!(memory.most_ms("a"), Some(100_000));
        assert!(!memory.is_too_much("a", 100_000));
    }

    #[test]
    fn many_models_are_forgotten() {
        let memory = Memory::default();
        for n in 0..1000 {
            memory.gives_no_times(&n.to_string());
        }
        assert!(memory.is_untimed("999") && !memory.is_untimed("1"));
        assert!(memory.lock().models.len() <= MODELS);
    }

    #[test]
    fn a_pause_ends() {
        let (memory, now) = (Memory::default(), Instant::now());
        let after = |seconds| now + Duration::from_secs(seconds);
        assert!(memory.paused(now).is_none());
        memory.pause(now, Duration::from_secs(30), Failure::new("why"));
        let left = Duration::from_secs(20);
        assert_eq!(memory.paused(after(10)), Some((left, Failure::new("why"))));
        assert!(memory.paused(after(30)).is_none() && memory.paused(now).is_none());
    }
}

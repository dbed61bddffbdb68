//! The objects that were downloaded last. A file goes when nobody uses it and it is not among them.
//! Keys are never written twice with different bytes, so what is kept is never stale.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use verst_recordings::ports::LocalFile;

/// Two that are recognised, and two that are decoded.
const KEPT: usize = 4;

/// Keys with their files, those used last at the back.
#[derive(Default)]
pub(super) struct Cache(Mutex<VecDeque<(String, LocalFile)>>);

impl Cache {
    pub(super) fn find(&self, key: &str) -> Option<LocalFile> {
        let mut kept = self.lock();
        let at = kept.iter().position(|(k, _)| k == key)?;
        let found = kept.remove(at)?;
        let file = found.1.clone();
        // Somebody may have cleared the directory.
        if !file.path().exists() {
            return None;
        }
        kept.push_back(found);
        Some(file)
    }

    pub(super) fn keep(&self, key: &str, file: LocalFile) {
        let mut kept = self.lock();
        kept.retain(|(k, _)| k != key);
        kept.push_back((key.to_owned(), file));
        while kept.len() > KEPT {
            kept.pop_front();
        }
    }

    pub(super) fn forget(&self, key: &str) {
        self.lock().retain(|(k, _)| k != key);
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(String, LocalFile)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

//! Which files have come to rest. Pure: the time is an argument.
//!
//! **Invariant:** a file is ripe only after it was seen unchanged for the whole time. Its own date
//! of change is not believed: a copy may carry that of its original while it still grows.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use verst_kernel::Timestamp;

use super::scan::{Found, Identity};

/// Files that were seen, and when each is ripe.
#[derive(Default)]
pub(super) struct Settling(BTreeMap<PathBuf, (Identity, Timestamp)>);

impl Settling {
    /// Those of the files that are ripe, in the order in which they came. Whatever is not among
    /// them any more is forgotten.
    pub(super) fn ripe(
        &mut self,
        found: Vec<Found>,
        now: Timestamp,
        settle: Duration,
    ) -> Vec<Found> {
        let before = std::mem::take(&mut self.0);
        let mut ripe = Vec::new();
        for file in found {
            let fresh = (file.identity, now.after(settle));
            let known = before.get(&file.path).filter(|(identity, _)| *identity == file.identity);
            // A clock that was put back must not keep a file waiting until it catches up.
            let due = known.map_or(fresh.1, |(_, due)| (*due).min(now.after(settle.max(LONGEST))));
            self.0.insert(file.path.clone(), (file.identity, due));
            if known.is_some() && due <= now {
                ripe.push(file);
            }
        }
        ripe
    }

    /// Gives a file more time.
    pub(super) fn postpone(&mut self, path: &Path, until: Timestamp) {
        if let Some((_, due)) = self.0.get_mut(path) {
            *due = until;
        }
    }

    /// No more is to be waited for with this one.
    pub(super) fn forget(&mut self, path: &Path) {
        self.0.remove(path);
    }

    /// How long until the next one is ripe.
    pub(super) fn next(&self, now: Timestamp) -> Option<Duration> {
        self.0.values().map(|(_, due)| due.since(now)).min()
    }
}

/// The longest time that a file is postponed.
pub(super) const LONGEST: Duration = Duration::from_secs(30);

#[cfg(test)]
mod tests {
    use super::*;

    const SETTLE: Duration = Duration::from_secs(10);

    fn file(name: &str, size: usize) -> Found {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("x"), vec![0; size]).unwrap();
        let meta = std::fs::metadata(dir.path().join("x")).unwrap();
        Found { path: name.into(), identity: Identity::of(&meta), node: (0, 0) }
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp(1_795_000_000_000_000 + seconds * 1_000_000)
    }

    #[test]
    fn a_file_is_ripe_once_it_was_seen_unchanged_for_the_whole_time() {
        let mut settling = Settling::default();
        let (small, large) = (file("a", 1), file("a", 2));
        assert_eq!(settling.ripe(vec![small.clone()], at(0), SETTLE), []);
        assert_eq!(settling.next(at(4)), Some(Duration::from_secs(6)));
        assert_eq!(settling.ripe(vec![small], at(9), SETTLE), []);
        // It grew.
        assert_eq!(settling.ripe(vec![large.clone()], at(11), SETTLE), []);
        assert_eq!(settling.ripe(vec![large.clone()], at(20), SETTLE), []);
        assert_eq!(
            settling.ripe(vec![large.clone()], at(21), SETTLE),
            std::slice::from_ref(&large)
        );
        settling.postpone(Path::new("a"), at(30));
        assert_eq!(settling.ripe(vec![large.clone()], at(29), SETTLE), []);
        assert_eq!(settling.ripe(vec![large.clone()], at(30), SETTLE), [large]);
        // It went and another came.
        assert_eq!(settling.ripe(vec![], at(31), SETTLE), []);
        assert_eq!(settling.next(at(31)), None);
    }

    #[test]
    fn a_clock_that_was_put_back_holds_nothing_up_for_long() {
        let mut settling = Settling::default();
        let one = file("a", 1);
        assert_eq!(settling.ripe(vec![one.clone()], at(86_400), SETTLE), []);
        assert_eq!(settling.ripe(vec![one.clone()], at(0), SETTLE), []);
        assert_eq!(settling.ripe(vec![one.clone()], at(30), SETTLE), [one]);
    }

    #[test]
    fn without_a_time_to_settle_a_file_is_still_seen_twice() {
        let mut settling = Settling::default();
        let one = file("a", 1);
        assert_eq!(settling.ripe(vec![one.clone()], at(0), Duration::ZERO), []);
        assert_eq!(settling.ripe(vec![one.clone()], at(0), Duration::ZERO), [one]);
    }
}

//! How the threads of the recogniser are shared out: all to one slice, or half to each of two that
//! two copies of the model hear beside each other. Two are faster, and cost the memory of a copy. Of
//! an odd number of slices the last would be heard while half of the threads have nothing to do: it
//! waits until the one before is done, and has them all.
//!
//! *Invariant*: while there is memory for a second copy, the answer depends on the settings, the
//! model and the plan alone, so that a slice is heard on as many threads before a restart and after
//! it.

/// The largest model of which a second copy is loaded: what any machine has to spare.
const COPIED_BYTES: u64 = 300 << 20;

/// What a call gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Share {
    /// Threads for each slice.
    pub(super) threads: u16,
    /// Whether the next slice is heard beside this one.
    pub(super) ahead: bool,
}

impl Share {
    /// All threads for one slice at a time.
    pub(super) fn alone(threads: u16) -> Self {
        Self { threads, ahead: false }
    }

    /// For the slice of a number (from 0) among so many, heard on so many threads (0 for the library's
    /// choice) with a model whose file has so many bytes.
    pub(super) fn of(threads: u16, model_bytes: u64, slice: usize, slices: usize) -> Self {
        let paired = slices - slices % 2;
        if threads < 2 || slice >= paired || model_bytes > COPIED_BYTES {
            return Self::alone(threads);
        }
        Self { threads: threads / 2, ahead: slice + 1 < paired }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_halved_where_two_copies_are_worth_it() {
        const BASE: u64 = 82_000_000;
        let cases = [
            ("two processors", 2, BASE, (0, 8), (1, true)),
            ("more of them", 8, BASE, (3, 8), (4, true)),
            ("an odd one is left", 3, BASE, (0, 8), (1, true)),
            ("one processor", 1, BASE, (0, 8), (1, false)),
            ("the library's choice", 0, BASE, (0, 8), (0, false)),
            ("a single slice has all", 2, BASE, (0, 1), (2, false)),
            ("the last of an even number", 2, BASE, (7, 8), (1, false)),
            ("the last of an odd number has all", 2, BASE, (8, 9), (2, false)),
            ("which waits for the one before", 2, BASE, (7, 9), (1, false)),
            ("and not for others", 2, BASE, (6, 9), (1, true)),
            ("a large model", 2, 3 << 30, (0, 8), (2, false)),
            ("no file to be seen", 2, u64::MAX, (0, 8), (2, false)),
        ];
        for (name, threads, bytes, (slice, slices), (threads_each, ahead)) in cases {
            let expected = Share { threads: threads_each, ahead };
            assert_eq!(Share::of(threads, bytes, slice, slices), expected, "{name}");
        }
    }
}

//! How the threads of the recogniser are shared out: all to one slice, or half to each of two that
//! two copies of the model hear beside each other. Two are faster, and cost the memory of a copy.
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

    /// For a recording of so many slices, heard on so many threads (0 for the library's choice) with
    /// a model whose file has so many bytes.
    pub(super) fn of(threads: u16, model_bytes: u64, slices: usize) -> Self {
        if threads < 2 || slices < 2 || model_bytes > COPIED_BYTES {
            return Self::alone(threads);
        }
        Self { threads: threads / 2, ahead: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_halved_where_two_copies_are_worth_it() {
        const BASE: u64 = 82_000_000;
        let cases = [
            ("two processors", 2, BASE, 9, (1, true)),
            ("more of them", 8, BASE, 9, (4, true)),
            ("an odd one is left", 3, BASE, 9, (1, true)),
            ("one processor", 1, BASE, 9, (1, false)),
            ("the library's choice", 0, BASE, 9, (0, false)),
            ("a single slice has all", 2, BASE, 1, (2, false)),
            ("a large model", 2, 3 << 30, 9, (2, false)),
            ("no file to be seen", 2, u64::MAX, 9, (2, false)),
        ];
        for (name, threads, bytes, slices, (threads_each, ahead)) in cases {
            let expected = Share { threads: threads_each, ahead };
            assert_eq!(Share::of(threads, bytes, slices), expected, "{name}");
        }
    }
}

//! Who holds a piece of work. A claim is the right to write one result.

use std::fmt;

/// Identity of a piece of work. Grows with every submission and is never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorkId(pub i64);

impl fmt::Display for WorkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Counter on the work's row. It grows at every claim, settle, give-back, reclaim, stop and lift
/// and never repeats, so a holder of an earlier value can never write again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fence(pub i64);

/// Name of one installation's data directory. A restarted process carries the same one, which is
/// how it recognises the claims it left behind.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Instance(pub String);

/// The right to write the result of one run. Deliberately neither `Clone` nor serialisable: it
/// lives where it was claimed, and ends when its result is settled, because that moves the fence.
#[derive(Debug, PartialEq, Eq)]
pub struct Claim {
    id: WorkId,
    fence: Fence,
}

impl Claim {
    /// Makes a claim. Only a store may: a lint refuses this call anywhere else.
    pub fn mint(id: WorkId, fence: Fence) -> Self {
        Self { id, fence }
    }

    /// The work that was claimed.
    pub fn id(&self) -> WorkId {
        self.id
    }

    /// The fence at the moment of the claim; every write of the holder is conditional on it.
    pub fn fence(&self) -> Fence {
        self.fence
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_shown_by_its_number() {
        assert_eq!(WorkId(42).to_string(), "42");
    }
}

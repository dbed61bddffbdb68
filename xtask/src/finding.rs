//! What a check found wrong: a place and a sentence. It refuses to judge how bad it is; a finding
//! fails the run, and what should not fail it is a note.

use std::fmt;

/// One thing that breaks a rule of the house.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// Where to look: `path`, `path:line` or the name of a crate.
    pub(crate) place: String,
    /// What is wrong there, as a fragment that follows the place.
    pub(crate) what: String,
}

impl Finding {
    pub(crate) fn new(place: impl Into<String>, what: impl Into<String>) -> Self {
        Self { place: place.into(), what: what.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

/// What one check has to say. It passes if nothing was found; notes never fail it.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) findings: Vec<Finding>,
    pub(crate) notes: Vec<String>,
}

impl From<Vec<Finding>> for Report {
    fn from(findings: Vec<Finding>) -> Self {
        Self { findings, notes: Vec::new() }
    }
}

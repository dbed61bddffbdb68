//! What went wrong, as data: a stable code and typed parameters.
//!
//! Sentences for people come from the `words` crate. Output of other programs, names of files and
//! text of recordings have no place here: a failure is stored, logged and shown.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// A parameter of a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A count, a size in bytes, a number of seconds; the parameter's name says which.
    Int(i64),
    /// A short term from a closed set: a signal's name, a codec, a limit's key.
    Term(String),
}

/// A failure as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Stable machine name, lower snake case.
    pub code: Cow<'static, str>,
    /// Parameters by name.
    pub params: BTreeMap<Cow<'static, str>, Value>,
}

impl Failure {
    /// A failure without parameters.
    pub fn new(code: &'static str) -> Self {
        Self { code: Cow::Borrowed(code), params: BTreeMap::new() }
    }

    /// Adds a number.
    pub fn int(mut self, name: &'static str, value: i64) -> Self {
        self.params.insert(Cow::Borrowed(name), Value::Int(value));
        self
    }

    /// Adds a short term.
    pub fn term(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.params.insert(Cow::Borrowed(name), Value::Term(value.into()));
        self
    }

    /// A run of a step ended by a panic.
    pub const PANICKED: &'static str = "panicked";
    /// The process died during earlier runs, so none of them declared an outcome.
    pub const ABANDONED: &'static str = "abandoned";
    /// The work stood at one milestone for longer than its patience.
    pub const STUCK: &'static str = "stuck";
    /// A person stopped the work.
    pub const BY_PERSON: &'static str = "stopped_by_person";
    /// The database refused a run's result for good.
    pub const RESULT_REFUSED: &'static str = "result_refused";
    /// The database's disk is full. The same code as that of any full disk.
    pub const DISK_FULL: &'static str = "disk_full";
    /// The database could not be used.
    pub const STORE_FAILED: &'static str = "store_failed";
    /// The work's milestone is not known to this binary.
    pub const UNKNOWN_MILESTONE: &'static str = "unknown_milestone";

    /// Every code that the kernel and the runtime produce themselves.
    pub const CODES: [&'static str; 6] = [
        Self::PANICKED,
        Self::ABANDONED,
        Self::STUCK,
        Self::BY_PERSON,
        Self::RESULT_REFUSED,
        Self::UNKNOWN_MILESTONE,
    ];
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.code)?;
        for (name, value) in &self.params {
            match value {
                Value::Int(n) => write!(f, " {name}={n}")?,
                Value::Term(t) => write!(f, " {name}={t}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_is_the_code_and_its_parameters() {
        let failure = Failure::new("too_long").int("limit_s", 43_200).term("track", "second");
        assert_eq!(failure.to_string(), "too_long limit_s=43200 track=second");
    }
}

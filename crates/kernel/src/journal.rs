//! The journal: a row per change of milestone, stop and lift. No step can read it.

use std::time::Duration;

use crate::{Failure, Timestamp};

/// Who did it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Actor {
    /// A step of the pipeline, by name.
    Step(String),
    /// A person, by the name of the face or account they used.
    Person(String),
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A milestone was reached.
    Advanced,
    /// A stop mark was set.
    Stopped,
    /// A stop mark was lifted.
    Lifted,
    /// The work began anew from a milestone that a person chose.
    Restarted,
}

impl Event {
    /// All events: the closed list of values in the schema.
    pub const ALL: [Self; 4] = [Self::Advanced, Self::Stopped, Self::Lifted, Self::Restarted];

    /// Name in the schema.
    pub fn name(self) -> &'static str {
        match self {
            Self::Advanced => "advanced",
            Self::Stopped => "stopped",
            Self::Lifted => "lifted",
            Self::Restarted => "restarted",
        }
    }

    /// The event of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|e| e.name() == name)
    }
}

/// A row as people read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: Actor,
    /// What.
    pub event: Event,
    /// The milestone the work stands at afterwards.
    pub milestone: String,
    /// How long the run took; zero for what a person did.
    pub duration: Duration,
    /// The failure, for a stop.
    pub failure: Option<Failure>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_stored_and_found_by_its_name() {
        assert_eq!(Event::ALL.map(Event::name), ["advanced", "stopped", "lifted", "restarted"]);
        for event in Event::ALL {
            assert_eq!(Event::from_name(event.name()), Some(event));
        }
        assert_eq!(Event::from_name("elsewhere"), None);
    }
}

//! What must be told to whoever sent the work, and why it sometimes is not.

use async_trait::async_trait;

use crate::{Failure, WorkId};

/// Identity of a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoticeId(pub i64);

/// What is to be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// The final milestone is reached.
    Done,
    /// The work was stopped.
    Stopped(Failure),
}

/// A notice, written with the change that causes it and cleared just before it is sent, so it is
/// told at most once. There is no deferred delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Which notice.
    pub id: NoticeId,
    /// About which work.
    pub work: WorkId,
    /// What to say.
    pub kind: NoticeKind,
}

/// Why a notice did not reach anyone. Never a failure of the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undelivered {
    /// The entrance the work came through is not up: a declared mode.
    NotConfigured,
    /// The work came through an entrance that always names an addressee, and names none: a sign
    /// of damage.
    NoAddressee,
    /// The entrance refused or could not be reached.
    SendFailed,
    /// The process ended between the commit and the sending.
    Interrupted,
}

impl Undelivered {
    /// All causes.
    pub const ALL: [Self; 4] =
        [Self::NotConfigured, Self::NoAddressee, Self::SendFailed, Self::Interrupted];

    /// Label in metrics and logs.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotConfigured => "not_configured",
            Self::NoAddressee => "no_addressee",
            Self::SendFailed => "send_failed",
            Self::Interrupted => "interrupted",
        }
    }

    /// Whether the cause is a defect (logged as an error) and not a mode or a passing trouble.
    pub fn is_defect(self) -> bool {
        self == Self::NoAddressee
    }
}

/// Tells whoever sent the work. Work that came without anyone to tell is told successfully.
#[async_trait]
pub trait Herald: Send + Sync {
    /// Sends one notice.
    async fn tell(&self, notice: &Notice) -> Result<(), Undelivered>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_missing_addressee_is_a_defect() {
        let names = Undelivered::ALL.map(Undelivered::name);
        assert_eq!(names, ["not_configured", "no_addressee", "send_failed", "interrupted"]);
        let defects = Undelivered::ALL.map(Undelivered::is_defect);
        assert_eq!(defects, [false, true, false, false]);
    }
}

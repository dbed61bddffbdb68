//! The ticket of a recognition: how the recording sounds and the model, as JSON.
//!
//! With the calls that were answered it decides what is called for next, so any process can go on.
//! It holds no text, no address and no key.

use serde::{Deserialize, Serialize};
use verst_kernel::Failure;
use verst_recordings::codes;
use verst_recordings::ports::Ticket;

use super::stretch::Sound;

/// What a ticket holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Kept {
    /// The model's name at the server.
    pub(super) model: String,
    /// Whether the recording asked for that model itself.
    pub(super) own_model: bool,
    /// How it sounds.
    pub(super) sound: Sound,
}

impl Kept {
    /// As a ticket.
    pub(super) fn ticket(&self) -> Result<Ticket, Failure> {
        serde_json::to_string(self).map(Ticket).map_err(|_| unreadable())
    }

    /// From a ticket.
    pub(super) fn read(ticket: &Ticket) -> Result<Self, Failure> {
        serde_json::from_str(&ticket.0).map_err(|_| unreadable())
    }
}

fn unreadable() -> Failure {
    Failure::new(codes::PROVIDER_FAILED).term("reason", "ticket_unreadable")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_comes_back() {
        let sound = Sound {
            duration_ms: 7000,
            pauses: vec![(1, 2).into(), (3, 4).into()],
            voids: vec![(3, 4).into()],
        };
        let kept = Kept { model: "whisper-1".into(), own_model: false, sound };
        let ticket = kept.ticket().unwrap();
        assert!(ticket.0.contains("[[1,2],[3,4]]"), "{}", ticket.0);
        assert_eq!(Kept::read(&ticket).unwrap(), kept);
        assert!(Kept::read(&Ticket("operation-1".into())).is_err());
    }
}

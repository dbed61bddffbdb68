//! Buttons under a message, and what is in them. Telegram gives 64 bytes to each.
//!
//! **Invariant:** a button names a thing and a deed and nothing else. Anybody may send any text as if
//! it were a button's, so what may be done is asked when it is pressed.

use frankenstein::types::{InlineKeyboardButton, InlineKeyboardMarkup};
use verst_service::WorkId;

/// What a button does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    /// Goes on after a stop.
    Lift,
    /// Goes on with a new submission, which may cost.
    Again,
    /// Goes on waiting for the old one.
    Wait,
    /// Stops.
    Stop,
    /// Takes the candidate of this number, counted from 1.
    Choose(u8),
}

/// A button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Button {
    /// It does something.
    Press { text: String, deed: Deed },
    /// It leads somewhere.
    Link { text: String, url: String },
}

/// The longest text of a button that is shown on a telephone.
const TEXT_CHARACTERS: usize = 48;

impl Deed {
    /// As it stands in a button.
    pub(crate) fn data(self, work: WorkId) -> String {
        let id = work.0;
        match self {
            Self::Lift => format!("l:{id}"),
            Self::Again => format!("a:{id}"),
            Self::Wait => format!("w:{id}"),
            Self::Stop => format!("s:{id}"),
            Self::Choose(number) => format!("c:{id}:{number}"),
        }
    }

    /// What a button says.
    pub(crate) fn read(data: &str) -> Option<(Self, WorkId)> {
        let mut parts = data.split(':');
        let letter = parts.next()?;
        let id = WorkId(parts.next()?.parse().ok()?);
        let number = parts.next();
        let deed = match (letter, number) {
            ("l", None) => Self::Lift,
            ("a", None) => Self::Again,
            ("w", None) => Self::Wait,
            ("s", None) => Self::Stop,
            ("c", Some(number)) => Self::Choose(number.parse().ok()?),
            _ => return None,
        };
        parts.next().is_none().then_some((deed, id))
    }
}

/// Rows of one button each; `None` without any.
pub(crate) fn keyboard(buttons: &[Button], work: WorkId) -> Option<InlineKeyboardMarkup> {
    let row = |button: &Button| {
        let (text, data, url) = match button {
            Button::Press { text, deed } => (text, Some(deed.data(work)), None),
            Button::Link { text, url } => (text, None, Some(url.clone())),
        };
        let text: String = text.chars().take(TEXT_CHARACTERS).collect();
        let button = InlineKeyboardButton::builder().text(text);
        vec![button.maybe_callback_data(data).maybe_url(url).build()]
    };
    let rows: Vec<_> = buttons.iter().map(row).collect();
    let keyboard = || InlineKeyboardMarkup::builder().inline_keyboard(rows).build();
    (!buttons.is_empty()).then(keyboard)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_button_reads_back_and_is_short() {
        let id = WorkId(i64::MAX);
        for deed in [Deed::Lift, Deed::Again, Deed::Wait, Deed::Stop, Deed::Choose(255)] {
            let data = deed.data(id);
            assert!(data.len() <= 64, "{data}");
            assert_eq!(Deed::read(&data), Some((deed, id)));
        }
        for wrong in ["", "l", "l:", "l:x", "l:1:2", "c:1", "c:1:256", "c:1:2:3", "x:1", "12"] {
            assert_eq!(Deed::read(wrong), None, "{wrong}");
        }
    }
}

//! An error with everything that led to it, for a line of a log or of a terminal.

use std::error::Error;

/// The whole chain of causes in one line. Some errors say their cause's words themselves.
pub fn causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let said = cause.to_string();
        if !text.contains(&said) {
            text.push_str(": ");
            text.push_str(&said);
        }
        next = cause.source();
    }
    text
}

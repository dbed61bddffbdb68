//! Finding recordings by words, and showing where they were said.
//!
//! [`Card`] is what a store keeps of a recording: which stems it has and in which stretches of its
//! transcript. [`Query`] is what somebody looks for. [`snippet()`] marks hits in the original text. All
//! of it is pure; how a store finds cards by stems is the store's.
//!
//! **Invariant:** text and query go through the same rules, those of `words`; they have a number, and
//! a card says by which it was made.

mod card;
mod query;
mod russian;
mod snippet;
mod words;

pub use card::{Card, Content, Stretch};
pub use query::{Query, QueryError, Term};
pub use snippet::{Snippet, hits, snippet};

/// The number of the rules by which stems are made. A store makes cards of earlier rules anew.
pub const RULES: u32 = 1;

//! What a person writes about a recording.
//!
//! **Invariant:** no step writes any of it, so it holds whatever they do meanwhile.

use std::collections::BTreeMap;

use thiserror::Error;
use verst_kernel::{StoreError, WorkId};

use crate::Service;

/// The longest title, topic or name of a speaker, in characters.
const SHORT: usize = 300;
/// The longest summary, in characters.
const LONG: usize = 20_000;
/// Most topics and most speakers.
const MANY: usize = 64;

/// A change. `None` leaves a thing as it is; an empty text or list removes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edit {
    /// The title.
    pub title: Option<String>,
    /// The summary.
    pub summary: Option<String>,
    /// The topics, all of them.
    pub topics: Option<Vec<String>>,
    /// Names by the labels that stand in the transcript, all of them.
    pub speakers: Option<BTreeMap<String, String>>,
}

/// Why nothing was changed.
#[derive(Debug, Error)]
pub enum EditError {
    /// A text has too many characters.
    #[error("{field} is longer than {limit} characters")]
    TooLong {
        /// Which.
        field: &'static str,
        /// How many it may have.
        limit: usize,
    },
    /// A list has too many entries.
    #[error("{field} has more than {limit} entries")]
    TooMany {
        /// Which.
        field: &'static str,
        /// How many it may have.
        limit: usize,
    },
    /// No such recording.
    #[error("no such recording")]
    Missing,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Edit {
    /// Without surrounding space and empty entries, and within the limits. Pure.
    pub fn tidy(self) -> Result<Self, EditError> {
        let title = self.title.map(|text| tidy(&text, "title", SHORT)).transpose()?;
        let summary = self.summary.map(|text| tidy(&text, "summary", LONG)).transpose()?;
        let topics = self.topics.map(|topics| {
            let mut kept: Vec<String> = Vec::new();
            for topic in topics {
                let topic = tidy(&topic, "topics", SHORT)?;
                if !topic.is_empty() && !kept.contains(&topic) {
                    kept.push(topic);
                }
            }
            few("topics", kept.len()).map(|()| kept)
        });
        let speakers = self.speakers.map(|speakers| {
            let mut kept = BTreeMap::new();
            for (label, name) in speakers {
                let label = tidy(&label, "speakers", SHORT)?;
                let name = tidy(&name, "speakers", SHORT)?;
                if !label.is_empty() && !name.is_empty() {
                    kept.insert(label, name);
                }
            }
            few("speakers", kept.len()).map(|()| kept)
        });
        Ok(Self { title, summary, topics: topics.transpose()?, speakers: speakers.transpose()? })
    }
}

fn tidy(text: &str, field: &'static str, limit: usize) -> Result<String, EditError> {
    let text = text.trim();
    if text.chars().count() > limit {
        return Err(EditError::TooLong { field, limit });
    }
    Ok(text.to_owned())
}

fn few(field: &'static str, count: usize) -> Result<(), EditError> {
    if count > MANY { Err(EditError::TooMany { field, limit: MANY }) } else { Ok(()) }
}

impl Service {
    /// Writes what a person changed.
    pub async fn edit(&self, id: WorkId, edit: Edit) -> Result<(), EditError> {
        let edit = edit.tidy()?;
        if self.ledger.edit(id, edit).await? { Ok(()) } else { Err(EditError::Missing) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title(text: &str) -> Result<Option<String>, EditError> {
        let edit = Edit { title: Some(text.to_owned()), ..Edit::default() };
        edit.tidy().map(|edit| edit.title)
    }

    #[test]
    fn texts_are_trimmed_and_limited_by_characters() {
        assert_eq!(title("  имя \n").unwrap().as_deref(), Some("имя"));
        assert_eq!(title(" ").unwrap().as_deref(), Some(""));
        assert!(title(&"ы".repeat(SHORT)).is_ok());
        assert!(matches!(title(&"ы".repeat(SHORT + 1)), Err(EditError::TooLong { .. })));
    }

    #[test]
    fn lists_lose_what_is_empty_or_said_twice_and_are_limited() {
        let topics = |topics: Vec<String>| {
            let edit = Edit { topics: Some(topics), ..Edit::default() };
            edit.tidy().map(|edit| edit.topics.unwrap())
        };
        let typed = ["дом", " ", "дом ", "сад"].map(str::to_owned).to_vec();
        assert_eq!(topics(typed).unwrap(), ["дом", "сад"]);
        let many = (0..=MANY).map(|n| n.to_string()).collect();
        assert!(matches!(topics(many), Err(EditError::TooMany { .. })));
        let names = [("1", "Анна"), ("2", " ")].map(|(l, n)| (l.to_owned(), n.to_owned()));
        let edit = Edit { speakers: Some(names.into()), ..Edit::default() };
        let kept = edit.tidy().unwrap().speakers.unwrap();
        assert_eq!(kept, BTreeMap::from([("1".to_owned(), "Анна".to_owned())]));
    }
}

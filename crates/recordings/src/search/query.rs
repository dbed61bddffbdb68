//! What somebody looks for: words that all have to be there, in any order and any form.
//!
//! It refuses to know operators: `or`, `not`, brackets and quotation marks in what was typed are
//! words or nothing. An asterisk behind a word stands for any ending.

use thiserror::Error;

use super::words::{self, Word};

/// The longest query, in bytes.
const LONGEST_BYTES: usize = 1000;
/// The most words of a query.
const MOST_WORDS: usize = 16;
/// The shortest beginning of a word, in characters: a shorter one is that of every third word.
const SHORTEST_BEGINNING: usize = 3;

/// Why nothing can be looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum QueryError {
    /// There is no letter and no digit in it.
    #[error("the query has no words")]
    Empty,
    /// It is too long.
    #[error("the query is longer than {limit_bytes} bytes")]
    TooLong {
        /// The most there may be.
        limit_bytes: usize,
    },
    /// It has too many different words.
    #[error("the query has more than {limit} words")]
    TooManyWords {
        /// The most there may be.
        limit: usize,
    },
    /// A beginning before an asterisk is too short.
    #[error("a word before an asterisk has fewer than {least} letters")]
    ShortBeginning {
        /// The least there must be.
        least: usize,
    },
}

/// One word that is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Its stem.
    pub stem: String,
    /// With an asterisk: what stems may begin with as well.
    pub beginning: Option<String>,
}

impl Term {
    /// Whether a stem of a text is what is looked for.
    pub fn meets(&self, stem: &str) -> bool {
        stem == self.stem || self.beginning.as_ref().is_some_and(|b| stem.starts_with(b.as_str()))
    }
}

/// What is looked for: from one to sixteen different words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query(Vec<Term>);

impl Query {
    /// Reads what was typed.
    pub fn new(typed: &str) -> Result<Self, QueryError> {
        if typed.len() > LONGEST_BYTES {
            return Err(QueryError::TooLong { limit_bytes: LONGEST_BYTES });
        }
        let mut terms: Vec<Term> = Vec::new();
        for word in words::words(typed) {
            let term = term(&word, typed)?;
            if !term.stem.is_empty() && !terms.contains(&term) {
                terms.push(term);
            }
        }
        match terms.len() {
            0 => Err(QueryError::Empty),
            n if n > MOST_WORDS => Err(QueryError::TooManyWords { limit: MOST_WORDS }),
            _ => Ok(Self(terms)),
        }
    }

    /// The words, all of which have to be there.
    pub fn terms(&self) -> &[Term] {
        &self.0
    }
}

fn term(word: &Word<'_>, typed: &str) -> Result<Term, QueryError> {
    let beginning = typed[word.at.end..].starts_with('*').then(|| word.plain().replace('\'', ""));
    if beginning.as_ref().is_some_and(|b| b.chars().count() < SHORTEST_BEGINNING) {
        return Err(QueryError::ShortBeginning { least: SHORTEST_BEGINNING });
    }
    Ok(Term { stem: word.stem(), beginning })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(typed: &str, expected: &[(&str, Option<&str>)]) {
        let query = Query::new(typed).unwrap();
        let terms: Vec<(&str, Option<&str>)> =
            query.terms().iter().map(|t| (t.stem.as_str(), t.beginning.as_deref())).collect();
        assert_eq!(terms, expected, "{typed}");
    }

    #[test]
    fn words_are_stemmed_and_told_once() {
        check("Договоры  ДОГОВОРОВ, аренды!", &[("договор", None), ("аренд", None)]);
        check(
            "\"счёт фактура\" -NOT (or)",
            &[("счет", None), ("фактур", None), ("not", None), ("or", None)],
        );
        check("e-mail", &[("e", None), ("mail", None)]);
    }

    #[test]
    fn an_asterisk_takes_any_ending() {
        check("микро* Говорила*", &[("микр", Some("микро")), ("говор", Some("говорила"))]);
        check("* слово * ", &[("слов", None)]);
        let query = Query::new("микро*").unwrap();
        let met =
            ["микрофон", "микр", "микроскоп", "макро"].map(|stem| query.terms()[0].meets(stem));
        assert_eq!(met, [true, true, true, false]);
    }

    #[test]
    fn what_cannot_be_looked_for_is_told() {
        for empty in ["", "  ", "*", "\"\"", "— … !?", "'", "\u{301}"] {
            assert_eq!(Query::new(empty), Err(QueryError::Empty), "{empty:?}");
        }
        assert_eq!(Query::new("по*"), Err(QueryError::ShortBeginning { least: 3 }));
        let many: Vec<String> = (0..17).map(|n| n.to_string()).collect();
        assert_eq!(Query::new(&many.join(" ")), Err(QueryError::TooManyWords { limit: 16 }));
        assert!(Query::new(&many[1..].join(" ")).is_ok());
        assert_eq!(Query::new(&"a".repeat(1001)), Err(QueryError::TooLong { limit_bytes: 1000 }));
        assert!(Query::new(&"a".repeat(1000)).is_ok());
    }
}

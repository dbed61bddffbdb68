//! What a face may tell about the models in use. A face shows it with the sentences
//! `models-first-try`, `models-better` and `models-better-here` of `words`.

/// The model in use is for a first try, and others do better.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelAdvice {
    /// The model in use, as it is shown to people.
    pub model: String,
    /// What does better, one for each language.
    pub better: Vec<Better>,
}

/// A model that does better.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Better {
    /// For recordings in this language, as a code; `words` has `models-for-<code>`.
    pub language: String,
    /// Its name, for `verst models pull` and `verst models use`.
    pub model: String,
    /// What it is called.
    pub title: String,
    /// Whether it was pulled already and only has to be used.
    pub here: bool,
}

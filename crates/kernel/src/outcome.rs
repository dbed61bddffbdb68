//! What a step saw, as a value.

use std::time::Duration;

use crate::Failure;

/// The outcome of one run of a step. There is no way to say "lost" here: only a store can know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome<P> {
    /// The next milestone is reached.
    Advance(P),
    /// A foreign operation still runs. Spends no failure and resets them.
    Defer {
        /// When to look again; a fixed number, not derived from failures.
        delay: Duration,
        /// What is waited for.
        why: Failure,
        /// What to keep besides.
        product: Option<P>,
    },
    /// A resource of ours is taken, or a provider is paused. Only this run's attempt is given
    /// back; earlier failures stay and the wait does not count against patience.
    Busy {
        /// When to look again.
        delay: Duration,
        /// What is waited for.
        why: Failure,
        /// Whether the provider as a whole is in trouble: the run is then logged and counted as a
        /// failure, though the work does not pay for it.
        trouble: bool,
    },
    /// Something went wrong that may go right later.
    Fail(Failure),
    /// Something that will not go right without a person.
    Verdict(Failure),
}

impl<P> Outcome<P> {
    /// Name for metrics and journal.
    pub fn label(&self) -> &'static str {
        match self {
            Self::Advance(_) => "success",
            Self::Defer { .. } => "deferred",
            Self::Busy { trouble: false, .. } => "busy",
            Self::Busy { trouble: true, .. } => "trouble",
            Self::Fail(_) => "failure",
            Self::Verdict(_) => "verdict",
        }
    }

    /// The same outcome with another kind of product.
    pub fn map<Q>(self, f: impl Fn(P) -> Q) -> Outcome<Q> {
        match self {
            Self::Advance(p) => Outcome::Advance(f(p)),
            Self::Defer { delay, why, product } => {
                Outcome::Defer { delay, why, product: product.map(f) }
            }
            Self::Busy { delay, why, trouble } => Outcome::Busy { delay, why, trouble },
            Self::Fail(failure) => Outcome::Fail(failure),
            Self::Verdict(failure) => Outcome::Verdict(failure),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> [Outcome<u8>; 6] {
        let (delay, why) = (Duration::from_secs(1), Failure::new("why"));
        let busy = |trouble| Outcome::Busy { delay, why: Failure::new("why"), trouble };
        [
            Outcome::Advance(2),
            Outcome::Defer { delay, why: why.clone(), product: Some(3) },
            busy(false),
            busy(true),
            Outcome::Fail(why.clone()),
            Outcome::Verdict(why),
        ]
    }

    #[test]
    fn each_has_a_label_of_its_own() {
        let labels = all().map(|outcome| outcome.label());
        assert_eq!(labels, ["success", "deferred", "busy", "trouble", "failure", "verdict"]);
    }

    #[test]
    fn another_kind_of_product_changes_nothing_else() {
        let doubled = all().map(|outcome| outcome.map(|product| product * 2));
        assert_eq!(doubled[0], Outcome::Advance(4));
        let Outcome::Defer { product, .. } = &doubled[1] else { panic!("{:?}", doubled[1]) };
        assert_eq!(*product, Some(6));
        assert_eq!(doubled[2..], all()[2..]);
    }
}

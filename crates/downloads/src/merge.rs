//! Which of two downloads goes on when they turn out to be the same torrent.

use verst_kernel::WorkId;

use crate::LINE;

/// A download that is active.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rival {
    /// Which.
    pub id: WorkId,
    /// The milestone that it has reached.
    pub milestone: String,
}

/// The one that goes on: the one that is further along, then the earlier one.
pub fn survivor(one: &Rival, other: &Rival) -> WorkId {
    let place = |rival: &Rival| {
        let stages = LINE.stages();
        let along = stages.iter().find(|stage| stage.name == rival.milestone);
        (std::cmp::Reverse(along.map_or(0, |stage| stage.position)), rival.id)
    };
    if place(one) <= place(other) { one.id } else { other.id }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_further_along_goes_on_then_the_earlier() {
        let rival = |id, milestone: &str| Rival { id: WorkId(id), milestone: milestone.to_owned() };
        for (one, other, goes_on) in [
            (rival(1, "downloading"), rival(2, "completed"), 2),
            (rival(2, "identified"), rival(1, "completed"), 2),
            (rival(2, "downloading"), rival(1, "downloading"), 1),
            (rival(1, "caught"), rival(2, "downloading"), 2),
        ] {
            assert_eq!(survivor(&one, &other), WorkId(goes_on));
            assert_eq!(survivor(&other, &one), WorkId(goes_on));
        }
    }
}

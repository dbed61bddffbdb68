//! What may happen, in words that both sides understand.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::Union;
use verst_downloads::hash::{Hashes, InfoHash};

use super::model::Model;

/// Torrents of this world, all of them hybrids.
const TORRENTS: u8 = 3;

/// By which of its names somebody knows a torrent.
#[derive(Clone, Copy, Debug)]
pub(super) enum Known {
    V1,
    V2,
    /// The beginning of the v2 hash, which is as long as a v1 hash.
    Short,
    All,
}

/// How long ago a claim, or a first half of a retry, was made: 0 is the last one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Age(pub(super) usize);

/// What a step saw.
#[derive(Clone, Copy, Debug)]
pub(super) enum Saw {
    Well,
    Refused,
    Doubt,
    Nothing,
}

/// What a look saw of a torrent, which says what is written by how the download stood when it was read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Seen {
    /// As it was.
    Still,
    /// It moves, or has come alive.
    Alive,
    Whole,
    /// No data for too long.
    Idle,
    /// It is not there.
    Gone,
}

#[derive(Clone, Debug)]
pub(super) enum Command {
    Catch {
        torrent: u8,
        known: Known,
        chat: u8,
    },
    Claim,
    Settle {
        claim: Age,
        saw: Saw,
    },
    /// Reads all that is followed.
    Read,
    /// Writes what was seen of the one at this place of the last reading.
    Observe {
        watch: Age,
        place: usize,
        seen: Seen,
        learns: bool,
    },
    Stop {
        work: i64,
    },
    GoOn {
        work: i64,
    },
    BeginRetry {
        work: i64,
    },
    FinishRetry {
        retry: Age,
    },
    PlaceAgain {
        work: i64,
    },
    /// The process ends and begins again.
    Restart,
    Pass,
}

/// The names of a torrent by which it is known so.
pub(super) fn names(torrent: u8, known: Known) -> Hashes {
    let v1 = InfoHash::v1([torrent; 20]);
    let v2 = InfoHash::v2([100 + torrent; 32]);
    let short = InfoHash::v1([100 + torrent; 20]);
    match known {
        Known::V1 => Hashes::from_iter([v1]),
        Known::V2 => Hashes::from_iter([v2]),
        Known::Short => Hashes::from_iter([short]),
        Known::All => Hashes::from_iter([v1, v2]),
    }
}

/// All names of the torrent that has one of these.
pub(super) fn all_names(of: &Hashes) -> Hashes {
    let all = (0..TORRENTS).map(|torrent| names(torrent, Known::All));
    all.into_iter().find(|all| all.meets(of)).expect("it is of this world")
}

pub(super) fn next(model: &Model) -> BoxedStrategy<Command> {
    let scene = model.scene();
    let work = 2..=scene.works + 2;
    let known = select(vec![Known::V1, Known::V2, Known::Short, Known::All]);
    let catch = (0..TORRENTS, known, 0_u8..3).prop_map(|(torrent, known, chat)| Command::Catch {
        torrent,
        known,
        chat,
    });
    let mut all = vec![
        (1, Just(Command::Pass).boxed()),
        (4, catch.boxed()),
        (6, Just(Command::Claim).boxed()),
        (3, Just(Command::Read).boxed()),
        (2, work.clone().prop_map(|work| Command::Stop { work }).boxed()),
        (2, work.clone().prop_map(|work| Command::GoOn { work }).boxed()),
        (3, work.clone().prop_map(|work| Command::BeginRetry { work }).boxed()),
        (2, work.prop_map(|work| Command::PlaceAgain { work }).boxed()),
        (1, Just(Command::Restart).boxed()),
    ];
    if scene.claims > 0 {
        let settle = (0..scene.claims.min(4), saw());
        let settle = settle.prop_map(|(claim, saw)| Command::Settle { claim: Age(claim), saw });
        all.push((5, settle.boxed()));
    }
    if !scene.watches.is_empty() && !scene.unwritten.is_empty() {
        let observe = (select(scene.watches), select(scene.unwritten), seen(), any::<bool>());
        let observe = observe.prop_map(|(watch, place, seen, learns)| Command::Observe {
            watch: Age(watch),
            place,
            seen,
            learns,
        });
        all.push((12, observe.boxed()));
    }
    if scene.retries > 0 {
        let finish = (0..scene.retries.min(3)).prop_map(Age);
        all.push((4, finish.prop_map(|retry| Command::FinishRetry { retry }).boxed()));
    }
    Union::new_weighted(all).boxed()
}

fn saw() -> impl Strategy<Value = Saw> {
    prop_oneof![5 => Just(Saw::Well), 1 => Just(Saw::Refused), 1 => Just(Saw::Doubt), 1 => Just(Saw::Nothing)]
}

fn seen() -> impl Strategy<Value = Seen> {
    select(vec![Seen::Still, Seen::Alive, Seen::Whole, Seen::Idle, Seen::Gone])
}

//! Values that the checks of downloads are made of.

use verst_downloads::filing::{Filing, Movie, Role};
use verst_downloads::hash::{Hashes, InfoHash};
use verst_downloads::model::{Measures, Sender, Source};
use verst_downloads::names::{Candidate, Kind};
use verst_downloads::ports::{Given, Sight, Turn};
use verst_kernel::{Change, Failure, Stop, StopReason};
use verst_service::Product as AnyProduct;

use super::release;

/// Names of a torrent, each made of a number.
pub(super) fn called(numbers: &[u8]) -> Hashes {
    numbers.iter().map(|number| InfoHash::v1([*number; 20])).collect()
}

/// A magnet of the first of these hashes.
pub(super) fn given(hashes: &Hashes) -> Given {
    let first = hashes.iter().next().expect("a hash");
    Given::Magnet(format!("magnet:?xt=urn:btih:{first}"))
}

pub(super) fn sender(chat: &str) -> Sender {
    Sender { source: Source::Telegram, reply_to: Some(chat.to_owned()), owner: None }
}

/// A look that saw nothing new.
pub(super) fn stay() -> Sight {
    Sight {
        turn: Turn::Stay,
        measures: Measures::default(),
        learned: Hashes::default(),
        called: None,
        in_client: true,
        bytes: None,
    }
}

/// A look that ends in a stop.
pub(super) fn stop(code: &'static str) -> Sight {
    let mark = Stop { reason: StopReason::Stuck, failure: Failure::new(code) };
    Sight { turn: Turn::Stop(mark), ..stay() }
}

/// A step's verdict.
pub(super) fn verdict(code: &'static str) -> Change<AnyProduct> {
    let mark = Stop { reason: StopReason::Verdict, failure: Failure::new(code) };
    Change { stop: Some(mark), ..release() }
}

/// A film that it may be.
pub(super) fn candidate() -> Candidate {
    let movie = Movie { title: "Имя".to_owned(), year: Some(2019), ..Movie::default() };
    let filing = Filing { roles: [(0, Role::Movie(movie))].into() };
    Candidate { kind: Kind::Movie, title: "Имя".to_owned(), year: Some(2019), filing }
}

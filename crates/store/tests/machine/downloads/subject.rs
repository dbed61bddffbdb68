//! The store under test, asked through its ports.

use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;
use verst_downloads::filing::Filing;
use verst_downloads::model::{Measures, NewDownload, Product, Sender, Source};
use verst_downloads::names::{Candidate, Kind};
use verst_downloads::ports::{Given, Observed, Onward, Retried, RetryBegun, Sight};
use verst_downloads::{codes, ports};
use verst_kernel::{
    Change, Claim, Failure, Fence, Settled, Stop, StopByPerson, StopReason, WorkId,
};
use verst_service::Product as AnyProduct;
use verst_store::Store;
use verst_testkit::release;

use super::command::{Age, Command, Saw, Seen, names};
use super::model::{Answer, Row, Turn, WATCH, what};
use crate::given;
use crate::ground::Ground;

pub(super) struct Subject<'a> {
    ground: &'a mut dyn Ground,
    store: Arc<dyn Store>,
    claims: Vec<Claim>,
    retries: Vec<(WorkId, Fence)>,
    reading: Vec<(Row, Fence)>,
    last: i64,
}

impl<'a> Subject<'a> {
    /// An empty one with the record of a watch.
    pub(super) fn fresh(ground: &'a mut dyn Ground) -> Self {
        ground.clear();
        let store = ground.store();
        let watch = Handle::current().block_on(store.watch("qbittorrent")).unwrap();
        assert_eq!(watch, WorkId(WATCH));
        let (claims, retries, reading) = (Vec::new(), Vec::new(), Vec::new());
        Self { ground, store, claims, retries, reading, last: WATCH }
    }

    pub(super) fn obey(&mut self, command: &Command) -> Answer {
        Handle::current().block_on(self.ask(command))
    }

    /// Every download.
    pub(super) fn rows(&self) -> Vec<Row> {
        let ids = (WATCH + 1..=self.last).map(WorkId);
        Handle::current().block_on(async {
            let mut rows = Vec::new();
            for id in ids {
                rows.push(self.row(id).await);
            }
            rows
        })
    }

    async fn row(&self, id: WorkId) -> Row {
        let view = self.store.download_view(id).await.unwrap().expect("it is there");
        let found = self.store.download(id).await.unwrap().expect("it is there");
        let story = self.store.journal(id).await.unwrap();
        let chat = |sender: &Sender| sender.reply_to.as_deref().unwrap().parse().unwrap();
        Row {
            id: id.0,
            milestone: view.work.milestone,
            stop: view.work.stop.map(|mark| (mark.reason, mark.failure.code.into_owned())),
            held: view.work.held,
            names: found.hashes,
            in_client: found.in_client,
            filed: found.filing.is_some(),
            chats: found.senders.iter().map(chat).collect(),
            merged: found.merged_into.map(|id| id.0),
            story: story.into_iter().map(|row| (row.event, row.milestone)).collect(),
        }
    }

    async fn ask(&mut self, command: &Command) -> Answer {
        let (store, person, here) = (self.store.clone(), given::PERSON, given::instance(0));
        match *command {
            Command::Catch { torrent, known, chat } => {
                let (source, reply_to) = (Source::Telegram, Some(chat.to_string()));
                let sender = Sender { source, reply_to, owner: None };
                let given = Given::Magnet("magnet:?".to_owned());
                let hashes = names(torrent, known);
                let new = NewDownload { sender, given, hashes, name: None, size_bytes: None };
                let accepted = store.catch(new).await.unwrap();
                self.last = self.last.max(accepted.id.0);
                Answer::Caught(accepted.id.0, accepted.fresh)
            }
            Command::Claim => {
                let claim = store.claim(&here).await.unwrap();
                let told = claim.as_ref().map(|claim| (claim.id().0, claim.fence().0));
                self.claims.extend(claim);
                Answer::Claimed(told)
            }
            Command::Settle { claim, saw } => {
                let claim = &self.claims[self.claims.len() - 1 - claim.0];
                // A holder that has lost its claim believes in the milestone that it remembers.
                let standing = store.standing(claim).await.unwrap();
                let milestone = standing.map_or_else(|| "caught".to_owned(), |it| it.milestone);
                let settled = store.settle(claim, &change(&milestone, saw)).await.unwrap();
                Answer::Written(matches!(settled, Settled::Done(_)))
            }
            Command::Read => {
                let mut reading = Vec::new();
                for task in store.followed().await.unwrap() {
                    reading.push((self.row(task.id).await, task.fence));
                }
                self.reading = reading;
                let told = self.reading.iter().map(|(row, fence)| (row.id, fence.0));
                Answer::Followed(told.collect())
            }
            Command::Observe { watch, place, seen, learns } => {
                self.observe(watch, place, seen, learns).await
            }
            Command::Stop { work } => {
                match store.stop(&here, WorkId(work), person).await.unwrap() {
                    StopByPerson::Missing => Answer::Missing,
                    stopped => Answer::Written(matches!(stopped, StopByPerson::Stopped(_))),
                }
            }
            Command::GoOn { work } => {
                onward(store.go_on(WorkId(work), person, None).await.unwrap())
            }
            Command::BeginRetry { work } => match store.begin_retry(WorkId(work)).await.unwrap() {
                RetryBegun::Begun { fence, .. } => {
                    self.retries.push((WorkId(work), fence));
                    Answer::Begun(fence.0)
                }
                RetryBegun::Owned(other) => Answer::Owned(other.0),
                RetryBegun::NotStopped => Answer::NotStopped,
                RetryBegun::Missing => Answer::Missing,
            },
            Command::FinishRetry { retry } => {
                let (id, fence) = self.retries[self.retries.len() - 1 - retry.0];
                match store.finish_retry(id, fence, person).await.unwrap() {
                    Retried::Done => Answer::Written(true),
                    Retried::Lost => Answer::Written(false),
                    Retried::Owned(other) => Answer::Owned(other.0),
                }
            }
            Command::PlaceAgain { work } => {
                onward(store.place_again(WorkId(work), person).await.unwrap())
            }
            Command::Restart => {
                self.ground.reopen();
                self.store = self.ground.store();
                self.store.reclaim(&here, Arc::new(|_| Duration::ZERO)).await.unwrap();
                Answer::Silence
            }
            Command::Pass => {
                self.ground.clock().pass(Duration::from_micros(1));
                Answer::Silence
            }
        }
    }

    async fn observe(&self, watch: Age, place: usize, seen: Seen, learns: bool) -> Answer {
        let watch = &self.claims[self.claims.len() - 1 - watch.0];
        let (read, fence) = &self.reading[place];
        let look = what(read, seen, learns);
        let turn = match look.turn {
            Turn::Stay => ports::Turn::Stay,
            Turn::Complete => ports::Turn::Complete,
            Turn::Stop(code) => {
                let failure = Failure::new(code);
                ports::Turn::Stop(Stop { reason: StopReason::Stuck, failure })
            }
            Turn::Revive(to) => ports::Turn::Revive { complete: to == "completed" },
        };
        let sight = Sight {
            turn,
            measures: Measures::default(),
            learned: look.learned,
            called: None,
            in_client: look.in_client,
            bytes: None,
        };
        match self.store.observe(watch, (WorkId(read.id), *fence), sight).await.unwrap() {
            Observed::Written(_) => Answer::Written(true),
            Observed::Lost => Answer::Written(false),
            Observed::WatchLost => Answer::WatchLost,
            Observed::Owned(other) => Answer::Owned(other.0),
            Observed::Merged { into, from } => Answer::Merged { into: into.0, from: from.0 },
        }
    }
}

fn onward(went: Onward) -> Answer {
    match went {
        Onward::Lifted => Answer::Written(true),
        Onward::NotStopped => Answer::NotStopped,
        Onward::Owned(other) => Answer::Owned(other.0),
        Onward::Missing => Answer::Missing,
    }
}

/// What a step that leaves this milestone brings.
fn change(milestone: &str, saw: Saw) -> Change<AnyProduct> {
    let verdict = |code| Some(Stop { reason: StopReason::Verdict, failure: Failure::new(code) });
    let filing = Filing { roles: std::collections::BTreeMap::new() };
    let candidate =
        Candidate { kind: Kind::Movie, title: String::new(), year: None, filing: filing.clone() };
    let well = match milestone {
        "caught" => Some(("downloading", Product::Added)),
        "completed" => Some(("identified", Product::Filing(filing))),
        "identified" => Some(("done", Product::Placed)),
        // The watch's record.
        _ => None,
    };
    match (saw, well) {
        (_, None) | (Saw::Nothing, _) => release(),
        (Saw::Well, Some((to, product))) => {
            Change { advance: Some(to), product: Some(product.into()), ..release() }
        }
        (Saw::Refused, _) => Change { stop: verdict(codes::ADD_REFUSED), ..release() },
        (Saw::Doubt, _) => {
            let product = Some(Product::Candidates(vec![candidate]).into());
            Change { stop: verdict(codes::NEEDS_CHOICE), product, ..release() }
        }
    }
}

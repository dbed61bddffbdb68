//! Downloads: which of them are active, what a look writes, and a person's retry.

use futures::future::join_all;
use verst_downloads::codes;
use verst_downloads::model::{Accepted, Download, Measures, NewDownload, Product, Sender, Source};
use verst_downloads::names::{Memory, Series};
use verst_downloads::ports::{
    Contact, Followed, Given, Observed, Onward, Retried, RetryBegun, Sight, Turn,
};
use verst_kernel::{
    Actor, Change, Claim, Event, Failure, Fence, NoticeKind, Settled, Stop, StopByPerson,
    StopReason, WorkId,
};
use verst_service::WorkView;

use super::download_values::{called, candidate, given, sender, stay, stop, verdict};
use super::{SECOND, Subject, advance, here, release};

impl Subject {
    /// Takes a download with these hashes in, from this chat.
    async fn catch(&self, hashes: &[u8], chat: &str) -> Accepted {
        let (hashes, sender) = (called(hashes), sender(chat));
        let given = given(&hashes);
        let new = NewDownload { sender, given, hashes, name: None, size_bytes: None };
        self.store.catch(new).await.unwrap()
    }

    /// One that is in the client.
    async fn downloading(&self, hashes: &[u8]) -> WorkId {
        let caught = self.catch(hashes, "chat-1").await;
        assert!(caught.fresh, "nobody else has it");
        self.take_along(caught.id, "downloading", Product::Added).await;
        caught.id
    }

    /// Claims this one, which alone is ready, and moves it on.
    async fn take_along(&self, id: WorkId, to: &'static str, product: Product) {
        let claim = self.hold().await;
        assert_eq!(claim.id(), id, "nothing else may be ready");
        let change = Change { product: Some(product.into()), ..advance(to) };
        assert!(matches!(self.settle(&claim, change).await, Settled::Done(_)));
    }

    /// The claim of the watch; nothing else may be ready.
    async fn watch(&self) -> Claim {
        let watch = self.store.watch("qbittorrent").await.unwrap();
        let claim = self.hold().await;
        assert_eq!(claim.id(), watch, "nothing else may be ready");
        claim
    }

    async fn followed(&self, id: WorkId) -> Followed {
        let followed = self.store.followed().await.unwrap();
        followed.into_iter().find(|task| task.id == id).expect("it is followed")
    }

    /// What a look writes, under the fence as it is.
    async fn look(&self, watch: &Claim, id: WorkId, sight: Sight) -> Observed {
        let fence = self.followed(id).await.fence;
        self.store.observe(watch, (id, fence), sight).await.unwrap()
    }

    /// One that our impatience gave up.
    async fn given_up(&self, watch: &Claim, id: WorkId) {
        let observed = self.look(watch, id, stop(codes::MAGNET_TIMEOUT)).await;
        assert!(matches!(observed, Observed::Written(Some(_))), "{observed:?}");
    }

    async fn download(&self, id: WorkId) -> Download {
        self.store.download(id).await.unwrap().expect("it is there")
    }

    async fn work(&self, id: WorkId) -> WorkView {
        self.store.download_view(id).await.unwrap().expect("it is there").work
    }

    /// All that is stored of it.
    async fn all(&self, id: WorkId) -> (Download, WorkView, usize) {
        let rows = self.store.journal(id).await.unwrap().len();
        (self.download(id).await, self.work(id).await, rows)
    }
}

/// Whoever comes first, all others are told about that one.
pub async fn many_intakes_of_one_torrent_are_one_download(s: Subject) {
    let chats: Vec<String> = (0..50).map(|n| format!("chat-{}", n % 10)).collect();
    // Two that they share, as locks that are taken in another order each time would show.
    let hashes: Vec<[u8; 3]> = (0..50).map(|n| [200, 201, n]).collect();
    let caught = chats.iter().zip(&hashes).map(|(chat, hashes)| s.catch(hashes, chat));
    let caught = join_all(caught).await;
    let id = caught[0].id;
    assert!(caught.iter().all(|accepted| accepted.id == id), "{caught:?}");
    assert_eq!(caught.iter().filter(|accepted| accepted.fresh).count(), 1);
    let mut senders: Vec<_> = s.download(id).await.senders;
    senders.sort_by(|one, other| one.reply_to.cmp(&other.reply_to));
    let each: Vec<Sender> = (0..10).map(|n| sender(&format!("chat-{n}"))).collect();
    assert_eq!(senders, each, "each once");
    assert_eq!(s.hold().await.id(), id);
    assert!(s.claim().await.is_none());
}

/// What was taken in, unchanged.
pub async fn a_download_reads_back_as_it_was_given(s: Subject) {
    let hashes = called(&[1, 2]);
    let nobody = Sender { source: Source::Http, reply_to: None, owner: Some("anna".to_owned()) };
    let bytes = Given::Torrent(vec![0, 1, 0xff]);
    let new = NewDownload {
        sender: nobody.clone(),
        given: bytes.clone(),
        hashes: hashes.clone(),
        name: Some("имя".to_owned()),
        size_bytes: Some(1 << 40),
    };
    let id = s.store.catch(new.clone()).await.unwrap().id;
    assert_eq!(s.store.catch(new).await.unwrap(), Accepted { id, fresh: false });
    let found = s.download(id).await;
    assert_eq!((found.given, found.hashes, found.senders), (bytes, hashes, vec![nobody]));
    assert_eq!((found.name.as_deref(), found.size_bytes), (Some("имя"), Some(1 << 40)));
    assert_eq!((found.measures, found.in_client), (Measures::default(), false));
    assert_eq!((found.filing, found.merged_into), (None, None));
    assert!(found.candidates.is_empty() && found.placed.is_empty());
    assert_eq!(s.store.download(WorkId(id.0 + 100)).await.unwrap(), None);
}

/// Derived from the row: no key is kept beside it.
pub async fn active_is_what_may_still_go_on(s: Subject) {
    let watch = s.watch().await;
    let done = s.downloading(&[1]).await;
    s.look(&watch, done, Sight { turn: Turn::Complete, ..stay() }).await;
    s.take_along(done, "done", Product::Placed).await;
    assert!(s.catch(&[1], "chat-2").await.fresh, "what is done is had again");
    s.settle(&s.hold().await, verdict(codes::ADD_REFUSED)).await;
    assert!(s.catch(&[1], "chat-2").await.fresh, "what failed was given up");
    s.settle(&s.hold().await, verdict(codes::NEEDS_CHOICE)).await;
    assert!(!s.catch(&[1], "chat-2").await.fresh, "what waits for a choice waits");

    let kept = s.downloading(&[2]).await;
    s.store.stop(&here(), kept, "anna").await.unwrap();
    assert_eq!(s.catch(&[2], "chat-2").await, Accepted { id: kept, fresh: false });
    s.look(&watch, kept, Sight { in_client: false, ..stay() }).await;
    assert!(s.catch(&[2], "chat-2").await.fresh, "its torrent is not kept");
}

/// Of the watch or of the download.
pub async fn a_look_under_a_moved_fence_writes_nothing(s: Subject) {
    let watch = s.watch().await;
    let id = s.downloading(&[1]).await;
    let read = s.followed(id).await;
    let measures = Measures { received_bytes: 7, ..Measures::default() };
    let seen = Sight {
        turn: Turn::Complete,
        measures,
        learned: called(&[2]),
        called: Some(("name".to_owned(), 7)),
        in_client: false,
        bytes: Some(vec![1]),
    };
    s.store.stop(&here(), id, "anna").await.unwrap();
    let before = s.all(id).await;
    let observe = |fence: Fence| s.store.observe(&watch, (id, fence), seen.clone());
    assert_eq!(observe(read.fence).await.unwrap(), Observed::Lost);
    assert_eq!(s.all(id).await, before);
    assert_eq!(s.store.contact(watch.id()).await.unwrap(), None);
    let now = s.store.now().await.unwrap();
    for contact in [Contact::Silent(now), Contact::Answering(now)] {
        assert!(s.store.keep_contact(&watch, contact).await.unwrap());
        assert_eq!(s.store.contact(watch.id()).await.unwrap(), Some(contact));
    }
    s.settle(&watch, release()).await;
    let fence = s.followed(id).await.fence;
    assert_eq!(observe(fence).await.unwrap(), Observed::WatchLost);
    assert_eq!(s.all(id).await, before);
    assert!(!s.store.keep_contact(&watch, Contact::Silent(now)).await.unwrap());
    let kept = s.store.contact(watch.id()).await.unwrap();
    assert_eq!(kept, Some(Contact::Answering(now)));
}

/// All of it, and who is to be told.
pub async fn what_a_look_saw_is_written(s: Subject) {
    let watch = s.watch().await;
    let id = s.downloading(&[1]).await;
    let measures = Measures { retried_at: Some(5), absent_listings: 2, ..Measures::default() };
    let seen = Sight {
        measures: measures.clone(),
        learned: called(&[2]),
        called: Some(("name".to_owned(), 7)),
        bytes: Some(vec![1]),
        ..stay()
    };
    assert_eq!(s.look(&watch, id, seen).await, Observed::Written(None));
    let found = s.download(id).await;
    assert_eq!((found.measures, found.hashes), (measures, called(&[1, 2])));
    assert_eq!((found.name.as_deref(), found.size_bytes), (Some("name"), Some(7)));
    assert!(!s.followed(id).await.bytes_wanted, "they are kept");
    assert!(matches!(found.given, Given::Magnet(_)), "it is still added by its link");
    let Observed::Written(Some(notice)) = s.look(&watch, id, stop(codes::STALLED)).await else {
        panic!("it is told")
    };
    assert_eq!((notice.work, &notice.kind), (id, &NoticeKind::Stopped(Failure::new("stalled"))));
    assert!(s.store.take_notice(notice.id).await.unwrap());
    assert_eq!(s.work(id).await.stop.expect("stopped").reason, StopReason::Stuck);
    let revived = Sight { turn: Turn::Revive { complete: true }, ..stay() };
    assert_eq!(s.look(&watch, id, revived).await, Observed::Written(None));
    let work = s.work(id).await;
    assert_eq!((&*work.milestone, work.stop), ("completed", None));
    let story: Vec<Event> =
        s.store.journal(id).await.unwrap().into_iter().map(|entry| entry.event).collect();
    assert_eq!(story, [Event::Stopped, Event::Lifted]);
    assert_eq!(s.hold().await.id(), id, "and it is ready");
}

/// The one that is further along, then the earlier one.
pub async fn downloads_of_one_torrent_become_one(s: Subject) {
    let watch = s.watch().await;
    for (n, further) in [(10, true), (20, false)] {
        let first = s.downloading(&[n]).await;
        let second = s.catch(&[n + 1], "chat-2").await.id;
        s.take_along(second, "downloading", Product::Added).await;
        let mut held = None;
        if further {
            s.look(&watch, second, Sight { turn: Turn::Complete, ..stay() }).await;
            held = Some(s.hold().await);
        }
        let read = s.followed(first).await;
        let learned = Sight { learned: called(&[n + 1]), ..stay() };
        let observed = s.look(&watch, first, learned).await;
        let (into, from) = if further { (second, first) } else { (first, second) };
        assert_eq!(observed, Observed::Merged { into, from });
        let (survivor, ended) = (s.download(into).await, s.download(from).await);
        assert_eq!((survivor.merged_into, ended.merged_into), (None, Some(into)));
        assert_eq!((&*s.work(from).await.milestone, survivor.in_client), ("done", true));
        assert_eq!(survivor.hashes, called(&[n, n + 1]));
        let mut chats: Vec<_> =
            survivor.senders.iter().filter_map(|it| it.reply_to.clone()).collect();
        chats.sort();
        assert_eq!(chats, ["chat-1", "chat-2"]);
        let late = s.store.observe(&watch, (first, read.fence), stay()).await.unwrap();
        assert_eq!(late, Observed::Lost, "both fences grow");
        if let Some(held) = held {
            assert_eq!(s.settle(&held, advance("identified")).await, Settled::Lost);
            let again = s.hold().await;
            assert_eq!(again.id(), into, "and the survivor is free");
            s.settle(&again, advance("done")).await;
        } else {
            assert_eq!(s.catch(&[n + 1], "chat-1").await, Accepted { id: into, fresh: false });
        }
    }
}

/// At most one active download has a hash.
pub async fn what_another_owns_is_not_revived(s: Subject) {
    let watch = s.watch().await;
    let first = s.downloading(&[1]).await;
    s.given_up(&watch, first).await;
    let second = s.downloading(&[1]).await;
    assert_ne!(first, second);
    let before = s.all(first).await;
    let revived = Sight { turn: Turn::Revive { complete: false }, ..stay() };
    assert_eq!(s.look(&watch, first, revived.clone()).await, Observed::Owned(second));
    assert_eq!(s.all(first).await, before);
    // By a name that it only learns now, too.
    let third = s.downloading(&[3]).await;
    s.given_up(&watch, third).await;
    let learned = Sight { learned: called(&[1]), ..revived };
    assert_eq!(s.look(&watch, third, learned.clone()).await, Observed::Owned(second));
    let seen = Sight { turn: Turn::Stay, ..learned };
    assert_eq!(s.look(&watch, third, seen).await, Observed::Owned(second));
    assert_eq!(s.download(third).await.hashes, called(&[3]));
    assert!(
        matches!(s.store.begin_retry(first).await.unwrap(), RetryBegun::Owned(id) if id == second)
    );
    assert_eq!(s.store.go_on(first, "anna", None).await.unwrap(), Onward::Owned(second));
    assert_eq!(s.all(first).await, before);
}

async fn begun(s: &Subject, id: WorkId) -> Fence {
    match s.store.begin_retry(id).await.unwrap() {
        RetryBegun::Begun { fence, hashes, given: source } => {
            assert_eq!(source, given(&hashes));
            fence
        }
        other => panic!("{other:?}"),
    }
}

/// The mark stays until its torrent was seen; whoever has the fence writes.
pub async fn a_retry_has_two_halves(s: Subject) {
    let watch = s.watch().await;
    let id = s.downloading(&[1]).await;
    assert_eq!(s.store.begin_retry(id).await.unwrap(), RetryBegun::NotStopped);
    let missing = WorkId(id.0 + 100);
    assert_eq!(s.store.begin_retry(missing).await.unwrap(), RetryBegun::Missing);
    let measures = Measures { floor: Some(3), received_bytes: 9, ..Measures::default() };
    s.look(&watch, id, Sight { measures, ..stop(codes::STALLED) }).await;
    let read = s.followed(id).await;
    let first = begun(&s, id).await;
    assert!(first > read.fence);
    assert!(s.work(id).await.stop.is_some(), "the mark stays");
    let revived = Sight { turn: Turn::Revive { complete: false }, ..stay() };
    let late = s.store.observe(&watch, (id, read.fence), revived.clone()).await.unwrap();
    assert_eq!(late, Observed::Lost);
    let second = begun(&s, id).await;
    let finish = |fence: Fence| s.store.finish_retry(id, fence, "anna");
    assert_eq!(finish(first).await.unwrap(), Retried::Lost);
    s.clock.pass(SECOND);
    assert_eq!(finish(second).await.unwrap(), Retried::Done);
    assert_eq!(finish(second).await.unwrap(), Retried::Lost);
    let now = s.store.now().await.unwrap();
    let anew = Measures { retried_at: Some(now.0), received_bytes: 9, ..Measures::default() };
    assert_eq!(s.download(id).await.measures, anew);
    let work = s.work(id).await;
    assert_eq!((&*work.milestone, work.stop, work.entered_at), ("downloading", None, now));
    let row = s.store.journal(id).await.unwrap().pop().expect("a row");
    assert_eq!((row.actor, row.event), (Actor::Person("anna".to_owned()), Event::Lifted));
    s.given_up(&watch, id).await;
    let third = begun(&s, id).await;
    assert_eq!(s.look(&watch, id, revived).await, Observed::Written(None));
    assert_eq!(finish(third).await.unwrap(), Retried::Lost, "it was revived meanwhile");
}

/// Wherever it stopped, and not if its torrent went to another meanwhile.
pub async fn a_retry_ends_in_downloading(s: Subject) {
    let caught = s.catch(&[1], "chat-1").await.id;
    s.settle(&s.hold().await, verdict(codes::ADD_REFUSED)).await;
    let fence = begun(&s, caught).await;
    assert_eq!(s.store.finish_retry(caught, fence, "anna").await.unwrap(), Retried::Done);
    let found = s.work(caught).await;
    assert_eq!((&*found.milestone, s.download(caught).await.in_client), ("downloading", true));
    let other = s.catch(&[2], "chat-1").await.id;
    s.settle(&s.hold().await, verdict(codes::ADD_REFUSED)).await;
    let fence = begun(&s, other).await;
    let newer = s.catch(&[2], "chat-2").await;
    assert!(newer.fresh);
    let owned = s.store.finish_retry(other, fence, "anna").await.unwrap();
    assert_eq!(owned, Retried::Owned(newer.id));
    assert!(s.work(other).await.stop.is_some());
}

/// In a person's name, with what the person said.
pub async fn a_download_goes_on_where_it_stands(s: Subject) {
    let watch = s.watch().await;
    let id = s.downloading(&[1]).await;
    assert_eq!(s.store.go_on(id, "anna", None).await.unwrap(), Onward::NotStopped);
    let missing = WorkId(id.0 + 100);
    assert_eq!(s.store.go_on(missing, "anna", None).await.unwrap(), Onward::Missing);
    s.look(&watch, id, Sight { turn: Turn::Complete, ..stay() }).await;
    let held = s.hold().await;
    let asked = Product::Candidates(vec![candidate()]);
    s.store.note(&held, asked).await.unwrap();
    s.settle(&held, verdict(codes::NEEDS_CHOICE)).await;
    assert_eq!(s.download(id).await.candidates, [candidate()]);
    let filing = candidate().filing;
    let said = Some(Product::Filing(filing.clone()));
    assert_eq!(s.store.go_on(id, "anna", said).await.unwrap(), Onward::Lifted);
    let (found, work) = (s.download(id).await, s.work(id).await);
    assert_eq!((found.filing, found.candidates), (Some(filing), vec![]));
    assert_eq!((&*work.milestone, work.stop, work.failures), ("completed", None, 0));
    let row = s.store.journal(id).await.unwrap().pop().expect("a row");
    assert_eq!((row.actor, row.event), (Actor::Person("anna".to_owned()), Event::Lifted));
    assert_eq!(s.hold().await.id(), id);
}

/// One value, the later one.
pub async fn what_people_said_of_series_is_kept(s: Subject) {
    assert_eq!(s.store.memory().await.unwrap(), Memory::default());
    for title in ["Имя", "Another"] {
        let series = Series { title: title.to_owned(), year: Some(2019), ..Series::default() };
        let memory = Memory { series: [("key".to_owned(), series)].into() };
        s.store.remember(&memory).await.unwrap();
        assert_eq!(s.store.memory().await.unwrap(), memory);
    }
}

/// Those in the client, those that were given up, and those a person stopped while they are kept.
pub async fn what_is_followed_is_listed_with_its_fence(s: Subject) {
    let watch = s.watch().await;
    let coming = s.downloading(&[1]).await;
    let given_up = s.downloading(&[2]).await;
    s.look(&watch, given_up, stop(codes::STALLED)).await;
    let broken = s.downloading(&[3]).await;
    s.look(&watch, broken, stop(codes::CLIENT_ERROR)).await;
    let kept = s.downloading(&[4]).await;
    s.store.stop(&here(), kept, "anna").await.unwrap();
    let gone = s.downloading(&[5]).await;
    s.store.stop(&here(), gone, "anna").await.unwrap();
    s.look(&watch, gone, Sight { in_client: false, ..stay() }).await;
    let whole = s.downloading(&[6]).await;
    s.look(&watch, whole, Sight { turn: Turn::Complete, ..stay() }).await;
    s.catch(&[7], "chat-1").await;
    let followed = s.store.followed().await.unwrap();
    let ids: Vec<WorkId> = followed.iter().map(|task| task.id).collect();
    assert_eq!(ids, [coming, given_up, kept]);
    let stops: Vec<Option<&str>> = followed
        .iter()
        .map(|task| task.stop.as_ref().map(|(_, Stop { failure, .. })| &*failure.code))
        .collect();
    assert_eq!(stops, [None, Some("stalled"), Some(Failure::BY_PERSON)]);
    assert_eq!(followed[0].hashes, called(&[1]));
    assert!(followed.iter().all(|task| task.in_client && task.bytes_wanted));
    assert_eq!(s.store.watch("qbittorrent").await.unwrap(), watch.id(), "one record a client");
    for task in followed {
        let seen = s.store.observe(&watch, (task.id, task.fence), stay()).await.unwrap();
        assert_eq!(seen, Observed::Written(None), "the fence is the one that counts");
    }
}

/// Nor touched by a start.
pub async fn what_is_followed_is_never_claimed(s: Subject) {
    let id = s.downloading(&[1]).await;
    let before = (s.all(id).await, s.followed(id).await.fence);
    s.clock.pass(SECOND * 3600 * 1000);
    assert!(s.claim().await.is_none());
    let pause = std::sync::Arc::new(|_| SECOND);
    s.store.reclaim(&here(), pause).await.unwrap();
    assert!(s.claim().await.is_none());
    assert_eq!((s.all(id).await, s.followed(id).await.fence), before);
    let stopped = s.store.stop(&here(), id, "anna").await.unwrap();
    assert!(matches!(stopped, StopByPerson::Stopped(_)));
}

//! Reads: what was written, in the order that was promised.

use std::collections::BTreeMap;

use futures::future::join_all;
use verst_kernel::{Change, Depth, Event, WorkId};
use verst_recordings::LINE;
use verst_recordings::model::{Accepted, AttemptId, NewRecording, Product, Source};
use verst_recordings::ports::Wish;
use verst_service::{Edit, Filter, State};

use super::{SECOND, Subject, advance, here, new, normalised, release};

/// Every column of it.
pub async fn a_recording_reads_back_as_it_was_given(s: Subject) {
    let full = |source| NewRecording {
        source,
        reply_to: Some("чат".to_owned()),
        owner: Some("anna".to_owned()),
        original: format!("original/{}", source.name()),
        handle: Some(format!("{}:ключ", source.name())),
        name: Some("имя \"'; DROP TABLE work.ogg".to_owned()),
        size_bytes: u64::from(u32::MAX) * 5,
        wish: Wish { language: Some("ru".to_owned()), model: Some("base".to_owned()) },
    };
    let bare = NewRecording {
        reply_to: None,
        owner: None,
        name: None,
        original: "original/bare".to_owned(),
        handle: None,
        wish: Wish::default(),
        ..full(Source::Cli)
    };
    for given in Source::ALL.map(full).into_iter().chain([bare]) {
        let id = s.store.accept(given.clone()).await.unwrap().id;
        let recording = s.store.recording(id).await.unwrap().expect("it is there");
        assert_eq!((recording.id, &recording.given), (id, &given));
        assert_eq!((&recording.title, &recording.audio, recording.duration), (&None, &None, None));
        assert_eq!(recording.warnings, []);
        assert_eq!(s.view(id).await.recording, recording);
    }
}

async fn list(s: &Subject, filter: Filter) -> Vec<WorkId> {
    let views = s.store.list(filter).await.unwrap();
    views.into_iter().map(|view| view.work.id).collect()
}

const ALL: Filter = Filter { state: None, owner: None, before: None, limit: 100, search: None };

/// Page by page without a gap or a repetition.
pub async fn lists_page_from_the_newest(s: Subject) {
    let mut ids = Vec::new();
    for _ in 0..7 {
        ids.push(s.accept().await);
    }
    ids.reverse();
    assert_eq!(list(&s, ALL).await, ids);
    let mut paged = Vec::new();
    loop {
        let page = list(&s, Filter { before: paged.last().copied(), limit: 3, ..ALL }).await;
        assert!(page.len() <= 3);
        if page.is_empty() {
            break;
        }
        paged.extend(page);
    }
    assert_eq!(paged, ids);
}

/// What moves, what is stopped, what is done; and whose it is.
pub async fn lists_can_be_narrowed(s: Subject) {
    let (done, stopped, held) = (s.accept().await, s.accept().await, s.accept().await);
    let claim = s.hold().await;
    s.settle(&claim, advance("done")).await;
    s.store.stop(&here(), stopped, "anna").await.unwrap();
    s.hold().await;
    let state = |state| Filter { state: Some(state), ..ALL };
    assert_eq!(list(&s, state(State::Moving)).await, [held]);
    assert_eq!(list(&s, state(State::Stopped)).await, [stopped]);
    assert_eq!(list(&s, state(State::Done)).await, [done]);
    for (id, seen) in [(held, State::Moving), (stopped, State::Stopped), (done, State::Done)] {
        assert_eq!(s.view(id).await.work.state(), seen);
    }
    assert_eq!(list(&s, ALL).await, [held, stopped, done]);
    let page = Filter { before: Some(held), ..state(State::Moving) };
    assert_eq!(list(&s, page).await, []);
    let anna = s.store.accept(new(Source::Cli, Some("anna"))).await.unwrap().id;
    s.store.accept(new(Source::Cli, Some("boris"))).await.unwrap();
    let hers = Filter { owner: Some("anna".to_owned()), ..ALL };
    assert_eq!(list(&s, hers.clone()).await, [anna]);
    assert_eq!(list(&s, Filter { state: Some(State::Done), ..hers }).await, []);
}

/// By milestone, with the arrival of the one that waits longest.
pub async fn depth_counts_what_waits(s: Subject) {
    assert_eq!(s.store.depth().await.unwrap(), []);
    let first = s.store.now().await.unwrap();
    let mut ids = Vec::new();
    for _ in 0..4 {
        ids.push(s.accept().await);
        s.clock.pass(SECOND);
    }
    let moved_at = s.store.now().await.unwrap();
    let claim = s.hold().await;
    s.settle(&claim, advance("normalized")).await;
    let claim = s.hold().await;
    s.settle(&claim, advance("done")).await;
    s.store.stop(&here(), ids[2], "anna").await.unwrap();
    let mut depths = s.store.depth().await.unwrap();
    depths.sort_by(|a, b| a.milestone.cmp(&b.milestone));
    let depth = |milestone: &str, oldest| Depth {
        line: LINE.name().to_owned(),
        milestone: milestone.to_owned(),
        waiting: 1,
        oldest: Some(oldest),
    };
    let uploaded = depth("uploaded", first.after(SECOND * 3));
    assert_eq!(depths, [depth("normalized", moved_at), uploaded]);
}

/// Oldest first, each work its own.
pub async fn the_journal_is_in_order(s: Subject) {
    let id = s.accept().await;
    for stage in LINE.stages().iter().filter(|stage| stage.step.is_some()) {
        let claim = s.hold().await;
        let journal = Some((stage.step.unwrap(), Event::Advanced));
        s.settle(&claim, Change { journal, ..advance(stage.next.unwrap()) }).await;
    }
    let other = s.accept().await;
    let rows = s.store.journal(id).await.unwrap();
    let reached: Vec<_> = rows.into_iter().map(|entry| entry.milestone).collect();
    assert_eq!(reached, ["normalized", "submitted", "transcribed", "done"]);
    assert_eq!(s.store.journal(other).await.unwrap(), []);
}

/// By the original and by the audio, until the row lets go of it.
pub async fn objects_are_named_by_their_rows(s: Subject) {
    s.store
        .accept(NewRecording { original: "original/a".to_owned(), ..new(Source::Cli, None) })
        .await
        .unwrap();
    let keys = || ["original/a", "normalised/x", "original/b", ""].map(str::to_owned).to_vec();
    assert_eq!(s.store.named_objects(keys()).await.unwrap(), ["original/a"]);
    let claim = s.hold().await;
    s.store.note(&claim, normalised(SECOND)).await.unwrap();
    let named = s.store.named_objects(keys()).await.unwrap();
    assert_eq!(named, ["original/a", "normalised/x"]);
    s.store.note(&claim, Product::Finished { original_deleted: false }).await.unwrap();
    assert_eq!(s.store.named_objects(keys()).await.unwrap(), ["original/a"]);
    assert_eq!(s.store.named_objects(Vec::new()).await.unwrap(), [""; 0]);
}

/// Whoever hands the same in at the same moment is told of the same recording.
pub async fn a_handle_is_one_recording(s: Subject) {
    let same = || NewRecording { handle: Some("cli:a".to_owned()), ..new(Source::Cli, None) };
    let all = join_all((0..8).map(|_| s.store.accept(same()))).await;
    let all: Vec<Accepted> = all.into_iter().map(Result::unwrap).collect();
    let id = all[0].id;
    assert!(all.iter().all(|one| one.id == id), "{all:?}");
    assert_eq!(all.iter().filter(|one| one.fresh).count(), 1, "{all:?}");
    assert_eq!(s.store.accept(same()).await.unwrap(), Accepted { id, fresh: false });
    assert_eq!(list(&s, ALL).await, [id]);
    assert_eq!(s.store.by_handle("cli:a".to_owned()).await.unwrap(), Some(id));
    assert_eq!(s.store.by_handle("cli:b".to_owned()).await.unwrap(), None);
    s.hold().await;
    assert!(s.claim().await.is_none(), "and one piece of work");
}

/// The first wins, also among many at once.
pub async fn objects_are_bound_once(s: Subject) {
    assert_eq!(s.store.bound_objects().await.unwrap(), None);
    let ids = || (0..8).map(|n| format!("home-{n}"));
    let bound = join_all(ids().map(|id| s.store.bind_objects(id))).await;
    let bound: Vec<String> = bound.into_iter().map(Result::unwrap).collect();
    assert!(ids().any(|id| id == bound[0]));
    assert!(bound.iter().all(|id| *id == bound[0]), "{bound:?}");
    assert_eq!(s.store.bind_objects("another".to_owned()).await.unwrap(), bound[0]);
    assert_eq!(s.store.bound_objects().await.unwrap().as_ref(), Some(&bound[0]));
}

/// Whoever holds the work meanwhile.
pub async fn edits_change_what_they_name(s: Subject) {
    let id = s.accept().await;
    let claim = s.hold().await;
    let speakers = BTreeMap::from([("1".to_owned(), "Анна \"А\"".to_owned())]);
    let topics = vec!["дом".to_owned(), "a, b".to_owned()];
    let whole = Edit {
        title: Some("«Имя»".to_owned()),
        summary: Some("summary".to_owned()),
        topics: Some(topics.clone()),
        speakers: Some(speakers.clone()),
    };
    assert!(s.store.edit(id, whole).await.unwrap());
    let seen = || async {
        let seen = s.view(id).await.recording;
        (seen.title, seen.summary, seen.topics, seen.speakers)
    };
    let title = Some("«Имя»".to_owned());
    assert_eq!(seen().await, (title, Some("summary".to_owned()), topics.clone(), speakers.clone()));
    let other = Edit { title: Some("another".to_owned()), ..Edit::default() };
    assert!(s.store.edit(id, other).await.unwrap());
    let title = Some("another".to_owned());
    assert_eq!(seen().await, (title, Some("summary".to_owned()), topics, speakers.clone()));
    let none = || Some(String::new());
    let emptied = Edit { title: none(), summary: none(), topics: Some(Vec::new()), speakers: None };
    assert!(s.store.edit(id, emptied).await.unwrap());
    assert_eq!(seen().await, (None, None, Vec::new(), speakers));
    assert!(s.standing(&claim).await.is_some(), "an edit moves no fence");
    s.settle(&claim, release()).await;
    assert!(!s.store.edit(WorkId(id.0 + 100), Edit::default()).await.unwrap());
}

/// And no error.
pub async fn what_is_missing_is_none(s: Subject) {
    let id = WorkId(s.accept().await.0 + 100);
    assert_eq!(s.store.recording(id).await.unwrap(), None);
    assert_eq!(s.store.view(id).await.unwrap(), None);
    assert_eq!(s.store.journal(id).await.unwrap(), []);
    assert_eq!(s.store.transcript(id).await.unwrap(), None);
    assert_eq!(s.store.open_attempt_of(id).await.unwrap(), None);
    assert_eq!(s.store.parts(AttemptId(id.0)).await.unwrap(), []);
}

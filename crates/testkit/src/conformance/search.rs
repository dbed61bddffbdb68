//! Searching: what is known of a recording finds it, in whatever form, from the newest on.

use std::collections::BTreeMap;

use verst_kernel::{Claim, Noted, WorkId};
use verst_recordings::model::{NewRecording, Product, Source};
use verst_recordings::ports::{Admission, Lanes};
use verst_recordings::search::{Query, snippet};
use verst_recordings::transcript::{Segment, Transcript};
use verst_service::{Edit, Filter, State};

use super::{SECOND, Subject, advance, here, new};

fn query(typed: &str) -> Query {
    Query::new(typed).unwrap()
}

async fn find(s: &Subject, filter: Filter) -> Vec<WorkId> {
    let views = s.store.list(filter).await.unwrap();
    views.into_iter().map(|view| view.work.id).collect()
}

fn words(typed: &str) -> Filter {
    Filter { search: Some(query(typed)), limit: 100, ..Filter::default() }
}

/// Nothing is found by the second what is found by the first.
async fn check(s: &Subject, id: WorkId, found: &[&str], not: &[&str]) {
    for typed in found {
        assert_eq!(find(s, words(typed)).await, [id], "{typed}");
    }
    for typed in not {
        assert_eq!(find(s, words(typed)).await, [], "{typed}");
    }
}

async fn named(s: &Subject, name: &str, owner: Option<&str>) -> WorkId {
    let new = NewRecording { name: Some(name.to_owned()), ..new(Source::Http, owner) };
    s.store.accept(new).await.unwrap().id
}

fn said(texts: &[&str]) -> Transcript {
    let segment = |(n, text): (u64, &&str)| Segment {
        start_ms: n * 1000,
        end_ms: n * 1000 + 999,
        text: (*text).to_owned(),
        speaker: None,
    };
    let segments = (0..).zip(texts).map(segment).collect();
    Transcript { language: None, model: "base".to_owned(), segments }
}

async fn tell(s: &Subject, claim: &Claim, texts: &[&str]) -> Noted {
    let opened = s.store.open_attempt(claim, "x", Lanes::Unlimited, SECOND).await.unwrap();
    let Admission::Opened(attempt) = opened else { return Noted::Lost };
    let told = Product::Transcribed { attempt, transcript: said(texts) };
    let noted = s.store.note(claim, told).await.unwrap();
    s.store.note(claim, Product::SubmitAgain).await.unwrap();
    noted
}

/// From the moment it is known until it is known no more.
pub async fn everything_known_of_a_recording_finds_it(s: Subject) {
    named(&s, "другое.ogg", None).await;
    let id = named(&s, "Звонок_2024-05-17.m4a", Some("anna")).await;
    check(&s, id, &["звонки", "2024 звонка", "m4a"], &["встреча", "звонок встреча", "anna"]).await;

    s.hold().await;
    let claim = s.hold().await;
    assert_eq!(claim.id(), id);
    tell(&s, &claim, &["Обсудили счёт,", "договоры и The Customers' plans."]).await;
    let told = ["договора", "счета", "Счёт ДОГОВОР customer", "звонок счетами", "plan"];
    check(&s, id, &told, &["аренда", "счёт аренды"]).await;

    let edit = Edit {
        title: Some("Встреча".to_owned()),
        summary: Some("Аренда\nофиса".to_owned()),
        topics: Some(vec!["Налоги".to_owned(), "зарплаты".to_owned()]),
        speakers: Some(BTreeMap::from([("S1".to_owned(), "Ольга Петрова".to_owned())])),
    };
    assert!(s.store.edit(id, edit).await.unwrap());
    let written =
        ["встречи", "аренду офис", "налог", "зарплата", "ольгу петрову", "встреча договор"];
    check(&s, id, &written, &["s1"]).await;

    tell(&s, &claim, &["Совсем другое дело"]).await;
    check(&s, id, &["дела", "звонок дело встречи"], &["договор", "счёт"]).await;
    let edit = Edit { title: Some(String::new()), ..Edit::default() };
    assert!(s.store.edit(id, edit).await.unwrap());
    check(&s, id, &["звонок дело аренда"], &["встреча"]).await;
}

/// A word that begins so, and the word itself in every form.
pub async fn a_beginning_finds_every_ending(s: Subject) {
    let one = named(&s, "микрофоны", None).await;
    let other = named(&s, "микроскоп", None).await;
    assert_eq!(find(&s, words("микро*")).await, [other, one]);
    check(&s, one, &["микроф*", "микрофонами*"], &["микра*", "микро"]).await;
}

/// Whatever is typed is words and no language.
pub async fn what_is_typed_is_no_expression(s: Subject) {
    let odd = "O'Neil \"AND\" (NOT) x:y | & ! <-> NEAR \\ % a* {b}";
    let id = named(&s, odd, Some("o' OR \"1\"")).await;
    check(&s, id, &["o'neil", "\"and\" NOT", "x:y", "NEAR(x y)"], &["neil:*", "or"]).await;
    let filter = Filter { owner: Some("o' OR \"1\"".to_owned()), ..words("near") };
    assert_eq!(find(&s, filter).await, [id]);
}

/// Each page goes on where the one before it ended.
pub async fn hits_page_from_the_newest(s: Subject) {
    let mut ids = Vec::new();
    for n in 0..9 {
        let name = if n % 3 == 1 { "другая" } else { "эта запись" };
        let id = named(&s, name, None).await;
        if n % 3 != 1 {
            ids.push(id);
        }
    }
    ids.reverse();
    assert_eq!(find(&s, words("записи")).await, ids);
    let mut paged: Vec<WorkId> = Vec::new();
    loop {
        let before = paged.last().copied();
        let page = find(&s, Filter { before, limit: 4, ..words("записи") }).await;
        assert!(page.len() <= 4);
        if page.is_empty() {
            break;
        }
        paged.extend(page);
    }
    assert_eq!(paged, ids);
}

/// Words are one condition among others.
pub async fn hits_keep_to_owner_and_state(s: Subject) {
    let owners = [Some("anna"), Some("boris"), None, Some("anna"), Some("ann")];
    let mut ids = Vec::new();
    for owner in owners {
        ids.push(named(&s, "запись", owner).await);
    }
    let claim = s.hold().await;
    s.settle(&claim, advance("done")).await;
    s.store.stop(&here(), ids[3], "anna").await.unwrap();
    let of = |owner: &str| Filter { owner: Some(owner.to_owned()), ..words("запись") };
    let stand = |state| Filter { state: Some(state), ..words("запись") };
    assert_eq!(find(&s, of("anna")).await, [ids[3], ids[0]]);
    assert_eq!(find(&s, of("boris")).await, [ids[1]]);
    assert_eq!(find(&s, of("an")).await, []);
    assert_eq!(find(&s, stand(State::Done)).await, [ids[0]]);
    assert_eq!(find(&s, stand(State::Stopped)).await, [ids[3]]);
    assert_eq!(find(&s, stand(State::Moving)).await, [ids[4], ids[2], ids[1]]);
    assert_eq!(find(&s, Filter { state: Some(State::Stopped), ..of("boris") }).await, []);
    assert_eq!(find(&s, Filter { state: Some(State::Stopped), ..of("anna") }).await, [ids[3]]);
    let page = Filter { before: Some(ids[4]), limit: 1, ..stand(State::Moving) };
    assert_eq!(find(&s, page).await, [ids[2]]);
}

/// A holder that has lost adds nothing, and what is gone is gone.
pub async fn what_was_not_written_or_is_removed_is_not_found(s: Subject) {
    let id = named(&s, "запись", None).await;
    let lost = s.hold().await;
    s.store.stop(&here(), id, "anna").await.unwrap();
    assert_eq!(tell(&s, &lost, &["договор"]).await, Noted::Lost);
    check(&s, id, &["запись"], &["договор"]).await;
    assert!(s.store.remove(id).await.unwrap());
    assert_eq!(find(&s, words("запись")).await, []);
    assert_eq!(s.store.glimpses(vec![id], query("запись")).await.unwrap(), []);
    let next = named(&s, "запись", None).await;
    check(&s, next, &["записи"], &[]).await;
}

/// With the times of what was said, and nothing of what was not asked for.
pub async fn glimpses_are_of_the_places_where_it_was_said(s: Subject) {
    let id = named(&s, "договор", None).await;
    let claim = s.hold().await;
    assert_eq!(s.store.glimpses(vec![id], query("договор")).await.unwrap(), []);
    let filler = "слово за слово ".repeat(20);
    let texts = ["начало", &filler, "«Договор»,\n\"аренда\" 🎈", &filler, &filler, "о договоре"];
    tell(&s, &claim, &texts).await;
    let seen = |typed: &'static str| {
        let s = &s;
        async move {
            let query = query(typed);
            let glimpses = s.store.glimpses(vec![id], query.clone()).await.unwrap();
            let seen = glimpses.iter().map(|glimpse| {
                assert_eq!(glimpse.id, id);
                snippet(&glimpse.segments, &query).unwrap().start_ms
            });
            seen.collect::<Vec<_>>()
        }
    };
    assert_eq!(seen("договор").await, [2000, 5000]);
    assert_eq!(seen("аренды договор").await, [2000, 5000]);
    assert_eq!(seen("начало").await, [0]);
    assert_eq!(seen("нача*").await, [0]);
    assert_eq!(seen("пусто").await, [0; 0]);
    let missing = s.store.glimpses(vec![WorkId(id.0 + 100)], query("начало")).await.unwrap();
    assert_eq!(missing, []);
}

/// Whoever asks is told that nothing was to be done.
pub async fn cards_of_these_rules_stay(s: Subject) {
    named(&s, "запись", None).await;
    assert_eq!(s.store.renew_cards(10).await.unwrap(), 0);
}

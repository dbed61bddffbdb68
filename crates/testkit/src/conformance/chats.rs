//! What a bot remembers.

use std::time::Duration;

use verst_recordings::model::Source;
use verst_service::{BotId, ChatId, Inbound, Pending, StatusMessage};

use super::{SECOND, Subject, advance, here, new, there};

const BOT: BotId = BotId(7);
const CHAT: ChatId = ChatId(-100_123);
const MINUTE: Duration = Duration::from_mins(1);
const DAY: Duration = Duration::from_hours(24);

fn update(id: i64) -> Inbound {
    Inbound { id, body: format!("{{\"update_id\":{id}}}") }
}

async fn pending(s: &Subject) -> Vec<i64> {
    let pending = s.store.pending(BOT, 100).await.unwrap();
    pending.into_iter().map(|it| it.update.id).collect()
}

/// As long as its lease lasts; the right of one bot is not that of another.
pub async fn one_instance_asks_for_updates(s: Subject) {
    let hold = |bot, instance| {
        let store = s.store.clone();
        async move { store.hold_bot(bot, &instance, MINUTE).await.unwrap() }
    };
    assert_eq!(hold(BOT, here()).await, Some(0));
    assert_eq!(hold(BOT, there()).await, None);
    assert_eq!(hold(BotId(8), there()).await, Some(0));
    s.clock.pass(MINUTE.saturating_sub(SECOND));
    assert_eq!(hold(BOT, here()).await, Some(0), "and keeps it");
    s.clock.pass(MINUTE.saturating_sub(SECOND));
    assert_eq!(hold(BOT, there()).await, None);
    s.store.receive(BOT, Vec::new(), 12).await.unwrap();
    s.clock.pass(SECOND);
    assert_eq!(hold(BOT, there()).await, Some(12));
    s.store.release_bot(BOT, &here()).await.unwrap();
    assert_eq!(hold(BOT, here()).await, None, "who has it not cannot give it");
    s.store.release_bot(BOT, &there()).await.unwrap();
    assert_eq!(hold(BOT, here()).await, Some(12));
}

/// However often it comes, and even where numbers begin anew.
pub async fn an_update_is_acted_on_once(s: Subject) {
    s.store.hold_bot(BOT, &here(), MINUTE).await.unwrap();
    s.store.receive(BOT, vec![update(20), update(21)], 22).await.unwrap();
    s.store.receive(BOT, vec![update(21), update(22)], 23).await.unwrap();
    assert_eq!(pending(&s).await, [20, 21, 22]);
    s.store.begin_update(BOT, 20).await.unwrap();
    let first = s.store.pending(BOT, 1).await.unwrap();
    assert_eq!(first, [Pending { update: update(20), tries: 1 }]);
    s.store.finish_update(BOT, 20).await.unwrap();
    s.store.receive(BOT, vec![update(20)], 21).await.unwrap();
    assert_eq!(pending(&s).await, [21, 22], "it was acted on");
    s.clock.pass(SECOND);
    // After a week without any, the messenger numbers from anywhere.
    s.store.receive(BOT, vec![update(3)], 4).await.unwrap();
    assert_eq!(pending(&s).await, [21, 22, 3], "the oldest first, whatever its number");
    assert_eq!(s.store.hold_bot(BOT, &here(), MINUTE).await.unwrap(), Some(4));
    assert_eq!(s.store.pending(BotId(8), 100).await.unwrap(), []);
    for id in [3, 21, 22] {
        s.store.finish_update(BOT, id).await.unwrap();
    }
    s.clock.pass(DAY * 29);
    s.store.receive(BOT, vec![update(22)], 23).await.unwrap();
    assert!(pending(&s).await.is_empty(), "still known");
    s.clock.pass(DAY * 2);
    s.store.receive(BOT, Vec::new(), 23).await.unwrap();
    s.store.receive(BOT, vec![update(22)], 23).await.unwrap();
    assert_eq!(pending(&s).await, [22], "and forgotten in the end");
}

/// By a code, once, in time.
pub async fn a_chat_is_linked_by_a_code(s: Subject) {
    let now = s.store.now().await.unwrap();
    for code in ["a", "b"] {
        let until = now.after(MINUTE);
        s.store.offer_link(code.to_owned(), "anna".to_owned(), until).await.unwrap();
    }
    assert_eq!(s.store.take_link("c", CHAT).await.unwrap(), None);
    assert_eq!(s.store.chat(CHAT).await.unwrap(), None, "nothing is known of it");
    let met = s.store.meet(CHAT, Some("ru".to_owned())).await.unwrap();
    assert_eq!((met.id, met.owner, met.language.as_deref()), (CHAT, None, Some("ru")));
    let take = async |code, chat| s.store.take_link(code, chat).await.unwrap();
    assert_eq!(take("a", CHAT).await.as_deref(), Some("anna"));
    assert_eq!(take("a", CHAT).await.as_deref(), Some("anna"), "the same chat, said twice");
    assert_eq!(take("a", ChatId(5)).await, None, "another one");
    let met = s.store.meet(CHAT, None).await.unwrap();
    assert_eq!((met.owner.as_deref(), met.language.as_deref()), (Some("anna"), Some("ru")));
    assert_eq!(s.store.linked_chats(None).await.unwrap(), std::slice::from_ref(&met));
    assert_eq!(s.store.linked_chats(Some("anna".to_owned())).await.unwrap(), [met]);
    assert_eq!(s.store.linked_chats(Some("bob".to_owned())).await.unwrap(), []);
    s.clock.pass(MINUTE);
    assert_eq!(take("b", ChatId(5)).await, None, "too late");
    assert!(s.store.unlink(CHAT).await.unwrap());
    assert!(!s.store.unlink(CHAT).await.unwrap());
    assert_eq!(s.store.linked_chats(None).await.unwrap(), []);
    assert_eq!(s.store.chat(CHAT).await.unwrap().unwrap().language.as_deref(), Some("ru"));
}

fn told(s: &Subject, work: verst_kernel::WorkId, chat: ChatId) -> StatusMessage {
    let (asked_in, sent_at) = (6, verst_kernel::Clock::now(&*s.clock));
    StatusMessage { work, chat, asked_in, message: 7, sent_at, said: "x".to_owned() }
}

/// What came from the chat and is nobody's, and nothing else.
pub async fn a_link_gives_what_came_from_the_chat_to_the_account(s: Subject) {
    let from = |reply_to: &str, source, owner| {
        let reply_to = Some(reply_to.to_owned());
        verst_recordings::model::NewRecording { reply_to, ..new(source, owner) }
    };
    let mine = from("-100123:6", Source::Telegram, None);
    let bobs = from("-100123:8", Source::Telegram, Some("bob"));
    let other = from("-1001234:6", Source::Telegram, None);
    let folder = from("-100123:6", Source::Folder, None);
    let mut ids = Vec::new();
    for new in [mine, bobs, other, folder] {
        let id = s.store.accept(new).await.unwrap().id;
        s.store.put_status_message(told(&s, id, CHAT)).await.unwrap();
        ids.push(id);
    }
    let until = s.store.now().await.unwrap().after(MINUTE);
    s.store.offer_link("a".to_owned(), "anna".to_owned(), until).await.unwrap();
    s.store.take_link("a", CHAT).await.unwrap();
    let mut owners = Vec::new();
    for id in ids {
        owners.push(s.view(id).await.recording.given.owner);
    }
    let owners: Vec<_> = owners.iter().map(Option::as_deref).collect();
    assert_eq!(owners, [Some("anna"), Some("bob"), None, None]);
}

/// One for each thing and chat, for as long as the thing is there.
pub async fn a_thing_has_one_message_in_a_chat(s: Subject) {
    let id = s.accept().await;
    assert_eq!(s.store.status_message(id, CHAT).await.unwrap(), None);
    let mut status = told(&s, id, CHAT);
    s.store.put_status_message(status.clone()).await.unwrap();
    assert_eq!(s.store.status_message(id, CHAT).await.unwrap(), Some(status.clone()));
    (status.message, status.said) = (70, "y".to_owned());
    s.store.put_status_message(status.clone()).await.unwrap();
    assert_eq!(s.store.status_message(id, CHAT).await.unwrap(), Some(status));
    assert_eq!(s.store.status_message(id, ChatId(5)).await.unwrap(), None);
    assert!(s.store.remove(id).await.unwrap());
    assert_eq!(s.store.status_message(id, CHAT).await.unwrap(), None);
    s.store.put_status_message(told(&s, id, CHAT)).await.unwrap();
    assert_eq!(s.store.told_in(CHAT, None, 9).await.unwrap(), [], "it is gone");
}

/// Of what moves for editing, of all for listing.
pub async fn messages_are_found_by_what_moves_and_by_chat(s: Subject) {
    let mut ids = Vec::new();
    for _ in 0..3 {
        let id = s.accept().await;
        s.store.put_status_message(told(&s, id, CHAT)).await.unwrap();
        ids.push(id);
    }
    s.store.put_status_message(told(&s, ids[1], ChatId(5))).await.unwrap();
    let moving = async |limit| {
        let found = s.store.moving_messages(limit).await.unwrap();
        found.into_iter().map(|it| (it.work, it.chat)).collect::<Vec<_>>()
    };
    let all = [(ids[2], CHAT), (ids[1], CHAT), (ids[1], ChatId(5)), (ids[0], CHAT)];
    assert_eq!(moving(9).await, all);
    assert_eq!(moving(2).await, all[..2]);
    let claim = s.hold().await;
    assert_eq!(claim.id(), ids[0]);
    s.settle(&claim, advance("done")).await;
    s.store.stop(&here(), ids[1], "anna").await.unwrap();
    assert_eq!(moving(9).await, [(ids[2], CHAT)]);
    let told_in = async |before| s.store.told_in(CHAT, before, 2).await.unwrap();
    assert_eq!(told_in(None).await, [ids[2], ids[1]]);
    assert_eq!(told_in(Some(ids[1])).await, [ids[0]]);
    assert_eq!(s.store.told_in(ChatId(5), None, 9).await.unwrap(), [ids[1]]);
}

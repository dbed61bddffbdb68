//! Who may come in.

use futures::future::join_all;
use verst_service::{NewToken, TokenId};

use super::{SECOND, Subject};

fn new(hash: &str) -> NewToken {
    let (name, owner) = ("телефон".to_owned(), Some("anna".to_owned()));
    NewToken { name, owner, maker: None, hash: hash.to_owned(), expires_at: None }
}

/// Each by its own hash.
pub async fn a_token_opens_until_it_is_revoked_or_expires(s: Subject) {
    let now = s.store.now().await.unwrap();
    let kept = s.store.add_token(new("a")).await.unwrap();
    let until = NewToken { owner: None, expires_at: Some(now.after(SECOND)), ..new("b") };
    let short = s.store.add_token(until).await.unwrap();
    let found = s.store.use_token("a").await.unwrap().expect("it opens");
    assert_eq!((found.id, &*found.name, found.owner.as_deref()), (kept, "телефон", Some("anna")));
    assert_eq!((found.created_at, found.expires_at, found.revoked_at), (now, None, None));
    assert_eq!(s.store.use_token("b").await.unwrap().expect("still").owner, None);
    assert_eq!(s.store.use_token("c").await.unwrap(), None);
    assert!(s.store.add_token(new("a")).await.is_err(), "a hash belongs to one");
    s.clock.pass(SECOND);
    assert_eq!(s.store.use_token("b").await.unwrap(), None);
    assert!(s.store.revoke_token(kept, None).await.unwrap());
    assert!(!s.store.revoke_token(kept, None).await.unwrap());
    assert!(!s.store.revoke_token(TokenId(kept.0 + 100), None).await.unwrap());
    assert_eq!(s.store.use_token("a").await.unwrap(), None);
    let all = s.store.tokens(None).await.unwrap();
    assert_eq!(all.iter().map(|token| token.id).collect::<Vec<_>>(), [short, kept]);
    assert_eq!(all[1].revoked_at, Some(s.store.now().await.unwrap()));
}

/// Not with every request.
pub async fn the_use_of_a_token_is_written_to_the_minute(s: Subject) {
    s.store.add_token(new("a")).await.unwrap();
    let used = || async { s.store.tokens(None).await.unwrap()[0].last_used_at };
    assert_eq!(used().await, None);
    let first = s.store.now().await.unwrap();
    s.store.use_token("a").await.unwrap();
    assert_eq!(used().await, Some(first));
    s.clock.pass(SECOND * 59);
    s.store.use_token("a").await.unwrap();
    assert_eq!(used().await, Some(first));
    s.clock.pass(SECOND);
    s.store.use_token("a").await.unwrap();
    assert_eq!(used().await, Some(first.after(SECOND * 60)));
}

/// Also when many try at once, and none once there is a token.
pub async fn a_setup_token_makes_one_first_token(s: Subject) {
    assert!(s.store.offer_setup("first".to_owned()).await.unwrap());
    assert!(s.store.offer_setup("second".to_owned()).await.unwrap());
    assert_eq!(s.store.take_setup("unknown", new("a")).await.unwrap(), None);
    let hashes: Vec<String> = (0..8).map(|n| n.to_string()).collect();
    let tries = hashes.iter().enumerate().map(|(n, hash)| {
        s.store.take_setup(if n % 2 == 0 { "first" } else { "second" }, new(hash))
    });
    let taken = join_all(tries).await;
    assert_eq!(taken.into_iter().filter_map(Result::unwrap).count(), 1);
    assert!(!s.store.offer_setup("third".to_owned()).await.unwrap());
    let first = s.store.tokens(None).await.unwrap()[0].id;
    s.store.revoke_token(first, None).await.unwrap();
    assert!(s.store.offer_setup("third".to_owned()).await.unwrap(), "nobody could come in");
    assert!(s.store.take_setup("third", new("c")).await.unwrap().is_some());
}

/// However the first one was made, and whatever becomes of it.
pub async fn a_setup_token_is_void_once_there_is_a_token(s: Subject) {
    assert!(s.store.offer_setup("shown".to_owned()).await.unwrap());
    let made = s.store.add_token(new("a")).await.unwrap();
    assert_eq!(s.store.take_setup("shown", new("b")).await.unwrap(), None);
    s.store.revoke_token(made, None).await.unwrap();
    assert_eq!(s.store.take_setup("shown", new("b")).await.unwrap(), None);
}

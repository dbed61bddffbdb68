//! Links by which anybody may look at a recording.

use verst_kernel::WorkId;
use verst_recordings::model::Source;
use verst_service::accounts::{AccountId, Name, NewAccount, Role};
use verst_service::{NewShare, ShareId};

use super::{SECOND, Subject, new};

fn share(recording: WorkId, hash: &str, maker: Option<AccountId>) -> NewShare {
    let (hash, by) = (hash.to_owned(), "Анна".to_owned());
    NewShare { recording, hash, by, maker, lasts: SECOND * 10 }
}

/// And opens one recording alone.
pub async fn a_link_opens_until_it_is_revoked_or_expires(s: Subject) {
    let id = s.store.accept(new(Source::Http, None)).await.unwrap().id;
    let other = s.store.accept(new(Source::Http, None)).await.unwrap().id;
    let now = s.store.now().await.unwrap();
    let one = s.store.add_share(share(id, "a", None)).await.unwrap().expect("it is made");
    let two = s.store.add_share(share(id, "b", None)).await.unwrap().expect("it is made");
    let opens = async |hash: &str| s.store.open_share(hash).await.unwrap();
    assert_eq!((opens("a").await, opens("b").await, opens("c").await), (Some(id), Some(id), None));
    let listed = s.store.shares(id).await.unwrap();
    assert_eq!(listed.iter().map(|it| it.id).collect::<Vec<_>>(), [two, one]);
    let first = &listed[1];
    assert_eq!((first.created_at, first.expires_at), (now, now.after(SECOND * 10)));
    assert_eq!((&*first.by, first.revoked_at), ("Анна", None));
    assert!(!s.store.revoke_share(other, one).await.unwrap(), "it leads elsewhere");
    assert!(s.store.revoke_share(id, one).await.unwrap());
    assert!(!s.store.revoke_share(id, one).await.unwrap());
    assert!(!s.store.revoke_share(id, ShareId(two.0 + 100)).await.unwrap());
    assert_eq!((opens("a").await, opens("b").await), (None, Some(id)));
    s.clock.pass(SECOND * 10);
    assert_eq!(opens("b").await, None);
    assert_eq!(s.store.shares(other).await.unwrap(), []);
    let nothing = WorkId(other.0 + 100);
    assert_eq!(s.store.add_share(share(nothing, "d", None)).await.unwrap(), None);
    s.store.add_share(share(other, "e", None)).await.unwrap();
    assert!(s.store.remove(other).await.unwrap());
    assert_eq!(opens("e").await, None);
}

/// Of a recording a hundred open it at most; the disabled open nothing.
pub async fn links_are_limited_and_end_with_their_maker(s: Subject) {
    let id = s.store.accept(new(Source::Http, None)).await.unwrap().id;
    let account = NewAccount {
        name: Name::new("Анна").unwrap(),
        sealed: "sealed".to_owned(),
        role: Role::Owner,
    };
    let anna = s.store.add_account(account).await.unwrap().expect("the name is free");
    for n in 0..100 {
        let made = s.store.add_share(share(id, &n.to_string(), Some(anna))).await.unwrap();
        assert!(made.is_some(), "{n}");
    }
    assert_eq!(s.store.add_share(share(id, "more", None)).await.unwrap(), None);
    s.store.disable_account(anna).await.unwrap();
    assert_eq!(s.store.open_share("7").await.unwrap(), None);
    s.store.enable_account(anna).await.unwrap();
    assert_eq!(s.store.open_share("7").await.unwrap(), Some(id));
    s.clock.pass(SECOND * 10);
    assert!(s.store.add_share(share(id, "more", None)).await.unwrap().is_some());
}

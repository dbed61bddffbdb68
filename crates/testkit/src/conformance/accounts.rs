//! Accounts, and the sessions of their browsers.

use futures::future::join_all;
use verst_service::accounts::{
    Account, AccountId, Altered, Name, NewAccount, NewSession, Role, SessionId, SessionLimits,
};
use verst_service::{NewToken, TokenId};

use super::{SECOND, Subject};

fn new(name: &str, role: Role) -> NewAccount {
    NewAccount { name: Name::new(name).unwrap(), sealed: format!("sealed {name}"), role }
}

fn token(hash: &str, owner: Option<&str>, maker: Option<AccountId>) -> NewToken {
    let owner = owner.map(str::to_owned);
    NewToken { name: hash.to_owned(), owner, maker, hash: hash.to_owned(), expires_at: None }
}

fn browser(account: AccountId, hash: &str) -> NewSession {
    NewSession {
        account,
        known_by: None,
        hash: hash.to_owned(),
        agent: "Браузер".to_owned(),
        instead_of: None,
    }
}

const LIMITS: SessionLimits =
    SessionLimits { idle: SECOND.saturating_mul(60 * 60), age: SECOND.saturating_mul(60 * 60 * 3) };

impl Subject {
    async fn account(&self, name: &str, role: Role) -> AccountId {
        self.store.add_account(new(name, role)).await.unwrap().expect("the name is free")
    }

    async fn named(&self, name: &str) -> Option<(Account, String)> {
        self.store.account_named(&Name::new(name).unwrap()).await.unwrap()
    }

    async fn sit(&self, account: AccountId, hash: &str) -> SessionId {
        let opened = self.store.open_session(browser(account, hash), LIMITS).await.unwrap();
        opened.expect("the account may come in")
    }

    async fn sits(&self, hash: &str) -> bool {
        self.store.use_session(hash, LIMITS).await.unwrap().is_some()
    }

    async fn opens(&self, hash: &str) -> bool {
        self.store.use_token(hash).await.unwrap().is_some()
    }
}

/// However it is written.
pub async fn a_name_is_one_account(s: Subject) {
    let now = s.store.now().await.unwrap();
    let anna = s.account("Анна", Role::Owner).await;
    assert_eq!(s.store.add_account(new("анна", Role::Admin)).await.unwrap(), None);
    s.account("Boris", Role::Admin).await;
    let (account, sealed) = s.named("АННА").await.expect("it is there");
    assert_eq!((account.id, &*account.name, account.role), (anna, "Анна", Role::Owner));
    assert_eq!((account.created_at, account.disabled_at, account.language), (now, None, None));
    assert_eq!(sealed, "sealed Анна");
    assert_eq!(s.named("Clara").await, None);
    assert!(s.store.set_language(anna, Some("ru".to_owned())).await.unwrap());
    assert!(!s.store.set_language(AccountId(anna.0 + 100), None).await.unwrap());
    let all = s.store.accounts().await.unwrap();
    let names: Vec<_> = all.iter().map(|it| (&*it.name, it.language.as_deref())).collect();
    assert_eq!(names, [("Boris", None), ("Анна", Some("ru"))]);
}

/// Also when all of them go at once.
pub async fn the_last_admin_stays(s: Subject) {
    let owner = s.account("owner", Role::Owner).await;
    let mut admins = Vec::new();
    for n in 0..6 {
        admins.push(s.account(&format!("admin {n}"), Role::Admin).await);
    }
    let s = &s;
    let goes = admins.iter().enumerate().map(|(n, id)| async move {
        if n % 2 == 0 {
            s.store.disable_account(*id).await.unwrap()
        } else {
            s.store.set_role(*id, Role::Owner).await.unwrap()
        }
    });
    let went = join_all(goes).await;
    assert_eq!(went.iter().filter(|it| **it == Altered::LastAdmin).count(), 1, "{went:?}");
    assert_eq!(s.store.disable_account(owner).await.unwrap(), Altered::Done);
    assert_eq!(s.store.enable_account(owner).await.unwrap(), Altered::Done);
    assert_eq!(s.store.set_role(owner, Role::Admin).await.unwrap(), Altered::Done);
    let last = went.iter().position(|it| *it == Altered::LastAdmin).unwrap();
    assert_eq!(s.store.disable_account(admins[last]).await.unwrap(), Altered::Done);
    assert_eq!(s.store.set_role(owner, Role::Owner).await.unwrap(), Altered::LastAdmin);
    let none = AccountId(owner.0 + 100);
    assert_eq!(s.store.set_role(none, Role::Owner).await.unwrap(), Altered::Missing);
    assert_eq!(s.store.disable_account(none).await.unwrap(), Altered::Missing);
    assert_eq!(s.store.enable_account(none).await.unwrap(), Altered::Missing);
}

/// One of many at once, and neither an account nor a token after that.
pub async fn a_setup_token_makes_one_first_account(s: Subject) {
    assert!(s.store.offer_setup("first".to_owned()).await.unwrap());
    let unknown = s.store.found_account("unknown", new("x", Role::Admin)).await.unwrap();
    assert_eq!(unknown, None);
    let names: Vec<String> = (0..6).map(|n| format!("admin {n}")).collect();
    let tries = names.iter().map(|name| s.store.found_account("first", new(name, Role::Admin)));
    let made: Vec<AccountId> =
        join_all(tries).await.into_iter().filter_map(Result::unwrap).collect();
    assert_eq!(made.len(), 1);
    assert!(!s.store.offer_setup("second".to_owned()).await.unwrap(), "an admin can come in");
    let late = s.store.take_setup("first", token("t", None, None)).await.unwrap();
    assert_eq!(late, None);
}

/// An owner alone lets nobody decide anything.
pub async fn a_setup_token_is_void_once_an_admin_can_come_in(s: Subject) {
    assert!(s.store.offer_setup("shown".to_owned()).await.unwrap());
    let anna = s.account("anna", Role::Owner).await;
    assert!(s.store.offer_setup("shown too".to_owned()).await.unwrap());
    s.store.set_role(anna, Role::Admin).await.unwrap();
    assert_eq!(s.store.take_setup("shown", token("t", None, None)).await.unwrap(), None);
    assert!(!s.store.offer_setup("late".to_owned()).await.unwrap());
}

/// To the microsecond, and however much it is used.
pub async fn a_session_lasts_while_it_is_used_and_not_for_ever(s: Subject) {
    let anna = s.account("Анна", Role::Owner).await;
    let begun = s.store.now().await.unwrap();
    let id = s.sit(anna, "a").await;
    let (session, account) = s.store.use_session("a", LIMITS).await.unwrap().expect("it lasts");
    assert_eq!((session.id, &*session.agent, account.id), (id, "Браузер", anna));
    assert_eq!((session.created_at, session.last_used_at), (begun, begun));
    assert_eq!(session.expires_at, begun.after(LIMITS.age));
    assert!(!s.sits("b").await);
    s.clock.pass(LIMITS.idle.saturating_sub(SECOND));
    assert!(s.sits("a").await);
    s.clock.pass(LIMITS.idle.saturating_sub(SECOND));
    assert!(s.sits("a").await, "it was used meanwhile");
    s.clock.pass(SECOND);
    s.clock.pass(LIMITS.idle.saturating_sub(SECOND * 2));
    assert!(s.sits("a").await);
    s.clock.pass(SECOND * 3);
    assert!(!s.sits("a").await, "it is too old");
    s.sit(anna, "b").await;
    s.clock.pass(LIMITS.idle);
    assert!(!s.sits("b").await, "it was not used");
    assert_eq!(s.store.sessions(anna, LIMITS).await.unwrap(), []);
}

/// Not with every request.
pub async fn the_use_of_a_session_is_written_to_the_minute(s: Subject) {
    let anna = s.account("Анна", Role::Owner).await;
    let begun = s.store.now().await.unwrap();
    s.sit(anna, "a").await;
    let used = || async { s.store.sessions(anna, LIMITS).await.unwrap()[0].last_used_at };
    s.clock.pass(SECOND * 59);
    s.sits("a").await;
    assert_eq!(used().await, begun);
    s.clock.pass(SECOND);
    s.sits("a").await;
    assert_eq!(used().await, begun.after(SECOND * 60));
}

/// One, all of an account, all but one; by a new password, and by disabling.
pub async fn sessions_end_in_every_way(s: Subject) {
    let anna = s.account("Анна", Role::Admin).await;
    let boris = s.account("Борис", Role::Admin).await;
    let (one, two) = (s.sit(anna, "1").await, s.sit(anna, "2").await);
    s.sit(boris, "b").await;
    let listed = s.store.sessions(anna, LIMITS).await.unwrap();
    assert_eq!(listed.iter().map(|it| it.id).collect::<Vec<_>>(), [two, one]);
    assert!(!s.store.end_session(boris, one).await.unwrap(), "it is not theirs");
    assert!(s.store.end_session(anna, one).await.unwrap());
    assert!(!s.store.end_session(anna, one).await.unwrap());
    assert!(!s.sits("1").await && s.sits("2").await);
    let three = s.sit(anna, "3").await;
    assert!(s.store.set_password(anna, "other".to_owned(), Some(three)).await.unwrap());
    assert_eq!(s.named("анна").await.unwrap().1, "other");
    assert!(!s.sits("2").await && s.sits("3").await);
    s.sit(anna, "4").await;
    assert_eq!(s.store.end_sessions(anna, Some(three)).await.unwrap(), 1);
    assert_eq!(s.store.end_sessions(anna, None).await.unwrap(), 1);
    s.sit(anna, "5").await;
    assert_eq!(s.store.disable_account(anna).await.unwrap(), Altered::Done);
    assert!(!s.sits("5").await);
    let refused = s.store.open_session(browser(anna, "6"), LIMITS).await.unwrap();
    assert_eq!(refused, None);
    s.store.enable_account(anna).await.unwrap();
    assert!(!s.sits("5").await, "what has ended does not begin again");
    assert!(s.sits("b").await);
    assert!(!s.store.set_password(AccountId(boris.0 + 100), String::new(), None).await.unwrap());
}

/// What a browser had before is no longer good, and an old password opens nothing.
pub async fn a_session_takes_the_place_of_the_one_before(s: Subject) {
    let anna = s.account("Анна", Role::Owner).await;
    s.sit(anna, "1").await;
    let next = NewSession { instead_of: Some("1".to_owned()), ..browser(anna, "2") };
    assert!(s.store.open_session(next, LIMITS).await.unwrap().is_some());
    assert!(!s.sits("1").await && s.sits("2").await);
    let stale = NewSession { known_by: Some("old".to_owned()), ..browser(anna, "3") };
    assert_eq!(s.store.open_session(stale, LIMITS).await.unwrap(), None);
    let good = NewSession { known_by: Some("sealed Анна".to_owned()), ..browser(anna, "3") };
    assert!(s.store.open_session(good, LIMITS).await.unwrap().is_some());
    for n in 0..100 {
        s.sit(anna, &format!("many {n}")).await;
    }
    assert!(!s.sits("2").await && s.sits("many 0").await, "the newest hundred are kept");
}

/// Whatever a token opened before.
pub async fn a_token_opens_no_more_than_its_maker_may(s: Subject) {
    let root = s.account("root", Role::Admin).await;
    let anna = s.account("Анна", Role::Admin).await;
    s.store.add_token(token("all", None, Some(anna))).await.unwrap();
    s.store.add_token(token("own", Some("Анна"), Some(anna))).await.unwrap();
    let for_anna = s.store.add_token(token("given", Some("Анна"), Some(root))).await.unwrap();
    let free = s.store.add_token(token("free", None, None)).await.unwrap();
    let listed = s.store.tokens(Some("Анна".to_owned())).await.unwrap();
    assert_eq!(
        listed.iter().map(|it| (&*it.name, it.maker)).collect::<Vec<_>>(),
        [("given", Some(root)), ("own", Some(anna)),]
    );
    let opening = || async {
        let mut opening = Vec::new();
        for hash in ["all", "own", "given", "free"] {
            if s.opens(hash).await {
                opening.push(hash);
            }
        }
        opening
    };
    assert_eq!(opening().await, ["all", "own", "given", "free"]);
    s.store.set_role(anna, Role::Owner).await.unwrap();
    assert_eq!(opening().await, ["own", "given", "free"]);
    s.store.disable_account(anna).await.unwrap();
    assert_eq!(opening().await, ["free"]);
    s.store.enable_account(anna).await.unwrap();
    assert_eq!(opening().await, ["own", "given", "free"]);
    let by = |id: TokenId, owner: &str| s.store.revoke_token(id, Some(owner.to_owned()));
    assert!(!by(free, "Анна").await.unwrap() && !by(for_anna, "Борис").await.unwrap());
    assert!(by(for_anna, "Анна").await.unwrap());
    assert_eq!(opening().await, ["own", "free"]);
}

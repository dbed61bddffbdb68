//! Who may use the bot, and what becomes of others: one polite answer, and nothing else.
//!
//! **Invariant:** with an empty list nobody may. What is remembered of strangers is bounded, and when
//! it is full, further ones hear nothing.

use std::collections::HashSet;

use crate::config::Config;
use crate::read::Incoming;

/// Strangers who are remembered until the next start.
const STRANGERS: usize = 1000;

/// Whether somebody may use the bot, there.
pub(crate) fn admits(config: &Config, incoming: &Incoming) -> bool {
    let listed = |id: i64| config.allow.contains(&id) || config.admins.contains(&id);
    listed(incoming.chat) || incoming.user.is_some_and(listed)
}

/// Whether somebody sees everything: an admin, where nobody else reads along.
pub(crate) fn sees_all(config: &Config, incoming: &Incoming) -> bool {
    incoming.private && incoming.user.is_some_and(|user| config.admins.contains(&user))
}

/// Those who were answered.
#[derive(Debug, Default)]
pub(crate) struct Strangers(HashSet<i64>);

impl Strangers {
    /// Whether this one is answered, now and never again.
    pub(crate) fn greet(&mut self, chat: i64) -> bool {
        self.0.len() < STRANGERS && self.0.insert(chat)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{OFFICIAL_API, Token};
    use crate::read::What;

    fn config(allow: &str, admins: &str) -> Config {
        let token = "1:AAAAAAAAAAAAAAAAAAAAAAAA";
        assert!(Token::parse(token).is_some());
        Config::new(token, OFFICIAL_API, allow, admins, "").unwrap()
    }

    fn from(user: Option<i64>, chat: i64) -> Incoming {
        Incoming {
            chat,
            private: user == Some(chat),
            user,
            language: None,
            message: 1,
            what: What::Nothing,
        }
    }

    #[test]
    fn only_who_is_listed_may_come_in() {
        let check = |allow, admins, user, chat| admits(&config(allow, admins), &from(user, chat));
        assert!(!check("", "", Some(7), 7), "an empty list lets nobody in");
        assert!(check("7", "", Some(7), 7));
        assert!(check("7", "", Some(7), -100), "wherever they are");
        assert!(check("-100", "", Some(8), -100), "and whoever is there");
        assert!(!check("-100", "", Some(8), 8));
        assert!(check("", "9", Some(9), 9));
        assert!(!check("7", "9", None, -100));
    }

    #[test]
    fn an_admin_sees_all_where_nobody_reads_along() {
        let check = |user, chat| sees_all(&config("7", "9"), &from(user, chat));
        assert!(check(Some(9), 9));
        assert!(!check(Some(9), -100) && !check(Some(7), 7) && !check(None, 9));
    }

    #[test]
    fn strangers_are_greeted_once_and_not_without_end() {
        let mut strangers = Strangers::default();
        assert!(strangers.greet(1) && !strangers.greet(1) && strangers.greet(2));
        let greeted = (3..5000).filter(|chat| strangers.greet(*chat)).count();
        assert_eq!(greeted, STRANGERS - 2);
    }
}

//! Acting on what came: in each chat in order, in several chats at once.
//!
//! **Invariant:** an update is forgotten after it was acted on. Who begins one writes that down first,
//! so that one which takes the process down each time is given up.

use std::collections::{HashMap, HashSet};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tracing::warn;
use verst_service::{Pending, StoreError};

use crate::act::ActError;
use crate::bot::{Bot, Me};
use crate::read::{Incoming, read};

/// Chats that are served at once.
const AT_ONCE: usize = 8;
/// Updates that are looked at together.
const AHEAD: u32 = 500;
/// How often an update is begun by processes that then end.
const TRIES: u32 = 5;
/// Between two tries of one update, at first and at last.
const PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_mins(5));
/// Between two looks while nothing seems to come.
const IDLE: Duration = Duration::from_secs(10);

/// What became of an update.
struct Ended {
    chat: i64,
    id: i64,
    again: bool,
}

/// What is going on.
#[derive(Default)]
struct Rounds {
    busy: HashSet<i64>,
    /// Updates that were begun in this process.
    begun: HashSet<i64>,
    /// When an update is tried again, and how often it was.
    later: HashMap<i64, (u32, Instant)>,
    running: JoinSet<Ended>,
}

impl Bot {
    /// Acts, for ever.
    pub(crate) async fn work(self: Arc<Self>, me: Me) {
        let mut rounds = Rounds::default();
        loop {
            let wake = match self.round(&me, &mut rounds).await {
                Ok(()) => rounds.later.values().map(|(_, at)| *at).min(),
                Err(_) => None,
            };
            let idle = Instant::now() + IDLE;
            let wake = wake.map_or(idle, |wake| wake.min(idle));
            tokio::select! {
                () = self.came.notified() => {}
                Some(ended) = rounds.running.join_next() => {
                    if let Ok(ended) = ended { rounds.ended(&ended); }
                }
                () = tokio::time::sleep_until(wake) => {}
            }
        }
    }

    /// Begins whatever can begin.
    async fn round(self: &Arc<Self>, me: &Me, rounds: &mut Rounds) -> Result<(), StoreError> {
        let mut waiting: HashSet<i64> = HashSet::new();
        for pending in self.house.inbox.pending(me.id, AHEAD).await? {
            let id = pending.update.id;
            let body = serde_json::from_str(&pending.update.body).ok();
            let Some(incoming) = body.and_then(|body| read(&body, &me.name)) else {
                self.house.inbox.finish_update(me.id, id).await?;
                continue;
            };
            let early = rounds.later.get(&id).is_some_and(|(_, at)| *at > Instant::now());
            let chat = incoming.chat;
            // What came later in the same chat waits too.
            let waits = !waiting.insert(chat) || early || rounds.busy.contains(&chat);
            if waits || rounds.running.len() >= AT_ONCE {
                continue;
            }
            rounds.busy.insert(chat);
            let first = rounds.begun.insert(id);
            let (bot, me) = (Arc::clone(self), me.clone());
            rounds.running.spawn(async move { bot.one(&me, pending, incoming, first).await });
        }
        Ok(())
    }

    async fn one(&self, me: &Me, pending: Pending, incoming: Incoming, first: bool) -> Ended {
        let (chat, id) = (incoming.chat, pending.update.id);
        if first && self.house.inbox.begin_update(me.id, id).await.is_err() {
            return Ended { chat, id, again: true };
        }
        let again = if pending.tries >= TRIES {
            self.give_up(&incoming).await;
            false
        } else {
            // A panic is a defect, and must not keep others from being served.
            let acted = AssertUnwindSafe(self.act(me, id, &incoming)).catch_unwind().await;
            match acted {
                Ok(Ok(())) => false,
                Ok(Err(error)) => {
                    let reason = error.name();
                    let again = error.passes();
                    warn!(reason, again, "a message to the bot was not acted on");
                    again
                }
                Err(_) => {
                    self.give_up(&incoming).await;
                    false
                }
            }
        };
        let done = again || self.house.inbox.finish_update(me.id, id).await.is_ok();
        Ended { chat, id, again: again || !done }
    }

    async fn give_up(&self, incoming: &Incoming) {
        warn!("a message to the bot could not be acted on and was given up");
        let words = self.voice.words(incoming.language.as_deref());
        let text = words.say("telegram-gave-up", &[]);
        let _ = self.voice.answer(incoming.chat, incoming.message, &text).await;
    }
}

impl Rounds {
    fn ended(&mut self, ended: &Ended) {
        self.busy.remove(&ended.chat);
        if !ended.again {
            self.later.remove(&ended.id);
            self.begun.remove(&ended.id);
            return;
        }
        let tried = self.later.get(&ended.id).map_or(0, |(tried, _)| *tried);
        let pause = PAUSES.0 * 2_u32.saturating_pow(tried.min(10));
        let at = Instant::now() + pause.min(PAUSES.1);
        self.later.insert(ended.id, (tried.saturating_add(1), at));
    }
}

impl ActError {
    /// Whether it may go through later.
    fn passes(&self) -> bool {
        match self {
            Self::Api(error) => error.passes(),
            Self::Store(_) | Self::Later => true,
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Api(error) => error.name(),
            Self::Store(_) => "store",
            Self::Later => "later",
        }
    }
}

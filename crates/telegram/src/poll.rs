//! Asking for updates.
//!
//! **Invariant:** an update is confirmed to Telegram by asking for the next one, and that is done only
//! after it was kept.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use metrics::counter;
use serde_json::Value;
use verst_service::Inbound;

use crate::allow::admits;
use crate::api::number;
use crate::bot::{Bot, Me};
use crate::read::{Incoming, What, read};

/// For longer than one request takes: then another host asks.
const LEASE: Duration = Duration::from_mins(2);
/// Between two looks at whether another host still asks, and after trouble of the store.
const ELSEWHERE: Duration = Duration::from_secs(15);

impl Bot {
    /// Asks, for ever.
    pub(crate) async fn poll(self: &Arc<Self>, me: &Me) {
        let mut failures = 0;
        loop {
            let instance = &self.house.service.instance;
            let held = self.house.inbox.hold_bot(me.id, instance, LEASE).await;
            let Ok(Some(offset)) = held else {
                tokio::time::sleep(ELSEWHERE).await;
                continue;
            };
            match self.voice.api.get_updates(offset).await {
                Ok(updates) => {
                    failures = 0;
                    self.tell(None);
                    if !self.keep(me, &updates).await {
                        tokio::time::sleep(ELSEWHERE).await;
                    }
                }
                Err(error) => self.rest(&error, &mut failures).await,
            }
        }
    }

    /// Keeps what is to be acted on. `false` when that was not possible: it comes again.
    async fn keep(self: &Arc<Self>, me: &Me, updates: &[Value]) -> bool {
        let Some(last) = updates.iter().filter_map(number).next_back() else { return true };
        let mut kept = Vec::new();
        for update in updates {
            let outcome = match (number(update), read(update, &me.name)) {
                (Some(id), Some(incoming)) if incoming.what != What::Nothing => {
                    if admits(&self.voice.config, &incoming) {
                        kept.push(Inbound { id, body: update.to_string() });
                        "kept"
                    } else {
                        self.turn_away(&incoming);
                        "stranger"
                    }
                }
                _ => "ignored",
            };
            counter!("verst_telegram_updates_total", "outcome" => outcome).increment(1);
        }
        let any = !kept.is_empty();
        let received = self.house.inbox.receive(me.id, kept, last.saturating_add(1)).await;
        if any && received.is_ok() {
            self.came.notify_one();
        }
        received.is_ok()
    }

    /// One polite answer, where it disturbs nobody else.
    fn turn_away(self: &Arc<Self>, incoming: &Incoming) {
        let asked = incoming.private || matches!(incoming.what, What::Command(..));
        let mut strangers = self.strangers.lock().unwrap_or_else(PoisonError::into_inner);
        if !asked || !strangers.greet(incoming.chat) {
            return;
        }
        drop(strangers);
        let id = incoming.user.filter(|_| incoming.private).unwrap_or(incoming.chat).to_string();
        let words = self.voice.words(incoming.language.as_deref());
        let text = words.say("telegram-stranger", &[("id", verst_words::Arg::Text(&id))]);
        let (voice, chat, message) = (self.voice.clone(), incoming.chat, incoming.message);
        tokio::spawn(async move {
            let _ = voice.answer(chat, message, &text).await;
        });
    }
}

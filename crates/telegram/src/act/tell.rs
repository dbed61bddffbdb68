//! Short answers, and the first word about a thing.

use verst_service::accounts::Name;
use verst_service::download::Sender;
use verst_service::{Caller, Chat, Source, StoreError, WorkId};
use verst_words::Arg;

use super::{ActError, Ask};
use crate::allow::sees_all;
use crate::bot::Bot;
use crate::entrance::reply_to;
use crate::read::Incoming;

/// Whom the journal names where no account is known.
const NOBODY: &str = "telegram";

impl Ask<'_> {
    /// Where the answer goes.
    pub(crate) fn reply_to(&self) -> String {
        reply_to(self.incoming.chat, self.incoming.message)
    }

    pub(crate) fn sender(&self) -> Sender {
        let (reply_to, owner) = (Some(self.reply_to()), self.chat.owner.clone());
        Sender { source: Source::Telegram, reply_to, owner }
    }

    /// Whom the journal names.
    pub(crate) fn person(&self) -> &str {
        self.chat.owner.as_deref().unwrap_or(NOBODY)
    }
}

impl Bot {
    /// As whom somebody looks at what did not come from their chat; `None`: at nothing. In a group
    /// everybody would look along, so there it is nothing. An account by which nobody comes in shows
    /// nothing either.
    pub(super) async fn caller(
        &self,
        incoming: &Incoming,
        chat: &Chat,
    ) -> Result<Option<Caller>, StoreError> {
        if sees_all(&self.voice.config, incoming) {
            return Ok(Some(Caller::at_home(NOBODY)));
        }
        let owner = chat.owner.as_deref().filter(|_| incoming.private);
        let Some(name) = owner.and_then(|owner| Name::new(owner).ok()) else { return Ok(None) };
        let account = self.house.service.accounts.account_named(&name).await?;
        let account = account.map(|(account, _)| account).filter(|it| it.disabled_at.is_none());
        Ok(account.as_ref().map(Caller::of_account))
    }

    /// A sentence without arguments.
    pub(super) async fn say(&self, ask: &Ask<'_>, key: &str) -> Result<(), ActError> {
        self.say_with(ask, key, &[]).await
    }

    pub(super) async fn say_with(
        &self,
        ask: &Ask<'_>,
        key: &str,
        args: &[(&str, Arg<'_>)],
    ) -> Result<(), ActError> {
        self.answer(ask, &ask.words.say(key, args)).await
    }

    pub(super) async fn answer(&self, ask: &Ask<'_>, text: &str) -> Result<(), ActError> {
        let incoming = ask.incoming;
        Ok(self.voice.answer(incoming.chat, incoming.message, text).await?)
    }

    /// Tells how a thing stands that came in.
    pub(super) async fn introduce(&self, ask: &Ask<'_>, id: WorkId) -> Result<(), ActError> {
        let Some(thing) = self.eyes.thing(id).await? else { return Ok(()) };
        let look = thing.look(ask.words, self.voice.panel());
        let now = self.house.service.queue.now().await?;
        let incoming = ask.incoming;
        let told = self.voice.introduce(id, incoming.chat, incoming.message, &look, now).await;
        Ok(told?)
    }

    /// Whether a thing exists for those in this chat.
    pub(super) async fn shows(&self, ask: &Ask<'_>, id: WorkId) -> Result<bool, StoreError> {
        let here = self.voice.chats.status_message(id, ask.chat.id).await?;
        if here.is_some() {
            return Ok(true);
        }
        let Some(caller) = &ask.caller else { return Ok(false) };
        if self.house.service.look(caller, id).await?.is_some() {
            return Ok(true);
        }
        let view = self.house.views.download_view(id).await?;
        Ok(view.is_some_and(|view| view.is_seen_by(caller)))
    }
}

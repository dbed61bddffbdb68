//! Commands.

use verst_service::{DownloadFilter, Filter, Found, Letter, Query, Snippet, WorkId, link_chat};
use verst_words::Arg;

use super::{ActError, Ask};
use crate::api::Outgoing;
use crate::bot::Bot;
use crate::look::Thing;
use crate::read::Command;
use crate::result::{Outcome, of_text};
use crate::text::escape;

/// Things in a list.
const LISTED: u32 = 10;
/// Recordings that a search shows.
const HITS: u32 = 5;

impl Bot {
    pub(super) async fn command(
        &self,
        ask: &Ask<'_>,
        command: Command,
        rest: &str,
    ) -> Result<(), ActError> {
        match command {
            Command::Start => self.say(ask, "telegram-start").await,
            Command::Help => self.say(ask, "telegram-help").await,
            Command::List => self.list(ask).await,
            Command::Find => self.find(ask, rest).await,
            Command::Text => self.give_text(ask, rest).await,
            Command::Link => self.link(ask, rest).await,
            Command::Unlink => {
                let unlinked = self.voice.chats.unlink(ask.chat.id).await?;
                let key = if unlinked { "telegram-unlinked" } else { "telegram-not-linked" };
                self.say(ask, key).await
            }
            Command::Unknown if ask.incoming.private => self.say(ask, "telegram-help").await,
            Command::Unknown => Ok(()),
        }
    }

    async fn link(&self, ask: &Ask<'_>, code: &str) -> Result<(), ActError> {
        if code.is_empty() {
            return self.say(ask, "telegram-link-how").await;
        }
        match link_chat(&*self.voice.chats, code, ask.chat.id).await? {
            Some(owner) => {
                self.say_with(ask, "telegram-linked", &[("owner", Arg::Text(&owner))]).await
            }
            None => self.say(ask, "telegram-link-wrong").await,
        }
    }

    /// What they may see, newest first.
    async fn list(&self, ask: &Ask<'_>) -> Result<(), ActError> {
        let mut things = Vec::new();
        for id in self.newest(ask).await? {
            things.extend(self.eyes.thing(id).await?);
        }
        if things.is_empty() {
            return self.say(ask, "telegram-list-empty").await;
        }
        let line = |thing: &Thing| {
            let (name, standing) = (thing.name(ask.words), thing.standing(ask.words));
            format!("{}. <b>{}</b>\n{}", thing.id(), escape(&name), escape(&standing))
        };
        let lines: Vec<String> = things.iter().map(line).collect();
        self.html(ask, lines.join("\n\n")).await
    }

    async fn newest(&self, ask: &Ask<'_>) -> Result<Vec<WorkId>, ActError> {
        let Some(caller) = &ask.caller else {
            return Ok(self.voice.chats.told_in(ask.chat.id, None, LISTED).await?);
        };
        let (owner, limit) = (caller.scope(), LISTED);
        let filter = Filter { owner: owner.clone(), limit, ..Filter::default() };
        let recordings = self.house.service.ledger.list(filter).await?;
        let filter = DownloadFilter { owner, limit, ..DownloadFilter::default() };
        let downloads = self.house.views.downloads(filter).await?;
        let mut ids: Vec<WorkId> = recordings.iter().map(|view| view.work.id).collect();
        ids.extend(downloads.iter().map(|view| view.work.id));
        ids.sort_by_key(|id| std::cmp::Reverse(id.0));
        ids.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        Ok(ids)
    }

    async fn find(&self, ask: &Ask<'_>, typed: &str) -> Result<(), ActError> {
        let Some(caller) = &ask.caller else {
            let key =
                if ask.incoming.private { "telegram-find-unlinked" } else { "telegram-find-alone" };
            return self.say(ask, key).await;
        };
        let Ok(query) = Query::new(typed) else {
            return self.say(ask, "telegram-find-how").await;
        };
        let filter =
            Filter { owner: caller.scope(), limit: HITS, search: Some(query), ..Filter::default() };
        let found = self.house.service.find(filter).await?;
        if found.is_empty() {
            return self.say(ask, "telegram-found-none").await;
        }
        let hit = |found: Found| {
            let snippets: Vec<String> =
                found.snippets.iter().chain(&found.summary).map(marked).collect();
            let thing = Thing::Recording(Box::new(found.view));
            let head = format!("{}. <b>{}</b>", thing.id(), escape(&thing.name(ask.words)));
            [vec![head], snippets].concat().join("\n")
        };
        let hits: Vec<String> = found.into_iter().map(hit).collect();
        let how = escape(&ask.words.say("telegram-found-how", &[]));
        self.html(ask, format!("{}\n\n{how}", hits.join("\n\n"))).await
    }

    /// The whole text of a recording.
    async fn give_text(&self, ask: &Ask<'_>, typed: &str) -> Result<(), ActError> {
        let Some(id) = typed.trim().parse().ok().map(WorkId) else {
            return self.say(ask, "telegram-text-how").await;
        };
        let thing = if self.shows(ask, id).await? { self.eyes.thing(id).await? } else { None };
        let Some(Thing::Recording(view)) = thing else {
            return self.say(ask, "telegram-gone").await;
        };
        let transcript = self.house.service.recordings.transcript(id).await?;
        let letter = Letter {
            work: id,
            name: view.recording.title.clone().or(view.recording.given.name.clone()),
            kind: verst_service::NoticeKind::Done,
            transcript,
            warnings: view.recording.warnings.clone(),
        };
        let Some(Outcome { look, file }) = of_text(&letter, ask.words, self.voice.panel()) else {
            return self.say(ask, "telegram-no-text-yet").await;
        };
        self.html(ask, look.html).await?;
        if let Some((name, text)) = file {
            let (chat, message) = (ask.incoming.chat, ask.incoming.message);
            self.voice.api.send_document(chat, Some(message), &name, text.into()).await?;
        }
        Ok(())
    }

    async fn html(&self, ask: &Ask<'_>, html: String) -> Result<(), ActError> {
        let (chat, answers) = (ask.incoming.chat, Some(ask.incoming.message));
        let out = Outgoing { chat, answers, html, keyboard: None, silent: false };
        self.voice.say(&out).await?;
        Ok(())
    }
}

/// A snippet with its hits in bold.
fn marked(snippet: &Snippet) -> String {
    let piece = |(text, hit): (&str, bool)| {
        if hit { format!("<b>{}</b>", escape(text)) } else { escape(text) }
    };
    snippet.pieces().map(piece).collect()
}

//! A button that was pressed.
//!
//! **Invariant:** anybody in the chat may press any button, and send what no button says. What is done
//! is done to things that exist for them, by the use cases of every face.

use verst_service::download::{RetryError, client_failure};
use verst_service::{
    Choice, ChooseError, Failure, LiftError, Service, StopAnswer, StoreError, WorkId,
};
use verst_words::{Arg, Words};

use super::{ActError, Ask};
use crate::bot::Bot;
use crate::buttons::Deed;
use crate::look::{Look, Thing, choices};
use crate::text::beginning;

/// The longest answer to a press.
const TOAST_UNITS: usize = 200;

/// What came of a press: a few words, and what the message is to show instead of how the thing stands.
struct Pressed {
    said: String,
    shown: Option<Look>,
}

impl Bot {
    pub(super) async fn press(
        &self,
        ask: &Ask<'_>,
        query: &str,
        data: &str,
    ) -> Result<(), ActError> {
        let pressed = match Deed::read(data) {
            Some((deed, id)) => self.pressed(ask, deed, id).await?,
            None => gone(ask.words),
        };
        let said = beginning(&pressed.said, TOAST_UNITS);
        // Telegram forgets a press soon; what it did is seen in the message.
        let _ = self.voice.api.answer(query, said).await;
        let Some((_, id)) = Deed::read(data) else { return Ok(()) };
        let thing = if self.shows(ask, id).await? { self.eyes.thing(id).await? } else { None };
        let Some(thing) = thing else { return Ok(()) };
        let look = pressed.shown.unwrap_or_else(|| thing.look(ask.words, self.voice.panel()));
        Ok(self.show(&look, &thing, ask.incoming.chat).await?)
    }

    async fn pressed(&self, ask: &Ask<'_>, deed: Deed, id: WorkId) -> Result<Pressed, ActError> {
        let thing = if self.shows(ask, id).await? { self.eyes.thing(id).await? } else { None };
        let Some(thing) = thing else { return Ok(gone(ask.words)) };
        let person = ask.person();
        match (&thing, &self.house.downloads) {
            (Thing::Recording(_), _) => self.recording_pressed(ask, &thing, deed, person).await,
            (Thing::Download(..), Some(_)) => self.download_pressed(ask, id, deed, person).await,
            (Thing::Download(..), None) => Ok(only(ask.words.say("telegram-downloads-off", &[]))),
        }
    }

    async fn recording_pressed(
        &self,
        ask: &Ask<'_>,
        thing: &Thing,
        deed: Deed,
        person: &str,
    ) -> Result<Pressed, ActError> {
        let (service, words, id): (&Service, _, _) = (&self.house.service, ask.words, thing.id());
        let choice = match deed {
            Deed::Stop => return Ok(only(stopped(&service.stop(id, person).await?, words))),
            Deed::Choose(_) => return Ok(gone(words)),
            Deed::Lift => None,
            Deed::Again => Some(Choice::SubmitAgain),
            Deed::Wait => Some(Choice::KeepWaiting),
        };
        let asks = |wait| Pressed {
            said: words.say("telegram-choice", &[]),
            shown: Some(choices(thing, wait, words)),
        };
        Ok(match service.lift(id, person, choice).await {
            Ok(()) => only(words.say("telegram-goes-on", &[])),
            Err(LiftError::ChoiceNeeded) => asks(true),
            Err(LiftError::OnlyAgain) => asks(false),
            Err(LiftError::NothingToChoose | LiftError::NotStopped) => {
                only(words.say("telegram-not-stopped", &[]))
            }
            Err(LiftError::Missing) => gone(words),
            Err(LiftError::Store(error)) => return Err(error.into()),
        })
    }

    async fn download_pressed(
        &self,
        ask: &Ask<'_>,
        id: WorkId,
        deed: Deed,
        person: &str,
    ) -> Result<Pressed, ActError> {
        let words = ask.words;
        let Some(downloads) = &self.house.downloads else { return Ok(gone(words)) };
        let said = match deed {
            Deed::Stop => stopped(&downloads.stop(id, person).await?, words),
            Deed::Lift => match downloads.lift(id, person).await {
                Ok(()) => words.say("telegram-goes-on", &[]),
                Err(error) => unretried(error, words)?,
            },
            Deed::Choose(number) => {
                match downloads.choose_candidate(id, person, usize::from(number)).await {
                    Ok(()) => words.say("telegram-chosen", &[]),
                    Err(error) => unchosen(error, words)?,
                }
            }
            Deed::Again | Deed::Wait => return Ok(gone(words)),
        };
        Ok(only(said))
    }
}

fn only(said: String) -> Pressed {
    Pressed { said, shown: None }
}

fn gone(words: &Words) -> Pressed {
    only(words.say("telegram-gone", &[]))
}

fn stopped(answer: &StopAnswer, words: &Words) -> String {
    let key = match answer {
        StopAnswer::Stopped(_) => "telegram-was-stopped",
        StopAnswer::AlreadyStopped => "problem-already-stopped",
        StopAnswer::Finished => "problem-already-done",
        StopAnswer::Missing => "telegram-gone",
    };
    words.say(key, &[])
}

fn owned(other: WorkId, words: &Words) -> String {
    words.say("failure-owned-by-other", &[("id", Arg::Text(&other.to_string()))])
}

fn unretried(error: RetryError, words: &Words) -> Result<String, StoreError> {
    let failure = |code| words.failure(&Failure::new(code));
    Ok(match error {
        RetryError::Owned(other) => owned(other, words),
        RetryError::NotStopped => words.say("telegram-not-stopped", &[]),
        RetryError::Missing => words.say("telegram-gone", &[]),
        RetryError::Lost => words.say("problem-moved-meanwhile", &[]),
        RetryError::Refused => failure("add_refused"),
        RetryError::NoRoom => failure("no_room"),
        RetryError::Client(error) => words.failure(&client_failure(&error)),
        RetryError::Store(error) => return Err(error),
    })
}

fn unchosen(error: ChooseError, words: &Words) -> Result<String, StoreError> {
    Ok(match error {
        ChooseError::Owned(other) => owned(other, words),
        ChooseError::Missing => words.say("telegram-gone", &[]),
        ChooseError::Client(error) => words.failure(&client_failure(&error)),
        ChooseError::Store(error) => return Err(error),
        ChooseError::NothingToChoose
        | ChooseError::NoCandidate
        | ChooseError::Choice(_)
        | ChooseError::Layout(_) => words.say("telegram-nothing-to-choose", &[]),
    })
}

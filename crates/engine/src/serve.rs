//! The loop of the process: a request, its replies, the next one.
//!
//! It ends well when its input ends and with an error when the stream breaks; a frame that is not
//! a request is answered as a failure, and the next frame is read.

use std::io::{Read, Write};
use std::sync::Arc;
use std::time::Duration;

use crate::ahead::{Hearers, Job, Task, lock};
use crate::diarise::diarise;
use crate::hear::{Heard, Manner, longest_slice_ms};
use crate::models::{Kind, Models};
use crate::planner::{PlanError, plan};
use crate::protocol::{self, FrameError, ModelFile, Param, Reply, Request};
use crate::trouble::Trouble;
use crate::worker::Worker;

/// How often a sign of life is sent while the native library computes.
const SIGN_EVERY: Duration = Duration::from_secs(20);

/// How many are sent for one request. Half an hour is ample for half a minute of audio on any
/// machine; a library that hangs is then silent, and the client ends it.
const SIGNS: usize = 90;

/// Why the engine ended without its input having ended.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// A request could not be read.
    #[error("request not read")]
    Input(#[source] FrameError),
    /// A reply could not be written.
    #[error("reply not written")]
    Output(#[source] FrameError),
}

/// Serves requests until the input ends. Nothing else may use the output.
pub fn serve(mut input: impl Read, mut output: impl Write) -> Result<(), ServeError> {
    // The native library's words go nowhere: they may repeat what was said.
    transcribe_cpp::disable_logging();
    let mut hearers = Hearers::default();
    loop {
        let reply = match protocol::read(&mut input) {
            Ok(None) => return Ok(()),
            Ok(Some(request)) => answer(&mut hearers, request, &mut output)?,
            Err(FrameError::Message(_)) => Trouble::BAD_REQUEST.into(),
            Err(error) => return Err(ServeError::Input(error)),
        };
        let written = match protocol::write(&mut output, &reply) {
            Err(FrameError::TooLarge(_)) => {
                protocol::write(&mut output, &Reply::from(Trouble::REPLY_TOO_LARGE))
            }
            other => other,
        };
        written.map_err(ServeError::Output)?;
    }
}

fn answer(
    hearers: &mut Hearers,
    request: Request,
    output: &mut impl Write,
) -> Result<Reply, ServeError> {
    let reply = match request {
        Request::Plan { audio, vad, longest_slice_ms } => {
            let mut working = |done_ms: u64, total_ms: u64| {
                protocol::write(output, &Reply::Working { done_ms, total_ms })
            };
            let model = lock(hearers.models()).get(Kind::Vad, &vad);
            let planned = model
                .map_err(PlanError::Trouble)
                .and_then(|vad| plan(&audio, &vad, longest_slice_ms, &mut working));
            match planned {
                Ok(plan) => Ok(Reply::Planned(plan)),
                Err(PlanError::Trouble(trouble)) => Err(of_vad(trouble)),
                Err(PlanError::Working(error)) => return Err(ServeError::Output(error)),
            }
        }
        Request::Hear { audio, model, slice, next, language, whole, threads, words } => {
            let manner = Manner { language, whole, threads, words };
            let task = Task { audio, model, slice, manner };
            let wait =
                |job: &mut Job| alive(output, SIGN_EVERY, &mut |patience| job.wait(patience));
            hearers.hear(&task, next, wait)?.map(reply).map_err(Reply::from)
        }
        Request::Diarise { audio, model, window, threads } => {
            hearers.give_up_others(&model);
            let models = Arc::clone(hearers.models());
            let turns = Worker::begin(move || {
                let model = lock(&models).get(Kind::Diariser, &model)?;
                diarise(&audio, &model, window, threads)
            });
            let turns = match turns {
                Ok(mut worker) => alive(output, SIGN_EVERY, &mut |patience| worker.wait(patience))?,
                Err(trouble) => Err(trouble),
            };
            turns
                .map(|turns| Reply::Diarised { turns })
                .map_err(|trouble| of_role(trouble, protocol::ROLE_DIARISER))
        }
        Request::Check { model, vad } => {
            hearers.give_up_others(&model);
            let mut models = lock(hearers.models());
            match models.get(Kind::Vad, &vad) {
                Ok(_) => check(&mut models, &model).map_err(Reply::from),
                Err(trouble) => Err(of_vad(trouble)),
            }
        }
    };
    Ok(reply.unwrap_or_else(|failed| failed))
}

/// Waits for work that another thread does, and sends signs of life meanwhile.
fn alive<T>(
    output: &mut impl Write,
    every: Duration,
    work: &mut dyn FnMut(Duration) -> Option<T>,
) -> Result<T, ServeError> {
    for _ in 0..SIGNS {
        if let Some(done) = work(every) {
            return Ok(done);
        }
        let sign = Reply::Working { done_ms: 0, total_ms: 0 };
        protocol::write(output, &sign).map_err(ServeError::Output)?;
    }
    loop {
        if let Some(done) = work(every) {
            return Ok(done);
        }
    }
}

/// The language of a slice without text is not told: noise must not decide it.
fn reply(heard: Heard) -> Reply {
    let language = heard.language.filter(|_| !heard.segments.is_empty());
    Reply::Heard { segments: heard.segments, language }
}

/// A trouble with the voice-activity model, which is not the one that a request chooses.
fn of_vad(trouble: Trouble) -> Reply {
    of_role(trouble, protocol::ROLE_VAD)
}

/// A trouble with a model that is not the recogniser's.
fn of_role(trouble: Trouble, role: &str) -> Reply {
    let about_model = matches!(trouble, Trouble::ModelMissing | Trouble::ModelDamaged);
    let mut reply = Reply::from(trouble);
    if let Reply::Failed { params, .. } = &mut reply
        && about_model
    {
        params.insert(protocol::MODEL_ROLE.to_owned(), Param::Term(role.to_owned()));
    }
    reply
}

fn check(models: &mut Models, model: &ModelFile) -> Result<Reply, Trouble> {
    let model = models.get(Kind::Recogniser { copy: 0 }, model)?;
    let capabilities = model.capabilities().map_err(|error| Trouble::native(&error))?;
    let longest_slice_ms = longest_slice_ms(&model, &capabilities);
    let names = [model.arch(), model.variant(), model.backend()];
    let names: Vec<&str> = names.iter().map(String::as_str).filter(|n| !n.is_empty()).collect();
    let description = names.join(" ");
    Ok(Reply::Checked { description, languages: capabilities.languages, longest_slice_ms })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replies(input: &[u8]) -> (Result<(), ServeError>, Vec<Reply>) {
        let mut output = Vec::new();
        let ended = serve(input, &mut output);
        let mut rest = output.as_slice();
        let mut replies = Vec::new();
        while let Some(reply) = protocol::read(&mut rest).unwrap() {
            replies.push(reply);
        }
        (ended, replies)
    }

    #[test]
    fn what_is_no_request_is_answered_and_the_next_one_read() {
        let mut input = protocol::encode(&"no request").unwrap();
        input.extend(protocol::encode(&serde_json::json!({"check": {"model": 5}})).unwrap());
        let (ended, answers) = replies(&input);
        assert!(ended.is_ok());
        assert_eq!(answers, vec![Reply::from(Trouble::BAD_REQUEST); 2]);
    }

    #[test]
    fn long_work_gives_signs_of_life_and_then_its_result() {
        let mut output = Vec::new();
        let mut patience = [None, Some(7)].into_iter();
        let worked = alive(&mut output, Duration::ZERO, &mut |_| patience.next().flatten());
        assert_eq!(worked.unwrap(), 7);
        let sign: Option<Reply> = protocol::read(&mut output.as_slice()).unwrap();
        assert_eq!(sign, Some(Reply::Working { done_ms: 0, total_ms: 0 }));
    }

    #[test]
    fn the_model_that_is_missing_is_named() {
        let nowhere = ModelFile { path: "/nowhere".into(), sha256: None };
        let check = Request::Check { model: nowhere.clone(), vad: nowhere.clone() };
        let plan =
            Request::Plan { audio: "/a".into(), vad: nowhere.clone(), longest_slice_ms: 29_000 };
        let window = (0, 1000).into();
        let diarise = Request::Diarise { audio: "/a".into(), model: nowhere, window, threads: 1 };
        for (request, role) in [(check, "vad"), (plan, "vad"), (diarise, "diariser")] {
            let (_, replies) = replies(&protocol::encode(&request).unwrap());
            let [Reply::Failed { code, params }] = replies.as_slice() else {
                panic!("{replies:?}");
            };
            assert_eq!(code, protocol::MODEL_MISSING);
            assert_eq!(params["model"], Param::Term(role.to_owned()));
        }
    }

    #[test]
    fn broken_streams_end_the_process() {
        let cases: [(&[u8], bool); 4] =
            [(&[], true), (&[1, 0], false), (&[9, 0, 0, 0, b'{'], false), (&[255; 9], false)];
        for (input, expected) in cases {
            let (ended, answers) = replies(input);
            assert_eq!(ended.is_ok(), expected, "{input:?}");
            assert!(answers.is_empty());
        }
    }
}

//! The loop of the process: a request, its replies, the next one.
//!
//! It ends well when its input ends and with an error when the stream breaks; a frame that is not
//! a request is answered as a failure, and the next frame is read.

use std::io::{Read, Write};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::diarise::diarise;
use crate::hear::{Manner, hear, longest_slice_ms};
use crate::models::{Kind, Models};
use crate::planner::{PlanError, plan};
use crate::protocol::{self, FrameError, ModelFile, Param, Reply, Request};
use crate::trouble::Trouble;

/// How often a sign of life is sent while the native library computes.
const SIGN_EVERY: Duration = Duration::from_secs(20);

/// How many are sent for one request. Half an hour is ample for half a minute of audio on any
/// machine; a library that hangs is then silent, and the client ends it.
const SIGNS: usize = 90;

/// The stack of a main thread, which native code may count on.
const STACK_BYTES: usize = 8 * 1024 * 1024;

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
    let mut models = Models::default();
    loop {
        let reply = match protocol::read(&mut input) {
            Ok(None) => return Ok(()),
            Ok(Some(request)) => answer(&mut models, request, &mut output)?,
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
    models: &mut Models,
    request: Request,
    output: &mut impl Write,
) -> Result<Reply, ServeError> {
    let reply = match request {
        Request::Plan { audio, vad, longest_slice_ms } => {
            let mut working = |done_ms: u64, total_ms: u64| {
                protocol::write(output, &Reply::Working { done_ms, total_ms })
            };
            let planned = models
                .get(Kind::Vad, &vad)
                .map_err(PlanError::Trouble)
                .and_then(|vad| plan(&audio, &vad, longest_slice_ms, &mut working));
            match planned {
                Ok(plan) => Ok(Reply::Planned(plan)),
                Err(PlanError::Trouble(trouble)) => Err(of_vad(trouble)),
                Err(PlanError::Working(error)) => return Err(ServeError::Output(error)),
            }
        }
        Request::Hear { audio, model, slice, language, whole, threads, words } => {
            let manner = Manner { language, whole, threads, words };
            let heard = alive(output, SIGN_EVERY, || {
                let model = models.get(Kind::Recogniser, &model)?;
                hear(&audio, &model, &slice, &manner)
            })?;
            heard
                .map(|(segments, language)| Reply::Heard { segments, language })
                .map_err(Reply::from)
        }
        Request::Diarise { audio, model, window, threads } => {
            let turns = alive(output, SIGN_EVERY, || {
                let model = models.get(Kind::Diariser, &model)?;
                diarise(&audio, &model, window, threads)
            })?;
            turns
                .map(|turns| Reply::Diarised { turns })
                .map_err(|trouble| of_role(trouble, protocol::ROLE_DIARISER))
        }
        Request::Check { model, vad } => match models.get(Kind::Vad, &vad) {
            Ok(_) => check(models, &model).map_err(Reply::from),
            Err(trouble) => Err(of_vad(trouble)),
        },
    };
    Ok(reply.unwrap_or_else(|failed| failed))
}

/// Works in a thread of its own, and meanwhile sends signs of life from this one, which has the
/// output. A panic of the work is ours.
fn alive<T: Send>(
    output: &mut impl Write,
    every: Duration,
    work: impl FnOnce() -> Result<T, Trouble> + Send,
) -> Result<Result<T, Trouble>, ServeError> {
    thread::scope(|scope| {
        let (done, finished) = channel();
        let worker = thread::Builder::new().stack_size(STACK_BYTES);
        let started = worker.spawn_scoped(scope, move || {
            let _ = done.send(work());
        });
        if started.is_err() {
            return Ok(Err(Trouble::Failed("no_thread")));
        }
        for _ in 0..SIGNS {
            match finished.recv_timeout(every) {
                Ok(result) => return Ok(result),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
            let sign = Reply::Working { done_ms: 0, total_ms: 0 };
            protocol::write(output, &sign).map_err(ServeError::Output)?;
        }
        // Only a panic leaves no result, and the scope passes it on.
        Ok(finished.recv().unwrap_or(Err(Trouble::Failed("panicked"))))
    })
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
    let model = models.get(Kind::Recogniser, model)?;
    let capabilities = model.capabilities().map_err(|error| Trouble::native(&error))?;
    let longest_slice_ms = longest_slice_ms(&model, &capabilities);
    let names = [model.arch(), model.variant(), model.backend()];
    let names: Vec<&str> = names.iter().map(String::as_str).filter(|n| !n.is_empty()).collect();
    let description = names.join(" ");
    Ok(Reply::Checked { description, languages: capabilities.languages, longest_slice_ms })
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::Sender;

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

    /// An output that tells of each flush.
    struct Told(Vec<u8>, Sender<()>);

    impl Write for Told {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            // Who listens has heard enough after the first.
            let _ = self.1.send(());
            Ok(())
        }
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
        let (told, hears) = channel();
        let mut output = Told(Vec::new(), told);
        let worked = alive(&mut output, Duration::from_millis(5), move || {
            hears.recv().unwrap();
            Ok(7)
        });
        assert_eq!(worked.unwrap(), Ok(7));
        let sign: Option<Reply> = protocol::read(&mut output.0.as_slice()).unwrap();
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

//! The loop of the process: a request, its replies, the next one.
//!
//! It ends well when its input ends and with an error when the stream breaks; a frame that is not
//! a request is answered as a failure, and the next frame is read.

use std::io::{Read, Write};

use crate::hear::{Manner, hear, longest_slice_ms};
use crate::models::{Kind, Models};
use crate::planner::{PlanError, plan};
use crate::protocol::{self, FrameError, ModelFile, Reply, Request};
use crate::trouble::Trouble;

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
                Err(PlanError::Trouble(trouble)) => Err(trouble),
                Err(PlanError::Working(error)) => return Err(ServeError::Output(error)),
            }
        }
        Request::Hear { audio, model, slice, language, whole, threads } => models
            .get(Kind::Recogniser, &model)
            .and_then(|model| hear(&audio, &model, &slice, &Manner { language, whole, threads }))
            .map(|(segments, language)| Reply::Heard { segments, language }),
        Request::Check { model, vad } => check(models, &model, &vad),
    };
    Ok(reply.unwrap_or_else(Reply::from))
}

fn check(models: &mut Models, model: &ModelFile, vad: &ModelFile) -> Result<Reply, Trouble> {
    models.get(Kind::Vad, vad)?;
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

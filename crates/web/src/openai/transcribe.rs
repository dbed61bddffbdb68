//! A recording comes in, and its text goes out in the same request.

use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::header::{CONTENT_TYPE, HeaderName};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use tokio::time::sleep;
use verst_service::{
    Arrival, Caller, Source, State as Stands, StopReason, Transcript, View, WorkId,
};

use super::USUAL;
use super::form::{Shape, Transcription};
use crate::app::App;
use crate::auth::Who;
use crate::kinds;
use crate::problem::{Answer, Problem};
use crate::recordings::arrival::{Form, Uploading, cut_with};
use crate::recordings::create::{fits, is_form};
use crate::recordings::find;
use crate::recordings::wish::wish;
use crate::trouble;

/// Between two looks at a recording that is waited for.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// OpenAI's clients send again what failed by the server's fault, unless they are told not to. A
/// recording that is here already must not come a second time.
const SHOULD_RETRY: HeaderName = HeaderName::from_static("x-should-retry");

/// Transcribes a recording and waits for its text.
#[utoipa::path(post, path = "/v1/audio/transcriptions", tag = "openai",
    request_body(content = Transcription, content_type = "multipart/form-data"),
    responses(
        (status = 200, content((Object = "application/json"), (String = "text/plain"))),
        (status = "4XX", description = "As OpenAI tells errors", body = Object),
        (status = "5XX", description = "As OpenAI tells errors", body = Object),
    ))]
pub(crate) async fn transcribe(
    State(app): State<App>,
    Who(caller): Who,
    request: Request,
) -> Answer<Response> {
    if !is_form(request.headers()) {
        return Err(kinds::MEDIA_TYPE.into());
    }
    fits(&app, request.headers())?;
    let request = request.map(|body| cut_with(&app, body));
    let (mine, by) = (app.clone(), caller.clone());
    let task = app.tasks.spawn(async move { take_in(&mine, &by, request).await });
    let (id, shape) = task.await.map_err(|_| Problem::from(kinds::INTERNAL))??;
    let (view, transcript) = wait_for(&app, &caller, id).await.map_err(once)?;
    let kind = HeaderValue::from_static(shape.kind());
    Ok(([(CONTENT_TYPE, kind)], shape.write(&view, &transcript)).into_response())
}

async fn take_in(app: &App, caller: &Caller, request: Request) -> Answer<(WorkId, Shape)> {
    let _counted = Uploading::begin();
    let form = Form::read(app, request).await?;
    match order(app, caller, &form).await {
        Ok((arrival, shape)) => {
            let entered = app.service().enter(form.file, arrival).await;
            Ok((entered.map_err(trouble::submit)?.id, shape))
        }
        Err(problem) => {
            app.service().turn_away(form.file).await;
            Err(problem)
        }
    }
}

async fn order(app: &App, caller: &Caller, form: &Form) -> Answer<(Arrival, Shape)> {
    let shape = Shape::of(form)?;
    let model = form
        .field("model")
        .ok_or_else(|| Problem::from(kinds::FIELD_MISSING).term("parameter", "model"))?;
    let model = Some(model).filter(|model| *model != USUAL);
    let wish = wish(app, form.field("language"), model).await?;
    let arrival = Arrival {
        source: Source::Http,
        reply_to: None,
        owner: caller.owner.clone(),
        name: form.name.clone(),
        wish,
        handle: None,
    };
    Ok((arrival, shape))
}

async fn wait_for(app: &App, caller: &Caller, id: WorkId) -> Answer<(View, Transcript)> {
    loop {
        let view = find(app, caller, id).await?;
        if let Some(stop) = &view.work.stop {
            let status = match stop.reason {
                StopReason::Verdict => StatusCode::BAD_REQUEST,
                StopReason::Person => StatusCode::CONFLICT,
                StopReason::Failures | StopReason::Stuck => StatusCode::INTERNAL_SERVER_ERROR,
            };
            return Err(Problem::told(status, stop.failure.clone()));
        }
        if view.work.state() == Stands::Done {
            let found = app.service().recordings.transcript(id).await.map_err(trouble::store)?;
            return Ok((view, found.unwrap_or_default()));
        }
        tokio::select! {
            () = app.ending.cancelled() => return Err(kinds::ENDING.into()),
            () = sleep(LOOK_EVERY) => {}
        }
    }
}

fn once(problem: Problem) -> Problem {
    problem.header(SHOULD_RETRY, HeaderValue::from_static("false"))
}

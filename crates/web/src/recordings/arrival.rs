//! The bytes of a recording on their way in, and the form they may be wrapped in.
//!
//! Fields of a form come in any order, so the file is stored first and entered when all is known.
//! **Invariant:** no part of a recording is kept in memory for longer than it takes to write it, and
//! an upload that does not come to its end leaves nothing behind.

use std::io;

use axum::body::Body;
use axum::extract::multipart::{Field, Multipart, MultipartError};
use axum::extract::{FromRequest, Request};
use futures::{StreamExt, TryStreamExt, stream};
use metrics::gauge;
use tokio_util::sync::CancellationToken;
use verst_service::{Bytestream, Received};

use super::ahead::Ahead;
use crate::app::App;
use crate::input::wrong;
use crate::kinds;
use crate::problem::{Answer, Problem};
use crate::trouble::{self, Broken, broken};

/// Fields of a form.
const FIELDS: usize = 64;
/// Bytes of a field that is no file.
const FIELD_BYTES: usize = 16 * 1024;
/// Bytes of a name.
const NAME_BYTES: usize = 1024;
/// What a form adds to its file, at most.
pub(crate) const FORM_BYTES: u64 = 1 << 20;

/// A body that ends with an error when the service may not wait for it any longer.
pub(crate) fn cut_with(app: &App, body: Body) -> Body {
    let until: CancellationToken = app.cut.clone();
    let bytes = body.into_data_stream().map_err(io::Error::other).boxed();
    Body::from_stream(stream::unfold(Some((bytes, until)), |going| async {
        let (mut bytes, until) = going?;
        tokio::select! {
            biased;
            () = until.cancelled() => {
                Some((Err(io::Error::other(Broken(kinds::ENDING.into()))), None))
            }
            next = bytes.next() => next.map(|next| (next, Some((bytes, until)))),
        }
    }))
}

/// A body as the service takes it.
pub(crate) fn bytes(body: Body) -> Bytestream<'static> {
    body.into_data_stream().map_err(io::Error::other).boxed()
}

/// Counts an upload for as long as it is there.
pub(crate) struct Uploading;

impl Uploading {
    pub(crate) fn begin() -> Self {
        gauge!("verst_uploads").increment(1);
        Self
    }
}

impl Drop for Uploading {
    fn drop(&mut self) {
        gauge!("verst_uploads").decrement(1);
    }
}

/// A form that was read to its end.
pub(crate) struct Form {
    /// The file, stored and not yet entered.
    pub(crate) file: Received,
    /// The name it has.
    pub(crate) name: Option<String>,
    fields: Vec<(String, String)>,
}

impl Form {
    /// The last value of a field.
    pub(crate) fn field<'a>(&'a self, name: &'a str) -> Option<&'a str> {
        self.all(name).last()
    }

    /// Every value of a field.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.fields.iter().filter(move |(it, _)| it == name).map(|(_, value)| value.as_str())
    }

    /// Reads a form, and stores its file on the way.
    pub(crate) async fn read(app: &App, request: Request) -> Answer<Self> {
        let ahead = Ahead::default();
        let request = request.map(|body| ahead.watch(body));
        let form = Multipart::from_request(request, app).await;
        let mut form = form.map_err(|_| Problem::from(kinds::BODY_BROKEN))?;
        let mut file = None;
        let mut fields = Vec::new();
        match read(app, &mut form, &ahead, &mut file, &mut fields).await {
            Err(problem) => {
                if let Some((file, _)) = file {
                    app.service().turn_away(file).await;
                }
                Err(problem)
            }
            Ok(()) => match file {
                Some((file, name)) => Ok(Self { file, name, fields }),
                None => Err(Problem::from(kinds::FIELD_MISSING).term("parameter", "file")),
            },
        }
    }
}

async fn read(
    app: &App,
    form: &mut Multipart,
    ahead: &Ahead,
    file: &mut Option<(Received, Option<String>)>,
    fields: &mut Vec<(String, String)>,
) -> Answer<()> {
    for _ in 0..FIELDS {
        let Some(field) = form.next_field().await.map_err(|error| unread(&error))? else {
            return Ok(());
        };
        ahead.caught_up();
        let name = field.name().unwrap_or_default().to_owned();
        if name == "file" {
            if file.is_some() {
                return Err(wrong("file"));
            }
            let given = field.file_name().map(|name| cut(name, NAME_BYTES));
            let bytes = field.inspect(|_| ahead.caught_up());
            let bytes = bytes.map_err(|error| io::Error::other(Broken(unread(&error)))).boxed();
            let stored = app.service().receive(bytes).await.map_err(trouble::submit)?;
            *file = Some((stored, given));
        } else {
            fields.push((cut(&name, NAME_BYTES), text(field, &name).await?));
        }
    }
    Err(wrong("form"))
}

async fn text(mut field: Field<'_>, name: &str) -> Answer<String> {
    let mut text = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(|error| unread(&error))? {
        text.extend_from_slice(&chunk);
        if text.len() > FIELD_BYTES {
            return Err(kinds::BODY_TOO_LARGE.into());
        }
    }
    String::from_utf8(text).map_err(|_| wrong(known(name)))
}

/// A field's name in an answer; what anybody may invent is not repeated.
fn known(name: &str) -> &'static str {
    let ours = ["language", "model", "title", "response_format", "temperature", "prompt"];
    ours.into_iter().find(|it| *it == name).unwrap_or("form")
}

fn unread(error: &MultipartError) -> Problem {
    broken(error)
}

/// Cuts at a character's boundary.
fn cut(text: &str, bytes: usize) -> String {
    text[..text.floor_char_boundary(bytes)].to_owned()
}

//! What somebody sends to be downloaded, on its way in.
//!
//! **Invariant:** of each kind of body no more is read than the largest one that could be of use, and
//! what is larger is not kept.

use axum::body::Body;
use axum::extract::multipart::{Field, Multipart};
use axum::extract::{FromRequest, Request};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::Deserialize;
use utoipa::ToSchema;
use verst_service::download::TORRENT_BYTES;
use verst_service::{CatchError, Offer};

use crate::app::App;
use crate::input::{Input, wrong};
use crate::kinds;
use crate::problem::{Answer, Problem};
use crate::recordings::arrival::cut_with;
use crate::trouble::broken;

/// Bytes of a text with links, with what JSON adds to it.
const TEXT_BYTES: usize = 2 << 20;
/// What a form adds to its file, at most.
const FORM_BYTES: usize = 1 << 20;
/// Fields of a form.
const FIELDS: usize = 64;

/// Something to download, by its link.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Link {
    /// A magnet, the address of a .torrent file (http or https), or a text with up to 50 magnets.
    #[schema(example = "magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a")]
    link: String,
}

/// A .torrent file in a form.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it describes the form; the file is read as it comes")]
pub(crate) struct TorrentForm {
    /// The .torrent file.
    #[schema(value_type = String, format = Binary, content_media_type = "application/x-bittorrent")]
    file: Vec<u8>,
}

/// Reads what was sent.
pub(crate) async fn offer(app: &App, request: Request) -> Answer<Offer> {
    let kind = kind(request.headers()).ok_or(kinds::MEDIA_TYPE)?;
    let (limit, more) = match kind {
        Kind::Json => (TEXT_BYTES, Problem::from(kinds::BODY_TOO_LARGE)),
        Kind::Form => (TORRENT_BYTES + FORM_BYTES, too_large()),
        Kind::Bare => (TORRENT_BYTES, too_large()),
    };
    if said_length(request.headers()) > limit {
        return Err(more);
    }
    let request = request.map(|body| cut_with(app, body));
    match kind {
        Kind::Json => {
            let request = request.map(|body| Body::new(Limited::new(body, limit)));
            let Input(Link { link }) = Input::from_request(request, app).await?;
            Ok(Offer::Text(link))
        }
        Kind::Form => {
            let request = request.map(|body| Body::new(Limited::new(body, limit)));
            form(app, request).await.map(Offer::Torrent)
        }
        Kind::Bare => {
            let read = Limited::new(request.into_body(), limit).collect().await;
            let read = read.map_err(|error| {
                if error.is::<LengthLimitError>() { too_large() } else { broken(&*error) }
            })?;
            Ok(Offer::Torrent(read.to_bytes().into()))
        }
    }
}

/// Forms in which something to download comes.
#[derive(Clone, Copy)]
enum Kind {
    Form,
    Bare,
    Json,
}

fn kind(headers: &HeaderMap) -> Option<Kind> {
    let text = headers.get(CONTENT_TYPE)?.to_str().ok()?.to_ascii_lowercase();
    match text.split(';').next().unwrap_or_default().trim() {
        "multipart/form-data" => Some(Kind::Form),
        "application/json" => Some(Kind::Json),
        "application/x-bittorrent" => Some(Kind::Bare),
        _ => None,
    }
}

fn said_length(headers: &HeaderMap) -> usize {
    let length = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    length.and_then(|text| text.parse().ok()).unwrap_or(0)
}

fn too_large() -> Problem {
    Problem::told(StatusCode::PAYLOAD_TOO_LARGE, CatchError::TooLarge.failure())
}

/// The file of a form. Whatever else is in it is left aside.
async fn form(app: &App, request: Request) -> Answer<Vec<u8>> {
    let form = Multipart::from_request(request, app).await;
    let mut form = form.map_err(|_| Problem::from(kinds::BODY_BROKEN))?;
    let mut file = None;
    for _ in 0..FIELDS {
        let Some(field) = form.next_field().await.map_err(|error| broken(&error))? else {
            return file.ok_or(Problem::from(kinds::FIELD_MISSING).term("parameter", "file"));
        };
        if field.name() != Some("file") {
            bytes(field, FORM_BYTES).await?;
        } else if file.is_some() {
            return Err(wrong("file"));
        } else {
            file = Some(bytes(field, TORRENT_BYTES).await?);
        }
    }
    Err(wrong("form"))
}

async fn bytes(mut field: Field<'_>, limit: usize) -> Answer<Vec<u8>> {
    let mut read = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(|error| broken(&error))? {
        read.extend_from_slice(&chunk);
        if read.len() > limit {
            return Err(too_large());
        }
    }
    Ok(read)
}

//! The files of a download, as the client shows them now.

#![expect(unused_qualifications, reason = "the description's macro writes them")]

use axum::Json;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use verst_service::download::TorrentFile;

use super::asker::One;
use super::trouble;
use crate::input::{Asked, parameter};
use crate::problem::{Answer, ProblemBody};

/// Files on a page.
const PAGE: usize = 1000;

/// Which files.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wanted {
    /// Only those with this index or a later one: the `next` of the page before.
    #[param(value_type = Option<u32>)]
    from: Option<String>,
}

/// Files, in the order of their indexes.
#[derive(Serialize, ToSchema)]
#[expect(clippy::struct_field_names, reason = "they are the names of the answer's fields")]
pub(crate) struct Files {
    /// At most 1000; none while a magnet's metadata is not there.
    files: Vec<File>,
    /// How many there are in all.
    total: usize,
    /// What to give as `from` for the next page; null when this is the last one.
    next: Option<u32>,
}

/// A file of a torrent.
#[derive(Serialize, ToSchema)]
#[schema(as = TorrentFile)]
struct File {
    /// Its place in the torrent, by which `choose` names it.
    index: u32,
    /// Path below the directory that it is downloaded to.
    path: String,
    /// Bytes.
    size_bytes: u64,
    /// Whether it is downloaded at all.
    wanted: bool,
    /// Whether it is whole.
    whole: bool,
    /// How much of it is there, from 0 to 1.
    progress: f64,
}

impl File {
    fn of(file: TorrentFile) -> Self {
        let TorrentFile { index, path, size_bytes, wanted, whole, progress } = file;
        Self { index, path, size_bytes, wanted, whole, progress }
    }
}

/// Lists the files of a download.
#[utoipa::path(get, path = "/api/v1/downloads/{id}/files", tag = "downloads",
    params(("id" = i64, Path, description = "Its number"), Wanted),
    responses(
        (status = 200, body = Files),
        (status = 409, description = "`torrent_gone`: the client does not have it", body = ProblemBody, content_type = "application/problem+json"),
        (status = 503, description = "The client cannot be asked", body = ProblemBody, content_type = "application/problem+json"),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn files(one: One, Asked(wanted): Asked<Wanted>) -> Answer<Json<Files>> {
    let from: u32 = parameter("from", wanted.from.as_deref())?.unwrap_or(0);
    let mut files = one.service().files(one.id()).await.map_err(trouble::choose)?;
    let total = files.len();
    files.sort_by_key(|file| file.index);
    files.retain(|file| file.index >= from);
    let next = files.get(PAGE).map(|file| file.index);
    files.truncate(PAGE);
    let files = files.into_iter().map(File::of).collect();
    Ok(Json(Files { files, total, next }))
}

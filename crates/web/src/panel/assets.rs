//! What pages are made of besides their text: styles, scripts, the icon. All of it is in the binary.
//!
//! The address of each has a piece of the hash of its bytes, so a browser keeps it for good and never
//! shows a page with the styles of another version. **Invariant:** nothing is read from the disk.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use sha2::{Digest, Sha256};

use crate::kinds;
use crate::problem::{Answer, Problem};

pub(super) const ROUTE: &str = "/assets/{name}";
const FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// Letters of the hash in an address.
const HASH: usize = 16;

const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// Something that pages are made of.
struct Asset {
    name: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
}

macro_rules! asset {
    ($name:literal, $kind:ident) => {
        asset!($name, $kind, $name)
    };
    ($name:literal, $kind:ident, $file:literal) => {
        Asset { name: $name, kind: $kind, bytes: include_bytes!(concat!("../../assets/", $file)) }
    };
}

static ASSETS: [Asset; 10] = [
    asset!("tokens.css", CSS),
    asset!("base.css", CSS),
    asset!("components.css", CSS),
    asset!("pages.css", CSS),
    asset!("panel.js", JS),
    asset!("live.js", JS),
    asset!("inbox.js", JS),
    asset!("player.js", JS),
    asset!("htmx.js", JS, "vendor/htmx.min.js"),
    asset!("icon.svg", SVG),
];

/// The addresses, in the order of the table.
static ADDRESSES: LazyLock<Vec<String>> =
    LazyLock::new(|| ASSETS.iter().map(|it| format!("/assets/{}", it.addressed())).collect());

impl Asset {
    fn addressed(&self) -> String {
        let hash = base16ct::lower::encode_string(&Sha256::digest(self.bytes));
        let (stem, ending) = self.name.rsplit_once('.').unwrap_or((self.name, ""));
        format!("{stem}-{}.{ending}", &hash[..HASH])
    }
}

/// Where an asset is; nowhere if there is none of this name, which a test excludes.
pub(super) fn address(name: &str) -> &'static str {
    let at = ASSETS.iter().position(|it| it.name == name);
    at.and_then(|at| ADDRESSES.get(at)).map_or("", String::as_str)
}

pub(super) async fn serve(Path(name): Path<String>) -> Answer<Response> {
    let asked = format!("/assets/{name}");
    let at = ADDRESSES.iter().position(|it| *it == asked);
    let asset = at.map(|at| &ASSETS[at]).ok_or(Problem::from(kinds::NO_SUCH_ROUTE))?;
    let headers = [(CONTENT_TYPE, HeaderValue::from_static(asset.kind)), (CACHE_CONTROL, FOREVER)];
    Ok((headers, Bytes::from_static(asset.bytes)).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_vendored_is_what_its_page_says() {
        let said = include_str!("../../assets/vendor/README.md");
        let htmx = ASSETS.iter().find(|it| it.name == "htmx.js").unwrap();
        assert!(said.contains(&base16ct::lower::encode_string(&Sha256::digest(htmx.bytes))));
    }
}

//! What a message says, as a digest: two that say the same have the same, also after a restart.

use sha2::{Digest, Sha256};
use verst_service::WorkId;

use crate::buttons::{Button, keyboard};
use crate::look::Look;

/// The digest of a message.
pub(crate) fn digest(look: &Look, work: WorkId) -> String {
    let mut digest = Sha256::new();
    digest.update(look.html.len().to_le_bytes());
    digest.update(&look.html);
    let buttons: &[Button] = &look.buttons;
    let keyboard = serde_json::to_vec(&keyboard(buttons, work)).unwrap_or_default();
    digest.update(keyboard);
    base16ct::lower::encode_string(&digest.finalize()[..16])
}

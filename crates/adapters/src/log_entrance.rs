//! The entrance of the command line when nobody watches it: the answer is a line in the log.

use async_trait::async_trait;
use tracing::info;
use verst_kernel::NoticeKind;
use verst_recordings::model::Source;
use verst_service::{Entrance, Letter, SendError};

/// Writes that something happened, never its content.
#[derive(Clone, Copy, Debug, Default)]
pub struct LogEntrance;

#[async_trait]
impl Entrance for LogEntrance {
    fn source(&self) -> Source {
        Source::Cli
    }

    async fn send(&self, _addressee: Option<&str>, letter: &Letter) -> Result<(), SendError> {
        match &letter.kind {
            NoticeKind::Done => info!(work = %letter.work, "the text is ready"),
            // The stop itself is logged by whoever stopped it; this is the sender's copy.
            NoticeKind::Stopped(failure) => info!(work = %letter.work, %failure, "sender told"),
        }
        Ok(())
    }
}

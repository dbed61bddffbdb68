//! Telling the sender: finds out who it was and hands the letter to their entrance.

use std::sync::Arc;

use async_trait::async_trait;
use thiserror::Error;
use verst_downloads::ports::DownloadStore;
use verst_kernel::{Herald, Notice, NoticeKind, Undelivered, WorkId};
use verst_recordings::model::Source;
use verst_recordings::ports::{RecordingStore, Warning};
use verst_recordings::transcript::Transcript;

/// What an entrance delivers.
#[derive(Clone, Debug, PartialEq)]
pub struct Letter {
    /// About which recording or download.
    pub work: WorkId,
    /// The name its sender gave it.
    pub name: Option<String>,
    /// What happened.
    pub kind: NoticeKind,
    /// The text, when it is done.
    pub transcript: Option<Transcript>,
    /// What else to tell.
    pub warnings: Vec<Warning>,
}

/// The entrance could not deliver. Its details are its own to log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the letter could not be sent")]
pub struct SendError;

/// A face that can answer those who send things through it.
#[async_trait]
pub trait Entrance: Send + Sync {
    /// Which one.
    fn source(&self) -> Source;
    /// Delivers a letter to an addressee in the entrance's own terms, if the recording names one.
    async fn send(&self, addressee: Option<&str>, letter: &Letter) -> Result<(), SendError>;
}

/// The herald of recordings.
pub struct Post {
    /// Where senders of recordings are found.
    pub recordings: Arc<dyn RecordingStore>,
    /// Where those of downloads are.
    pub downloads: Arc<dyn DownloadStore>,
    /// Those that are up.
    pub entrances: Vec<Arc<dyn Entrance>>,
}

#[async_trait]
impl Herald for Post {
    async fn tell(&self, notice: &Notice) -> Result<(), Undelivered> {
        let found = self.recordings.recording(notice.work).await;
        let Ok(found) = found else { return Err(Undelivered::SendFailed) };
        let Some(recording) = found else { return self.tell_of_download(notice).await };
        let given = &recording.given;
        let Some(entrance) = self.entrance(given.source, given.reply_to.as_deref())? else {
            return Ok(());
        };
        let transcript = match notice.kind {
            NoticeKind::Done => match self.recordings.transcript(notice.work).await {
                Ok(transcript) => transcript,
                Err(_) => return Err(Undelivered::SendFailed),
            },
            NoticeKind::Stopped(_) => None,
        };
        let letter = Letter {
            work: notice.work,
            name: given.name.clone(),
            kind: notice.kind.clone(),
            transcript,
            warnings: recording.warnings.clone(),
        };
        let sent = entrance.send(given.reply_to.as_deref(), &letter).await;
        sent.map_err(|SendError| Undelivered::SendFailed)
    }
}

impl Post {
    /// The entrance through which a sender is told; `None` for whoever looks by themselves.
    fn entrance(
        &self,
        source: Source,
        reply_to: Option<&str>,
    ) -> Result<Option<&dyn Entrance>, Undelivered> {
        match source {
            // Whoever came over HTTP looks by themselves.
            Source::Http => return Ok(None),
            Source::Telegram if reply_to.is_none() => return Err(Undelivered::NoAddressee),
            Source::Telegram | Source::Cli | Source::Folder => {}
        }
        let entrance = self.entrances.iter().find(|entrance| entrance.source() == source);
        entrance.map(|entrance| Some(&**entrance)).ok_or(Undelivered::NotConfigured)
    }

    /// Tells everybody who sent it. The first who could not be told is the answer.
    async fn tell_of_download(&self, notice: &Notice) -> Result<(), Undelivered> {
        let found = self.downloads.download(notice.work).await;
        let Ok(Some(download)) = found else { return Err(Undelivered::SendFailed) };
        let letter = Letter {
            work: notice.work,
            name: download.name,
            kind: notice.kind.clone(),
            transcript: None,
            warnings: Vec::new(),
        };
        let mut told = Ok(());
        for sender in &download.senders {
            let addressee = sender.reply_to.as_deref();
            let sent = match self.entrance(sender.source, addressee) {
                Ok(None) => Ok(()),
                Ok(Some(entrance)) => {
                    let sent = entrance.send(addressee, &letter).await;
                    sent.map_err(|SendError| Undelivered::SendFailed)
                }
                Err(cause) => Err(cause),
            };
            told = told.and(sent);
        }
        told
    }
}

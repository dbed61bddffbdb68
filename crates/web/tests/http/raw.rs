//! Bytes on a connection, for what no client would send.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::{PATIENCE, Site};

/// An answer as it came.
#[derive(Debug)]
pub(crate) struct Answer {
    /// Nothing when the connection was closed without a word.
    pub(crate) status: Option<u16>,
    pub(crate) text: String,
}

impl Site {
    /// A connection.
    pub(crate) async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.at).await.unwrap()
    }

    /// Sends a request that says `Connection: close`, and reads to the end.
    pub(crate) async fn raw(&self, bytes: &[u8]) -> Answer {
        let mut stream = self.connect().await;
        // The other side may have heard enough before all is said.
        let _ = stream.write_all(bytes).await;
        read(stream).await
    }

    /// Sends these bytes and no more ever, and reads to the end.
    pub(crate) async fn cut(&self, bytes: &[u8]) -> Answer {
        let mut stream = self.connect().await;
        let _ = stream.write_all(bytes).await;
        let _ = stream.shutdown().await;
        read(stream).await
    }
}

/// Reads to the end.
pub(crate) async fn read(mut stream: TcpStream) -> Answer {
    let mut bytes = Vec::new();
    let read = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut bytes)).await;
    // Closed hard is closed all the same.
    let _ = read.expect("the connection ends");
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let status = text.split(' ').nth(1).and_then(|status| status.parse().ok());
    Answer { status, text }
}

//! Free ports, and whether somebody answers at one.

use std::net::TcpListener;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::gate::PATIENCE;

/// How often somebody looks who waits for another process.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Ports where nobody listens, all different.
pub(super) fn free_ports<const N: usize>() -> [u16; N] {
    let listeners: [TcpListener; N] =
        std::array::from_fn(|_| TcpListener::bind("127.0.0.1:0").unwrap());
    listeners.map(|listener| listener.local_addr().unwrap().port())
}

/// Waits until an address answers so; `watch` fails where nobody will any more.
pub(super) async fn until_said(
    (port, path): (u16, &str),
    mut watch: impl FnMut() + Send,
    is_so: impl Fn(&[u8]) -> bool + Send + Sync,
) {
    let look = async {
        loop {
            watch();
            if says((port, path), &is_so).await.is_ok_and(|so| so) {
                return;
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    };
    tokio::time::timeout(PATIENCE, look).await.expect("it answers so");
}

/// Whether an address answers so. The rest of the answer is not waited for: qBittorrent keeps
/// connections open for seconds.
async fn says(
    (port, path): (u16, &str),
    is_so: &(impl Fn(&[u8]) -> bool + Sync),
) -> std::io::Result<bool> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
    let request = format!("GET {path} HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    while stream.read_buf(&mut answer).await? > 0 {
        if is_so(&answer) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether these words are somewhere in it.
pub(super) fn contains(answer: &[u8], what: &str) -> bool {
    answer.windows(what.len()).any(|it| it == what.as_bytes())
}

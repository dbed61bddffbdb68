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
    is_so: impl Fn(&[u8]) -> bool + Send,
) {
    let look = async {
        loop {
            watch();
            if get(port, path).await.is_some_and(|answer| is_so(&answer)) {
                return;
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    };
    tokio::time::timeout(PATIENCE, look).await.expect("it answers so");
}

/// What an address answers; `None` while nobody does.
async fn get(port: u16, path: &str) -> Option<Vec<u8>> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.ok()?;
    let request = format!("GET {path} HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\n\r\n");
    stream.write_all(request.as_bytes()).await.ok()?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.ok()?;
    Some(answer)
}

/// Whether these words are somewhere in it.
pub(super) fn contains(answer: &[u8], what: &str) -> bool {
    answer.windows(what.len()).any(|it| it == what.as_bytes())
}

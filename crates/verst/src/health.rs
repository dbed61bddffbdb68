//! `verst health`: whether the service of this installation answers, for a container's health check
//! and whoever else asks by exit code.
//!
//! It asks the one question in the plainest words of the protocol, itself: a client for all of HTTP
//! would be larger than the question.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use verst_words::Arg;

use crate::cli::Place;
use crate::house::settings;
use crate::refusal::Refusal;
use crate::settings::from_here;
use crate::tongue::Tongue;

/// Who answers at all answers at once.
const PATIENCE: Duration = Duration::from_secs(4);
/// As much of an answer as it takes to know it.
const ANSWER: &[u8] = b"HTTP/1.1 200";

pub(crate) async fn health(place: Place, tongue: &Tongue) -> Result<u8, Refusal> {
    let settings = settings(&place)?;
    let Some(at) = settings.listen() else {
        tongue.err(&tongue.say("health-off", &[]));
        return Ok(Refusal::SOME_FAILED);
    };
    let asked = match address(at).await {
        Some(address) => timeout(PATIENCE, answers(address)).await.unwrap_or(false),
        None => false,
    };
    let key = if asked { "health-good" } else { "health-bad" };
    tongue.err(&tongue.say(key, &[("address", Arg::Text(at))]));
    Ok(if asked { 0 } else { Refusal::SOME_FAILED })
}

/// Where to ask whoever listens there.
async fn address(listen: &str) -> Option<SocketAddr> {
    let mut found = tokio::net::lookup_host(listen).await.ok()?;
    found.next().map(from_here)
}

async fn answers(address: SocketAddr) -> bool {
    let mut said = [0; ANSWER.len()];
    let asked = async {
        let mut stream = TcpStream::connect(address).await?;
        let question =
            format!("GET /healthz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(question.as_bytes()).await?;
        stream.read_exact(&mut said).await
    };
    asked.await.is_ok() && said == ANSWER
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn who_listens_everywhere_is_asked_here() {
        for (listen, asked) in [
            ("0.0.0.0:8377", "127.0.0.1:8377"),
            ("[::]:8377", "[::1]:8377"),
            ("192.0.2.7:80", "192.0.2.7:80"),
        ] {
            assert_eq!(address(listen).await, asked.parse().ok(), "{listen}");
        }
        assert_eq!(address("").await, None);
    }
}

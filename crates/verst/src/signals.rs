//! Signals: the first one ends the service in order, the second at once.

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::tongue::Tongue;

/// Exit code of a process that a signal asked to end: 128 and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ended(pub(crate) u8);

/// Listens from now on. The token is cancelled by the first signal; the value says which it was.
pub(crate) fn listen(
    tongue: &Tongue,
    shutdown: CancellationToken,
) -> std::io::Result<watch::Receiver<Option<Ended>>> {
    let (tell, told) = watch::channel(None);
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let sentence = tongue.say("cli-ending", &[]);
    tokio::spawn(async move {
        loop {
            let ended = tokio::select! {
                _ = interrupt.recv() => Ended(130),
                _ = terminate.recv() => Ended(143),
            };
            if shutdown.is_cancelled() {
                at_once(ended);
            }
            tell.send_replace(Some(ended));
            shutdown.cancel();
            if ended == Ended(130) {
                let _ = std::io::Write::write_all(
                    &mut std::io::stderr().lock(),
                    format!("{sentence}\n").as_bytes(),
                );
            }
        }
    });
    Ok(told)
}

#[expect(clippy::disallowed_methods, reason = "the second signal means: now")]
fn at_once(ended: Ended) -> ! {
    std::process::exit(i32::from(ended.0))
}

//! Signals: the first one ends the service in order, the second at once.

use tokio::signal::unix::{Signal, SignalKind, signal};
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
    // Under nohup the end of the terminal is to be survived: listening would undo that.
    let mut hangup = if hangup_is_ignored() { None } else { Some(signal(SignalKind::hangup())?) };
    let sentence = tongue.say("cli-ending", &[]);
    tokio::spawn(async move {
        loop {
            let ended = tokio::select! {
                _ = interrupt.recv() => Ended(130),
                _ = terminate.recv() => Ended(143),
                Some(()) = hung_up(hangup.as_mut()) => Ended(129),
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

async fn hung_up(hangup: Option<&mut Signal>) -> Option<()> {
    match hangup {
        Some(hangup) => hangup.recv().await,
        None => std::future::pending().await,
    }
}

/// Whether whoever started this process made it ignore SIGHUP. The kernel's list is a number in
/// hexadecimal whose lowest bit is signal 1: proc(5), `SigIgn`.
fn hangup_is_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask & 1 == 1)
}

#[expect(clippy::disallowed_methods, reason = "the second signal means: now")]
fn at_once(ended: Ended) -> ! {
    std::process::exit(i32::from(ended.0))
}

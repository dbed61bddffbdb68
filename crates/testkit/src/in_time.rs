//! A bound on how long a story takes, by the time that really passes: a story may move the runtime's.

use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

/// Runs a story to its end; one that hangs has failed.
///
/// # Panics
/// If it takes longer than this.
pub async fn in_time(bound: Duration, story: impl Future<Output = ()>) {
    let (told, late) = tokio::sync::oneshot::channel();
    let (over, end) = std::sync::mpsc::channel::<()>();
    std::thread::spawn(move || {
        if end.recv_timeout(bound) == Err(RecvTimeoutError::Timeout) {
            let _ = told.send(());
        }
    });
    tokio::select! {
        () = story => drop(over),
        Ok(()) = late => panic!("a story comes to an end"),
    }
}

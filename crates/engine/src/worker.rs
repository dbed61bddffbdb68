//! Work on a thread of its own, so that the one that has the output can give signs of life.
//!
//! *Invariant*: a thread outlives its worker in no case: whoever drops it waits for its end.

use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use crate::trouble::Trouble;

/// The stack of a main thread, which native code may count on.
const STACK_BYTES: usize = 8 * 1024 * 1024;

/// A thread at work, or its result.
#[derive(Debug)]
pub(crate) struct Worker<T> {
    result: Receiver<Result<T, Trouble>>,
    thread: Option<JoinHandle<()>>,
}

impl<T: Send + 'static> Worker<T> {
    /// Starts the work.
    pub(crate) fn begin(
        work: impl FnOnce() -> Result<T, Trouble> + Send + 'static,
    ) -> Result<Self, Trouble> {
        let (done, result) = sync_channel(1);
        let thread = Builder::new().stack_size(STACK_BYTES).spawn(move || {
            // Nobody waits for what was given up.
            let _ = done.send(work());
        });
        let thread = Some(thread.map_err(|_| Trouble::Failed("no_thread"))?);
        Ok(Self { result, thread })
    }

    /// Whether it is still at work.
    pub(crate) fn runs(&self) -> bool {
        self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    /// The result; `None` if it takes longer than this. It is given once.
    pub(crate) fn wait(&mut self, patience: Duration) -> Option<Result<T, Trouble>> {
        match self.result.recv_timeout(patience) {
            Ok(result) => Some(result),
            Err(RecvTimeoutError::Timeout) => None,
            // Only a panic leaves no result, and it is ours.
            Err(RecvTimeoutError::Disconnected) => match self.thread.take().map(JoinHandle::join) {
                Some(Err(panic)) => std::panic::resume_unwind(panic),
                _ => Some(Err(Trouble::Failed("panicked"))),
            },
        }
    }
}

impl<T> Drop for Worker<T> {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            // A panic was ours to pass on if anybody had asked for the result.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_waited_for_and_a_panic_passed_on() {
        let (go, gate) = sync_channel::<()>(0);
        let mut worker = Worker::begin(move || {
            let _ = gate.recv();
            Ok(7)
        })
        .unwrap();
        assert_eq!(worker.wait(Duration::ZERO), None);
        assert!(worker.runs());
        go.send(()).unwrap();
        assert_eq!(worker.wait(Duration::from_mins(1)), Some(Ok(7)));

        let mut broken = Worker::<()>::begin(|| panic!("of the work")).unwrap();
        let passed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(move || {
            broken.wait(Duration::from_mins(1))
        }));
        assert!(passed.is_err());
    }
}

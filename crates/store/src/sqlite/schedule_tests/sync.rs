//! The parts of the writer as the tests of its schedule need them: shuttle's threads, and tokio's
//! own channels with a place before each of their operations where anybody may go on instead.
//!
//! **Invariant:** all tasks of a schedule are on one thread of the machine, so what is noted beside
//! them needs no lock.

use std::cell::{Cell, RefCell};

use shuttle::sync::atomic::{AtomicBool, Ordering};
use shuttle::thread::JoinHandle;

/// So few that callers wait for room, and that what waits is more than one group.
pub(super) const QUEUE: usize = 3;
pub(super) const GROUP: usize = 2;

thread_local! {
    static THREAD: RefCell<Option<JoinHandle<()>>> = const { RefCell::new(None) };
    static SENT: Cell<i64> = const { Cell::new(0) };
}

/// Before a schedule.
pub(super) fn begin() {
    THREAD.take();
    SENT.set(0);
}

/// Waits for the end of the writer's thread.
pub(super) fn join() {
    THREAD.take().expect("it was started").join().expect("it does not panic");
}

/// How many operations were sent.
pub(super) fn sent() -> i64 {
    SENT.get()
}

/// Anybody may go on here.
pub(super) fn point() {
    AtomicBool::new(false).load(Ordering::SeqCst);
}

pub(super) mod thread {
    use std::io;

    pub(in super::super) struct Builder(shuttle::thread::Builder);

    impl Builder {
        pub(in super::super) fn new() -> Self {
            Self(shuttle::thread::Builder::new())
        }

        pub(in super::super) fn name(self, name: String) -> Self {
            Self(self.0.name(name))
        }

        pub(in super::super) fn spawn(self, f: impl FnOnce() + Send + 'static) -> io::Result<()> {
            let started = self.0.spawn(f)?;
            super::THREAD.set(Some(started));
            Ok(())
        }
    }
}

pub(super) mod mpsc {
    use tokio::sync::mpsc::error::{SendError, TryRecvError};

    use super::{SENT, point};

    pub(in super::super) struct Sender<T>(tokio::sync::mpsc::Sender<T>);
    pub(in super::super) struct Receiver<T>(tokio::sync::mpsc::Receiver<T>);

    pub(in super::super) fn channel<T>(room: usize) -> (Sender<T>, Receiver<T>) {
        let (sender, receiver) = tokio::sync::mpsc::channel(room);
        (Sender(sender), Receiver(receiver))
    }

    impl<T> Clone for Sender<T> {
        fn clone(&self) -> Self {
            Self(self.0.clone())
        }
    }

    impl<T> Sender<T> {
        pub(in super::super) async fn send(&self, it: T) -> Result<(), SendError<T>> {
            point();
            self.0.send(it).await?;
            SENT.set(SENT.get() + 1);
            Ok(())
        }
    }

    impl<T> Receiver<T> {
        pub(in super::super) fn blocking_recv(&mut self) -> Option<T> {
            point();
            shuttle::future::block_on(self.0.recv())
        }

        pub(in super::super) fn try_recv(&mut self) -> Result<T, TryRecvError> {
            point();
            self.0.try_recv()
        }
    }
}

pub(super) mod oneshot {
    use std::future::Future;
    use std::pin::Pin;
    use std::task::{Context, Poll};

    use tokio::sync::oneshot::error::RecvError;

    use super::point;

    pub(in super::super) struct Sender<T>(tokio::sync::oneshot::Sender<T>);
    pub(in super::super) struct Receiver<T>(tokio::sync::oneshot::Receiver<T>);

    pub(in super::super) fn channel<T>() -> (Sender<T>, Receiver<T>) {
        let (sender, receiver) = tokio::sync::oneshot::channel();
        (Sender(sender), Receiver(receiver))
    }

    impl<T> Sender<T> {
        pub(in super::super) fn send(self, it: T) -> Result<(), T> {
            let answered = self.0.send(it);
            // Who waited may be the next one.
            point();
            answered
        }
    }

    impl<T> Future for Receiver<T> {
        type Output = Result<T, RecvError>;

        fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
            Pin::new(&mut self.0).poll(context)
        }
    }
}

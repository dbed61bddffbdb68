//! The one thread that owns the only write connection.
//!
//! Operations that wait together are committed together: one `BEGIN IMMEDIATE`, a savepoint for
//! each, one `COMMIT`, and only then the answers. A failing operation undoes itself and nobody
//! else. Many writers on one file starve each other; one writer in groups is faster by an order.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rusqlite::Connection;
use verst_kernel::StoreError;

use super::sync::{GROUP, QUEUE, mpsc, oneshot, thread};
use super::trouble;

/// Sends an operation's answer once the fate of its group is known.
type Answer = Box<dyn FnOnce(Result<(), StoreError>) + Send>;
/// Runs inside the transaction; says whether it is to be kept.
type Operation = Box<dyn FnOnce(&Connection) -> (bool, Answer) + Send>;

/// Handle to the thread, which ends when the last handle is gone.
#[derive(Clone)]
pub(super) struct Writer {
    operations: mpsc::Sender<Operation>,
}

impl Writer {
    /// Starts the thread.
    pub(super) fn start(connection: Connection) -> Result<Self, StoreError> {
        let (operations, queue) = mpsc::channel(QUEUE);
        thread::Builder::new()
            .name("sqlite-writer".into())
            .spawn(move || serve(&connection, queue))
            .map_err(StoreError::database)?;
        Ok(Self { operations })
    }

    /// Runs `f` in a transaction and returns what it returned once that is on disk. The operation
    /// runs to its end even if the caller goes away.
    pub(super) async fn run<T, F>(&self, f: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let (reply, result) = oneshot::channel();
        let operation: Operation = Box::new(move |connection| {
            let outcome = f(connection);
            let keep = outcome.is_ok();
            let answer: Answer = Box::new(move |group| {
                // The caller may be gone; the commit stands all the same.
                let _ = reply.send(group.and(outcome));
            });
            (keep, answer)
        });
        self.operations.send(operation).await.map_err(|_| StoreError::Closed)?;
        result.await.map_err(|_| StoreError::Closed)?
    }
}

fn serve(connection: &Connection, mut queue: mpsc::Receiver<Operation>) {
    while let Some(first) = queue.blocking_recv() {
        run_group(connection, first, || queue.try_recv().ok());
    }
}

/// Runs an operation and those that wait, and those that come while it does: the group is as large
/// as it can be when it is committed.
fn run_group(connection: &Connection, first: Operation, more: impl FnMut() -> Option<Operation>) {
    let mut answers = Vec::with_capacity(GROUP);
    let outcome = execute(connection, first, more, &mut answers);
    if outcome.is_err() && !connection.is_autocommit() {
        let _ = connection.execute_batch("ROLLBACK");
    }
    for answer in answers {
        answer(match &outcome {
            Ok(()) => Ok(()),
            Err(error) => Err(trouble(error)),
        });
    }
}

/// Leaves the answers of all operations that ran in `answers`, also when it fails half-way;
/// that of an operation that did not run is dropped, which its caller sees as `Closed`.
fn execute(
    connection: &Connection,
    first: Operation,
    mut more: impl FnMut() -> Option<Operation>,
    answers: &mut Vec<Answer>,
) -> rusqlite::Result<()> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let mut next = Some(first);
    let mut room = GROUP;
    while let Some(operation) = next {
        connection.prepare_cached("SAVEPOINT operation")?.execute([])?;
        // A defect in one operation must not take the store down with it.
        let ran = catch_unwind(AssertUnwindSafe(|| operation(connection)));
        let keep = ran.as_ref().is_ok_and(|(keep, _)| *keep);
        if let Ok((_, answer)) = ran {
            answers.push(answer);
        }
        if connection.is_autocommit() {
            // SQLite itself undid the whole transaction, as it does when the disk is full.
            return Err(rusqlite::Error::SqliteFailure(
                rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_FULL),
                None,
            ));
        }
        if !keep {
            connection.prepare_cached("ROLLBACK TO operation")?.execute([])?;
        }
        connection.prepare_cached("RELEASE operation")?.execute([])?;
        room -= 1;
        next = if room > 0 { more() } else { None };
    }
    connection.execute_batch("COMMIT")
}

//! What a test hears: log records, counts, letters.

use std::fmt::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::watch;
use tokio::time::timeout;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, Layer};
use verst_kernel::{Depth, Undelivered};
use verst_recordings::model::Source;
use verst_runtime::Meter;
use verst_service::{Entrance, Letter, SendError};

use crate::gate::PATIENCE;

/// A log record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its level.
    pub level: Level,
    /// Message and fields, `message work=1 cause=...`.
    pub text: String,
}

/// All log records of a test.
#[derive(Clone, Debug, Default)]
pub struct Logs(Arc<Mutex<Vec<Record>>>);

impl Logs {
    /// Records at this level or a graver one.
    pub fn at_least(&self, level: Level) -> Vec<Record> {
        self.0.lock().unwrap().iter().filter(|r| r.level <= level).cloned().collect()
    }

    /// Everything that was logged, for a search for what must not be there.
    pub fn everything(&self) -> String {
        self.0.lock().unwrap().iter().map(|r| r.text.clone() + "\n").collect()
    }
}

struct Text(String);

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" {
            self.0.insert_str(0, &format!("{value:?}"));
        } else {
            let _ = write!(self.0, " {}={value:?}", field.name());
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        let _ = write!(self.0, " {}={value}", field.name());
    }
}

impl<S: Subscriber> Layer<S> for Logs {
    fn on_event(&self, event: &Event<'_>, _context: Context<'_, S>) {
        if !event.metadata().target().starts_with("verst") {
            return;
        }
        let mut text = Text(String::new());
        event.record(&mut text);
        self.0.lock().unwrap().push(Record { level: *event.metadata().level(), text: text.0 });
    }
}

/// One counted run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The milestone the work was taken from.
    pub milestone: String,
    /// The outcome's label.
    pub outcome: &'static str,
}

/// Everything that was counted.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    steps: Arc<Mutex<Vec<Count>>>,
    undelivered: Arc<Mutex<Vec<Undelivered>>>,
    depths: watch::Sender<Vec<Depth>>,
}

impl Tally {
    /// All runs in order.
    pub fn steps(&self) -> Vec<Count> {
        self.steps.lock().unwrap().clone()
    }

    /// How many runs from `milestone` ended as `outcome`.
    pub fn of(&self, milestone: &str, outcome: &str) -> usize {
        self.steps().iter().filter(|c| c.milestone == milestone && c.outcome == outcome).count()
    }

    /// Waits until a depth was measured where something waits, and returns the first one.
    pub async fn first_depth(&self) -> Depth {
        let mut depths = self.depths.subscribe();
        let measured = depths.wait_for(|depths| depths.iter().any(|depth| depth.waiting > 0));
        let depths = timeout(PATIENCE, measured).await.expect("a depth is measured").unwrap();
        depths.iter().find(|depth| depth.waiting > 0).unwrap().clone()
    }

    /// Causes of undelivered notices, in order.
    pub fn undelivered(&self) -> Vec<Undelivered> {
        self.undelivered.lock().unwrap().clone()
    }
}

impl Meter for Tally {
    fn step(&self, _line: &str, milestone: &str, outcome: &'static str, _took: Duration) {
        self.steps.lock().unwrap().push(Count { milestone: milestone.to_owned(), outcome });
    }

    fn claim(&self, _line: &str, _milestone: &str) {}

    fn undelivered(&self, cause: Undelivered) {
        self.undelivered.lock().unwrap().push(cause);
    }

    fn depth(&self, depth: &Depth, _oldest_for: Option<Duration>) {
        self.depths.send_modify(|depths| depths.push(depth.clone()));
    }
}

/// An entrance that keeps what it was to deliver.
#[derive(Debug)]
pub struct Mailbox {
    source: Source,
    letters: watch::Sender<Vec<(Option<String>, Letter)>>,
    broken: bool,
}

impl Mailbox {
    /// An entrance that works.
    pub fn new(source: Source) -> Self {
        Self { source, letters: watch::Sender::default(), broken: false }
    }

    /// An entrance that refuses every letter.
    pub fn broken(source: Source) -> Self {
        Self { broken: true, ..Self::new(source) }
    }

    /// Letters with their addressees, in order.
    pub fn letters(&self) -> Vec<(Option<String>, Letter)> {
        self.letters.borrow().clone()
    }

    /// Waits until there are so many letters.
    pub async fn wait_for(&self, count: usize) {
        let mut letters = self.letters.subscribe();
        let come = letters.wait_for(|letters| letters.len() >= count);
        timeout(PATIENCE, come).await.expect("letters come").unwrap();
    }
}

#[async_trait]
impl Entrance for Mailbox {
    fn source(&self) -> Source {
        self.source
    }

    async fn send(&self, addressee: Option<&str>, letter: &Letter) -> Result<(), SendError> {
        if self.broken {
            return Err(SendError);
        }
        let letter = (addressee.map(str::to_owned), letter.clone());
        self.letters.send_modify(|letters| letters.push(letter));
        Ok(())
    }
}

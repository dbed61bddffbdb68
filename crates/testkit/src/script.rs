//! A road with the recordings' milestones whose steps do what a test says.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use futures::future::BoxFuture;
use verst_kernel::{Outcome, Road, Stage, Visit};
use verst_recordings::LINE;
use verst_recordings::model::{Audio, Product};

/// What a scripted step does. It may look at its visit, wait, call the world, panic.
pub type Act = Arc<dyn for<'a> Fn(&'a Visit<'a>) -> BoxFuture<'a, Outcome<Product>> + Send + Sync>;

/// Steps by script. Without one, a step advances.
#[derive(Default)]
pub struct ScriptedRoad {
    next: Mutex<HashMap<&'static str, VecDeque<Act>>>,
    always: Mutex<HashMap<&'static str, Act>>,
    runs: Mutex<Vec<String>>,
}

impl ScriptedRoad {
    /// The next run from `milestone` ends like this.
    pub fn once(&self, milestone: &'static str, outcome: Outcome<Product>) {
        self.once_do(milestone, Arc::new(move |_| {
            let outcome = outcome.clone();
            Box::pin(async move { outcome })
        }));
    }

    /// The next run from `milestone` does this.
    pub fn once_do(&self, milestone: &'static str, act: Act) {
        self.next.lock().unwrap().entry(milestone).or_default().push_back(act);
    }

    /// Every run from `milestone` for which nothing else is scripted ends like this.
    pub fn always(&self, milestone: &'static str, outcome: Outcome<Product>) {
        let act: Act = Arc::new(move |_| {
            let outcome = outcome.clone();
            Box::pin(async move { outcome })
        });
        self.always.lock().unwrap().insert(milestone, act);
    }

    /// Milestones from which steps were run, in order.
    pub fn runs(&self) -> Vec<String> {
        self.runs.lock().unwrap().clone()
    }

    fn act(&self, milestone: &str) -> Option<Act> {
        let next = self.next.lock().unwrap().get_mut(milestone).and_then(VecDeque::pop_front);
        next.or_else(|| self.always.lock().unwrap().get(milestone).cloned())
    }
}

/// What a step that goes well writes.
fn usual(visit: &Visit<'_>) -> Outcome<Product> {
    Outcome::Advance(match visit.standing.milestone.as_str() {
        "uploaded" => Product::Normalised {
            audio: Audio {
                key: format!("normalised/{}", visit.claim.id()),
                duration: std::time::Duration::from_secs(60),
                level_db: Some(-20.0),
            },
            warnings: Vec::new(),
        },
        "transcribed" => Product::Finished { original_deleted: false },
        _ => Product::Submitted,
    })
}

#[async_trait]
impl Road<Product> for ScriptedRoad {
    fn stages(&self) -> Vec<Stage> {
        LINE.stages()
    }

    async fn step(&self, visit: Visit<'_>) -> Outcome<Product> {
        self.runs.lock().unwrap().push(visit.standing.milestone.clone());
        match self.act(&visit.standing.milestone) {
            Some(act) => act(&visit).await,
            None => usual(&visit),
        }
    }
}

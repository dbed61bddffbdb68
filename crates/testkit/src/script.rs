//! A road with the recordings' milestones whose steps do what a test says.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use futures::future::BoxFuture;
use verst_kernel::{Outcome, Road, Stage, Visit};
use verst_recordings::LINE;
use verst_recordings::model::{Audio, Product};

use crate::Gate;

/// What a scripted step does. It may look at its visit, wait, call the world, panic.
pub type Act = Arc<dyn for<'a> Fn(&'a Visit<'a>) -> BoxFuture<'a, Outcome<Product>> + Send + Sync>;

/// An act from a closure.
pub fn act<F>(f: F) -> Act
where
    F: for<'a> Fn(&'a Visit<'a>) -> BoxFuture<'a, Outcome<Product>> + Send + Sync + 'static,
{
    Arc::new(f)
}

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
        self.once_do(milestone, ends(outcome));
    }

    /// The next run from `milestone` does this.
    pub fn once_do(&self, milestone: &'static str, act: Act) {
        self.next.lock().unwrap().entry(milestone).or_default().push_back(act);
    }

    /// The next run from `milestone` waits at the gate and then ends like this.
    pub fn once_held(&self, milestone: &'static str, gate: &Gate, outcome: Outcome<Product>) {
        let gate = gate.clone();
        self.once_do(
            milestone,
            act(move |_| {
                let (gate, outcome) = (gate.clone(), outcome.clone());
                Box::pin(async move {
                    gate.hold().await;
                    outcome
                })
            }),
        );
    }

    /// The next run from `milestone` says at the gate that it is there, works until it is
    /// interrupted and then ends like this.
    pub fn once_interrupted(
        &self,
        milestone: &'static str,
        gate: &Gate,
        outcome: Outcome<Product>,
    ) {
        let gate = gate.clone();
        self.once_do(
            milestone,
            act(move |visit| {
                let (gate, outcome) = (gate.clone(), outcome.clone());
                Box::pin(async move {
                    gate.announce();
                    visit.supervisor.interruption().await;
                    outcome
                })
            }),
        );
    }

    /// Every run from `milestone` for which nothing else is scripted ends like this.
    pub fn always(&self, milestone: &'static str, outcome: Outcome<Product>) {
        self.always_do(milestone, ends(outcome));
    }

    /// Every run from `milestone` for which nothing else is scripted does this.
    pub fn always_do(&self, milestone: &'static str, act: Act) {
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

fn ends(outcome: Outcome<Product>) -> Act {
    act(move |_| {
        let outcome = outcome.clone();
        Box::pin(async move { outcome })
    })
}

/// How a step ends that goes well.
pub fn usual(visit: &Visit<'_>) -> Outcome<Product> {
    Outcome::Advance(match visit.standing.milestone.as_str() {
        "uploaded" => Product::Normalised {
            audio: Audio {
                key: format!("normalised/{}", visit.claim.id()),
                duration: std::time::Duration::from_mins(1),
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

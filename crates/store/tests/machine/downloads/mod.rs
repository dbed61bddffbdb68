//! The same for downloads: sequences of intakes, looks, stops, lifts and retries against a store and a
//! model of it, and after each command at most one active download has a name.
//!
//! A look is taken as the watch takes it: all downloads are read with their fences, others do as they
//! like, and then what was seen is written, of each at most once.

mod command;
mod model;
mod subject;

use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use proptest::test_runner::{TestError, TestRunner};
use proptest_state_machine::ReferenceStateMachine;

use crate::ground::Ground;
use crate::run::config;
use command::Command;
use model::Model;
use subject::Subject;

/// Commands in a sequence.
const LONGEST: usize = 100;

/// Runs so many cases.
pub(crate) fn check(ground: &mut dyn Ground, cases: u32) {
    let (config, seed) = config(cases);
    let ground = RefCell::new(ground);
    let sequences = Model::sequential_strategy(1..LONGEST);
    let ended = TestRunner::new(config).run(&sequences, |(model, commands, seen)| {
        run(&mut **ground.borrow_mut(), model, &commands, seen.as_deref())
    });
    match ended {
        Ok(()) => {}
        Err(TestError::Fail(why, (_, commands, _))) => {
            let commands: Vec<String> = commands.iter().map(|it| format!("\n    {it:?}")).collect();
            panic!("{why}\nafter{}\nPROPTEST_RNG_SEED={seed}", commands.concat());
        }
        Err(TestError::Abort(why)) => panic!("{why}"),
    }
}

fn run(
    ground: &mut dyn Ground,
    mut model: Model,
    commands: &[Command],
    seen: Option<&AtomicUsize>,
) -> Result<(), TestCaseError> {
    let mut subject = Subject::fresh(ground);
    for command in commands {
        if let Some(seen) = seen {
            seen.fetch_add(1, Ordering::Relaxed);
        }
        model = Model::apply(model, command);
        let answer = subject.obey(command);
        let stored = subject.rows();
        for (one, other) in stored.iter().flat_map(|one| stored.iter().map(move |it| (one, it))) {
            let both = one.id < other.id && one.is_active() && other.is_active();
            prop_assert!(!both || !one.meets(other), "two are active: {one:?} and {other:?}");
        }
        prop_assert_eq!(&answer, &model.answer, "the store's answer and the model's");
        prop_assert_eq!(&stored, &model.rows(), "what is stored, and what the model has");
    }
    Ok(())
}

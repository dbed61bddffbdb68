//! Draws sequences, runs them, and tells of the shortest that fails.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestError, TestRunner};
use proptest_state_machine::ReferenceStateMachine;

use crate::command::{self, Command};
use crate::ground::Ground;
use crate::model::Model;
use crate::subject::Subject;
use crate::tables;
use crate::witness::Witness;

/// Commands in a sequence.
const LONGEST: usize = 120;

/// For so many cases, unless `PROPTEST_CASES` says otherwise. The seed is drawn here and not in the
/// library, so that a failure can name it and needs no file beside the source.
pub(crate) fn config(cases: u32) -> (Config, u64) {
    let mut config = Config { failure_persistence: None, ..Config::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = cases;
    }
    let seed = match config.rng_seed {
        RngSeed::Fixed(seed) => seed,
        RngSeed::Random => fastrand::u64(..),
    };
    config.rng_seed = RngSeed::Fixed(seed);
    config.max_shrink_iters = 1000;
    (config, seed)
}

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
        Err(TestError::Fail(why, (model, commands, _))) => {
            let ground = &mut **ground.borrow_mut();
            let (why, commands) = shorten(ground, &model, why.to_string(), commands);
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
    let (mut subject, mut witness) = (Subject::fresh(ground), Witness::default());
    for command in commands {
        if let Some(seen) = seen {
            seen.fetch_add(1, Ordering::Relaxed);
        }
        let claim = command.claim().map(|claim| subject.claimed(claim));
        model = Model::apply(model, command);
        let answer = subject.obey(command);
        // First what needs no model: it names the promise that was broken.
        let stored = subject.tables();
        witness.see(command, claim, &answer, &stored)?;
        prop_assert_eq!(&answer, &model.answer, "the store's answer and the model's");
        let difference = tables::difference(&stored, &model.tables());
        prop_assert!(difference.is_empty(), "other rows than in the model:{}", difference);
    }
    Ok(())
}

/// Leaves out every command, and every two, that are not needed to fail. The library tries each of
/// them once, and turns those that it keeps into simpler ones, which then are often not needed.
fn shorten(
    ground: &mut dyn Ground,
    start: &Model,
    mut why: String,
    mut commands: Vec<Command>,
) -> (String, Vec<Command>) {
    loop {
        let all = commands.len();
        let one = (0..all).map(|place| command::without(&commands, place));
        let two = (0..all).flat_map(|second| (0..second).map(move |first| (first, second)));
        let two = two
            .map(|(first, second)| command::without(&command::without(&commands, second), first));
        let mut fewer = one.chain(two);
        let shorter = fewer.find_map(|fewer| Some((failure(ground, start, &fewer)?, fewer)));
        let Some(found) = shorter else { return (why, commands) };
        (why, commands) = found;
    }
}

fn failure(ground: &mut dyn Ground, start: &Model, commands: &[Command]) -> Option<String> {
    let mut model = start.clone();
    for command in commands {
        if !Model::preconditions(&model, command) {
            return None;
        }
        model = Model::apply(model, command);
    }
    let ran = catch_unwind(AssertUnwindSafe(|| run(ground, start.clone(), commands, None)));
    match ran {
        Ok(ended) => ended.err().map(|why| why.to_string()),
        Err(_) => Some("it panics, and its words are above".to_owned()),
    }
}

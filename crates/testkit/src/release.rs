//! A change of work from which tests begin.

use std::time::Duration;

use verst_kernel::{Change, Wait};

/// A change that releases the claim and nothing more.
pub fn release<P>() -> Change<P> {
    Change {
        advance: None,
        failures: 0,
        ready_in: Duration::ZERO,
        held_us: 0,
        run_held: false,
        wait: Wait::Over,
        tried: true,
        stop: None,
        why: None,
        last_failure: None,
        product: None,
        journal: None,
        notice: None,
    }
}

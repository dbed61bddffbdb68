//! The pause before a retry.

use std::time::Duration;

use crate::Limits;

/// A random number handed in from outside, so that pauses stay functions.
#[derive(Clone, Copy, Debug)]
pub struct Roll(pub u32);

/// The pause after `failures` failures: `min(cap, base * 2^(failures-1))`, less a jitter of at
/// most a quarter. The power is clamped before it is taken, so no number of failures overflows,
/// and jitter only shortens, so the cap holds.
pub fn pause(failures: u32, limits: &Limits, roll: Roll) -> Duration {
    let doublings = failures.saturating_sub(1).min(31);
    let full = limits.pause_base.saturating_mul(1 << doublings).min(limits.pause_cap);
    let jitter = full.mul_f64(f64::from(roll.0) / f64::from(u32::MAX) / 4.0);
    full.saturating_sub(jitter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits() -> Limits {
        Limits {
            pause_base: Duration::from_secs(10),
            pause_cap: Duration::from_mins(5),
            ..Limits::default()
        }
    }

    #[test]
    fn doubles_up_to_the_cap_at_any_number_of_failures() {
        let of = |n| pause(n, &limits(), Roll(0)).as_secs();
        assert_eq!((of(0), of(1), of(2), of(3), of(5)), (10, 10, 20, 40, 160));
        assert_eq!((of(6), of(31), of(32), of(u32::MAX)), (300, 300, 300, 300));
    }

    #[test]
    fn jitter_takes_at_most_a_quarter_and_adds_nothing() {
        for roll in [0, 1, u32::MAX / 2, u32::MAX] {
            let p = pause(2, &limits(), Roll(roll));
            assert!(p >= Duration::from_secs(15) && p <= Duration::from_secs(20), "{p:?}");
        }
    }

    #[test]
    fn even_with_jitter_each_pause_below_the_cap_exceeds_the_one_before() {
        for n in 1..5 {
            assert!(pause(n + 1, &limits(), Roll(u32::MAX)) > pause(n, &limits(), Roll(0)));
        }
    }
}

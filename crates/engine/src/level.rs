//! How loud a recording is: the root mean square of all its samples.
//!
//! It only tells silence from something; it is no measure of perceived loudness.

/// What silence is reported as: below anything that sixteen bits can hold.
const FLOOR_DBFS: f32 = -100.0;

/// A running root mean square.
#[derive(Debug, Default)]
pub(crate) struct Level {
    squares: f64,
    samples: f64,
}

impl Level {
    /// Takes in samples in [-1, 1].
    pub(crate) fn feed(&mut self, samples: &[f32]) {
        for &sample in samples {
            self.squares += f64::from(sample) * f64::from(sample);
            self.samples += 1.0;
        }
    }

    /// Decibels below full scale, to a tenth.
    pub(crate) fn dbfs(&self) -> f32 {
        if self.squares <= 0.0 {
            return FLOOR_DBFS;
        }
        let db = 10.0 * (self.squares / self.samples).log10();
        #[expect(clippy::cast_possible_truncation, reason = "a level between -100 and 0")]
        let tenths = (db * 10.0).round() as f32;
        (tenths / 10.0).max(FLOOR_DBFS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_of_known_signals() {
        for (sample, expected) in [(0.0, -100.0), (1.0, 0.0), (0.1, -20.0), (0.5, -6.0)] {
            let mut level = Level::default();
            level.feed(&[sample, -sample]);
            assert!((level.dbfs() - expected).abs() < 0.05, "{sample}: {}", level.dbfs());
        }
        assert!((Level::default().dbfs() - FLOOR_DBFS).abs() < f32::EPSILON);
    }
}

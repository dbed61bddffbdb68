//! Levels as FFmpeg's `volumedetect` measured them: reads its log lines and adds up what belongs
//! together. It decides nothing.
//!
//! `volumedetect` and not `astats`, because measuring is then nearly free (an hour of 48 kHz stereo:
//! 0.5 s against 11 s) and tenths of a decibel are enough.
//!
//! **Invariant:** a point without a single sample is absent, digital silence has no level.

use std::collections::BTreeMap;

/// Where in a filter graph was measured. The name of the filter instance carries it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Point {
    /// A track mixed to one channel, by index among the audio tracks.
    Mix(usize),
    /// One channel of a track.
    Channel(usize, u32),
    /// The finished output.
    Output,
}

impl Point {
    /// The name of the filter instance.
    pub(super) fn name(self) -> String {
        match self {
            Self::Mix(track) => format!("t{track}m"),
            Self::Channel(track, channel) => format!("t{track}c{channel}"),
            Self::Output => "out".to_owned(),
        }
    }

    fn parse(name: &str) -> Option<Self> {
        if name == "out" {
            return Some(Self::Output);
        }
        let rest = name.strip_prefix('t')?;
        if let Some(track) = rest.strip_suffix('m') {
            return track.parse().ok().map(Self::Mix);
        }
        let (track, channel) = rest.split_once('c')?;
        Some(Self::Channel(track.parse().ok()?, channel.parse().ok()?))
    }
}

/// A level in dB relative to full scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Level {
    /// Root mean square.
    pub(super) mean_db: f64,
    /// Highest sample.
    pub(super) peak_db: f64,
}

/// What was measured at one point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Measure {
    /// Samples seen.
    pub(super) samples: u64,
    /// How many graphs measured here: more than one when the stream changed its format midway.
    pub(super) graphs: u32,
    energy: f64,
    peak: f64,
    /// Samples of the graph whose lines are being read.
    current: u64,
}

impl Measure {
    /// The level; `None` for digital silence.
    pub(super) fn level(&self) -> Option<Level> {
        #[expect(clippy::cast_precision_loss, reason = "a count of samples is far below 2^52")]
        let mean = self.energy / self.samples.max(1) as f64;
        (self.peak > 0.0 && mean > 0.0)
            .then(|| Level { mean_db: 10.0 * mean.log10(), peak_db: 20.0 * self.peak.log10() })
    }
}

/// Everything that was measured during one pass.
#[derive(Clone, Debug, Default)]
pub(super) struct Heard {
    points: BTreeMap<Point, Measure>,
}

/// `volumedetect` shows 91.0 for what is below its resolution of 16 bits.
const NOTHING_DB: f64 = -90.9;

impl Heard {
    /// What was measured there; `None` if not a single sample came by.
    pub(super) fn at(&self, point: Point) -> Option<&Measure> {
        self.points.get(&point).filter(|measure| measure.samples > 0)
    }

    /// Reads one log line, such as `[volumedetect@t0m @ 0x55d] [info] mean_volume: -27.5 dB`.
    /// Other lines are passed over.
    pub(super) fn read(&mut self, line: &str) {
        let Some((name, rest)) =
            line.strip_prefix("[volumedetect@").and_then(|rest| rest.split_once(" @ "))
        else {
            return;
        };
        let Some(point) = Point::parse(name) else { return };
        let Some((key, value)) = rest.rsplit_once("] ").and_then(|(_, text)| text.split_once(": "))
        else {
            return;
        };
        let measure = self.points.entry(point).or_default();
        let db =
            || value.trim().strip_suffix("dB").and_then(|text| text.trim().parse::<f64>().ok());
        match key {
            "n_samples" => {
                measure.current = value.trim().parse().unwrap_or(0);
                measure.samples += measure.current;
                measure.graphs += u32::from(measure.current > 0);
            }
            "mean_volume" => {
                if let Some(db) = db().filter(|db| *db > NOTHING_DB) {
                    #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
                    let samples = measure.current as f64;
                    measure.energy += samples * 10f64.powf(db / 10.0);
                }
            }
            "max_volume" => {
                if let Some(db) = db().filter(|db| *db > NOTHING_DB) {
                    measure.peak = measure.peak.max(10f64.powf(db / 20.0));
                }
            }
            _ => {}
        }
    }

    /// A measurement made by hand, for tests of the decisions built on it.
    #[cfg(test)]
    pub(super) fn set(&mut self, point: Point, samples: u64, mean_db: f64, peak_db: f64) {
        let name = point.name();
        for text in [
            format!("n_samples: {samples}"),
            format!("mean_volume: {mean_db:.1} dB"),
            format!("max_volume: {peak_db:.1} dB"),
        ] {
            self.read(&format!("[volumedetect@{name} @ 0x1] [info] {text}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_points_are_read_back() {
        for point in [Point::Mix(0), Point::Mix(12), Point::Channel(3, 7), Point::Output] {
            assert_eq!(Point::parse(&point.name()), Some(point));
        }
        for name in ["", "t", "tm", "t1", "t1c", "tc1", "x1m", "t1mm"] {
            assert_eq!(Point::parse(name), None, "{name}");
        }
    }

    fn heard(lines: &[&str]) -> Heard {
        let mut heard = Heard::default();
        for line in lines {
            heard.read(line);
        }
        heard
    }

    #[test]
    fn a_measure_is_read_from_the_log() {
        let heard = heard(&[
            "[volumedetect@t0c1 @ 0x55772fd17cc0] [info] n_samples: 132527",
            "[volumedetect@t0c1 @ 0x55772fd17cc0] [info] mean_volume: -27.5 dB",
            "[volumedetect@t0c1 @ 0x55772fd17cc0] [info] max_volume: -24.5 dB",
            "[volumedetect@t0c1 @ 0x55772fd17cc0] [info] histogram_24db: 120",
            "[volumedetect@t0m @ 0x55772fd17cc0] [info] n_samples: 0",
            "[info]   title : [volumedetect@t0m @ 0x1] [info] n_samples: 7",
            "[Parsed_pan_2 @ 0x55772fd122c0] [info] Pure channel mapping detected: 0",
        ]);
        let measure = heard.at(Point::Channel(0, 1)).copied().unwrap_or_default();
        assert_eq!((measure.samples, measure.graphs), (132_527, 1));
        let level = measure.level().unwrap_or(Level { mean_db: 0.0, peak_db: 0.0 });
        assert!((level.mean_db + 27.5).abs() < 0.01 && (level.peak_db + 24.5).abs() < 0.01);
        assert!(heard.at(Point::Mix(0)).is_none());
    }

    #[test]
    fn silence_has_no_level() {
        let mut heard = Heard::default();
        heard.set(Point::Output, 16_000, -91.0, -91.0);
        assert_eq!(heard.at(Point::Output).map(Measure::level), Some(None));
        let mut infinite = Heard::default();
        infinite.set(Point::Output, 16_000, f64::NEG_INFINITY, f64::NEG_INFINITY);
        assert_eq!(infinite.at(Point::Output).map(Measure::level), Some(None));
    }

    #[test]
    fn graphs_of_one_stream_add_up_by_energy() {
        let mut heard = Heard::default();
        heard.set(Point::Mix(0), 1000, -20.0, -6.0);
        heard.set(Point::Mix(0), 1000, -91.0, -91.0);
        let measure = heard.at(Point::Mix(0)).copied().unwrap_or_default();
        assert_eq!((measure.samples, measure.graphs), (2000, 2));
        let level = measure.level().unwrap_or(Level { mean_db: 0.0, peak_db: 0.0 });
        assert!((level.mean_db + 23.01).abs() < 0.01 && (level.peak_db + 6.0).abs() < 0.01);
    }
}

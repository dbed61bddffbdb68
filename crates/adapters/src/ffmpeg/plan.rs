//! Decides from what was heard in the analysis pass how to decode: which track, which channels,
//! how much louder. Pure.
//!
//! The rules, in order: the loudest track; in it, the one channel that lives, if only one does; one
//! channel, if mixing them cancels the sound out (opposite phase); otherwise the usual mix. Then a
//! constant gain towards a peak of -3 dBFS.
//!
//! **Invariant:** a channel with anything on it that might be speech is never left out of the mix,
//! unless the mix itself would lose it.

use super::heard::{Heard, Level, Measure, Point};
use super::probe::Track;

/// Tracks and channels beyond these are not measured one by one.
pub(super) const MEASURED_TRACKS: usize = 16;
pub(super) const MEASURED_CHANNELS: u32 = 8;

/// Tracks closer than this are equally loud; the earlier one wins.
const SAME_DB: f64 = 1.0;
/// A channel whose peak stays below this holds noise at most. The peak and not the mean, because a
/// caller who says one word in an hour has a mean like noise.
const SILENT_PEAK_DB: f64 = -50.0;
/// And it has to be quieter than the loudest by this much.
const SILENT_BELOW_DB: f64 = 20.0;
/// Mixing a pair costs at most 6 dB if one channel is silent; more means that they cancel out.
const PAIR_COLLAPSE_DB: f64 = 9.0;
/// Mixing 5.1 costs 10.6 dB if all the sound is in the centre (measured).
const MANY_COLLAPSE_DB: f64 = 15.0;
/// Where the gain leads, and how far it goes.
const PEAK_DB: f64 = -3.0;
const MOST_GAIN_DB: f64 = 20.0;

/// What is measured is turned down by so much first, so that peaks over full scale are seen too.
/// Lossy decoders overshoot by a few dB, floating-point recorders by a lot.
const HEADROOM_DB: f64 = 6.0;
const FLOAT_HEADROOM_DB: f64 = 24.0;

/// How much lower than they are the levels of a track are measured, in dB.
pub(super) fn headroom_db(track: &Track) -> f64 {
    if track.floats { FLOAT_HEADROOM_DB } else { HEADROOM_DB }
}

/// The true level; `None` for digital silence.
fn level(measure: &Measure, track: &Track) -> Option<Level> {
    let up = headroom_db(track);
    measure.level().map(|l| Level { mean_db: l.mean_db + up, peak_db: l.peak_db + up })
}

/// How channels become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mix {
    /// FFmpeg's matrix for the layout.
    Usual,
    /// The mean of so many channels, for when there is no layout.
    Mean(u32),
    /// One channel.
    Channel(u32),
}

impl Mix {
    /// The mix of everything in a track.
    pub(super) fn of_all(track: &Track) -> Self {
        let guessed = track.layout.is_none() && track.channels > 2;
        if guessed || track.channels > MEASURED_CHANNELS {
            Self::Mean(track.channels)
        } else {
            Self::Usual
        }
    }
}

/// How to decode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Plan {
    /// Index among the audio tracks.
    pub(super) track: usize,
    /// How channels become one.
    pub(super) mix: Mix,
    /// Gain in dB.
    pub(super) gain_db: f64,
    /// Whether bit patterns that are no samples have to be removed.
    pub(super) floats: bool,
    /// Whether the stream changes its format midway, so that counting samples in the filter graph
    /// starts anew and the file's timestamps have to serve.
    pub(super) changes: bool,
}

/// Chooses. `None` when no track gave a single sample.
pub(super) fn choose(tracks: &[Track], heard: &Heard) -> Option<Plan> {
    let measured: Vec<_> =
        (0..tracks.len()).filter(|n| heard.at(Point::Mix(*n)).is_some()).collect();
    let best = measured.iter().map(|n| loudness(&tracks[*n], *n, heard)).fold(f64::MIN, f64::max);
    let track =
        measured.into_iter().find(|n| loudness(&tracks[*n], *n, heard) >= best - SAME_DB)?;
    let whole = heard.at(Point::Mix(track))?;
    let (mix, level) = mix(&tracks[track], track, whole, heard);
    Some(Plan {
        track,
        mix,
        gain_db: level.map_or(0.0, gain),
        floats: tracks[track].floats,
        changes: whole.graphs > 1,
    })
}

/// The level of the loudest way to hear a track; far below anything for silence.
fn loudness(track: &Track, index: usize, heard: &Heard) -> f64 {
    const SILENCE_DB: f64 = -200.0;
    let mixed = heard.at(Point::Mix(index)).and_then(|measure| level(measure, track));
    let loudest = channels(track, index, heard).into_iter().map(|(_, level)| level);
    mixed.into_iter().chain(loudest).map(|level| level.mean_db).fold(SILENCE_DB, f64::max)
}

/// Channels that are not silent, without the one for low frequencies.
fn channels(track: &Track, index: usize, heard: &Heard) -> Vec<(u32, Level)> {
    (0..track.channels.min(MEASURED_CHANNELS))
        .filter(|channel| Some(*channel) != low_frequencies(track.layout.as_deref()))
        .filter_map(|c| Some((c, level(heard.at(Point::Channel(index, c))?, track)?)))
        .collect()
}

/// Where FFmpeg's layouts have the channel for low frequencies.
fn low_frequencies(layout: Option<&str>) -> Option<u32> {
    let name = layout?.split('(').next()?;
    match name.strip_suffix(".1")? {
        "2" => Some(2),
        "3" | "4" | "5" | "6" | "7" => Some(3),
        _ => None,
    }
}

fn mix(track: &Track, index: usize, whole: &Measure, heard: &Heard) -> (Mix, Option<Level>) {
    let usual = (Mix::of_all(track), level(whole, track));
    let channels = channels(track, index, heard);
    let Some(&(loudest, best)) =
        channels.iter().max_by(|(_, a), (_, b)| a.mean_db.total_cmp(&b.mean_db))
    else {
        return usual;
    };
    if track.channels < 2 {
        return usual;
    }
    let silent =
        |l: &Level| l.peak_db < SILENT_PEAK_DB && l.peak_db < best.peak_db - SILENT_BELOW_DB;
    let alone = channels.iter().filter(|(_, l)| !silent(l)).count() == 1;
    let collapse = if track.channels == 2 { PAIR_COLLAPSE_DB } else { MANY_COLLAPSE_DB };
    let collapses = usual.1.is_none_or(|mixed| mixed.mean_db < best.mean_db - collapse);
    if (alone && track.channels <= MEASURED_CHANNELS) || collapses {
        (Mix::Channel(loudest), Some(best))
    } else {
        usual
    }
}

fn gain(level: Level) -> f64 {
    if level.peak_db > 0.0 {
        // Over full scale, as floating-point recorders write: back to the same peak.
        PEAK_DB - level.peak_db
    } else {
        (PEAK_DB - level.peak_db).clamp(0.0, MOST_GAIN_DB)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(channels: u32, layout: Option<&str>) -> Track {
        let layout = layout.map(str::to_owned);
        Track { usable: true, channels, layout, ..Track::default() }
    }

    /// One track: mix and channels as (mean, peak).
    fn plan(track: &Track, mix: (f64, f64), channels: &[(f64, f64)]) -> Plan {
        let mut heard = Heard::default();
        let mut set = |point, (mean, peak)| {
            heard.set(point, 1000, mean - HEADROOM_DB, peak - HEADROOM_DB);
        };
        set(Point::Mix(0), mix);
        for (channel, levels) in (0..).zip(channels) {
            set(Point::Channel(0, channel), *levels);
        }
        choose(std::slice::from_ref(track), &heard).unwrap()
    }

    /// A track, its mix and its channels as (mean, peak), what follows, and what it is.
    type Case<'a> = (&'a Track, (f64, f64), &'a [(f64, f64)], Mix, &'a str);

    const NONE: (f64, f64) = (-91.0, -91.0);

    #[test]
    fn how_channels_become_one() {
        let stereo = track(2, Some("stereo"));
        let surround = track(6, Some("5.1(side)"));
        let voice = (-20.0, -5.0);
        let rumble = (-10.0, -1.0);
        let cases: [Case<'_>; 10] = [
            (&stereo, voice, &[voice, voice], Mix::Usual, "the same on both"),
            (&stereo, (-23.0, -8.0), &[voice, voice], Mix::Usual, "one speaker a channel"),
            (&stereo, (-26.0, -11.0), &[voice, NONE], Mix::Channel(0), "right is silent"),
            (&stereo, (-26.0, -11.0), &[(-75.0, -60.0), voice], Mix::Channel(1), "left hums"),
            (
                &stereo,
                (-26.0, -11.0),
                &[voice, (-75.0, -30.0)],
                Mix::Usual,
                "one word on the right",
            ),
            (&stereo, NONE, &[voice, voice], Mix::Channel(1), "opposite phase"),
            (&stereo, (-35.0, -20.0), &[voice, (-21.0, -6.0)], Mix::Channel(0), "nearly opposite"),
            (&stereo, NONE, &[NONE, NONE], Mix::Usual, "silence"),
            (
                &surround,
                (-30.6, -15.6),
                &[NONE, NONE, voice, rumble, NONE, NONE],
                Mix::Channel(2),
                "centre and rumble",
            ),
            (
                &surround,
                (-28.0, -13.0),
                &[(-30.0, -10.0), (-30.0, -10.0), voice, NONE, NONE, NONE],
                Mix::Usual,
                "centre and music",
            ),
        ];
        for (track, mix, channels, expected, what) in cases {
            assert_eq!(plan(track, mix, channels).mix, expected, "{what}");
        }
    }

    #[test]
    fn without_a_layout_the_mean_is_taken() {
        assert_eq!(Mix::of_all(&track(2, None)), Mix::Usual);
        assert_eq!(Mix::of_all(&track(4, None)), Mix::Mean(4));
        assert_eq!(Mix::of_all(&track(16, Some("hexadecagonal"))), Mix::Mean(16));
        let many = vec![(-20.0, -5.0); 8];
        assert_eq!(plan(&track(16, None), (-22.0, -6.0), &many).mix, Mix::Mean(16));
    }

    #[test]
    fn the_gain_is_moderate() {
        let mono = track(1, Some("mono"));
        for (peak, expected) in [
            (-23.0, 20.0),
            (-40.0, 20.0),
            (-13.0, 10.0),
            (-3.0, 0.0),
            (-1.0, 0.0),
            (9.0, -12.0),
            (-91.0, 0.0),
        ] {
            let gain = plan(&mono, (peak - 10.0, peak), &[]).gain_db;
            assert!((gain - expected).abs() < 0.01, "{peak}: {gain}");
        }
    }

    #[test]
    fn the_loudest_track_is_chosen() {
        let tracks = [track(1, None), track(2, None), track(1, None), track(1, None)];
        let mut heard = Heard::default();
        assert_eq!(choose(&tracks, &heard), None);
        heard.set(Point::Mix(0), 1000, -91.0, -91.0);
        assert_eq!(choose(&tracks, &heard).unwrap().track, 0);
        heard.set(Point::Mix(2), 1000, -30.5, -10.0);
        heard.set(Point::Mix(3), 1000, -30.0, -10.0);
        assert_eq!(choose(&tracks, &heard).unwrap().track, 2);
        // Opposite phase does not hide a track.
        heard.set(Point::Mix(1), 1000, -91.0, -91.0);
        heard.set(Point::Channel(1, 0), 1000, -20.0, -5.0);
        heard.set(Point::Channel(1, 1), 1000, -20.0, -5.0);
        assert_eq!(choose(&tracks, &heard).unwrap().track, 1);
    }
}

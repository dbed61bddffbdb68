//! Levels, and samples that are none.

use crate::bench::{Bench, Sound, wav_header};

#[tokio::test]
async fn a_quiet_recording_is_made_louder_and_a_loud_one_is_left_alone() {
    let bench = Bench::new();
    let mut levels = Vec::new();
    for (name, filter, peaks) in [
        ("loud.wav", "volume=0dB", 0.65..0.8),
        ("quiet.wav", "volume=-14dB", 0.65..0.8),
        ("faint.wav", "volume=-40dB", 0.01..0.1),
    ] {
        let words = "-f lavfi -i sine=f=440:d=3:r=48000 -af";
        let input = bench.make(name, words, &[&format!("volume=16dB,{filter}")]);
        let sound = bench.hear(&input).await.unwrap();
        assert!(peaks.contains(&sound.peak()), "{name} {}", sound.peak());
        levels.push(sound.made.level_db.unwrap());
        std::fs::remove_file(bench.output()).unwrap();
    }
    assert!((levels[0] - levels[1]).abs() < 1.5, "{levels:?}");
}

/// Three seconds of a tone with a peak of 0.3, every thousandth sample replaced.
fn tone_with(bench: &Bench, strange: &[f32], scale: f32) -> std::path::PathBuf {
    let count = 48_000 * 3;
    let mut bytes = wav_header(3, 1, 48_000, 32, count * 4);
    for n in 0..u16::try_from(count / 1000).unwrap() {
        for m in 0..1000_u16 {
            let phase = (f32::from(n) * 1000.0 + f32::from(m)) % 4800.0;
            let tone = 0.3 * scale * (phase * 440.0 * std::f32::consts::TAU / 48_000.0).sin();
            let sample = strange.get(usize::from(m)).copied().unwrap_or(tone);
            bytes.extend_from_slice(&sample.to_le_bytes());
        }
    }
    bench.write("floats.wav", &bytes)
}

fn is_a_clean_tone(sound: &Sound) {
    sound.lasts(3.0).has_no_warnings();
    assert!(sound.tone_db(440.0) > -5.0, "{}", sound.tone_db(440.0));
    assert!(sound.peak() < 0.8, "{}", sound.peak());
    // What is not the tone is far below it.
    let level = sound.made.level_db.unwrap();
    assert!((level + 3.0 - sound.tone_db(440.0)).abs() < 0.5, "{level} {}", sound.tone_db(440.0));
}

#[tokio::test]
async fn what_is_no_number_is_heard_as_nothing() {
    let bench = Bench::new();
    let strange = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e-40, -1e-42, f32::MAX, -f32::NAN];
    let input = tone_with(&bench, &strange, 1.0);
    is_a_clean_tone(&bench.hear(&input).await.unwrap());
}

#[tokio::test]
async fn nothing_but_not_a_number_is_silence() {
    let bench = Bench::new();
    let input = tone_with(&bench, &[f32::NAN; 1000], 1.0);
    let sound = bench.hear(&input).await.unwrap();
    assert_eq!(sound.lasts(3.0).made.level_db, None);
}

#[tokio::test]
async fn floats_over_full_scale_are_not_clipped() {
    let bench = Bench::new();
    let input = tone_with(&bench, &[], 20.0);
    is_a_clean_tone(&bench.hear(&input).await.unwrap());
}

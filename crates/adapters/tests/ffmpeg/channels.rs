//! Tracks and channels: what is listened to.

use verst_recordings::ports::Warning;

use crate::bench::{Bench, Sound};

const SINE: &str = "-f lavfi -i sine=f=440:d=3:r=48000";
const PAIR: &str =
    "-f lavfi -i sine=f=440:d=3:r=48000 -f lavfi -i sine=f=1000:d=3:r=48000 -filter_complex";

async fn hear(words: &str, filter: &str, name: &str) -> Sound {
    let bench = Bench::new();
    let option =
        if words.ends_with("-filter_complex") { vec![filter] } else { vec!["-af", filter] };
    let input = bench.make(name, words, &option);
    bench.hear(&input).await.unwrap()
}

fn has(sound: &Sound, hertz: f64) {
    assert!(sound.tone_db(hertz) > -25.0, "{hertz}: {}", sound.tone_db(hertz));
}

#[tokio::test]
async fn case_23_opposite_phase_uses_one_channel() {
    let sound = hear(SINE, "pan=stereo|c0=c0|c1=-1*c0", "a.wav").await;
    sound.lasts(3.0).is_audible().has_no_warnings();
    has(&sound, 440.0);
    // Through a lossy codec the two halves do not cancel out exactly.
    let sound = hear(SINE, "pan=stereo|c0=c0|c1=-0.9*c0", "a.mp3").await;
    has(&sound, 440.0);
}

#[tokio::test]
async fn case_24_one_speaker_per_channel_keeps_both() {
    let sound = hear(PAIR, "amerge", "a.wav").await;
    has(&sound, 440.0);
    has(&sound, 1000.0);
}

#[tokio::test]
async fn case_25_one_silent_channel_costs_no_level() {
    let both = hear(SINE, "pan=stereo|c0=c0|c1=c0", "a.wav").await;
    for filter in ["pan=stereo|c0=c0", "pan=stereo|c1=c0"] {
        let one = hear(SINE, filter, "a.wav").await;
        let loss = both.made.level_db.unwrap() - one.made.level_db.unwrap();
        assert!(loss.abs() < 0.5, "{filter}: {loss}");
    }
}

#[tokio::test]
async fn case_26_speech_in_the_centre_of_5_1() {
    for name in ["a.ac3", "a.wav", "a.m4a"] {
        let sound = hear(SINE, "pan=5.1|c2=c0", name).await;
        assert!(sound.tone_db(440.0) > -10.0, "{name} {}", sound.tone_db(440.0));
    }
    // With something on the other channels the usual mix is taken, and made louder.
    let music = "amerge,pan=5.1|c0=0.1*c0|c1=0.1*c0|c2=c1";
    let sound = hear(PAIR, music, "a.wav").await;
    assert!(sound.tone_db(1000.0) > -12.0, "{}", sound.tone_db(1000.0));
}

#[tokio::test]
async fn many_channels_without_a_layout() {
    let sound = hear(SINE, "pan=16C|c9=c0", "a.wav").await;
    sound.lasts(3.0);
    assert!(sound.tone_db(440.0) > -30.0, "{}", sound.tone_db(440.0));
}

#[tokio::test]
async fn case_27_the_loudest_track_is_used_and_named() {
    let bench = Bench::new();
    let words = "-f lavfi -i anullsrc=r=48000:cl=stereo:d=5 -t 5 -i SPEECH -map 0 -map 1";
    for (name, codec) in [("a.mkv", "-c:a libopus"), ("a.mp4", "-c:a aac")] {
        let input = bench.make(name, &format!("{words} {codec}"), &[]);
        let sound = bench.hear(&input).await.unwrap();
        sound.lasts(5.0).is_audible();
        assert_eq!(sound.made.warnings, [Warning::TrackChosen { track: 2, of: 2 }]);
        std::fs::remove_file(bench.output()).unwrap();
    }
}

#[tokio::test]
async fn case_28_silence_is_a_result_without_a_level() {
    let sound = hear("-f lavfi -i anullsrc=r=48000:cl=stereo -t 3", "anull", "a.wav").await;
    sound.lasts(3.0).has_no_warnings();
    assert_eq!(sound.made.level_db, None);
    assert!(sound.samples.iter().all(|sample| *sample == 0));
}

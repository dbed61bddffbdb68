//! The two codecs of the output.

use std::path::Path;
use std::process::Command;

use verst_adapters::ffmpeg::{Ffmpeg, MediaLimits};
use verst_recordings::ports::{Codec, Media, Normalised};

use crate::bench::{Bench, Quiet, SPEECH, confinement};

async fn make(bench: &Bench, input: &Path, codec: Codec) -> Normalised {
    let order = bench.order(input, codec);
    let made =
        Ffmpeg::new(MediaLimits::default(), confinement()).normalise(&order, &Quiet).await.unwrap();
    bench.is_tidy(true);
    assert_eq!(made.size_bytes, std::fs::metadata(bench.output()).unwrap().len());
    made
}

/// Codec, channels and duration as ffprobe sees them.
fn probed(path: &Path) -> (String, f64) {
    let output = Command::new("ffprobe")
        .args("-v error -show_entries stream=codec_name,channels:format=duration".split(' '))
        .args(["-of", "csv=p=0"])
        .arg(path)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let (stream, duration) = text.trim().split_once('\n').unwrap();
    (stream.to_owned(), duration.parse().unwrap())
}

#[tokio::test]
async fn both_codecs_hold_the_same_sound() {
    let bench = Bench::new();
    let pcm = make(&bench, Path::new(SPEECH), Codec::Pcm16k).await;
    assert_eq!(pcm.size_bytes % 2, 0);
    let opus = make(&bench, Path::new(SPEECH), Codec::OggOpus).await;
    assert_eq!(opus.duration, pcm.duration);
    assert_eq!(opus.level_db, pcm.level_db);
    assert!(opus.size_bytes < pcm.size_bytes / 4);
    let (stream, duration) = probed(&bench.output());
    assert_eq!(stream, "opus,1");
    assert!((duration - opus.duration.as_secs_f64()).abs() < 0.1, "{duration}");
}

/// An mp3 put together from a mono and a stereo one: FFmpeg builds its filters anew in the middle.
#[tokio::test]
async fn a_stream_that_changes_its_format_midway_is_heard_to_the_end() {
    let bench = Bench::new();
    let mono = bench.make("mono.mp3", "-t 3 -i SPEECH -ac 1 -ar 44100 -c:a libmp3lame", &[]);
    let stereo = bench.make("stereo.mp3", "-t 3 -i SPEECH -ac 2 -ar 44100 -c:a libmp3lame", &[]);
    let (mono, stereo) = (std::fs::read(mono).unwrap(), std::fs::read(stereo).unwrap());
    for parts in [[&mono, &stereo], [&stereo, &mono]] {
        let input = bench.write("both.mp3", &parts.map(Vec::as_slice).concat());
        for codec in [Codec::Pcm16k, Codec::OggOpus] {
            let made = make(&bench, &input, codec).await;
            let seconds = made.duration.as_secs_f64();
            assert!((5.8..6.3).contains(&seconds), "{codec:?} {seconds}");
            if codec == Codec::OggOpus {
                let (_, duration) = probed(&bench.output());
                assert!((5.8..6.3).contains(&duration), "{duration}");
            }
        }
    }
}

/// A recording with the sound off in the middle: jumps in its timestamps are no sound.
#[tokio::test]
async fn gaps_in_timestamps_do_not_lengthen_the_output() {
    let bench = Bench::new();
    let words = "-t 4 -i SPEECH -af asetpts=PTS+gte(T\\,2)*100/TB -c:a libopus";
    let input = bench.make("gap.mka", words, &[]);
    for codec in [Codec::Pcm16k, Codec::OggOpus] {
        let made = make(&bench, &input, codec).await;
        assert!((3.8..4.2).contains(&made.duration.as_secs_f64()), "{codec:?} {made:?}");
    }
    let (_, duration) = probed(&bench.output());
    assert!((3.8..4.3).contains(&duration), "{duration}");
}

#[tokio::test]
async fn an_output_from_before_is_replaced() {
    let bench = Bench::new();
    bench.write("output", &vec![0; 5_000_000]);
    bench.write("output.part", &vec![0; 5_000_000]);
    let input = bench.make("a.opus", "-t 1 -i SPEECH -c:a libopus", &[]);
    let made = make(&bench, &input, Codec::Pcm16k).await;
    assert!((31_000..33_000).contains(&made.size_bytes), "{made:?}");
}

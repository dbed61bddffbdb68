//! Kinds of files that people send.

use std::os::unix::fs::FileExt;
use std::path::Path;

use crate::bench::{Bench, noise, wav_header};

/// Makes a file and expects so much audible speech from it, without a word of warning.
async fn accepts(name: &str, words: &str, seconds: f64) {
    let bench = Bench::new();
    let input = bench.make(name, words, &[]);
    bench.hear(&input).await.unwrap().lasts(seconds).is_audible().has_no_warnings();
}

#[tokio::test]
async fn the_samples() {
    let bench = Bench::new();
    let sound = bench.hear(Path::new(crate::bench::SPEECH)).await.unwrap();
    assert!((40.0..48.0).contains(&sound.seconds()), "{}", sound.seconds());
    sound.is_audible().has_no_warnings();
}

#[tokio::test]
async fn case_05_m4a_with_moov_at_the_end() {
    accepts("a.m4a", "-t 5 -i SPEECH -c:a aac", 5.0).await;
}

#[tokio::test]
async fn case_06_opus_in_oga() {
    accepts("a.oga", "-t 5 -i SPEECH -c:a libopus", 5.0).await;
}

#[tokio::test]
async fn case_07_opus_and_webm() {
    accepts("a.opus", "-t 5 -i SPEECH -c:a libopus", 5.0).await;
    accepts("a.webm", "-t 5 -i SPEECH -c:a libopus", 5.0).await;
    // A browser writes its recording live: no duration, no index.
    accepts("b.webm", "-t 5 -i SPEECH -c:a libopus -live 1 -f webm", 5.0).await;
}

/// This FFmpeg has no AMR encoder, so the frames are made here: mode 7 (12.2 kbit/s), 31 bytes and
/// a header for 20 ms. Their content is noise.
#[tokio::test]
async fn case_08_amr_and_3gp_at_8_khz() {
    let bench = Bench::new();
    let mut bytes = b"#!AMR\n".to_vec();
    for frame in noise(31 * 100).chunks(31) {
        bytes.push(0x3c);
        bytes.extend_from_slice(frame);
    }
    let amr = bench.write("a.amr", &bytes);
    bench.hear(&amr).await.unwrap().lasts(2.0).has_no_warnings();
    std::fs::remove_file(bench.output()).unwrap();
    let input = bench.make("a.3gp", "-i a.amr -c copy", &[]);
    bench.hear(&input).await.unwrap().lasts(2.0).has_no_warnings();
}

#[tokio::test]
async fn case_09_wma() {
    accepts("a.wma", "-t 5 -i SPEECH -c:a wmav2", 5.0).await;
}

#[tokio::test]
async fn case_10_raw_aac() {
    accepts("a.aac", "-t 5 -i SPEECH -c:a aac -f adts", 5.0).await;
}

#[tokio::test]
async fn case_11_wrong_extension() {
    accepts("m4a.mp3", "-t 5 -i SPEECH -c:a aac -f ipod", 5.0).await;
    accepts("wav.ogg", "-t 5 -i SPEECH -f wav", 5.0).await;
    accepts("none", "-t 5 -i SPEECH -c:a libmp3lame -f mp3", 5.0).await;
}

#[tokio::test]
async fn other_kinds() {
    accepts("a.aiff", "-t 5 -i SPEECH", 5.0).await;
    accepts("a.caf", "-t 5 -i SPEECH -c:a alac", 5.0).await;
    accepts("a.avi", "-t 5 -i SPEECH -c:a ac3", 5.0).await;
    accepts("a.ts", "-t 5 -i SPEECH -c:a aac", 5.0).await;
    accepts("a.wv", "-t 5 -i SPEECH", 5.0).await;
    accepts("a.wav", "-t 5 -i SPEECH -ar 8000 -c:a pcm_mulaw", 5.0).await;
}

#[tokio::test]
async fn case_12_video_without_sound() {
    let bench = Bench::new();
    let input = bench.make("a.mp4", "-f lavfi -i testsrc=d=1:s=64x64 -c:v mpeg4", &[]);
    assert_eq!(bench.verdict(&input).await, "no_audio_track");
    let input = bench.make("a.mkv", "-f lavfi -i testsrc=d=1:s=64x64 -c:v mpeg4", &[]);
    assert_eq!(bench.verdict(&input).await, "no_audio_track");
}

#[tokio::test]
async fn video_whose_sound_ends_early_is_not_cut_off() {
    let words = "-f lavfi -i testsrc=d=20:s=64x64:r=5 -t 5 -i SPEECH -c:v mpeg4 -c:a libopus";
    accepts("a.mkv", words, 5.0).await;
    accepts("a.mp4", &words.replace("libopus", "aac"), 5.0).await;
}

#[tokio::test]
async fn case_13_mp3_with_cover_art() {
    let bench = Bench::new();
    bench.make("cover.png", "-f lavfi -i testsrc=d=1:s=64x64 -frames:v 1", &[]);
    let words = "-t 5 -i SPEECH -i cover.png -map 0 -map 1 -c:a libmp3lame -c:v copy \
                 -id3v2_version 3 -disposition:v attached_pic";
    let input = bench.make("a.mp3", words, &[]);
    bench.hear(&input).await.unwrap().lasts(5.0).is_audible().has_no_warnings();
}

#[tokio::test]
async fn case_14_cover_art_that_is_not_what_it_says() {
    let bench = Bench::new();
    let sound = bench.make("sound.mp3", "-t 5 -i SPEECH -c:a libmp3lame -id3v2_version 0", &[]);
    let jpeg = bench.make("cover.jpg", "-f lavfi -i testsrc=d=1:s=64x64 -frames:v 1", &[]);
    let mut picture = b"\0image/png\0\x03\0\x89PNG\r\n\x1a\n".to_vec();
    picture.extend_from_slice(&std::fs::read(jpeg).unwrap());
    let size = u32::try_from(picture.len()).unwrap();
    let mut bytes = b"ID3\x03\0\0".to_vec();
    let all = size + 10;
    bytes.extend([21, 14, 7, 0].map(|shift| (all >> shift & 0x7f).to_le_bytes()[0]));
    bytes.extend_from_slice(b"APIC");
    bytes.extend_from_slice(&size.to_be_bytes());
    bytes.extend_from_slice(&[0, 0]);
    bytes.extend_from_slice(&picture);
    bytes.extend_from_slice(&std::fs::read(sound).unwrap());
    let input = bench.write("a.mp3", &bytes);
    bench.hear(&input).await.unwrap().lasts(5.0).is_audible().has_no_warnings();
}

#[tokio::test]
async fn case_15_vbr_mp3_without_xing() {
    let bench = Bench::new();
    // Half noise, half near silence: the bit rate at the beginning says nothing about the rest.
    let words = "-f lavfi -i anoisesrc=d=30:a=0.02:r=44100 -f lavfi -i anoisesrc=d=30:a=0.3:r=44100 \
                 -filter_complex [0]lowpass=500[a];[a][1]concat=v=0:a=1 -c:a libmp3lame -q:a 4 \
                 -write_xing 0";
    let input = bench.make("vbr.mp3", words, &[]);
    bench.hear(&input).await.unwrap().lasts(60.0).has_no_warnings();
}

#[tokio::test]
async fn case_21_rf64_and_w64() {
    accepts("rf64.wav", "-t 5 -i SPEECH -rf64 always -f wav", 5.0).await;
    accepts("a.w64", "-t 5 -i SPEECH -f w64", 5.0).await;
}

/// More than 4 GB of data behind a header that cannot say so: its size has wrapped.
#[tokio::test]
async fn case_21_wav_beyond_4_gb() {
    let bench = Bench::new();
    let data: u64 = 2800 * 192_000 * 8;
    let wrapped = u32::try_from(data - (1 << 32)).unwrap();
    let input = bench.write("big.wav", &wav_header(1, 1, 192_000, 64, wrapped));
    let file = std::fs::File::options().write(true).open(&input).unwrap();
    file.set_len(44 + data).unwrap();
    // Where the stated size ends FFmpeg looks for the next chunk, and finds samples. Silence it
    // would search through for minutes, eight bytes at a time.
    file.write_all_at(b"\x11\x22\x33\x44\xf0\xff\xff\xff", 44 + u64::from(wrapped)).unwrap();
    bench.hear(&input).await.unwrap().lasts(2800.0).has_no_warnings();
}

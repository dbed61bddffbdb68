//! Files that are empty, short, cut off or damaged.

use verst_recordings::ports::Warning;

use crate::bench::{Bench, noise, wav_header};

#[tokio::test]
async fn case_01_zero_bytes() {
    let bench = Bench::new();
    let input = bench.write("empty.ogg", b"");
    assert_eq!(bench.verdict(&input).await, "empty_file");
}

#[tokio::test]
async fn case_02_less_than_a_tenth_of_a_second() {
    let bench = Bench::new();
    let input = bench.make("short.wav", "-ss 1 -t 0.05 -i SPEECH", &[]);
    let sound = bench.hear(&input).await.unwrap();
    assert!((0.045..0.055).contains(&sound.seconds()), "{}", sound.seconds());
    sound.has_no_warnings();
}

#[tokio::test]
async fn case_03_half_a_second_of_speech_keeps_its_true_duration() {
    let bench = Bench::new();
    let input = bench.make("short.ogg", "-ss 1 -t 0.5 -i SPEECH -c:a libopus", &[]);
    bench.hear(&input).await.unwrap().lasts(0.5).is_audible().has_no_warnings();
}

#[tokio::test]
async fn case_04_m4a_without_moov() {
    let bench = Bench::new();
    let whole = bench.make("whole.m4a", "-t 5 -i SPEECH -c:a aac", &[]);
    let bytes = std::fs::read(whole).unwrap();
    let moov = bytes.windows(4).position(|w| w == b"moov").unwrap();
    let input = bench.write("cut.m4a", &bytes[..moov - 4]);
    assert_eq!(bench.verdict(&input).await, "damaged_file");
}

#[tokio::test]
async fn a_container_that_breaks_off_in_its_header() {
    let bench = Bench::new();
    let speech = std::fs::read(crate::bench::SPEECH).unwrap();
    let input = bench.write("cut.ogg", &speech[..100]);
    assert_eq!(bench.verdict(&input).await, "damaged_file");
    let input = bench.write("cut.wav", &wav_header(1, 1, 16_000, 16, 1000)[..20]);
    assert_eq!(bench.verdict(&input).await, "damaged_file");
}

#[tokio::test]
async fn a_header_with_no_sound_behind_it() {
    let bench = Bench::new();
    let input = bench.write("bare.wav", &wav_header(1, 1, 16_000, 16, 0));
    assert_eq!(bench.verdict(&input).await, "no_samples");
}

#[tokio::test]
async fn case_20_wav_cut_off() {
    let bench = Bench::new();
    let whole = bench.make("whole.wav", "-t 5 -i SPEECH -ar 48000 -c:a pcm_s16le", &[]);
    let bytes = std::fs::read(whole).unwrap();
    let input = bench.write("cut.wav", &bytes[..100_000]);
    let sound = bench.hear(&input).await.unwrap();
    assert_eq!(sound.lasts(1.04).made.warnings, [Warning::CutOff]);
}

#[tokio::test]
async fn files_with_a_stated_duration_that_are_cut_off() {
    let bench = Bench::new();
    for (name, words) in [
        ("a.m4a", "-t 10 -i SPEECH -movflags +faststart -c:a aac"),
        ("a.flac", "-t 10 -i SPEECH -c:a flac"),
        ("a.mp3", "-t 10 -i SPEECH -c:a libmp3lame"),
        ("a.mka", "-t 10 -i SPEECH -c:a libvorbis"),
    ] {
        let whole = bench.make(name, words, &[]);
        bench.hear(&whole).await.unwrap().lasts(10.0).has_no_warnings();
        std::fs::remove_file(bench.output()).unwrap();
        let bytes = std::fs::read(whole).unwrap();
        let input = bench.write(name, &bytes[..bytes.len() / 2]);
        let sound = bench.hear(&input).await.unwrap();
        assert!((2.0..8.0).contains(&sound.seconds()), "{name} {}", sound.seconds());
        assert_eq!(sound.made.warnings, [Warning::CutOff], "{name}");
        std::fs::remove_file(bench.output()).unwrap();
    }
}

#[tokio::test]
async fn case_29_aac_frames_broken_at_the_end() {
    let bench = Bench::new();
    let whole = bench.make("whole.m4a", "-t 10 -i SPEECH -c:a aac", &[]);
    let mut bytes = std::fs::read(whole).unwrap();
    let start = bytes.windows(4).position(|w| w == b"mdat").unwrap();
    let end = bytes.windows(4).position(|w| w == b"moov").unwrap() - 8;
    let broken = start + (end - start) * 7 / 10;
    bytes[broken..end].copy_from_slice(&noise(end - broken));
    let input = bench.write("broken.m4a", &bytes);
    let sound = bench.hear(&input).await.unwrap();
    assert!(sound.seconds() > 6.5, "{}", sound.seconds());
    assert!(sound.made.warnings.contains(&Warning::DamagedParts), "{:?}", sound.made);
}

#[tokio::test]
async fn frames_that_are_all_broken() {
    let bench = Bench::new();
    let whole = bench.make("whole.flac", "-t 3 -i SPEECH -c:a flac", &[]);
    let mut bytes = std::fs::read(whole).unwrap();
    let length = bytes.len();
    bytes[8192..].copy_from_slice(&noise(length - 8192));
    let input = bench.write("broken.flac", &bytes[..]);
    assert_eq!(bench.verdict(&input).await, "damaged_file");
}

#[tokio::test]
async fn case_30_mp3_with_junk_before_it() {
    let bench = Bench::new();
    let whole = bench.make("whole.mp3", "-t 10 -i SPEECH -c:a libmp3lame", &[]);
    let mut bytes = noise(5000);
    bytes.extend_from_slice(&std::fs::read(whole).unwrap());
    let input = bench.write("junk.mp3", &bytes);
    bench.hear(&input).await.unwrap().lasts(10.0).is_audible().has_no_warnings();
}

#[tokio::test]
async fn mp3_behind_a_broken_tag() {
    let bench = Bench::new();
    let whole = bench.make("whole.mp3", "-t 5 -i SPEECH -c:a libmp3lame -id3v2_version 0", &[]);
    let mut bytes = b"ID3\x03\0\0\0\0\x10\0".to_vec();
    bytes.extend_from_slice(&noise(1500));
    bytes.extend_from_slice(&std::fs::read(whole).unwrap());
    let input = bench.write("tag.mp3", &bytes);
    bench.hear(&input).await.unwrap().lasts(5.0).is_audible();
}

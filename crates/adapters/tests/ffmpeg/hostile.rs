//! Files that are not what they are called, and names that are not names.

use verst_adapters::ffmpeg::{Ffmpeg, MediaLimits};
use verst_recordings::ports::Media;

use crate::bench::{Bench, confinement, noise};

#[tokio::test]
async fn case_32_playlists_that_point_at_another_file() {
    let bench = Bench::new();
    let secret = bench.make("secret.mp3", "-t 5 -i SPEECH -c:a libmp3lame", &[]);
    let secret = secret.to_str().unwrap();
    let texts = [
        format!(
            "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile://{secret}\n#EXT-X-ENDLIST\n"
        ),
        format!("#EXTM3U\n#EXTINF:10,\n{secret}\n"),
        format!("ffconcat version 1.0\nfile '{secret}'\n"),
        "ffconcat version 1.0\nfile secret.mp3\n".to_owned(),
        format!("<?xml version=\"1.0\"?><MPD><BaseURL>file://{secret}</BaseURL></MPD>"),
        "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio 5004 RTP/AVP 0\n"
            .to_owned(),
    ];
    for text in texts {
        let input = bench.write("song.mp3", text.as_bytes());
        assert_eq!(bench.verdict(&input).await, "unsupported_format", "{text}");
    }
}

/// Not text to the cheap look, but FFmpeg finds a kind: only the whitelist stands in the way.
#[tokio::test]
async fn kinds_off_the_whitelist() {
    let bench = Bench::new();
    let sdp = b"\x01\nc=IN IP4 127.0.0.1\nm=audio 5004 RTP/AVP 0\n";
    let ffmpeg = Ffmpeg::new(MediaLimits::default(), confinement());
    assert_eq!(ffmpeg.refuse(sdp, 50), None);
    let input = bench.write("song.mp3", sdp);
    assert_eq!(bench.verdict(&input).await, "unsupported_format");
    let input = bench.make("a.bmp", "-f lavfi -i testsrc=d=1:s=64x64 -frames:v 1", &[]);
    assert_eq!(bench.verdict(&input).await, "unsupported_format");
    let input = bench.make(
        "a.mp3",
        "-f lavfi -i testsrc=d=1:s=64x64 -pix_fmt yuv420p -f yuv4mpegpipe",
        &[],
    );
    assert_eq!(bench.verdict(&input).await, "unsupported_format");
}

#[tokio::test]
async fn what_is_no_media_at_all() {
    let bench = Bench::new();
    for name in ["noise.mp3", "noise"] {
        let input = bench.write(name, &noise(50_000));
        assert_eq!(bench.verdict(&input).await, "unsupported_format", "{name}");
    }
    let input = bench.write("hello.mp3", b"hello world\n");
    assert_eq!(bench.verdict(&input).await, "unsupported_format");
}

#[tokio::test]
async fn case_33_odd_names() {
    let bench = Bench::new();
    let sample = bench.make("sample.opus", "-t 1 -i SPEECH -c:a libopus", &[]);
    let longest = format!("{}x.ogg", "ы".repeat(125));
    assert_eq!(longest.len(), 255);
    let names = [
        "two words.ogg",
        "it's \"quoted\" \\ `here` $HOME.ogg",
        "-i.ogg",
        "--help",
        "http:x.ogg",
        "concat:a|b.mp3",
        "a\nb: No space left on device",
        "[out];anull,.ogg",
        longest.as_str(),
    ];
    for name in names {
        let input = bench.path(name);
        std::fs::copy(&sample, &input).unwrap();
        bench.hear(&input).await.unwrap().lasts(1.0).has_no_warnings();
        std::fs::remove_file(bench.output()).unwrap();
    }
}

/// FFmpeg knows one kind by its name alone: all a name can do is to have a file refused.
#[tokio::test]
async fn a_name_that_is_a_pattern_opens_nothing_else() {
    let bench = Bench::new();
    let sample = bench.make("00001.opus", "-t 1 -i SPEECH -c:a libopus", &[]);
    let input = bench.path("%05d.png");
    std::fs::copy(&sample, &input).unwrap();
    assert_eq!(bench.verdict(&input).await, "unsupported_format");
}

#[tokio::test]
async fn a_name_that_is_no_utf_8() {
    use std::os::unix::ffi::OsStrExt;
    let bench = Bench::new();
    let sample = bench.make("sample.opus", "-t 1 -i SPEECH -c:a libopus", &[]);
    let input = bench.path("").join(std::ffi::OsStr::from_bytes(b"\xff\xfe.ogg"));
    std::fs::copy(&sample, &input).unwrap();
    bench.hear(&input).await.unwrap().lasts(1.0);
}

#[tokio::test]
async fn a_link_in_place_of_the_partial_output_is_not_followed() {
    let bench = Bench::new();
    let input = bench.make("a.opus", "-t 1 -i SPEECH -c:a libopus", &[]);
    let other = bench.write("other", b"precious");
    std::os::unix::fs::symlink(&other, bench.path("output.part")).unwrap();
    bench.hear(&input).await.unwrap().lasts(1.0);
    assert_eq!(std::fs::read(other).unwrap(), b"precious");
}

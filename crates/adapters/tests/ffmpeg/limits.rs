//! Children and their limits: long files, interruption, stalls, signals, want of memory.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use rustix::process::{Pid, Signal, kill_process};
use tokio::sync::Notify;
use tokio::time::{Instant, timeout};
use verst_adapters::ffmpeg::{Ffmpeg, MediaLimits};
use verst_kernel::Supervisor;
use verst_recordings::ports::{Codec, Media, MediaError};

use crate::bench::{Bench, Quiet, SPEECH, confinement, sparse_wav};

const TWELVE_HOURS: u32 = 12 * 3600;

/// Children whose command line names this directory.
fn children(bench: &Bench) -> Vec<Pid> {
    let needle = bench.path("").to_str().unwrap().to_owned();
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        if String::from_utf8_lossy(&line).contains(&needle) {
            found.extend(Pid::from_raw(id));
        }
    }
    found
}

fn failure(result: Result<impl std::fmt::Debug, MediaError>) -> String {
    match result {
        Err(MediaError::Failed(failure)) => failure.to_string(),
        other => panic!("{other:?}"),
    }
}

/// Does something at the first sign of progress.
struct AtFirst<F> {
    act: F,
    done: AtomicBool,
    stop: Notify,
}

impl<F: Fn(&Notify) + Send + Sync> AtFirst<F> {
    fn new(act: F) -> Self {
        Self { act, done: AtomicBool::new(false), stop: Notify::new() }
    }
}

#[async_trait]
impl<F: Fn(&Notify) + Send + Sync> Supervisor for AtFirst<F> {
    fn interrupted(&self) -> bool {
        false
    }
    async fn interruption(&self) {
        self.stop.notified().await;
    }
    fn progress(&self, _fraction: f64) {
        if !self.done.swap(true, Ordering::SeqCst) {
            (self.act)(&self.stop);
        }
    }
}

#[tokio::test]
async fn case_34_twelve_hours() {
    let bench = Bench::new();
    let input = sparse_wav(&bench, TWELVE_HOURS);
    let order = bench.order(&input, Codec::Pcm16k);
    let made =
        Ffmpeg::new(MediaLimits::default(), confinement()).normalise(&order, &Quiet).await.unwrap();
    assert_eq!(made.duration, Duration::from_secs(u64::from(TWELVE_HOURS)));
    assert_eq!(made.size_bytes, u64::from(TWELVE_HOURS) * 32_000);
    assert_eq!((made.level_db, made.warnings), (None, vec![]));
}

#[tokio::test]
async fn longer_than_is_taken() {
    let bench = Bench::new();
    let limits =
        |seconds| MediaLimits { longest: Duration::from_secs(seconds), ..MediaLimits::default() };
    let input = bench.make("ten.wav", "-t 10 -i SPEECH -ar 16000", &[]);
    bench.hear_within(&input, limits(10)).await.unwrap().lasts(10.0);
    std::fs::remove_file(bench.output()).unwrap();
    for name in [input.as_path(), Path::new(SPEECH)] {
        match bench.hear_within(name, limits(9)).await {
            Err(MediaError::Unusable(failure)) => {
                assert_eq!(failure.to_string(), "too_long limit_s=9");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn an_interruption_ends_the_child_within_a_second() {
    let bench = Bench::new();
    let input = sparse_wav(&bench, TWELVE_HOURS);
    let order = bench.order(&input, Codec::Pcm16k);
    let asked = std::sync::Mutex::new(None);
    let supervisor = AtFirst::new(|stop: &Notify| {
        assert_eq!(children(&bench).len(), 1);
        *asked.lock().unwrap() = Some(Instant::now());
        stop.notify_one();
    });
    let result =
        Ffmpeg::new(MediaLimits::default(), confinement()).normalise(&order, &supervisor).await;
    let took = asked.lock().unwrap().unwrap().elapsed();
    assert_eq!(failure(result), "interrupted");
    assert!(took < Duration::from_secs(1), "{took:?}");
    assert_eq!(children(&bench), []);
    bench.is_tidy(false);
}

/// Notices the second pass.
struct Decoding<'a> {
    bench: &'a Bench,
    begun: Notify,
}

#[async_trait]
impl Supervisor for Decoding<'_> {
    fn interrupted(&self) -> bool {
        false
    }
    async fn interruption(&self) {
        std::future::pending::<()>().await;
    }
    fn progress(&self, fraction: f64) {
        if fraction > 0.5 {
            assert!(self.bench.path("output.part").exists());
            self.begun.notify_one();
        }
    }
}

#[tokio::test]
async fn a_dropped_future_takes_the_child_and_the_partial_output_with_it() {
    let bench = Bench::new();
    let input = sparse_wav(&bench, TWELVE_HOURS);
    let order = bench.order(&input, Codec::Pcm16k);
    let supervisor = Decoding { bench: &bench, begun: Notify::new() };
    let ffmpeg = Ffmpeg::new(MediaLimits::default(), confinement());
    tokio::select! {
        result = ffmpeg.normalise(&order, &supervisor) => panic!("{result:?}"),
        () = supervisor.begun.notified() => {}
    }
    bench.is_tidy(false);
    let gone = async {
        while !children(&bench).is_empty() {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(1), gone).await.unwrap();
}

#[tokio::test]
async fn progress_below_the_floor_rate_ends_the_child() {
    let bench = Bench::new();
    let input = sparse_wav(&bench, TWELVE_HOURS);
    let stall = Duration::from_secs(1);
    let limits = MediaLimits { floor_rate: 1e9, stall, ..MediaLimits::default() };
    assert_eq!(failure(bench.hear_within(&input, limits).await), "no_progress seconds=1");
    assert_eq!(children(&bench), []);
}

#[tokio::test]
async fn a_child_ended_by_a_signal_is_no_result() {
    let bench = Bench::new();
    let input = sparse_wav(&bench, TWELVE_HOURS);
    let order = bench.order(&input, Codec::Pcm16k);
    for (signal, expected) in [
        (Signal::KILL, "ffmpeg_failed signal=SIGKILL"),
        // FFmpeg obeys this one and ends by itself, with half a result.
        (Signal::TERM, "ffmpeg_failed status=255"),
    ] {
        let supervisor = AtFirst::new(|_: &Notify| {
            for child in children(&bench) {
                kill_process(child, signal).unwrap();
            }
        });
        let result =
            Ffmpeg::new(MediaLimits::default(), confinement()).normalise(&order, &supervisor).await;
        assert_eq!(failure(result), expected);
        bench.is_tidy(false);
    }
}

#[tokio::test]
async fn a_child_starved_of_memory_is_no_result() {
    let bench = Bench::new();
    for megabytes in [16, 64, 128, 200] {
        let limits = MediaLimits { memory_bytes: megabytes << 20, ..MediaLimits::default() };
        let text = failure(bench.hear_within(Path::new(SPEECH), limits).await);
        assert!(text.starts_with("ffmpeg_failed"), "{text}");
    }
}

#[tokio::test]
async fn an_output_over_its_limit_is_no_result() {
    let bench = Bench::new();
    let limits = MediaLimits { output_bytes: 100_000, ..MediaLimits::default() };
    let result = bench.hear_within(Path::new(SPEECH), limits).await;
    assert_eq!(failure(result), "ffmpeg_failed signal=SIGXFSZ");
}

#[tokio::test]
async fn without_ffmpeg() {
    let bench = Bench::new();
    let ffmpeg = Ffmpeg::with_programs(
        "/nowhere/ffmpeg",
        "/nowhere/ffprobe",
        MediaLimits::default(),
        confinement(),
    );
    assert_eq!(ffmpeg.check().await.unwrap_err().code, "ffmpeg_missing");
    let order = bench.order(Path::new(SPEECH), Codec::Pcm16k);
    assert_eq!(failure(ffmpeg.normalise(&order, &Quiet).await), "ffmpeg_missing");
}

#[tokio::test]
async fn the_version_is_told() {
    let text = Ffmpeg::new(MediaLimits::default(), confinement()).check().await.unwrap();
    assert!(text.starts_with("ffmpeg ") && text.contains(", ffprobe "), "{text}");
}

#[tokio::test]
async fn inputs_that_are_no_files() {
    let bench = Bench::new();
    let gone = bench.path("gone.ogg");
    assert_eq!(failure(bench.hear(&gone).await), "audio_missing");
    assert_eq!(failure(bench.hear(&bench.path("")).await), "objects_failed");
    assert_eq!(failure(bench.hear(Path::new("/dev/zero")).await), "objects_failed");
}

#[tokio::test]
async fn a_place_for_the_output_that_does_not_exist() {
    let bench = Bench::new();
    let mut order = bench.order(Path::new(SPEECH), Codec::Pcm16k);
    order.output = bench.path("nowhere/output");
    let result = Ffmpeg::new(MediaLimits::default(), confinement()).normalise(&order, &Quiet).await;
    assert_eq!(failure(result), "objects_failed");
}

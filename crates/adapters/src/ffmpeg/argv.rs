//! The command lines, and nothing that runs them.
//!
//! A recording is written by a stranger, so every command line says what may be opened: regular
//! files only, of the kinds listed here. Without that an "mp3" that is really a playlist makes
//! FFmpeg decode any other file on the disk (measured).
//!
//! **Invariant:** a path is an absolute one behind `file:`, so no name is an option or a protocol.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use verst_recordings::ports::Codec;

use super::heard::Point;
use super::plan::{MEASURED_CHANNELS, MEASURED_TRACKS, Mix, Plan, headroom_db};
use super::probe::Track;

/// Demuxers that are allowed: kinds that hold their own sound. None of them follows a reference to
/// another file (MOV's are off unless asked for).
const FORMATS: &str = "mov,mp4,m4a,3gp,3g2,mj2,mp3,wav,w64,ogg,flac,matroska,webm,aac,loas,amr,\
                       amrnb,amrwb,asf,asf_o,xwma,avi,flv,mpegts,mpeg,aiff,caf,au,ac3,eac3,dts,\
                       dtshd,truehd,ape,wv,tta,tak,mpc,mpc8,dsf,iff,voc,oma,rm,mxf,nut,gsm,ircam,sox";

/// Turns everything that is no sample (NaN, infinity, beyond +24 dBFS) into silence. A conversion
/// to integers would make full-scale clicks of it (measured).
const ONLY_SAMPLES: &str = "aeval=exprs='if(lt(abs(val(ch)),16),val(ch),0)':c=same";

/// How every run of ffmpeg begins.
const QUIETLY: &str = "-nostdin -hide_banner -nostats -y -v repeat+level+info -progress pipe:1";

/// Samples per second of the output.
pub(super) const RATE: u32 = 16_000;

/// A file that is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    /// Where it is: an absolute path.
    pub(super) path: &'a Path,
    /// Whether it is a WAV whose size in the header has wrapped (see [`super::riff`]).
    pub(super) wrapped: bool,
}

/// Asks ffprobe for what [`super::probe::parse`] reads.
pub(super) fn probe(source: Source<'_>) -> Vec<OsString> {
    const ENTRIES: &str = "format=format_name,duration:stream=codec_type,codec_name,sample_fmt,\
        channels,channel_layout,duration:stream_disposition=attached_pic:stream_tags=DURATION";
    let mut args = words("-hide_banner -v repeat+level+warning -of json -show_entries");
    args.push(ENTRIES.into());
    read(&mut args, source);
    args
}

/// Decodes every usable track, measures it, and throws it away.
pub(super) fn analyse(source: Source<'_>, tracks: &[Track], longest: Duration) -> Vec<OsString> {
    let mut args = start(source);
    let usable = tracks.iter().enumerate().filter(|(_, t)| t.usable).take(MEASURED_TRACKS);
    for (place, (index, track)) in usable.enumerate() {
        args.extend(words(&format!("-map 0:a:{index} -filter:a:{place}")));
        args.push(measuring(index, track).into());
    }
    args.extend(words("-vn -sn -dn -t"));
    args.push(limit(longest).into());
    args.extend(words("-f null -"));
    args
}

/// Decodes one track into the output.
pub(super) fn decode(
    source: Source<'_>,
    output: &Path,
    plan: &Plan,
    codec: Codec,
    longest: Duration,
) -> Vec<OsString> {
    let mut args = start(source);
    args.extend(words(&format!("-map 0:a:{} -vn -sn -dn -filter:a:0", plan.track)));
    args.push(making(plan).into());
    args.extend(words("-map_metadata -1 -map_chapters -1 -fflags +bitexact -flags:a +bitexact"));
    args.extend(words(match codec {
        Codec::Pcm16k => "-c:a pcm_s16le -f s16le",
        Codec::OggOpus => "-c:a libopus -b:a 32k -application voip -f ogg",
    }));
    args.push("-t".into());
    args.push(limit(longest).into());
    args.push(file(output));
    args
}

/// Decodes what we decoded ourselves through a filter that only listens.
pub(super) fn listen(source: Source<'_>, filter: &str) -> Vec<OsString> {
    let mut args = start(source);
    args.extend(words("-map 0:a:0 -filter:a:0"));
    args.push(filter.into());
    args.extend(words("-f null -"));
    args
}

/// Cuts a stretch out of what we decoded ourselves, packet by packet.
pub(super) fn cut(
    source: Source<'_>,
    (from, until): (Duration, Duration),
    output: &Path,
) -> Vec<OsString> {
    let seconds = |time: Duration| OsString::from(format!("{:.3}", time.as_secs_f64()));
    let mut args = words(QUIETLY);
    args.extend(["-ss".into(), seconds(from), "-t".into(), seconds(until.saturating_sub(from))]);
    read(&mut args, source);
    // Without the last one the page before the stretch comes along: up to a second.
    args.extend(words("-map 0:a:0 -c:a copy -copypriorss 0"));
    args.extend(words("-fflags +bitexact -f ogg"));
    args.push(file(output));
    args
}

/// Asks for the version.
pub(super) fn version() -> Vec<OsString> {
    words("-version")
}

fn start(source: Source<'_>) -> Vec<OsString> {
    let mut args = words(QUIETLY);
    // A damaged file is transcribed as far as it goes: no share of lost packets is an error.
    args.extend(words("-max_error_rate 1 -threads 1"));
    read(&mut args, source);
    args
}

fn read(args: &mut Vec<OsString>, source: Source<'_>) {
    args.extend(words("-protocol_whitelist file -format_whitelist"));
    args.push(FORMATS.into());
    if source.wrapped {
        args.extend(words("-ignore_length 1"));
    }
    args.push("-i".into());
    args.push(file(source.path));
}

/// One track's graph: the mix goes on to the null output, each channel ends in a sink.
fn measuring(index: usize, track: &Track) -> String {
    let measure = |point: Point| format!("aformat=sample_fmts=s16,volumedetect@{}", point.name());
    let down = volume(-headroom_db(track));
    let head = [track.floats.then_some(ONLY_SAMPLES), Some(&down)];
    let head = head.into_iter().flatten().collect::<Vec<_>>().join(",");
    let mix = mixing(Mix::of_all(track));
    let whole = measure(Point::Mix(index));
    if track.channels < 2 {
        return format!("{head},{mix},{whole}");
    }
    let channels = track.channels.min(MEASURED_CHANNELS);
    let mut graph = format!("{head},asplit={}", channels + 1);
    graph.extend((0..channels).map(|channel| format!("[c{channel}]")));
    graph.push_str("[m];");
    graph.extend((0..channels).map(|channel| {
        let pick = mixing(Mix::Channel(channel));
        format!("[c{channel}]{pick},{},anullsink;", measure(Point::Channel(index, channel)))
    }));
    graph + &format!("[m]{mix},{whole}")
}

/// The graph of the output. Its timestamps are counted from its samples, so that neither gaps nor
/// jumps in the file's make the output longer than its sound.
fn making(plan: &Plan) -> String {
    let gain = (plan.gain_db.abs() >= 0.05).then(|| volume(plan.gain_db));
    let mix = mixing(plan.mix);
    let measure = format!("volumedetect@{}", Point::Output.name());
    let finish = format!(
        "aresample={RATE},aformat=sample_fmts=s16:sample_rates={RATE}:channel_layouts=mono"
    );
    let steps = [
        (!plan.changes).then_some("asetpts=N/SR/TB"),
        plan.floats.then_some(ONLY_SAMPLES),
        Some(&mix),
        gain.as_deref(),
        Some(&finish),
        Some(&measure),
    ];
    steps.into_iter().flatten().collect::<Vec<_>>().join(",")
}

fn mixing(mix: Mix) -> String {
    match mix {
        // Two traps (both measured). Without an `aresample` of its own FFmpeg mixes at the head of
        // the graph, before the channels are parted. And floating-point samples are mixed without
        // scaling unless told, so that the two passes would differ by 3 dB.
        Mix::Usual => "aresample=rematrix_maxval=1,aformat=channel_layouts=mono".to_owned(),
        Mix::Channel(channel) => format!("pan=mono|c0=c{channel}"),
        Mix::Mean(channels) => {
            let share = 1.0 / f64::from(channels.max(1));
            let terms: Vec<_> = (0..channels).map(|c| format!("{share:.5}*c{c}")).collect();
            format!("pan=mono|c0={}", terms.join("+"))
        }
    }
}

fn volume(db: f64) -> String {
    format!("volume=volume={db:.2}dB:precision=float")
}

/// One second more than is taken, so that what is longer can be told from what is exactly as long.
fn limit(longest: Duration) -> String {
    format!("{:.3}", (longest + Duration::from_secs(1)).as_secs_f64())
}

fn file(path: &Path) -> OsString {
    let mut text = OsString::from("file:");
    text.push(path);
    text
}

fn words(text: &str) -> Vec<OsString> {
    text.split_whitespace().map(OsString::from).collect()
}

#[cfg(test)]
#[path = "argv_tests.rs"]
mod tests;

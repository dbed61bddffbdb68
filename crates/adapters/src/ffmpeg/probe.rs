//! What ffprobe says a file holds: its audio tracks and how long it claims to be. Pure parsing; the
//! claim about duration is kept only where a header states it, never where it was estimated.
//!
//! **Invariant:** a track's place in `tracks` is its index among the audio streams, the `N` of
//! FFmpeg's `0:a:N`.

use std::time::Duration;

use serde::Deserialize;

/// Formats whose header states the duration. MPEG streams, raw AAC and AMR estimate it, Ogg reads
/// it off the last page, and for WAV see [`super::riff`].
const STATING: [&str; 11] =
    ["mov", "matroska", "flac", "asf", "avi", "w64", "aiff", "caf", "mp3", "wv", "ape"];

/// An audio track.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Track {
    /// Whether there is a decoder and it made sense of the beginning.
    pub(super) usable: bool,
    /// Number of channels.
    pub(super) channels: u32,
    /// Name of the channel layout, such as `5.1(side)`; `None` when the file has none.
    pub(super) layout: Option<String>,
    /// Whether the file itself holds floating-point samples, so that any bit pattern may occur.
    pub(super) floats: bool,
    /// The duration by the header.
    pub(super) stated: Option<Duration>,
}

/// The result of probing.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Probe {
    /// Audio tracks in the order of the file.
    pub(super) tracks: Vec<Track>,
    /// Whether the codec of any audio track was recognised.
    pub(super) known_codec: bool,
    /// A duration to show progress against; may be an estimate.
    pub(super) about: Option<Duration>,
}

/// Why ffprobe's answer could not be read.
#[derive(Debug, thiserror::Error)]
#[error("ffprobe's answer")]
pub(super) struct ProbeError(#[from] serde_json::Error);

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    streams: Vec<Stream>,
    #[serde(default)]
    format: Format,
}

#[derive(Deserialize, Default)]
struct Format {
    #[serde(default)]
    format_name: String,
    duration: Option<String>,
}

#[derive(Deserialize)]
struct Stream {
    codec_type: Option<String>,
    codec_name: Option<String>,
    sample_fmt: Option<String>,
    #[serde(default)]
    channels: u32,
    channel_layout: Option<String>,
    duration: Option<String>,
    #[serde(default)]
    disposition: Disposition,
    #[serde(default)]
    tags: Tags,
}

#[derive(Deserialize, Default)]
struct Disposition {
    #[serde(default)]
    attached_pic: u8,
}

/// Matroska keeps the duration of a track in a tag, as `00:01:23.450000000`.
#[derive(Deserialize, Default)]
struct Tags {
    #[serde(rename = "DURATION")]
    duration: Option<String>,
}

/// Reads ffprobe's JSON. `estimated` says that ffprobe warned that it guessed the duration.
pub(super) fn parse(json: &[u8], estimated: bool) -> Result<Probe, ProbeError> {
    let answer: Answer = serde_json::from_slice(json)?;
    let about = answer.format.duration.as_deref().and_then(seconds);
    let kind = answer.format.format_name.split(',').next().unwrap_or_default();
    let states = !estimated && STATING.contains(&kind);
    // The duration of the whole file is the track's only when there is nothing else that may be
    // longer, such as a film whose sound ends early.
    let alone = answer.streams.iter().filter(|s| s.disposition.attached_pic == 0).count() == 1;
    let whole = about.filter(|_| alone);
    let audio = || answer.streams.iter().filter(|s| s.codec_type.as_deref() == Some("audio"));
    let tracks = audio().map(|s| track(s, states, whole)).collect();
    Ok(Probe { tracks, known_codec: audio().any(|s| known(s.codec_name.as_deref())), about })
}

fn track(stream: &Stream, states: bool, whole: Option<Duration>) -> Track {
    let codec = stream.codec_name.as_deref();
    let format = stream.sample_fmt.as_deref();
    let float = format.is_some_and(|f| f.starts_with("flt") || f.starts_with("dbl"));
    let own = stream.duration.as_deref().and_then(seconds);
    let tagged = stream.tags.duration.as_deref().and_then(clock);
    Track {
        usable: known(codec) && known(format) && stream.channels > 0,
        channels: stream.channels,
        layout: stream.channel_layout.clone().filter(|name| known(Some(name))),
        floats: float && codec.is_some_and(|c| c.starts_with("pcm_f") || c == "wavpack"),
        stated: own.or(tagged).or(whole).filter(|_| states),
    }
}

fn known(name: Option<&str>) -> bool {
    name.is_some_and(|name| !matches!(name, "" | "unknown" | "none"))
}

fn seconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(text.parse().ok()?).ok()
}

fn clock(text: &str) -> Option<Duration> {
    let mut parts = text.splitn(3, ':');
    let hours: u32 = parts.next()?.parse().ok()?;
    let minutes: u32 = parts.next()?.parse().ok()?;
    let rest: f64 = parts.next()?.parse().ok()?;
    Duration::try_from_secs_f64(f64::from(hours) * 3600.0 + f64::from(minutes) * 60.0 + rest).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PICTURE: &str =
        r#"{"codec_type":"video","codec_name":"png","disposition":{"attached_pic":1}}"#;

    fn audio(more: &str) -> String {
        format!(
            r#"{{"codec_type":"audio","codec_name":"aac","sample_fmt":"fltp","channels":2,"channel_layout":"stereo"{more}}}"#
        )
    }

    fn json(format: &str, streams: &[&str]) -> String {
        let streams = streams.join(",");
        format!(
            r#"{{"streams":[{streams}],"format":{{"format_name":"{format}","duration":"10.5"}}}}"#
        )
    }

    fn stated(json: &str, estimated: bool) -> Option<f64> {
        let probe = parse(json.as_bytes(), estimated).unwrap();
        probe.tracks[0].stated.map(|d| d.as_secs_f64())
    }

    #[test]
    fn only_a_stated_duration_is_kept() {
        let own = audio(r#","duration":"9.0""#);
        let tagged = audio(r#","tags":{"DURATION":"00:01:02.500000000"}"#);
        let bare = audio("");
        let film = r#"{"codec_type":"video","codec_name":"h264"}"#;
        assert_eq!(stated(&json("mov,mp4,m4a", &[&own]), false), Some(9.0));
        assert_eq!(stated(&json("mp3", &[&own, PICTURE]), false), Some(9.0));
        assert_eq!(stated(&json("mp3", &[&own]), true), None);
        assert_eq!(stated(&json("aac", &[&own]), false), None);
        assert_eq!(stated(&json("ogg", &[&own]), false), None);
        assert_eq!(stated(&json("matroska,webm", &[&tagged, film]), false), Some(62.5));
        assert_eq!(stated(&json("matroska,webm", &[&bare]), false), Some(10.5));
        assert_eq!(stated(&json("matroska,webm", &[&bare, film]), false), None);
    }

    #[test]
    fn tracks_keep_their_index_and_say_whether_they_are_usable() {
        let unknown = r#"{"codec_type":"audio","codec_name":"unknown","channels":2}"#;
        let unread = r#"{"codec_type":"audio","codec_name":"aac","channels":0}"#;
        let probe =
            parse(json("mov", &[PICTURE, unknown, unread, &audio("")]).as_bytes(), false).unwrap();
        let usable: Vec<_> = probe.tracks.iter().map(|t| t.usable).collect();
        assert_eq!(usable, [false, false, true]);
        assert!(probe.known_codec);
        assert_eq!(probe.tracks[2].layout.as_deref(), Some("stereo"));
        assert_eq!(probe.about, Some(Duration::from_millis(10_500)));
    }

    #[test]
    fn floats_are_those_of_the_file_and_not_of_a_decoder() {
        let pcm = r#"{"codec_type":"audio","codec_name":"pcm_f32le","sample_fmt":"flt","channels":1,"channel_layout":"unknown"}"#;
        let probe = parse(json("wav", &[pcm, &audio("")]).as_bytes(), false).unwrap();
        assert!(probe.tracks[0].floats && probe.tracks[0].layout.is_none());
        assert!(!probe.tracks[1].floats);
    }

    #[test]
    fn a_bare_or_broken_answer() {
        assert_eq!(parse(b"{}", false).unwrap(), Probe::default());
        assert!(parse(b"{\"streams\":[{", false).is_err());
    }
}

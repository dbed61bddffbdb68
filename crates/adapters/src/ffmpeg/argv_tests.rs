use super::*;

fn text(args: &[OsString]) -> String {
    args.iter().map(|arg| arg.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

fn track(channels: u32) -> Track {
    let layout = Some(if channels == 1 { "mono" } else { "stereo" }.to_owned());
    Track { usable: true, channels, layout, ..Track::default() }
}

const PLAN: Plan = Plan { track: 1, mix: Mix::Usual, gain_db: 4.0, floats: false, changes: false };

fn source(path: &str) -> Source<'_> {
    Source { path: Path::new(path), wrapped: false }
}

const DAY: Duration = Duration::from_hours(24);

#[test]
fn every_command_line_that_reads_a_file_is_fenced_in() {
    let input = source("/objects/-i http:x.mp3");
    let all = [
        probe(input),
        analyse(input, &[track(1)], DAY),
        decode(input, Path::new("/objects/out.part"), &PLAN, Codec::Pcm16k, DAY),
    ];
    for args in all {
        let at = |word: &str| args.iter().position(|arg| arg == word);
        let (protocols, formats) = (at("-protocol_whitelist"), at("-format_whitelist"));
        let file = at("-i");
        assert!(protocols.is_some() && protocols < file && formats < file, "{}", text(&args));
        assert_eq!(args[protocols.unwrap_or(0) + 1], "file");
        assert_eq!(args[file.unwrap_or(0) + 1], "file:/objects/-i http:x.mp3");
    }
}

#[test]
fn only_a_wrapped_wav_is_read_past_its_stated_size() {
    let wrapped = Source { wrapped: true, ..source("/in") };
    assert!(text(&probe(wrapped)).ends_with("-ignore_length 1 -i file:/in"));
    assert!(!text(&probe(source("/in"))).contains("ignore_length"));
}

#[test]
fn no_kind_that_refers_to_other_files_is_listed() {
    let formats: Vec<_> = FORMATS.split(',').collect();
    for kind in
        ["hls", "concat", "dash", "sdp", "rtsp", "image2", "imf", "lavfi", "data", "tedcaptions"]
    {
        assert!(!formats.contains(&kind), "{kind}");
    }
    assert!(!FORMATS.contains(' '));
}

#[test]
fn a_track_is_measured_as_a_mix_and_by_channel() {
    assert_eq!(
        measuring(0, &track(1)),
        "volume=volume=-6.00dB:precision=float,aresample=rematrix_maxval=1,aformat=channel_layouts=mono,\
         aformat=sample_fmts=s16,volumedetect@t0m"
    );
    assert_eq!(
        measuring(2, &track(2)),
        "volume=volume=-6.00dB:precision=float,asplit=3[c0][c1][m];\
         [c0]pan=mono|c0=c0,aformat=sample_fmts=s16,volumedetect@t2c0,anullsink;\
         [c1]pan=mono|c0=c1,aformat=sample_fmts=s16,volumedetect@t2c1,anullsink;\
         [m]aresample=rematrix_maxval=1,aformat=channel_layouts=mono,aformat=sample_fmts=s16,volumedetect@t2m"
    );
    let floats = measuring(0, &Track { floats: true, ..track(1) });
    assert!(floats.starts_with(ONLY_SAMPLES) && floats.contains("-24.00dB"), "{floats}");
}

#[test]
fn tracks_that_cannot_be_decoded_are_not_mapped() {
    let dead = Track { usable: false, ..track(1) };
    let args = text(&analyse(source("/in"), &[dead, track(1), track(1)], DAY));
    assert!(args.contains("-map 0:a:1 -filter:a:0 "), "{args}");
    assert!(args.contains("-map 0:a:2 -filter:a:1 "), "{args}");
    assert!(
        !args.contains("0:a:0") && args.ends_with("-vn -sn -dn -t 86401.000 -f null -"),
        "{args}"
    );
}

#[test]
fn the_graph_of_the_output() {
    let finish = "aresample=16000,aformat=sample_fmts=s16:sample_rates=16000:channel_layouts=mono,\
                  volumedetect@out";
    let cases = [
        (
            PLAN,
            "asetpts=N/SR/TB,aresample=rematrix_maxval=1,aformat=channel_layouts=mono,volume=volume=4.00dB:precision=float,",
        ),
        (Plan { gain_db: 0.0, mix: Mix::Channel(1), ..PLAN }, "asetpts=N/SR/TB,pan=mono|c0=c1,"),
        (
            Plan { gain_db: 0.0, mix: Mix::Mean(4), changes: true, ..PLAN },
            "pan=mono|c0=0.25000*c0+0.25000*c1+0.25000*c2+0.25000*c3,",
        ),
    ];
    for (plan, expected) in cases {
        assert_eq!(making(&plan), format!("{expected}{finish}"));
    }
}

#[test]
fn the_output_is_named_last_with_its_kind() {
    let output = Path::new("/out.part");
    let pcm = text(&decode(source("/in"), output, &PLAN, Codec::Pcm16k, DAY));
    assert!(pcm.contains("-map 0:a:1 -vn -sn -dn -filter:a:0 "), "{pcm}");
    assert!(pcm.ends_with("-c:a pcm_s16le -f s16le -t 86401.000 file:/out.part"), "{pcm}");
    let opus = text(&decode(source("/in"), output, &PLAN, Codec::OggOpus, DAY));
    assert!(opus.contains("-c:a libopus") && opus.contains("-f ogg -t"), "{opus}");
}

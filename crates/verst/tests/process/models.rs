//! `verst models` as a process, against a mirror on this machine.

use std::process::Output;

use rustix::process::Signal;
use verst_testkit::mirror::{Mirror, Offer, Seen, Trick, sha256};

use super::support::{Place, clip, models, sample};

const GIGAAM: &str = "gigaam-v3-e2e";
const FILE: &str = "gigaam-v3-e2e-rnnt-Q8_0.gguf";
const PATH: &str =
    "handy-computer/gigaam-v3-e2e-rnnt-gguf/resolve/main/gigaam-v3-e2e-rnnt-Q8_0.gguf";

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A place whose mirror is on this machine, and has this under the name of GigaAM.
fn mirrored(bytes: &[u8]) -> (Mirror, Place) {
    let mirror = Mirror::start();
    mirror.offer(PATH, Offer::of(bytes.to_vec()));
    let place = Place::with_settings(&format!("models_mirror = {:?}\n", mirror.url()));
    (mirror, place)
}

fn whisper() -> Vec<u8> {
    std::fs::read(models().join("whisper-base-q8_0.gguf")).unwrap()
}

#[test]
fn process_pulls_a_model_goes_on_after_a_kill_and_uses_it_for_its_language() {
    // The mirror has our own model under GigaAM's name, so that there is something to use.
    let bytes = whisper();
    let (mirror, place) = mirrored(&bytes);
    mirror.play(&[Trick::Hold(30_000_000)]);
    let part = place.data().join("models").join(format!("{FILE}.part"));
    let pulling = place.start(&["models", "pull", GIGAAM]);
    while std::fs::metadata(&part).map_or(0, |part| part.len()) < 10_000_000 {
        std::thread::yield_now();
    }
    let other = place.run(&["models", "pull", GIGAAM]);
    assert_eq!(other.status.code(), Some(1));
    assert!(err(&other).contains("being fetched by another process"), "{}", err(&other));
    pulling.kill();
    mirror.release();
    let listed = out(&place.run(&["models", "list"]));
    assert!(listed.lines().any(|line| line.contains(GIGAAM) && line.contains("begun")), "{listed}");

    let pulled = place.run(&["models", "pull", GIGAAM]);
    assert_eq!(pulled.status.code(), Some(0), "{}", err(&pulled));
    assert!(err(&pulled).contains(&sha256(&bytes)), "its hash was not known: {}", err(&pulled));
    let Some(Seen { range: Some(range), if_range: Some(_) }) = mirror.seen().pop() else {
        panic!("{:?}", mirror.seen());
    };
    assert_ne!(range, "bytes=0-");
    let model = place.data().join("models").join(FILE);
    assert_eq!(std::fs::read(&model).unwrap(), bytes);
    let again = place.run(&["models", "pull", GIGAAM]);
    assert!(again.status.success() && err(&again).contains("is here already"), "{}", err(&again));

    let chosen = place.run(&["models", "use", GIGAAM, "--for", "ru"]);
    assert_eq!(chosen.status.code(), Some(0), "{}", err(&chosen));
    let settings = std::fs::read_to_string(place.data().join("verst.toml")).unwrap();
    assert!(settings.starts_with("models_mirror"), "{settings}");
    assert!(settings.contains("models_by_language = \"ru=gigaam-v3-e2e\""), "{settings}");
    let listed = out(&place.run(&["models", "list"]));
    assert!(listed.contains("in use for ru"), "{listed}");
    let told = out(&place.run(&["doctor"]));
    assert!(told.contains(FILE) && told.contains("parakeet"), "{told}");

    // Detected as Russian by the usual model, the recording gets the one for Russian.
    let english = clip(&place, 1);
    let files = [(sample("server-ru.ogg"), "ru", FILE), (english, "en", "whisper-base-q8_0.gguf")];
    for (file, language, model) in files {
        let output = place.run(&["transcribe", &file, "--format", "json"]);
        let json: serde_json::Value = serde_json::from_str(&out(&output)).unwrap();
        assert_eq!(
            (&json["model"], &json["language"]),
            (&model.into(), &language.into()),
            "{file}"
        );
    }

    let kept = place.run(&["models", "remove", GIGAAM]);
    assert!(kept.status.code() == Some(1) && err(&kept).contains("is in use"), "{}", err(&kept));
    assert_eq!(place.run(&["models", "remove", GIGAAM, "--force"]).status.code(), Some(0));
    assert_eq!(std::fs::read_dir(place.data().join("models")).unwrap().count(), 0);
}

#[test]
fn process_keeps_what_came_before_a_signal() {
    let (mirror, place) = mirrored(&vec![7; 1_000_000]);
    mirror.play(&[Trick::Hold(500_000)]);
    let mut pulling = place.start(&["models", "pull", GIGAAM]);
    pulling.wait_for(&["fetching about"]);
    let part = place.data().join("models").join(format!("{FILE}.part"));
    while std::fs::metadata(&part).map_or(0, |part| part.len()) == 0 {
        std::thread::yield_now();
    }
    pulling.signal(Signal::INT);
    let (code, _, lines) = pulling.end();
    assert_eq!(code, Some(130), "{lines:?}");
    assert!(part.exists());
}

#[test]
fn process_refuses_what_is_not_what_it_should_be() {
    let (mirror, place) = mirrored(&vec![7; 1_000_000]);
    let file = place.data().join("models").join(FILE);
    let mut lying = Offer::of(vec![7; 1_000_000]);
    lying.bytes[999_999] = 8;
    mirror.offer(PATH, lying);
    let wrong = place.run(&["models", "pull", GIGAAM]);
    assert_eq!(wrong.status.code(), Some(1));
    assert!(err(&wrong).contains("not what it should be"), "{}", err(&wrong));

    let plain = Offer { linked_sha256: None, ..Offer::of(vec![7; 1_000_000]) };
    mirror.offer(PATH, plain);
    let unknown = place.run(&["models", "pull", GIGAAM]);
    assert!(err(&unknown).contains("--sha256"), "{}", err(&unknown));
    assert!(!file.exists());
    let hash = sha256(&vec![7; 1_000_000]);
    let known = place.run(&["models", "pull", GIGAAM, "--sha256", &hash]);
    assert_eq!(known.status.code(), Some(0), "{}", err(&known));
    assert!(file.exists());

    let missing = place.run(&["models", "pull", "whisper-small", "sortformer-4spk-v2.1"]);
    assert_eq!(missing.status.code(), Some(1));
    assert_eq!(err(&missing).matches("is not on the server").count(), 2, "{}", err(&missing));
}

#[test]
fn process_says_what_cannot_be_done_with_a_model() {
    let (mirror, place) = mirrored(b"x");
    for (args, code, said) in [
        (&["models", "pull", "gigam"][..], 2, "no model “gigam”"),
        (&["models", "pull", "whisper-base"], 2, "comes with Verst"),
        (&["models", "pull", GIGAAM, "--sha256", "abc"], 2, "64 hexadecimal digits"),
        (&["models", "use", GIGAAM], 1, "is not here yet"),
        (&["models", "use", GIGAAM, "--for", "en"], 2, "does not know the language en"),
        (&["models", "use", "whisper-base", "--for", "Russian"], 2, "not a language code"),
        (&["models", "use", "silero-vad"], 2, "used by itself"),
        (&["models", "remove", "whisper-base"], 1, "comes with Verst"),
        (&["models", "remove", "whisper-small"], 1, "is not here"),
        (&["models", "remove", "/etc/passwd"], 2, "no model “/etc/passwd”"),
    ] {
        let output = place.run(args);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {}", err(&output));
        assert!(err(&output).contains(said), "{args:?}: {}", err(&output));
    }
    assert!(mirror.seen().is_empty());
    let own = place.path().join("a,b.bin");
    std::fs::write(&own, "x").unwrap();
    let own = own.to_str().unwrap();
    let output = place.run(&["models", "use", own, "--for", "ru"]);
    assert!(
        output.status.code() == Some(2) && err(&output).contains("no comma"),
        "{}",
        err(&output)
    );
    let settings = std::fs::read_to_string(place.data().join("verst.toml")).unwrap();
    assert!(!settings.contains("models_by_language"), "{settings}");
    let mut held = place.command(&["models", "use", "whisper-base"]);
    let held = held.env("VERST_MODEL", "whisper-base").output().unwrap();
    assert!(held.status.code() == Some(3) && err(&held).contains("VERST_MODEL"), "{}", err(&held));
    place.set("models_mirror = \"nowhere\"\n");
    let nowhere = place.run(&["models", "pull", GIGAAM]);
    assert!(err(&nowhere).contains("is not an address"), "{}", err(&nowhere));
}

#[test]
fn process_pulls_into_a_new_place_and_leaves_a_foreign_one_alone() {
    let (_mirror, place) = mirrored(b"a model");
    let settings = place.data().join("verst.toml");
    let new = place.path().join("new");
    let mut command = place.command(&["models", "pull", GIGAAM]);
    let output = command.env("VERST_DATA", &new).env("VERST_CONFIG", &settings).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(new.join("models").join(FILE).exists());
    let mut listing = place.command(&["list"]);
    let listed = listing.env("VERST_DATA", &new).output().unwrap();
    assert_eq!(listed.status.code(), Some(0), "it is an installation: {}", err(&listed));

    let foreign = place.path().join("foreign");
    std::fs::create_dir(&foreign).unwrap();
    std::fs::write(foreign.join("thesis.doc"), "mine").unwrap();
    let mut command = place.command(&["models", "pull", GIGAAM]);
    let output =
        command.env("VERST_DATA", &foreign).env("VERST_CONFIG", &settings).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", err(&output));
    assert_eq!(std::fs::read_dir(&foreign).unwrap().count(), 1);
}

#[test]
fn process_waits_and_says_so_where_a_model_does_not_fit() {
    let place = Place::with_settings("pause_base_s = 1\nengine_memory_bytes = 100000000\n");
    let said = "needs about 282 MB of memory, and 100 MB";
    let output = place.run(&["transcribe", &sample("server-ru.ogg")]);
    assert_eq!(output.status.code(), Some(3), "{}", err(&output));
    assert!(err(&output).contains(said), "{}", err(&output));

    let mut serving = place.start(&["serve"]);
    serving.wait_for(&[said]);
    serving.wait_for(&["Verst works in"]);
    assert_eq!(place.run(&["submit", &sample("server-ru.ogg")]).status.code(), Some(0));
    serving.wait_for(&["\"level\":\"WARN\"", "model_too_large"]);
    let (code, _, lines) = serving.terminate();
    assert_eq!(code, Some(0), "{lines:?}");
    let view = place.view();
    assert!(view.work.stop.is_none(), "it waits: {:?}", view.work.stop);
    assert_eq!((view.work.failures, view.work.milestone.as_str()), (0, "normalized"));
    assert_eq!(view.work.why.unwrap().code, "model_too_large");
    let told = place.run(&["doctor"]);
    assert_eq!(told.status.code(), Some(1));
    assert!(
        out(&told).contains("Speech model: BAD") && out(&told).contains("282 MB"),
        "{}",
        out(&told)
    );

    place.set("pause_base_s = 1\n");
    let (code, text, lines) = place.start(&["transcribe"]).end();
    assert_eq!(code, Some(0), "{lines:?}");
    assert!(text.contains("Сегодня"), "{text}");
}

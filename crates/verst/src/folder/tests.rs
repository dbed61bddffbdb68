//! The folder on a real disk, with a real store and the real steps; only the recogniser is scripted.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::sync::Arc;

use verst_kernel::{StopReason, WorkId};
use verst_recordings::exports::Format;
use verst_recordings::model::Source;
use verst_service::{Entrance, Filter, StopAnswer, View};
use verst_testkit::{Backend, ScriptedProvider, Setup, World, tone};

use super::*;
use crate::settings::After;

const SETTLE: Duration = Duration::from_secs(10);
const HTML: &str = "<!DOCTYPE html><html><body>The link has expired.</body></html>";

/// A folder of a test's own, beside the world's.
struct Place {
    dir: tempfile::TempDir,
    settings: FolderSettings,
    tongue: Tongue,
}

impl Place {
    fn new(after: After) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let settings = FolderSettings {
            root: dir.path().to_owned(),
            after,
            settle: SETTLE,
            formats: vec![Format::Txt, Format::Srt],
            language: Some("ru".to_owned()),
        };
        Self { dir, settings, tongue: Tongue::new(Some("en")) }
    }

    fn world(&self) -> World {
        let entrance = FolderEntrance::new(self.settings.clone(), self.tongue.clone());
        let entrances: Vec<Arc<dyn Entrance>> = vec![Arc::new(entrance)];
        let provider = Arc::new(ScriptedProvider::new(0));
        World::new(
            Backend::Sqlite,
            Setup { entrances, recognisers: vec![provider], ..Setup::default() },
        )
    }

    fn folder<'a>(&'a self, world: &'a World) -> Folder<'a> {
        let shutdown = world.shutdown.clone();
        Folder::new(&world.service, &self.settings, &self.tongue, world.clock.as_ref(), shutdown)
    }

    fn put(&self, name: &str, content: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn read(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.path(name)).ok()
    }

    /// Every file below the folder.
    fn files(&self) -> Vec<PathBuf> {
        let mut files = Vec::new();
        let mut left = vec![self.dir.path().to_owned()];
        while let Some(dir) = left.pop() {
            for entry in fs::read_dir(dir).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() { left.push(path) } else { files.push(path) }
            }
        }
        let below = |path: PathBuf| path.strip_prefix(self.dir.path()).unwrap().to_owned();
        let mut files: Vec<PathBuf> = files.into_iter().map(below).collect();
        files.sort();
        files
    }
}

/// Looks, lets the time pass in which files come to rest, and looks again.
async fn rest(folder: &mut Folder<'_>, world: &World) {
    folder.round().await;
    world.pass(SETTLE);
    folder.round().await;
}

async fn recordings(world: &World) -> Vec<View> {
    let mut all = world.store.list(Filter { limit: 100, ..Filter::default() }).await.unwrap();
    all.reverse();
    all
}

async fn only(world: &World) -> WorkId {
    let all = recordings(world).await;
    assert_eq!(all.len(), 1, "one recording and no other");
    all[0].work.id
}

#[tokio::test]
async fn a_file_is_taken_in_once_it_rests_and_its_texts_lie_beside_it() {
    let place = Place::new(After::Move);
    let world = place.world();
    let mut folder = place.folder(&world);
    place.put("папка/доклад.wav", &tone(1));
    assert_eq!(folder.round().await, SETTLE);
    world.pass(SETTLE.saturating_sub(Duration::from_secs(1)));
    assert_eq!(folder.round().await, Duration::from_secs(1));
    assert!(recordings(&world).await.is_empty(), "it may still grow");
    world.pass(Duration::from_secs(1));
    assert_eq!(folder.round().await, PERIOD);
    let given = world.view(only(&world).await).await.recording.given;
    assert_eq!((given.source, given.owner), (Source::Folder, None));
    assert_eq!(given.name.as_deref(), Some("доклад.wav"));
    assert_eq!(given.reply_to.as_deref(), Some("папка/доклад.wav"));
    assert_eq!(given.wish.language.as_deref(), Some("ru"));
    assert_eq!(place.files(), [PathBuf::from("taken/папка/доклад.wav")]);

    world.reach(only(&world).await, "done").await;
    let text = place.read("taken/папка/доклад.txt").unwrap();
    assert_eq!(text, format!("{}\n", ScriptedProvider::TEXT));
    assert!(place.read("taken/папка/доклад.srt").unwrap().contains("-->"));
    assert_eq!(place.files().len(), 3);
    let logged = world.logs.everything();
    assert!(!logged.contains("доклад") && !logged.contains("папка"), "{logged}");
}

#[tokio::test]
async fn a_text_that_is_somebody_elses_is_not_replaced() {
    let place = Place::new(After::Move);
    let world = place.world();
    place.put("talk.wav", &tone(1));
    place.put("taken/talk.txt", b"theirs");
    rest(&mut place.folder(&world), &world).await;
    let id = only(&world).await;
    world.reach(id, "done").await;
    assert_eq!(place.read("taken/talk.txt").as_deref(), Some("theirs"));
    let own = place.read(&format!("taken/talk ({id}).txt")).unwrap();
    assert!(own.contains(ScriptedProvider::TEXT));
}

#[tokio::test]
async fn a_file_that_is_kept_is_one_recording_under_every_name_and_after_every_start() {
    let place = Place::new(After::Keep);
    let world = place.world();
    place.put("talk.wav", &tone(1));
    let mut folder = place.folder(&world);
    rest(&mut folder, &world).await;
    rest(&mut folder, &world).await;
    let id = only(&world).await;
    world.reach(id, "done").await;
    assert!(place.read("talk.txt").is_some());
    fs::copy(place.path("talk.wav"), place.path("copy.wav")).unwrap();
    fs::rename(place.path("talk.wav"), place.path("renamed.wav")).unwrap();
    rest(&mut folder, &world).await;
    let mut after_a_start = place.folder(&world);
    rest(&mut after_a_start, &world).await;
    assert_eq!(only(&world).await, id);
    assert!(place.read("copy.txt").is_some(), "the copy gets the text that is there");
}

#[tokio::test]
async fn a_start_writes_no_second_text_beside_a_file_that_is_kept() {
    let mut place = Place::new(After::Keep);
    place.settings.formats = vec![Format::Md, Format::Docx];
    let world = place.world();
    place.put("talk.wav", &tone(1));
    rest(&mut place.folder(&world), &world).await;
    world.reach(only(&world).await, "done").await;
    let files = place.files();
    assert_eq!(files.len(), 3, "the file and its two texts: {files:?}");
    rest(&mut place.folder(&world), &world).await;
    assert_eq!(place.files(), files);
}

#[tokio::test]
async fn a_file_that_was_handed_in_and_not_moved_is_moved_after_the_next_start() {
    let place = Place::new(After::Move);
    let world = place.world();
    place.put("talk.wav", &tone(1));
    // A file where the directory is to be: nothing can be moved.
    place.put("taken", b"");
    let mut folder = place.folder(&world);
    rest(&mut folder, &world).await;
    assert!(folder.unmovable && place.path("talk.wav").exists());
    world.pass(SETTLE);
    folder.round().await;
    let id = only(&world).await;
    world.reach(id, "done").await;
    assert!(place.read("talk.txt").is_some(), "the text lies where the file does");
    fs::remove_file(place.path("taken")).unwrap();
    rest(&mut place.folder(&world), &world).await;
    assert_eq!(only(&world).await, id);
    assert!(place.path("taken/talk.wav").exists() && !place.path("talk.wav").exists());
}

#[tokio::test]
async fn what_is_refused_is_told_beside_it_until_a_better_file_comes() {
    let place = Place::new(After::Move);
    let world = place.world();
    place.put("page.mp3", HTML.as_bytes());
    place.put("empty.ogg", b"");
    let mut folder = place.folder(&world);
    rest(&mut folder, &world).await;
    assert!(recordings(&world).await.is_empty());
    let report = place.read("page.mp3.verst.txt").unwrap();
    assert!(report.contains("not an audio or video file"), "{report}");
    assert!(place.read("empty.ogg.verst.txt").unwrap().contains("empty"));
    assert!(place.path("page.mp3").exists(), "it stays with its report");
    assert_eq!(folder.done.len(), 2, "and is not looked into again");
    place.put("page.mp3", &tone(1));
    rest(&mut folder, &world).await;
    only(&world).await;
    let left = ["empty.ogg", "empty.ogg.verst.txt", "taken/page.mp3"];
    assert_eq!(place.files(), left.map(PathBuf::from));
}

#[tokio::test]
async fn a_stop_is_told_beside_the_file_and_the_note_goes_when_it_is_over() {
    let place = Place::new(After::Move);
    let world = place.world();
    place.put("talk.wav", &tone(1));
    rest(&mut place.folder(&world), &world).await;
    let id = only(&world).await;
    let stopped = world.service.stop(id, "ada").await.unwrap();
    assert_eq!(stopped, StopAnswer::Stopped(Ok(())));
    let report = place.read("taken/talk.wav.verst.txt").unwrap();
    assert!(report.contains(&format!("verst lift {id}")), "{report}");
    // The same file once more: the note is written there too.
    place.put("again.wav", &tone(1));
    rest(&mut place.folder(&world), &world).await;
    assert_eq!(place.read("taken/again.wav.verst.txt"), Some(report));
    assert_eq!(world.view(id).await.work.stop.map(|stop| stop.reason), Some(StopReason::Person));
    world.service.lift(id, "ada", None).await.unwrap();
    world.reach(id, "done").await;
    assert_eq!(place.read("taken/talk.wav.verst.txt"), None);
    assert!(place.read("taken/talk.txt").is_some());
}

#[tokio::test]
async fn several_hosts_take_each_file_once() {
    let place = Place::new(After::Move);
    let world = place.world();
    let there = world.another("there");
    for n in 1..=5 {
        place.put(&format!("{n}.wav"), &tone(n));
    }
    let (mut one, mut other) = (place.folder(&world), place.folder(&there));
    one.round().await;
    other.round().await;
    world.pass(SETTLE);
    tokio::join!(one.round(), other.round());
    assert_eq!(recordings(&world).await.len(), 5);
    let moved: Vec<PathBuf> = (1..=5).map(|n| PathBuf::from(format!("taken/{n}.wav"))).collect();
    assert_eq!(place.files(), moved, "each is whole and there once");
    for (n, path) in (1..=5).zip(moved) {
        assert_eq!(fs::read(place.dir.path().join(path)).unwrap(), tone(n));
    }
}

#[tokio::test]
async fn nothing_is_overwritten_however_files_are_called() {
    let place = Place::new(After::Move);
    let world = place.world();
    let odd = PathBuf::from(OsString::from_vec(b"\xff\xfe.wav".to_vec()));
    let long = "я".repeat(125) + ".wav";
    let mut folder = place.folder(&world);
    for seconds in 1..=3 {
        for name in [PathBuf::from("talk.wav"), odd.clone(), PathBuf::from(&long)] {
            // Contents differ by their length and by a byte at the end.
            let mut content = tone(seconds);
            content.extend_from_slice(&[u8::try_from(name.as_os_str().len()).unwrap(); 3]);
            fs::write(place.dir.path().join(name), content).unwrap();
        }
        rest(&mut folder, &world).await;
    }
    // The same content under the same name, twice more.
    for _ in 0..2 {
        fs::copy(place.path("taken/talk.wav"), place.path("talk.wav")).unwrap();
        rest(&mut folder, &world).await;
    }
    assert_eq!(recordings(&world).await.len(), 9);
    assert_eq!(place.files().len(), 11, "{:?}", place.files());
    assert!(place.files().iter().all(|path| path.starts_with("taken")));
    for view in recordings(&world).await {
        world.reach(view.work.id, "done").await;
    }
    let texts = place.files().into_iter().filter(|path| path.extension().unwrap() == "txt");
    assert_eq!(texts.count(), 9, "each recording has its text");
}

#[tokio::test]
async fn a_folder_that_is_gone_is_waited_for() {
    let place = Place::new(After::Move);
    let world = place.world();
    let mut folder = place.folder(&world);
    let aside = place.dir.path().with_extension("aside");
    place.put("talk.wav", &tone(1));
    fs::rename(place.dir.path(), &aside).unwrap();
    assert_eq!(folder.round().await, PERIOD);
    assert!(folder.gone);
    folder.round().await;
    fs::rename(&aside, place.dir.path()).unwrap();
    rest(&mut folder, &world).await;
    assert!(!folder.gone);
    only(&world).await;
    let said = world.logs.everything();
    assert_eq!(said.matches("is not there").count(), 1, "it is said once: {said}");
}

#[tokio::test]
async fn files_wait_while_nothing_can_be_kept_and_are_not_blamed() {
    let place = Place::new(After::Move);
    let world = place.world();
    let blocked = world.dir.path().join("objects/original");
    fs::write(&blocked, "").unwrap();
    place.put("one.wav", &tone(1));
    place.put("two.wav", &tone(2));
    let mut folder = place.folder(&world);
    rest(&mut folder, &world).await;
    assert_eq!(folder.round().await, PERIOD);
    assert_eq!(place.files().len(), 2, "no report, and both are there");
    let said = world.logs.everything();
    assert_eq!(said.matches("files in the watched folder wait").count(), 1, "{said}");
    fs::remove_file(blocked).unwrap();
    folder.round().await;
    assert_eq!(recordings(&world).await.len(), 2);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_file_that_somebody_writes_to_is_waited_for() {
    use std::io::Write;
    let place = Place::new(After::Move);
    let world = place.world();
    let mut writer = fs::File::create(place.path("talk.wav")).unwrap();
    writer.write_all(&tone(1)).unwrap();
    let mut folder = place.folder(&world);
    rest(&mut folder, &world).await;
    world.pass(SETTLE);
    folder.round().await;
    assert!(recordings(&world).await.is_empty());
    drop(writer);
    world.pass(SETTLE);
    folder.round().await;
    only(&world).await;
}

#[tokio::test]
async fn what_may_not_be_read_is_told_in_the_owners_language() {
    let mut place = Place::new(After::Move);
    place.tongue = Tongue::new(Some("ru"));
    let world = place.world();
    let mut folder = place.folder(&world);
    let denied = folder.unread(ErrorKind::PermissionDenied, &place.path("talk.wav"));
    assert_eq!(denied, Dealt::Again, "it is tried again by itself");
    assert!(place.read("talk.wav.verst.txt").unwrap().contains("нет права читать"));
    assert_eq!(folder.unread(ErrorKind::NotFound, &place.path("gone.wav")), Dealt::Gone);
    assert_eq!(place.files().len(), 1);
}

#[tokio::test]
async fn a_file_that_is_replaced_at_the_last_moment_has_its_own_turn() {
    let place = Place::new(After::Move);
    let world = place.world();
    place.put("talk.wav", &tone(1));
    let found = scan(place.dir.path()).unwrap().remove(0);
    place.put("other.wav", &tone(2));
    fs::rename(place.path("other.wav"), place.path("talk.wav")).unwrap();
    let mut folder = place.folder(&world);
    assert_eq!(folder.take(&found).await, Dealt::Again);
    let moved = moving::move_taken(place.dir.path(), &found.path, found.identity, WorkId(1));
    assert!(moved.unwrap().is_none() && place.path("talk.wav").exists());
    fs::remove_file(place.path("talk.wav")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", place.path("talk.wav")).unwrap();
    assert_eq!(folder.take(&found).await, Dealt::Again, "a link is not followed");
    assert!(recordings(&world).await.is_empty());
}

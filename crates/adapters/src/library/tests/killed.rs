//! A process that is killed in the middle of copies.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use super::*;

/// Where the child finds its download and its library.
const PLACES: &str = "VERST_TEST_PLACES";
const FILES: u32 = 64;
const BYTES: u64 = 1 << 20;

fn plan() -> Vec<Placement> {
    let file =
        |at| placement(at, &format!("{at}.mkv"), &format!("Shows/A/Season 01/{at}.mkv"), BYTES);
    (0..FILES).map(file).collect()
}

/// Tells its parent that it has begun.
struct Telling;

#[async_trait]
impl Supervisor for Telling {
    fn interrupted(&self) -> bool {
        false
    }

    async fn interruption(&self) {
        std::future::pending::<()>().await;
    }

    fn progress(&self, fraction: f64) {
        if fraction > 0.1 {
            let mut parent = io::stderr();
            writeln!(parent, "begun").and_then(|()| parent.flush()).unwrap();
        }
    }
}

#[tokio::test]
#[ignore = "it is the child of another test"]
async fn process_child_places() {
    let Ok(places) = std::env::var(PLACES) else { return };
    let (downloads, library) = places.split_once('\n').unwrap();
    let shelves = Shelves::new(library.into(), Roots::default(), Link::Copy);
    shelves.place(downloads.into(), &plan(), &Telling).await.unwrap();
}

#[tokio::test]
async fn process_that_is_killed_leaves_a_beginning_that_the_next_one_completes() {
    let Some(elsewhere) = other_device() else { return };
    let world = World::across(elsewhere.path(), Link::Copy);
    for at in 0..FILES {
        world.write(&format!("{at}.mkv"), vec![u8::try_from(at).unwrap(); 1 << 20]);
    }
    let name = "library::tests::killed::process_child_places";
    let places = format!("{}\n{}", world.downloads().display(), world.library.display());
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, "--ignored", "--nocapture"])
        .env(PLACES, places)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("begun")), "it ended before it began");
    child.kill().unwrap();
    child.wait().unwrap();

    let left = tree(&world.library).len();
    assert!(left > 3, "some were placed");
    let filed = world.place(&plan()).await.unwrap();
    assert_eq!(filed.copied + filed.already, u64::from(FILES));
    assert!(filed.already > 0);
    let all = tree(&world.library);
    assert_eq!(all.len(), 3 + FILES as usize, "and nothing else: {all:?}");
    for it in plan() {
        let content = fs::read(world.library.join(it.target.join("/"))).unwrap();
        assert!(content == vec![u8::try_from(it.file).unwrap(); 1 << 20]);
    }
}

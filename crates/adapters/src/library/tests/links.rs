//! Hard links on one disk.

use super::*;

fn two() -> (World, [Placement; 2]) {
    let world = World::new();
    world.write("Дюна/film.mkv", "film");
    world.write("Дюна/ru.srt", "text");
    let target = "Movies/Дюна (2021)/Дюна (2021)";
    let plan = [
        placement(0, "Дюна/film.mkv", &format!("{target}.mkv"), 4),
        placement(3, "Дюна/ru.srt", &format!("{target}.ru.srt"), 4),
    ];
    (world, plan)
}

#[tokio::test]
async fn files_are_linked_once_and_taken_back_with_their_directories() {
    let (world, plan) = two();
    let filed = world.place(&plan).await.unwrap();
    assert_eq!(filed, Filed { linked: 2, ..Filed::default() });
    assert!(plan.iter().all(|it| world.is_linked(it)));
    let filed = world.place(&plan).await.unwrap();
    assert_eq!(filed, Filed { already: 2, ..Filed::default() });

    assert_eq!(world.unplace(&plan).await, 2);
    assert_eq!(tree(&world.library), ["Movies"], "what servers are pointed at stays");
    assert_eq!(tree(&world.downloads()).len(), 3, "the download is as it was");
    assert_eq!(world.unplace(&plan).await, 0);
}

#[tokio::test]
async fn an_unfinished_run_is_completed() {
    let (world, plan) = two();
    world.place(&plan[1..]).await.unwrap();
    let filed = world.place(&plan).await.unwrap();
    assert_eq!(filed, Filed { linked: 1, already: 1, ..Filed::default() });
}

#[tokio::test]
async fn only_what_still_is_what_was_placed_is_taken_back() {
    let (world, plan) = two();
    world.place(&plan).await.unwrap();
    let target = world.library.join(plan[0].target.join("/"));
    fs::remove_file(&target).unwrap();
    fs::write(&target, "mine").unwrap();
    assert_eq!(world.unplace(&plan).await, 1);
    assert_eq!(fs::read_to_string(&target).unwrap(), "mine");
}

#[tokio::test]
async fn what_is_all_there_is_stays() {
    let (world, plan) = two();
    world.place(&plan).await.unwrap();
    fs::remove_dir_all(world.downloads().join("Дюна")).unwrap();
    assert_eq!(world.unplace(&plan).await, 0);
    fs::remove_dir_all(world.downloads()).unwrap();
    assert_eq!(world.unplace(&plan).await, 0);
    assert_eq!(tree(&world.library).len(), 4);
}

#[tokio::test]
async fn ten_thousand_files_are_placed_and_taken_back() {
    let world = World::new();
    let plan: Vec<Placement> = (0..10_000)
        .map(|at| {
            world.write(&format!("{}/{at}.mkv", at % 100), "");
            let target = format!("Shows/Long/Season {:02}/{at}.mkv", at % 100);
            placement(at, &format!("{}/{at}.mkv", at % 100), &target, 0)
        })
        .collect();
    assert_eq!(world.place(&plan).await.unwrap().linked, 10_000);
    assert!(plan.iter().all(|it| world.is_linked(it)));
    assert_eq!(world.place(&plan).await.unwrap().already, 10_000);
    assert_eq!(world.unplace(&plan).await, 10_000);
    assert_eq!(tree(&world.library), ["Shows"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interrupted_run_leaves_nothing_and_a_finished_one_everything() {
    let world = World::new();
    let plan: Vec<Placement> = (0..5_000)
        .map(|at| {
            world.write(&at.to_string(), "");
            placement(at, &at.to_string(), &format!("Shows/{at}/{at}.mkv"), 0)
        })
        .collect();
    fs::create_dir(world.library.join("Movies")).unwrap();
    // It may be done before it hears of it, but not time and again.
    for _ in 0..50 {
        let supervisor = Impatient::new(0.01);
        match world.shelves().place(world.downloads(), &plan, &supervisor).await {
            Ok(filed) => {
                assert_eq!(filed.linked, 5_000);
                assert_eq!(world.unplace(&plan).await, 5_000);
                fs::remove_dir(world.library.join("Shows")).unwrap();
            }
            Err(LibraryError::Interrupted) => {
                assert_eq!(tree(&world.library), ["Movies"]);
                return;
            }
            other => panic!("{other:?}"),
        }
    }
    panic!("fifty runs were not interrupted");
}

#[tokio::test]
async fn a_file_with_as_many_links_as_it_can_have_follows_the_policy() {
    let mut world = World::new();
    world.write("film.mkv", "film");
    let source = world.downloads().join("film.mkv");
    let links = world.dir.path().join("links");
    fs::create_dir(&links).unwrap();
    let refused =
        (0..70_000).find(|at| fs::hard_link(&source, links.join(at.to_string())).is_err());
    if refused.is_none() {
        println!("NOT RUN: this file system counts no links");
        return;
    }
    let plan = [placement(0, "film.mkv", "Movies/A/A.mkv", 4)];
    let failed = world.place(&plan).await;
    assert!(matches!(failed, Err(LibraryError::Failed(_))), "{failed:?}");
    assert!(tree(&world.library).is_empty());
    world.link = Link::Copy;
    assert_eq!(world.place(&plan).await.unwrap().copied, 1);
    assert_eq!(world.place(&plan).await.unwrap().already, 1);
    assert_eq!(world.unplace(&plan).await, 1);
}

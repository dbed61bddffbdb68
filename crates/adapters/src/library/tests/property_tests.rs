//! Whatever a plan says: all of it or nothing, and nothing outside.

use std::os::unix::fs::symlink;

use proptest::collection::vec;
use proptest::prelude::*;

use super::super::{place, unplace};
use super::*;

fn path() -> impl Strategy<Value = Vec<String>> {
    let name = prop::sample::select(vec!["a", "b", "c", "A", "..", ".", "", "a/b", "link", "x\0"]);
    let plain = prop::sample::select(vec!["a", "b", "c"]);
    let names = prop_oneof![1 => name, 9 => plain].prop_map(str::to_owned);
    vec(names, 0..4)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_plan_is_carried_out_whole_and_inside_or_not_at_all(
        targets in vec(path(), 1..6),
        sources in vec(prop::sample::select(vec!["0", "0", "1", "2", "3/4", "link", "out/5", "none"]), 6),
    ) {
        let world = World::new();
        for name in ["0", "1", "2", "3/4"] {
            world.write(name, "1234");
        }
        let outside = world.dir.path().join("outside");
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("5"), "1234").unwrap();
        symlink(outside.join("5"), world.downloads().join("link")).unwrap();
        symlink(&outside, world.downloads().join("out")).unwrap();
        symlink(&outside, world.library.join("link")).unwrap();
        fs::write(world.library.join("c"), "1234").unwrap();
        let plan: Vec<Placement> = (0..).zip(targets).zip(sources).map(|((file, target), source)| {
            Placement { target, ..placement(file, source, "", 4) }
        }).collect();

        let run = Run::new();
        let before = tree(&world.library);
        let placed = place::place(&world.library, &world.downloads(), Link::Fail, &plan, &run);
        if let Ok(filed) = placed {
            prop_assert_eq!(filed.linked + filed.already, plan.len() as u64);
            prop_assert!(plan.iter().all(|it| world.is_linked(it)));
        } else {
            prop_assert_eq!(tree(&world.library), before.clone());
        }
        prop_assert_eq!(tree(&outside), vec!["5".to_owned()]);
        let (library, roots) = (&world.library, Roots::default());
        unplace::unplace(library, &world.downloads(), &roots, Link::Fail, &plan, &run).unwrap();
        prop_assert_eq!(tree(&world.library), before);
        prop_assert_eq!(tree(&outside), vec!["5".to_owned()]);
    }
}

//! The table of arrows: which crate of the workspace may depend on which.
//!
//! A crate exists only where Cargo must forbid a dependency, so the permission is written down and
//! not left to whoever edits a manifest. It refuses crates that the table does not name.
//!
//! **Invariant:** the kernel reaches no runtime, no SQL and no wire format, at any distance.

use crate::finding::{Finding, Report};
use crate::graph::{Room, rooms};
use crate::project::Project;

/// A crate and the crates of the workspace it may depend on. Names without the prefix `verst-`.
type Row = (&'static str, &'static [&'static str]);

const ARROWS: &[Row] = &[
    ("kernel", &[]),
    ("recordings", &["kernel"]),
    ("downloads", &["kernel"]),
    ("service", &["kernel", "recordings", "downloads"]),
    ("store", &["kernel", "recordings", "downloads", "service"]),
    ("runtime", &["kernel"]),
    ("engine", &[]),
    ("adapters", &["kernel", "recordings", "downloads", "service", "runtime", "engine"]),
    ("words", &["kernel"]),
    ("web", &["service", "words"]),
    ("telegram", &["service", "words"]),
    (
        "verst",
        &[
            "kernel",
            "recordings",
            "downloads",
            "service",
            "store",
            "runtime",
            "engine",
            "adapters",
            "words",
            "web",
            "telegram",
        ],
    ),
    (
        "testkit",
        &["kernel", "recordings", "downloads", "service", "store", "runtime", "adapters", "words"],
    ),
    ("xtask", &[]),
];

/// For tests only; any crate may have it as a development dependency and none as another.
const TESTKIT: &str = "testkit";

/// What the kernel must not reach, even through others.
const KERNEL_NEVER: [&str; 5] = ["tokio", "serde", "rusqlite", "tokio-postgres", "tracing"];

/// Crates from outside that exactly one shipped crate of ours may name.
const KEPT: [(&str, &str); 5] = [
    ("transcribe-cpp", "engine"),
    ("transcribe-cpp-sys", "engine"),
    ("rusqlite", "store"),
    ("tokio-postgres", "store"),
    ("deadpool-postgres", "store"),
];

pub(crate) fn check(project: &Project) -> Report {
    judge(&rooms(&project.metadata)).into()
}

fn judge(rooms: &[Room]) -> Vec<Finding> {
    let ours: Vec<&str> = rooms.iter().map(|room| short(&room.name)).collect();
    let mut findings: Vec<Finding> = ARROWS
        .iter()
        .filter(|(name, _)| !ours.contains(name))
        .map(|(name, _)| Finding::new(*name, "stands in the table but not in the workspace"))
        .collect();
    for room in rooms {
        inside(room, &ours, &mut findings);
        outside(room, &mut findings);
    }
    findings
}

/// Arrows between our own crates.
fn inside(room: &Room, ours: &[&str], findings: &mut Vec<Finding>) {
    let from = short(&room.name);
    let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == from) else {
        findings.push(Finding::new(from, "has no row in the table of arrows"));
        return;
    };
    let own = |name: &&str| ours.contains(name);
    for to in room.needs.iter().map(|name| short(name)).filter(own) {
        if !allowed.contains(&to) {
            findings.push(Finding::new(from, format!("must not depend on {to}")));
        }
    }
    for to in room.dev_needs.iter().map(|name| short(name)).filter(own) {
        if to != TESTKIT && !allowed.contains(&to) {
            findings.push(Finding::new(from, format!("must not depend on {to}, in tests neither")));
        }
    }
}

/// Arrows to the world. Development dependencies are not shipped and stay free.
fn outside(room: &Room, findings: &mut Vec<Finding>) {
    let from = short(&room.name);
    if from == "kernel" {
        let never = KERNEL_NEVER.iter().filter(|name| room.reaches.contains(**name));
        findings.extend(never.map(|name| Finding::new(from, format!("must not reach {name}"))));
    }
    for (name, keeper) in KEPT {
        if from != keeper && from != TESTKIT && room.needs.contains(name) {
            let what = format!("must not depend on {name}: only {keeper} may");
            findings.push(Finding::new(from, what));
        }
    }
}

fn short(package: &str) -> &str {
    package.strip_prefix("verst-").unwrap_or(package)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(name: &str, needs: &[&str], dev_needs: &[&str]) -> Room {
        let set = |names: &[&str]| names.iter().map(|it| (*it).to_owned()).collect();
        Room {
            name: name.to_owned(),
            needs: set(needs),
            dev_needs: set(dev_needs),
            reaches: set(needs),
        }
    }

    /// The whole table, each crate with every arrow it may have, and then one of them replaced.
    #[track_caller]
    fn check(changed: Room, said: &[&str]) {
        let full = |name: &str| match name {
            "verst" | "xtask" => name.to_owned(),
            _ => format!("verst-{name}"),
        };
        let mut rooms: Vec<Room> = ARROWS
            .iter()
            .map(|(name, to)| Room {
                name: full(name),
                needs: to.iter().map(|it| full(it)).collect(),
                ..Room::default()
            })
            .filter(|it| it.name != changed.name)
            .collect();
        rooms.push(changed);
        let found: Vec<String> = judge(&rooms).iter().map(ToString::to_string).collect();
        assert_eq!(found, said);
    }

    #[test]
    fn every_arrow_of_the_table_is_legal() {
        check(room("verst-kernel", &["thiserror"], &["proptest"]), &[]);
    }

    #[test]
    fn any_other_arrow_is_not() {
        check(room("verst-kernel", &["verst-store"], &[]), &["kernel: must not depend on store"]);
        check(
            room("verst-runtime", &["verst-kernel", "verst-testkit"], &[]),
            &["runtime: must not depend on testkit"],
        );
    }

    #[test]
    fn tests_may_use_the_testkit_but_no_new_arrow() {
        check(room("verst-kernel", &[], &["verst-testkit"]), &[]);
        check(
            room("verst-words", &["verst-kernel"], &["verst-store"]),
            &["words: must not depend on store, in tests neither"],
        );
    }

    #[test]
    fn the_kernel_stays_pure_and_the_keepers_keep() {
        check(room("verst-kernel", &["tracing"], &[]), &["kernel: must not reach tracing"]);
        check(
            room("verst-adapters", &["rusqlite"], &[]),
            &["adapters: must not depend on rusqlite: only store may"],
        );
        check(
            room("verst", &["tokio-postgres"], &[]),
            &["verst: must not depend on tokio-postgres: only store may"],
        );
        check(room("verst-store", &["rusqlite", "tokio-postgres"], &[]), &[]);
        check(room("verst-testkit", &["tokio-postgres"], &[]), &[]);
    }

    #[test]
    fn a_crate_without_a_row_is_refused() {
        check(room("verst-extra", &[], &[]), &["extra: has no row in the table of arrows"]);
    }
}

//! Who depends on whom, reduced from Cargo's metadata to what the rules need.
//!
//! It refuses to know the rules: `check::arrows` and `check::licences` judge, this file only tells.
//! **Invariant:** names are package names, never the names a crate was renamed to.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{DependencyKind, Metadata, PackageId};

/// A crate of this workspace with what it names in its manifest.
#[derive(Clone, Debug, Default)]
pub(crate) struct Room {
    pub(crate) name: String,
    /// Normal and build dependencies: they end up in, or decide, what is shipped.
    pub(crate) needs: BTreeSet<String>,
    pub(crate) dev_needs: BTreeSet<String>,
    /// Everything reached through `needs`, at any distance.
    pub(crate) reaches: BTreeSet<String>,
}

/// The crates of the workspace in the order of their names.
pub(crate) fn rooms(metadata: &Metadata) -> Vec<Room> {
    let mut rooms: Vec<Room> = metadata
        .workspace_packages()
        .into_iter()
        .map(|package| {
            let named = |dev: bool| {
                let all = package.dependencies.iter();
                all.filter(|it| (it.kind == DependencyKind::Development) == dev)
                    .map(|it| it.name.clone())
                    .collect()
            };
            Room {
                name: package.name.to_string(),
                needs: named(false),
                dev_needs: named(true),
                reaches: reached(metadata, &package.id),
            }
        })
        .collect();
    rooms.sort_by(|a, b| a.name.cmp(&b.name));
    rooms
}

/// Names of the packages that a shipped build of `from` pulls in.
fn reached(metadata: &Metadata, from: &PackageId) -> BTreeSet<String> {
    let Some(resolve) = &metadata.resolve else { return BTreeSet::new() };
    let nodes: BTreeMap<_, _> = resolve.nodes.iter().map(|node| (&node.id, node)).collect();
    let mut seen = BTreeSet::from([from]);
    let mut waiting = vec![from];
    while let Some(id) = waiting.pop() {
        for edge in nodes.get(id).into_iter().flat_map(|node| &node.deps) {
            let ships = edge.dep_kinds.iter().any(|it| it.kind != DependencyKind::Development);
            if ships && seen.insert(&edge.pkg) {
                waiting.push(&edge.pkg);
            }
        }
    }
    seen.remove(from);
    seen.into_iter().map(|id| metadata[id].name.to_string()).collect()
}

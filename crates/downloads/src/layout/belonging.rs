//! What is not a film or an episode of its own: subtitles and sound beside a video, extras, discs.
//!
//! **Invariant:** subtitles and sound carry the whole stem of their video, whatever that turned out to
//! be.

use std::collections::HashMap;

use super::naming::{self, BESIDE_BYTES};
use super::{LayoutError, Planner, Spot, segment};
use crate::filing::Role;

/// Bytes in the tag of a language: `zh-Hant-HK`.
const TAG_BYTES: usize = 11;

/// The number, the tag, both marks and an extension.
const _: () = assert!(5 + 1 + TAG_BYTES + 7 + 4 + 9 == BESIDE_BYTES);

impl Planner<'_> {
    pub(super) fn extra(&mut self, index: u32, role: &Role) -> Result<(), LayoutError> {
        let Role::Extra { of, kind, title } = role else { return Ok(()) };
        let nameless = LayoutError::Nameless(index);
        let mut dir = match self.filing.roles.get(of) {
            Some(Role::Movie(film) | Role::Disc { movie: film, .. }) => {
                let names = self.naming.film(film).ok_or(nameless)?;
                [self.roots.movies(), &[names.dir]].concat()
            }
            Some(Role::Episode(episode)) => {
                let series = self.naming.series(episode).ok_or(nameless)?;
                [self.roots.shows(), &[series]].concat()
            }
            _ => return Err(LayoutError::Orphan(index)),
        };
        dir.push(self.naming.extras(*kind).to_owned());
        let stem = naming::extra(title, self.sources[&index].name()).ok_or(nameless)?;
        self.settle(index, dir, &stem)
    }

    pub(super) fn sidecar(&mut self, index: u32, role: &Role) -> Result<(), LayoutError> {
        let (of, language, marks) = match role {
            // A bare `hi` would be Hindi.
            Role::Subtitle { of, language, forced, hearing_impaired } => {
                (of, language, [(*forced, ".forced"), (*hearing_impaired, ".sdh")])
            }
            Role::Audio { of, language } => (of, language, [(false, ""), (false, "")]),
            _ => return Ok(()),
        };
        let Some(Spot { dir, stem }) = self.spots.get(of).cloned() else {
            let video = self.filing.roles.get(of);
            let is_video =
                matches!(video, Some(Role::Movie(_) | Role::Episode(_) | Role::Extra { .. }));
            return if is_video { Ok(()) } else { Err(LayoutError::Orphan(index)) };
        };
        let tag = language.as_deref().filter(|tag| is_tag(tag));
        let tag = tag.map_or_else(String::new, |tag| format!(".{tag}"));
        let marks: String = marks.iter().filter(|(set, _)| *set).map(|(_, mark)| *mark).collect();
        let end = segment::extension(self.sources[&index].name());
        // The number before the language: servers look for that at the end.
        let numbered = |number: Option<u32>| {
            let number = number.map_or_else(String::new, |number| format!(".{number}"));
            format!("{stem}{number}{tag}{marks}{end}")
        };
        let name = self.taken.take(&dir, numbered).ok_or(LayoutError::Clash(index))?;
        self.targets.insert(index, [dir, vec![name]].concat());
        Ok(())
    }

    /// Discs keep their own names, in the directory of their film; one of several in a directory of
    /// its own there. Two that would share a directory would become one, so that they fail.
    pub(super) fn discs(&mut self) -> Result<(), LayoutError> {
        let mut owners: HashMap<String, Vec<String>> = HashMap::new();
        let filing = self.filing;
        for (index, role) in &filing.roles {
            let (Role::Disc { movie, path }, Some(source)) = (role, self.sources.get(index)) else {
                continue;
            };
            let from = &source.path[..source.path.len().saturating_sub(path.len())];
            if path.is_empty() || !path.iter().all(|name| segment::is_fit(name)) {
                return Err(LayoutError::BadPath(*index));
            }
            let names = self.naming.film(movie).ok_or(LayoutError::Nameless(*index))?;
            let mut dir = [self.roots.movies(), &[names.dir]].concat();
            if movie.part.is_some() {
                dir.push(names.stem);
            }
            let owner =
                owners.entry(segment::fold(&dir.join("/"))).or_insert_with(|| from.to_vec());
            if owner != from {
                return Err(LayoutError::Clash(*index));
            }
            dir.extend(path.iter().cloned());
            self.targets.insert(*index, dir);
        }
        Ok(())
    }
}

/// The letters and digits of BCP 47, and no more of them than there is room for.
fn is_tag(tag: &str) -> bool {
    let word = |it: &str| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_alphanumeric());
    tag.len() <= TAG_BYTES && tag.split('-').all(word)
}

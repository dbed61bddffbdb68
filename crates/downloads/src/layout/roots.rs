//! The directories of films and of series below the library.
//!
//! **Invariant:** each is one or more names that [`seal`](super::segment::seal) leaves as they are.

use thiserror::Error;

use super::segment;

/// Directories below the library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roots {
    movies: Vec<String>,
    shows: Vec<String>,
}

/// A setting is no path below the library.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("not a path below the library, of names that every file system takes")]
pub struct RootError;

impl Roots {
    /// Paths below the library, their parts divided by `/`. They may be the same.
    pub fn new(movies: &str, shows: &str) -> Result<Self, RootError> {
        Ok(Self { movies: parts(movies)?, shows: parts(shows)? })
    }

    /// Whether a directory below the library is one of them, or has one of them in it.
    pub fn hold(&self, dir: &[String]) -> bool {
        self.movies.starts_with(dir) || self.shows.starts_with(dir)
    }

    /// The directory of films.
    pub fn movies(&self) -> &[String] {
        &self.movies
    }

    /// The directory of series.
    pub fn shows(&self) -> &[String] {
        &self.shows
    }
}

impl Default for Roots {
    /// `Movies` and `Shows`.
    fn default() -> Self {
        Self { movies: vec!["Movies".to_owned()], shows: vec!["Shows".to_owned()] }
    }
}

fn parts(path: &str) -> Result<Vec<String>, RootError> {
    let parts: Vec<String> = path.split('/').map(str::to_owned).collect();
    if parts.iter().all(|part| segment::is_fit(part)) { Ok(parts) } else { Err(RootError) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_is_a_path_below_the_library() {
        let check = |path: &str, fit: bool| {
            assert_eq!(Roots::new(path, "Shows").is_ok(), fit, "{path:?}");
            assert_eq!(Roots::new("Movies", path).is_ok(), fit, "{path:?}");
        };
        check("Movies", true);
        check("Media/Фильмы", true);
        check("", false);
        check("/Movies", false);
        check("Movies/", false);
        check("../Movies", false);
        check("con", false);
        check(&"a".repeat(256), false);
    }

    #[test]
    fn roots_and_what_they_are_in_are_told_from_what_is_in_them() {
        let roots = Roots::new("Media/Films", "Shows").expect("plain names");
        let check = |path: &str, held| {
            let path: Vec<String> = path.split('/').map(str::to_owned).collect();
            assert_eq!(roots.hold(&path), held, "{path:?}");
        };
        check("Media", true);
        check("Media/Films", true);
        check("Shows", true);
        check("Films", false);
        check("Media/Films/Dune (2021)", false);
    }
}

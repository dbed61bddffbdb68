//! Where a program is, and which files it needs to start.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Where systems keep programs and libraries. They hold nothing of anybody's, and a program may be a
/// script that starts another.
const SYSTEM: [&str; 17] = [
    "/bin",
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/bin",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libexec",
    "/usr/local/bin",
    "/usr/local/lib",
    "/nix/store",
    "/gnu/store",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/etc/ld-musl-x86_64.path",
    "/etc/ld-musl-aarch64.path",
];

/// What a search for a program finds; the program as it is where nothing is found.
pub(super) fn find(program: &Path) -> PathBuf {
    if program.components().count() > 1 {
        return program.to_owned();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places = std::env::split_paths(&path).map(|dir| dir.join(program));
    places.find(|place| executable(place)).unwrap_or_else(|| program.to_owned())
}

/// What has to be readable and executable for it.
pub(super) fn needs(program: &Path) -> Vec<PathBuf> {
    let mut needs: Vec<PathBuf> = SYSTEM.iter().map(PathBuf::from).collect();
    needs.push(program.to_owned());
    // A bundle has its libraries beside its programs.
    let real = program.canonicalize().unwrap_or_else(|_| program.to_owned());
    let prefix = real.parent().and_then(Path::parent).filter(|dir| dir.components().count() > 1);
    needs.extend(prefix.map(|dir| dir.join("lib")));
    let set = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    needs.extend(std::env::split_paths(&set).filter(|dir| dir.is_absolute()));
    needs
}

fn executable(path: &Path) -> bool {
    let runs = |m: std::fs::Metadata| m.is_file() && m.permissions().mode() & 0o111 != 0;
    path.is_absolute() && std::fs::metadata(path).is_ok_and(runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_as_a_search_finds_them() {
        let shell = find(Path::new("sh"));
        assert!(shell.is_absolute() && shell.ends_with("sh"));
        for as_it_is in ["no-such-program-here", "./sh", "/nowhere/sh"] {
            assert_eq!(find(Path::new(as_it_is)), Path::new(as_it_is));
        }
    }

    #[test]
    fn a_bundle_brings_its_libraries_and_no_more() {
        let needs = needs(Path::new("/opt/media/bin/ffmpeg"));
        assert!(needs.contains(&"/opt/media/bin/ffmpeg".into()));
        assert!(needs.contains(&"/opt/media/lib".into()));
        assert!(!needs.contains(&"/".into()) && !needs.contains(&"/opt/media".into()));
    }
}

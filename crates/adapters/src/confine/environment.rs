//! The variables a child has. Ours hold passwords, and a child that was taken over could write them
//! into its result; so it gets those that programs need to start and to compute, and no others.

use tokio::process::Command;

/// Names, and beginnings of names.
const KEPT: [&str; 10] = [
    "PATH",
    "LANG",
    "LC_",
    "TZ",
    "LD_LIBRARY_PATH",
    "GGML_",
    "TRANSCRIBE_",
    "OMP_",
    "GOMP_",
    "KMP_",
];

/// Leaves the child these variables. What the command sets by itself afterwards it gets as well.
pub(super) fn clear(command: &mut Command) {
    command.env_clear();
    for (name, value) in std::env::vars_os() {
        if name.to_str().is_some_and(kept) {
            command.env(name, value);
        }
    }
}

fn kept(name: &str) -> bool {
    let family = |known: &str| known.ends_with('_') && name.starts_with(known);
    KEPT.contains(&name) || KEPT.iter().any(|known| family(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_secret_is_among_them() {
        for name in ["PATH", "LC_ALL", "OMP_NUM_THREADS", "LD_LIBRARY_PATH"] {
            assert!(kept(name), "{name}");
        }
        for name in
            ["VERST_DATABASE", "AWS_SECRET_ACCESS_KEY", "PATHS", "HOME", "LD_PRELOAD", "FFREPORT"]
        {
            assert!(!kept(name), "{name}");
        }
    }
}

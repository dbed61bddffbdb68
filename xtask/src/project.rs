//! The checkout under check: where it lies, which files belong to it, what Cargo says of it.
//!
//! It refuses to walk directories by itself: git decides what belongs, so that build output and
//! editors' leftovers are never judged, while a new file is judged before its first commit.
//!
//! **Invariant:** paths are relative to the root, with forward slashes.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use cargo_metadata::{Metadata, MetadataCommand};

use crate::rust::Source;

/// Where the service is meant to run. Crates that only other systems pull in are neither
/// downloaded for a check nor shipped.
const PLATFORMS: [&str; 2] = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"];

/// The workspace, read once and shared by every check.
pub(crate) struct Project {
    pub(crate) root: PathBuf,
    pub(crate) metadata: Metadata,
    /// Every file that git tracks or would track.
    pub(crate) files: Vec<String>,
}

impl Project {
    pub(crate) fn open() -> Result<Self> {
        let mut options = vec!["--locked".to_owned()];
        for platform in PLATFORMS {
            options.extend(["--filter-platform".to_owned(), platform.to_owned()]);
        }
        let metadata = MetadataCommand::new().other_options(options).exec().context(
            "cargo metadata failed; if Cargo.lock is behind Cargo.toml, build once without --locked",
        )?;
        let root = metadata.workspace_root.clone().into_std_path_buf();
        let files = tracked(&root)?;
        Ok(Self { root, metadata, files })
    }

    pub(crate) fn read(&self, file: &str) -> Result<String> {
        std::fs::read_to_string(self.root.join(file)).with_context(|| format!("reading {file}"))
    }

    /// The files whose names end in a dot and `extension`.
    pub(crate) fn files_ending(&self, extension: &str) -> impl Iterator<Item = &str> {
        let files = self.files.iter().map(String::as_str);
        files.filter(move |file| Path::new(file).extension().is_some_and(|it| it == extension))
    }

    /// Tracked Rust files with their syntax.
    pub(crate) fn sources(&self) -> Result<Vec<Source>> {
        self.files_ending("rs").map(|file| Source::parse(file, &self.read(file)?)).collect()
    }

    /// A cargo command in the workspace that builds exactly what a person's own command would.
    ///
    /// `cargo run` puts variables about this crate into our environment. A build script that
    /// watches one of them would run again, and one of ours compiles C++ for minutes.
    pub(crate) fn cargo(&self) -> Command {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        for (name, _) in std::env::vars_os() {
            let name_text = name.to_string_lossy();
            if ["CARGO_PKG_", "CARGO_MANIFEST_"].iter().any(|it| name_text.starts_with(it)) {
                command.env_remove(&name);
            }
        }
        command.current_dir(&self.root);
        command
    }
}

fn tracked(root: &Path) -> Result<Vec<String>> {
    let output = Command::new("git")
        // In a container the checkout often belongs to another user. Listing runs nothing of it.
        .arg("-c")
        .arg(format!("safe.directory={}", root.display()))
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .context("git is needed: the files to check are those that git tracks")?;
    if !output.status.success() {
        bail!("git ls-files failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    let listed = String::from_utf8(output.stdout).context("a tracked path is not UTF-8")?;
    let mut files: Vec<String> = listed
        .split('\0')
        // A file deleted from disk is still in the index until the deletion is recorded.
        .filter(|path| !path.is_empty() && root.join(path).is_file())
        .map(str::to_owned)
        .collect();
    files.sort_unstable();
    files.dedup();
    Ok(files)
}

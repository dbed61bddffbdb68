//! Pages of the documentation that are made from the code, so that they cannot tell another story.
//!
//! A page is a path and a function that produces its text. It refuses to merge: a generated page
//! is overwritten whole, and words of a person belong into another page that links to it.
//!
//! **Invariant:** the text depends on the source alone, never on the machine or the day.

use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::project::Project;

/// A generated page.
pub(crate) struct Page {
    /// Relative to the root.
    pub(crate) path: &'static str,
    pub(crate) text: fn(&Project) -> Result<String>,
}

/// Every generated page.
pub(crate) const PAGES: &[Page] = &[
    Page { path: "docs/configure.md", text: |project| from_binary(project, "configure") },
    Page { path: "docs/openapi.json", text: |project| from_binary(project, "openapi") },
    Page { path: "docs/milestones.md", text: |project| from_binary(project, "milestones") },
];

/// Writes every page whose text has changed.
pub(crate) fn write(project: &Project) -> Result<()> {
    build_binary(project)?;
    for page in PAGES {
        let text = (page.text)(project).with_context(|| format!("making {}", page.path))?;
        let path = project.root.join(page.path);
        if std::fs::read_to_string(&path).is_ok_and(|old| old == text) {
            println!("as it was  {}", page.path);
            continue;
        }
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(&path, text).with_context(|| format!("writing {}", page.path))?;
        println!("written    {}", page.path);
    }
    Ok(())
}

/// Builds the binary that knows the pages, in the profile that every other command shares.
pub(crate) fn build_binary(project: &Project) -> Result<()> {
    let status =
        project.cargo().args(["build", "--quiet", "--locked", "--package", "verst"]).status();
    if !status.context("cargo did not start")?.success() {
        bail!("the binary `verst` does not build, so its pages cannot be made");
    }
    Ok(())
}

/// What the hidden command `verst docs PAGE` prints.
fn from_binary(project: &Project, page: &str) -> Result<String> {
    let binary = project.metadata.target_directory.join("debug/verst");
    // A test's own settings must not leak into a page about defaults.
    let output = Command::new(&binary)
        .args(["docs", page])
        .env_clear()
        .current_dir(&project.root)
        .output()
        .with_context(|| format!("{binary} did not start"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("`verst docs {page}` ended with {}: {}", output.status, said.trim());
    }
    let text = String::from_utf8(output.stdout).context("the page is not UTF-8")?;
    if text.trim().is_empty() {
        bail!("`verst docs {page}` printed nothing");
    }
    Ok(text)
}

//! The weight of tracked files. Every clone carries every version of a file for ever.
//!
//! The models are the exception: they are what makes the first run work without a download.

use anyhow::Result;

use crate::finding::{Finding, Report};
use crate::project::Project;

const HEAVIEST_BYTES: u64 = 1_000_000;
const EXEMPT: &str = "models/";

pub(crate) fn check(project: &Project) -> Result<Report> {
    let mut sizes = Vec::new();
    for file in &project.files {
        sizes.push((file.as_str(), std::fs::metadata(project.root.join(file))?.len()));
    }
    Ok(judge(&sizes).into())
}

fn judge(sizes: &[(&str, u64)]) -> Vec<Finding> {
    let heavy =
        sizes.iter().filter(|(file, bytes)| *bytes > HEAVIEST_BYTES && !file.starts_with(EXEMPT));
    heavy
        .map(|(file, bytes)| {
            Finding::new(*file, format!("has {bytes} bytes, {HEAVIEST_BYTES} are the limit"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_models_may_be_heavy() {
        let sizes =
            [("models/big.bin", 90_000_000), ("samples/a.ogg", 1_000_000), ("b.wav", 1_000_001)];
        let found: Vec<String> = judge(&sizes).iter().map(ToString::to_string).collect();
        assert_eq!(found, ["b.wav: has 1000001 bytes, 1000000 are the limit"]);
    }
}

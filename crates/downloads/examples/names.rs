//! Reads names, one JSON string a line, and answers each with a line of JSON: for `make interop`.

use std::io::{self, BufRead, Write};

use serde_json::json;
use verst_downloads::names::recognise;

fn main() -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let name: String = serde_json::from_str(&line?)?;
        let it = recognise(&name);
        let date = it.date.map(|(year, month, day)| format!("{year:04}-{month:02}-{day:02}"));
        let answer = json!({
            "sure": it.sure, "title": it.title, "year": it.year,
            "season": it.seasons, "episode": it.episodes, "date": date,
        });
        writeln!(out, "{answer}")?;
    }
    out.flush()
}

//! What was looked at, how it was found, and how that is shown.

use serde::Serialize;
use verst_words::Arg;

use super::Finding;
use crate::tongue::Tongue;

/// How something was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum State {
    /// As it should be.
    Ok,
    /// Works, and could be better.
    Note,
    /// To be mended.
    Bad,
}

/// One thing that was looked at.
#[derive(Debug, Serialize)]
pub(super) struct Look {
    /// Key of its name.
    #[serde(serialize_with = "short")]
    about: &'static str,
    pub(super) state: State,
    text: String,
}

impl Look {
    pub(super) fn new(about: &'static str, state: State, text: String) -> Self {
        Self { about, state, text }
    }

    pub(super) fn of((about, finding): (&'static str, Finding)) -> Self {
        match finding {
            Ok(text) => Self::new(about, State::Ok, text),
            Err(text) => Self::new(about, State::Bad, text),
        }
    }

    fn line(&self, tongue: &Tongue) -> String {
        let mark = match self.state {
            State::Ok => "doctor-ok",
            State::Note => "doctor-note",
            State::Bad => "doctor-bad",
        };
        let (what, mark) = (tongue.say(self.about, &[]), tongue.say(mark, &[]));
        format!("{what}: {mark} — {}\n", self.text)
    }
}

/// For people: a line each, and what it comes to.
pub(super) fn told(looks: &[Look], tongue: &Tongue) -> String {
    let mut text: String = looks.iter().map(|look| look.line(tongue)).collect();
    text.push('\n');
    text.push_str(&match troubles(looks) {
        0 => tongue.say("doctor-all-well", &[]),
        count => tongue.say("doctor-trouble", &[("count", Arg::Int(count))]),
    });
    text.push('\n');
    text
}

/// For scripts.
pub(super) fn json(looks: &[Look]) -> String {
    let answer = serde_json::json!({ "well": troubles(looks) == 0, "findings": looks });
    format!("{answer}\n")
}

/// How many have to be mended.
pub(super) fn troubles(looks: &[Look]) -> i64 {
    let bad = looks.iter().filter(|look| look.state == State::Bad).count();
    i64::try_from(bad).unwrap_or(i64::MAX)
}

fn short<S: serde::Serializer>(about: &&'static str, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(about.trim_start_matches("doctor-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_no_trouble() {
        let look = |state| Look::new("doctor-space", state, "so".to_owned());
        let looks = [look(State::Ok), look(State::Note)];
        assert_eq!(troubles(&looks), 0);
        assert!(told(&looks, &Tongue::new(Some("en"))).contains("Disk space: note — so\n"));
        let looks = [look(State::Note), look(State::Bad)];
        assert_eq!(troubles(&looks), 1);
        let said: serde_json::Value = serde_json::from_str(&json(&looks)).unwrap();
        let finding = |state| serde_json::json!({ "about": "space", "state": state, "text": "so" });
        assert_eq!(
            said,
            serde_json::json!({ "well": false, "findings": [finding("note"), finding("bad")] })
        );
    }
}

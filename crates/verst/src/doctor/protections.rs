//! What FFmpeg and the recogniser are kept from on this machine, found out by trying it.

use std::fs::OpenOptions;

use verst_adapters::confine::{Deed, Trial};
use verst_kernel::Failure;
use verst_recordings::codes;
use verst_words::Arg;

use super::look::{Look, State};
use crate::house::confinement;
use crate::settings::Settings;
use crate::tongue::Tongue;

pub(super) async fn look(settings: &Settings, tongue: &Tongue) -> Look {
    // A file that may be read and written, or a refusal would prove nothing.
    let file = std::env::temp_dir().join(format!("verst-trial-{}", std::process::id()));
    let made = OpenOptions::new().write(true).create_new(true).open(&file);
    let trial = match made {
        Ok(_) => {
            let trial = confinement(settings).trial(&file).await;
            // Gone is gone.
            let _ = std::fs::remove_file(&file);
            trial
        }
        Err(_) => Trial::Failed,
    };
    judge(trial, tongue)
}

fn judge(trial: Trial, tongue: &Tongue) -> Look {
    let (state, text) = match trial {
        Trial::Open(open) if open.is_empty() => (State::Ok, tongue.say("doctor-confined-all", &[])),
        Trial::Open(open) => {
            let open = named(&open, tongue);
            (State::Note, tongue.say("doctor-confined-part", &[("open", Arg::Text(&open))]))
        }
        Trial::Off => (State::Note, tongue.say("doctor-confined-off", &[])),
        Trial::Denied => (State::Bad, tongue.failure(&Failure::new(codes::CONFINEMENT_MISSING))),
        Trial::Failed => (State::Bad, tongue.say("doctor-confined-untried", &[])),
    };
    Look::new("doctor-confined", state, text)
}

fn named(deeds: &[Deed], tongue: &Tongue) -> String {
    let key = |deed: &Deed| match deed {
        Deed::Reading => "doctor-open-reading",
        Deed::Writing => "doctor-open-writing",
        Deed::Network => "doctor-open-network",
        Deed::Starting => "doctor-open-starting",
    };
    deeds.iter().map(|deed| tongue.say(key(deed), &[])).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::look::told;
    use super::*;

    #[test]
    fn what_is_not_prevented_is_named() {
        let tongue = Tongue::new(Some("en"));
        for (trial, state, part) in [
            (Trial::Open(Vec::new()), State::Ok, "no network"),
            (
                Trial::Open(vec![Deed::Reading, Deed::Writing]),
                State::Note,
                "not prevented here: reading other files, writing other files.",
            ),
            (Trial::Off, State::Note, "turned off"),
            (Trial::Denied, State::Bad, "recordings wait"),
            (Trial::Failed, State::Bad, "could not be tried"),
        ] {
            let look = judge(trial, &tongue);
            assert_eq!(look.state, state);
            let text = told(&[look], &tongue);
            assert!(text.contains(part), "{text}");
        }
    }
}

//! One setting moves everything but the audio to a PostgreSQL server.

use verst_testkit::Schema;

use super::support::{Place, models, sample};

fn settings(address: &str) -> String {
    format!("database = \"{address}\"\nmodels = \"{}\"\n", models().display())
}

#[test]
fn process_keeps_recordings_on_the_server_that_is_named() {
    let schema = Schema::create();
    let place = Place::with_settings(&settings(schema.address()));
    let file = sample("two-cities-en.ogg");
    let output = place.run(&["transcribe", &file]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && said.contains("best of times"), "{output:?}");
    assert!(!place.data().join("verst.sqlite").exists());
}

#[test]
fn process_says_which_server_trouble_it_has_and_no_password() {
    let place = Place::with_settings(&settings("postgres://verst:geheim@127.0.0.1:1/verst"));
    let output = place.run(&["transcribe", &sample("two-cities-en.ogg")]);
    assert_eq!(output.status.code(), Some(3));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("The database server cannot be used"), "{said}");
    assert!(!said.contains("geheim"), "{said}");
}

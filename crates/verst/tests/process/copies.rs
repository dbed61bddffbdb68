//! From one machine to a server: the database is copied, the work goes on there.

use verst_testkit::Schema;

use super::support::{Place, clip, models, sample};

fn err(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn on_server(schema: &Schema) -> String {
    format!("database = \"{}\"\nmodels = \"{}\"\n", schema.address(), models().display())
}

#[test]
fn process_moves_an_installation_to_a_server_and_goes_on_there() {
    let (place, schema) = (Place::new(), Schema::create());
    let refused = place.run(&["copy-database"]);
    assert_eq!(refused.status.code(), Some(3));
    assert!(err(&refused).contains("nowhere to copy to"), "{}", err(&refused));
    assert!(place.run(&["transcribe", &sample("server-ru.ogg")]).status.success());
    assert!(place.run(&["submit", &clip(&place, 0)]).status.success());

    place.set(&on_server(&schema));
    let started_early = place.serve().terminate();
    assert!(started_early.2.iter().any(|line| line.contains("verst copy-database")));
    let copied = place.run(&["copy-database"]);
    let said = String::from_utf8_lossy(&copied.stdout).into_owned();
    assert!(copied.status.success(), "{}", err(&copied));
    assert!(said.contains("recording\t2\n") && said.contains("transcript\t1\n"), "{said}");
    let again = place.run(&["copy-database"]);
    assert_eq!(again.status.code(), Some(3));
    assert!(err(&again).contains("already has recordings"), "{}", err(&again));

    let mut service = place.serve();
    service.wait_for(&["milestone reached", "\"reached\":\"done\""]);
    assert_eq!(service.terminate().0, Some(0));
    let shown = String::from_utf8_lossy(&place.run(&["show", "1"]).stdout).into_owned();
    assert!(shown.contains("Сегодня"), "{shown}");
}

/// What a visitor hands in to the file after it was copied would never be worked on.
#[test]
fn process_does_not_copy_beside_a_command_that_hands_in() {
    let (place, schema) = (Place::new(), Schema::create());
    assert!(place.run(&["submit", &clip(&place, 0)]).status.success());
    let mut command = place.command(&["submit", "-"]);
    command.stdin(std::process::Stdio::piped());
    let visitor = Place::spawn(command);
    let scratch = place.data().join("scratch");
    while std::fs::read_dir(&scratch).unwrap().next().is_none() {
        std::thread::yield_now();
    }
    place.set(&on_server(&schema));
    let refused = place.run(&["copy-database"]);
    assert_eq!(refused.status.code(), Some(3));
    assert!(err(&refused).contains("still under way"), "{}", err(&refused));
    visitor.kill();
    assert!(place.run(&["copy-database"]).status.success());
}

/// Audio in a place that the rows do not mean would be missed, one recording after the other.
#[test]
fn process_refuses_another_place_for_audio_until_the_audio_is_moved() {
    let place = Place::with_settings("workers = 0\n");
    assert!(place.run(&["submit", &clip(&place, 0)]).status.success());
    let shared = place.path().join("shared");
    std::fs::create_dir(&shared).unwrap();
    let elsewhere = format!("workers = 0\nobjects = \"{}\"\n", shared.display());
    place.set(&elsewhere);
    let refused = place.run(&["serve"]);
    assert_eq!(refused.status.code(), Some(3));
    assert!(err(&refused).contains("another place"), "{}", err(&refused));
    let schema = Schema::create();
    place.set(&format!("{elsewhere}database = \"{}\"\n", schema.address()));
    let refused = place.run(&["copy-database"]);
    assert_eq!(refused.status.code(), Some(3));
    assert!(err(&refused).contains("another place"), "{}", err(&refused));

    place.set(&elsewhere);
    std::fs::remove_file(shared.join("home")).unwrap();
    std::fs::remove_dir(&shared).unwrap();
    std::fs::rename(place.data().join("objects"), &shared).unwrap();
    assert_eq!(place.serve().terminate().0, Some(0));
    place.set("workers = 0\n");
    assert_eq!(place.run(&["serve"]).status.code(), Some(3));
}

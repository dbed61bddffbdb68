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

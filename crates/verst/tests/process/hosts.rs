//! Several hosts on one database and one bucket: processes with data directories of their own.

use std::sync::Arc;
use std::time::Duration;

use rustix::process::Signal;
use verst_testkit::{S3, Schema};

use super::support::{Place, Running, clip, models};

/// Longer than any lease.
const LEASES_OVER: Duration = Duration::from_hours(3);

fn err(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What the hosts share.
struct Shared {
    schema: Arc<Schema>,
    s3: S3,
}

impl Shared {
    fn new() -> Self {
        Self { schema: Schema::create(), s3: S3::start() }
    }

    fn host(&self) -> Place {
        let settings = format!(
            "database = \"{}\"\nmodels = \"{}\"\nworkers = 2\nthreads = 1\npause_base_s = 1\n{}",
            self.schema.address(),
            models().display(),
            self.s3.settings()
        );
        Place::with_settings(&settings)
    }

    fn number(&self, sql: &str) -> i64 {
        self.schema.ask(sql).unwrap().parse().unwrap()
    }

    /// Waits until a query counts as many.
    fn wait_until(&self, sql: &str, count: i64) {
        // The server sets the pace: a question without a pause would take the processors that the
        // recogniser needs.
        while self.number(sql) != count {
            self.schema.execute("SELECT pg_sleep(0.1)".to_owned());
        }
    }

    /// Each recording went each step of its way once, and all their texts are there.
    fn all_went_their_way_once(&self, recordings: i64) {
        assert_eq!(self.number("SELECT count(*) FROM work WHERE milestone = 'done'"), recordings);
        let advanced = "SELECT count(*) FROM journal WHERE event = 'advanced'";
        assert_eq!(self.number(advanced), 4 * recordings, "no step was settled twice");
        assert_eq!(self.number("SELECT count(*) FROM journal"), 4 * recordings);
        assert_eq!(self.number("SELECT count(*) FROM transcript"), recordings);
        let twice = "SELECT count(*) FROM attempt";
        assert_eq!(self.number(twice), recordings, "no recognition was begun twice");
        assert_eq!(self.number("SELECT count(*) FROM notice"), 0);
    }
}

/// Waits until a host works on something, and freezes it there.
fn freeze(host: &mut Running, shared: &Shared, instance: &str) {
    let held = format!("SELECT count(*) FROM work WHERE holder = '{instance}'");
    loop {
        host.wait_for(&["step started"]);
        host.signal(Signal::STOP);
        if shared.number(&held) > 0 {
            return;
        }
        host.signal(Signal::CONT);
    }
}

fn instance(place: &Place) -> String {
    std::fs::read_to_string(place.data().join("instance")).unwrap().trim().to_owned()
}

#[test]
fn process_on_three_hosts_one_frozen_and_one_killed_loses_nothing() {
    const RECORDINGS: i64 = 9;
    let shared = Shared::new();
    let places = [shared.host(), shared.host(), shared.host()];
    let [mut frozen, mut killed, survivor] = places.each_ref().map(Place::serve);
    for (place, from) in places.iter().cycle().zip(0..).take(9) {
        let submitted = place.run(&["submit", &clip(place, from * 2)]);
        assert!(submitted.status.success(), "{}", err(&submitted));
    }
    freeze(&mut frozen, &shared, &instance(&places[0]));
    freeze(&mut killed, &shared, &instance(&places[1]));
    killed.kill();
    // The survivor does what is free. What the two hold is waited for, until the leases are over.
    let held = "SELECT count(*) FROM work WHERE holder IS NOT NULL";
    let done = "SELECT count(*) FROM work WHERE milestone = 'done'";
    let theirs = shared.number(held);
    shared.wait_until(&format!("{held} AND holder <> '{}'", instance(&places[2])), theirs.min(4));
    shared.schema.put_forward(LEASES_OVER);
    shared.wait_until(done, RECORDINGS);

    let before = shared.number("SELECT sum(fence)::bigint FROM work");
    frozen.signal(Signal::CONT);
    frozen.wait_for(&["the claim went to another"]);
    assert_eq!(frozen.terminate().0, Some(0));
    assert_eq!(shared.number("SELECT sum(fence)::bigint FROM work"), before, "it wrote nothing");
    assert_eq!(survivor.terminate().0, Some(0));
    shared.all_went_their_way_once(RECORDINGS);
}

#[test]
fn process_of_a_copied_installation_waits_for_the_end_of_the_other() {
    let shared = Shared::new();
    let (first, second) = (shared.host(), shared.host());
    let running = first.serve();
    std::fs::copy(first.data().join("instance"), second.data().join("instance")).unwrap();
    let mut twin = second.start(&["serve"]);
    twin.wait_for(&["still counts this installation as running"]);
    assert_eq!(running.terminate().0, Some(0));
    twin.wait_for(&["Verst works in"]);
    assert_eq!(twin.terminate().0, Some(0));
}

#[test]
fn process_refuses_to_work_where_the_audio_is_not() {
    let schema = Schema::create();
    let settings = format!("database = \"{}\"\n", schema.address());
    let (first, second) = (Place::with_settings(&settings), Place::with_settings(&settings));
    assert_eq!(first.serve().terminate().0, Some(0));
    for args in [&["serve"][..], &["submit", &clip(&second, 0)]] {
        let refused = second.run(args);
        assert_eq!(refused.status.code(), Some(3), "{args:?}");
        assert!(err(&refused).contains("audio in another place"), "{}", err(&refused));
    }
    // Nor does another database take what belongs to this one.
    let shared = first.data().join("objects");
    let stranger = Place::with_settings(&format!("objects = \"{}\"\n", shared.display()));
    let refused = stranger.run(&["serve"]);
    assert_eq!(refused.status.code(), Some(3));
    assert!(err(&refused).contains("belongs to another database"), "{}", err(&refused));
    // A directory that both see is as good as a bucket.
    let shared = first.data().join("objects");
    second.set(&format!("{settings}objects = \"{}\"\n", shared.display()));
    assert_eq!(second.serve().terminate().0, Some(0));
    second.set(&format!("{settings}objects = \"relative\"\n"));
    let refused = second.run(&["serve"]);
    assert!(err(&refused).contains("absolute path"), "{}", err(&refused));
}

/// A bucket that does not answer is no failure of any recording.
#[test]
fn process_waits_for_a_bucket_that_is_gone() {
    let mut shared = Shared::new();
    let place = shared.host();
    let mut service = place.serve();
    shared.s3.stop();
    let refused = place.run(&["submit", &clip(&place, 0)]);
    assert_eq!(refused.status.code(), Some(3), "{}", err(&refused));
    shared.s3.start_again();
    service.signal(Signal::STOP);
    assert!(place.run(&["submit", &clip(&place, 0)]).status.success());
    shared.s3.stop();
    service.signal(Signal::CONT);
    service.wait_for(&["trouble that is not the recording's", "objects_unreachable"]);
    shared.wait_until("SELECT failures FROM work", 0);
    shared.s3.start_again();
    service.wait_for(&["milestone reached", "\"reached\":\"done\""]);
    assert_eq!(service.terminate().0, Some(0));
}

#[test]
fn process_trusts_a_server_whose_certificate_is_vouched_for_and_no_other() {
    let shared = Shared::new();
    let data = shared.schema.ask("SHOW data_directory").unwrap();
    let authority = std::path::Path::new(&data).parent().unwrap().join("ca.pem");
    let by_name = shared.schema.address().replace("127.0.0.1", "localhost");
    let cases = [
        (by_name.as_str(), true, true),
        (by_name.as_str(), false, false),
        (shared.schema.address(), true, false),
    ];
    for (address, vouched, trusted) in cases {
        let place = Place::with_settings(&format!("database = \"{address}&sslmode=require\"\n"));
        let mut command = place.command(&["migrate"]);
        if vouched {
            command.env("SSL_CERT_FILE", &authority);
        }
        let output = command.output().unwrap();
        assert_eq!(output.status.success(), trusted, "{vouched} {}", err(&output));
        assert!(trusted || err(&output).contains("certificate"), "{}", err(&output));
    }
}

//! Three hosts on one database and one bucket.

use std::time::{Duration, Instant};

use verst_testkit::S3;

use crate::binary::{Place, call, recordings, told};
use crate::riot::{Host, drain, riot};
use crate::server::Server;
use crate::{dice, setting};

/// Notes every write of a part, with the claim that it belongs to.
const WATCH_PARTS: &str = "
    CREATE TABLE soak_part (attempt bigint, position bigint, fence bigint);
    CREATE FUNCTION soak_watch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO soak_part SELECT NEW.attempt_id, NEW.position, w.fence
            FROM attempt a JOIN work w ON w.id = a.recording_id WHERE a.id = NEW.attempt_id;
        RETURN NEW; END $$;
    CREATE TRIGGER soak_watch AFTER INSERT OR UPDATE ON part
        FOR EACH ROW EXECUTE FUNCTION soak_watch()";

const MOVING: &str = "SELECT count(*) FROM work WHERE stopped_at IS NULL AND milestone <> 'done'";

pub(crate) fn soak(kills: u64) {
    let mut dice = dice(2);
    let (server, s3) = (Server::start(), S3::start());
    let settings = format!("database = \"{}\"\nworkers = 2\n{}", server.address, s3.settings());
    let places: Vec<Place> = (0..3).map(|_| Place::new(&settings)).collect();
    assert!(places[0].command(&["migrate"]).status().unwrap().success());
    server.ask(WATCH_PARTS);
    let audio = tempfile::tempdir().unwrap();
    let files = recordings(audio.path(), (kills / 4).max(10));
    // The first makes the bucket's id; the others find it.
    assert!(places[0].submit(&files[0]).is_some());
    let host = |place: &Place| {
        let data = place.data();
        Host::start(&place.log(), move || call(&data, &["serve"]))
    };
    let mut hosts: Vec<Host> = places.iter().map(host).collect();

    let mut next = files.iter().skip(1);
    let mut accepted = 1;
    let begun = Instant::now();
    let idle = server.idle_in_transaction();
    riot(&mut hosts, &mut dice, kills, (100, 3000), |n, dice| {
        if n % 4 == 0
            && let Some(file) = next.next()
        {
            let place = &places[dice.usize(..places.len())];
            accepted += u64::from(place.submit(file).is_some());
        }
        if n % 10 == 7 {
            server.cut_connections(dice.u64(1..6));
        }
        if n % 25 == 20 {
            server.put_forward();
        }
    });
    let idle_for = Duration::from_secs(setting("VERST_SOAK_IDLE_S", 600));
    std::thread::sleep(idle_for.saturating_sub(begun.elapsed()));
    eprintln!("a transaction was open for {} s", begun.elapsed().as_secs());
    drop(idle);
    for how in ["fast", "immediate", "fast"] {
        server.restart(how);
        riot(&mut hosts, &mut dice, 3, (100, 2000), |_, _| {});
    }
    // What a host held that was killed comes back with the end of its lease.
    let mut looks = 0;
    drain(&mut hosts, || {
        looks += 1;
        if looks % 60 == 0 {
            server.put_forward();
        }
        server.number(MOVING)
    });
    for host in &mut hosts {
        host.kill();
    }

    server.check(accepted);
    let parts = server.number("SELECT count(*) FROM soak_part");
    let once =
        server.number("SELECT count(*) FROM (SELECT DISTINCT attempt, position FROM soak_part) p");
    let logs: Vec<String> = hosts.iter().map(Host::said).collect();
    let told = told(logs.iter().map(String::as_str));
    let twice = told.values().filter(|count| **count > 1).count();
    eprintln!(
        "parts written {parts}, of them different {once}; told {}, twice {twice}",
        told.len()
    );
    assert!(parts > 0);
    assert_eq!(parts, once, "a slice was written by two claims");
    assert_eq!(twice, 0);
}

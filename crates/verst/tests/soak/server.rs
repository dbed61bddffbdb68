//! A PostgreSQL server of the soak's own, asked through `psql`, which minds no restart.

use std::io::Write;
use std::process::{Child, Command, Stdio};

pub(crate) struct Server {
    dir: tempfile::TempDir,
    pub(crate) address: String,
}

fn script(args: &[&str]) -> String {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/postgres");
    let output = Command::new(script).args(args).stderr(Stdio::inherit()).output().unwrap();
    assert!(output.status.success(), "scripts/postgres {args:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

impl Server {
    pub(crate) fn start() -> Self {
        let dir = tempfile::tempdir().unwrap();
        // The server runs as another user.
        let open = std::os::unix::fs::PermissionsExt::from_mode(0o711);
        std::fs::set_permissions(dir.path(), open).unwrap();
        let address = script(&["start", dir.path().join("pg").to_str().unwrap()]);
        Self { dir, address }
    }

    /// Ends it under load, in order or as a crash, and starts it again.
    pub(crate) fn restart(&self, how: &str) {
        script(&["restart", self.dir.path().join("pg").to_str().unwrap(), how]);
    }

    /// The rows of a query, columns apart by `|`.
    pub(crate) fn ask(&self, sql: &str) -> String {
        let output = Command::new("psql")
            .args([&self.address, "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", sql])
            .output()
            .unwrap();
        assert!(output.status.success(), "{sql}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    pub(crate) fn number(&self, sql: &str) -> u64 {
        self.ask(sql).parse().unwrap()
    }

    /// Ends connections of the hosts at random.
    pub(crate) fn cut_connections(&self, how_many: u64) {
        self.ask(&format!(
            "SELECT count(pg_terminate_backend(pid)) FROM (
                 SELECT pid FROM pg_stat_activity WHERE application_name = 'verst'
                 ORDER BY random() LIMIT {how_many}) AS chosen"
        ));
    }

    /// Puts the clock of every host forward past every lease.
    pub(crate) fn put_forward(&self) {
        self.ask(
            "CREATE TABLE IF NOT EXISTS soak_skew (us bigint);
             INSERT INTO soak_skew VALUES (3 * 3600 * 1000000::bigint);
             CREATE OR REPLACE FUNCTION verst_now() RETURNS bigint LANGUAGE sql VOLATILE
                 AS 'SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
                         + (SELECT coalesce(sum(us), 0)::bigint FROM soak_skew)'",
        );
    }

    /// A transaction that has read and does nothing more, until the value goes.
    pub(crate) fn idle_in_transaction(&self) -> Idle {
        let mut child = Command::new("psql")
            .args([&self.address, "-XAtq"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let open = b"BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM work;\n";
        child.stdin.as_mut().unwrap().write_all(open).unwrap();
        Idle(child)
    }

    /// What has to hold on the server when all is quiet.
    pub(crate) fn check(&self, accepted: u64) {
        let finished = self.number("SELECT count(*) FROM work WHERE milestone = 'done'");
        let stopped = self.number("SELECT count(*) FROM work WHERE stopped_at IS NOT NULL");
        let all = self.number("SELECT count(*) FROM work");
        let twice = self.number(
            "SELECT count(*) FROM (SELECT 1 FROM journal WHERE event = 'advanced'
                 GROUP BY work_id, milestone HAVING count(*) > 1) t",
        );
        let texts = self.number("SELECT count(*) FROM transcript");
        let notices = self.number("SELECT count(*) FROM notice");
        eprintln!(
            "accepted {accepted} of {all}; finished {finished}, stopped {stopped}; \
             steps settled twice {twice}; notices left {notices}"
        );
        assert!(all >= accepted, "a recording that was accepted is gone");
        assert_eq!(finished + stopped, all);
        assert_eq!(twice, 0);
        assert!(texts >= finished);
        assert!(finished > 0);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        script(&["stop", self.dir.path().join("pg").to_str().unwrap()]);
    }
}

/// An open transaction.
pub(crate) struct Idle(Child);

impl Drop for Idle {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

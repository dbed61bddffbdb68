//! What one claim costs the database, in two databases that differ in their finished rows.
//!
//! Claims are undone, so that all begin from the same rows, and the databases take turns, so that
//! both see the same machine.

use std::time::{Duration, Instant};

use rusqlite::{Connection, StatementStatus, params};
use serde_json::Value;
use verst_kernel::Clock;

use crate::place::{self, Now};
use crate::sql;

const ROUNDS: usize = 20;
const CLAIMS: usize = 200;

/// Of one database.
#[derive(Debug, Default)]
struct Cost {
    plan: String,
    /// Virtual machine steps on SQLite, pages looked at on PostgreSQL; of each claim.
    steps: Vec<u64>,
    nanos: Vec<u64>,
}

impl Cost {
    fn json(&self) -> String {
        let (least, most) = (self.steps.iter().min(), self.steps.iter().max());
        format!(
            "{{\"plan\":{},\"steps\":[{},{}],\"us\":{:.2}}}",
            Value::from(&*self.plan),
            least.expect("some"),
            most.expect("some"),
            self.us()
        )
    }

    fn us(&self) -> f64 {
        let mut sorted = self.nanos.clone();
        sorted.sort_unstable();
        sorted[sorted.len() / 2] as f64 / 1000.0
    }
}

pub async fn run(one: &str, other: &str) {
    let (system, one, other) = if place::is_postgres(one) {
        let [one, other] = postgres([one, other]).await;
        ("verst-postgres", one, other)
    } else {
        let [one, other] = sqlite([one, other]);
        ("verst-sqlite", one, other)
    };
    println!(
        "{{\"system\":\"{system}\",\"mode\":\"steps\",\"same_plan\":{},\"time_ratio\":{:.3},\
         \"one\":{},\"other\":{}}}",
        one.plan == other.plan,
        other.us() / one.us(),
        one.json(),
        other.json()
    );
}

fn sqlite(files: [&str; 2]) -> [Cost; 2] {
    let databases = files.map(|file| {
        let db = Connection::open(file).expect("it opens");
        db.pragma_update(None, "foreign_keys", true).expect("as the store sets it");
        db
    });
    let mut costs = [0, 1].map(|i| Cost { plan: sqlite_plan(&databases[i]), ..Cost::default() });
    for _ in 0..ROUNDS {
        for (db, cost) in databases.iter().zip(&mut costs) {
            let mut claim = db.prepare_cached(sql::sqlite_claim()).expect("a statement");
            // Many rows, and not one many times: one may lie where each claim of it splits a page.
            db.execute_batch("BEGIN IMMEDIATE").expect("begin");
            for _ in 0..CLAIMS {
                claim.reset_status(StatementStatus::VmStep);
                let began = Instant::now();
                let values = params!["bench", Now.now().0];
                claim.query_row(values, |row| row.get::<_, i64>(0)).expect("there is work");
                cost.nanos.push(nanos(began.elapsed()));
                let steps = claim.get_status(StatementStatus::VmStep);
                cost.steps.push(u64::try_from(steps).expect("a count"));
            }
            db.execute_batch("ROLLBACK").expect("rollback");
        }
    }
    costs
}

fn sqlite_plan(db: &Connection) -> String {
    let mut plan =
        db.prepare(&format!("EXPLAIN QUERY PLAN {}", sql::sqlite_claim())).expect("a statement");
    let lines = plan.query_map(params!["bench", 0], |row| row.get::<_, String>(3)).expect("a plan");
    lines.collect::<Result<Vec<_>, _>>().expect("a plan").join("; ")
}

async fn postgres(addresses: [&str; 2]) -> [Cost; 2] {
    let databases = [place::connect(addresses[0]).await, place::connect(addresses[1]).await];
    let mut costs = [Cost::default(), Cost::default()];
    for db in &databases {
        let prepare = format!("PREPARE claim (text) AS {}", sql::postgres_claim());
        db.batch_execute(&prepare).await.expect("a statement");
    }
    for _ in 0..ROUNDS {
        for (db, cost) in databases.iter().zip(&mut costs) {
            for _ in 0..CLAIMS / 10 {
                db.batch_execute("BEGIN").await.expect("begin");
                let explain = "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE claim ('bench')";
                let row = db.query_one(explain, &[]).await.expect("a plan");
                db.batch_execute("ROLLBACK").await.expect("rollback");
                let told: Explained = row.get(0);
                let explained: Value = serde_json::from_str(&told.0).expect("JSON");
                let plan = &explained[0]["Plan"];
                let page = |kind: &str| plan[kind].as_u64().expect("a count");
                cost.steps.push(page("Shared Hit Blocks") + page("Shared Read Blocks"));
                let ms = explained[0]["Execution Time"].as_f64().expect("a time");
                cost.nanos.push(nanos(Duration::from_secs_f64(ms / 1000.0)));
                cost.plan = shape(plan);
            }
        }
    }
    costs
}

/// Nodes, the indexes they use and the rows they brought, as one line.
fn shape(plan: &Value) -> String {
    let text = |key: &str| plan[key].as_str().unwrap_or_default().to_owned();
    let rows = &plan["Actual Rows"];
    let mut line =
        format!("{} {}{} rows={rows}", text("Node Type"), text("Index Name"), text("CTE Name"));
    if let Some(below) = plan["Plans"].as_array() {
        let below: Vec<String> = below.iter().map(shape).collect();
        line = format!("{line} ({})", below.join(", "));
    }
    line
}

/// The driver reads JSON only with a feature that nothing else here needs.
struct Explained(String);

impl<'a> tokio_postgres::types::FromSql<'a> for Explained {
    fn from_sql(
        _: &tokio_postgres::types::Type,
        raw: &'a [u8],
    ) -> Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        Ok(Self(String::from_utf8(raw.to_owned())?))
    }

    fn accepts(kind: &tokio_postgres::types::Type) -> bool {
        *kind == tokio_postgres::types::Type::JSON
    }
}

fn nanos(took: Duration) -> u64 {
    u64::try_from(took.as_nanos()).expect("a short time")
}

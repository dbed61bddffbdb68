//! Transactions that meet in the middle: doors in the database hold one until another has come.

use super::*;

/// A transaction that hangs, wherever it came from, holds up its own row and nothing else.
#[tokio::test]
async fn a_claim_passes_a_row_that_somebody_has_locked() {
    let schema = Schema::create();
    let store = open(&schema).await.unwrap();
    let (first, second) = (accept(&store).await.unwrap(), accept(&store).await.unwrap());
    let mut db = look(&schema).await;
    let hanging = db.transaction().await.unwrap();
    hanging.query("SELECT id FROM work WHERE id = $1 FOR UPDATE", &[&first.0]).await.unwrap();
    let here = Instance("here".to_owned());
    assert_eq!(store.claim(&here).await.unwrap().unwrap().id(), second);
    assert_eq!(store.claim(&here).await.unwrap(), None);
    hanging.rollback().await.unwrap();
    assert_eq!(store.claim(&here).await.unwrap().unwrap().id(), first);
}

/// A door that a test holds: before the database's clock...
const BEFORE_CLOCK: &str = "
    CREATE OR REPLACE FUNCTION verst_now() RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_advisory_xact_lock_shared(hashtextextended(current_schema(), 1));
        RETURN (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;
    END $$";
/// ...or before a new attempt.
const BEFORE_ATTEMPT: &str = "
    CREATE FUNCTION door() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_advisory_xact_lock_shared(hashtextextended(current_schema(), 1));
        RETURN new;
    END $$;
    CREATE TRIGGER door BEFORE INSERT ON attempt FOR EACH ROW EXECUTE FUNCTION door()";

/// A store, a connection of the test's own, and a door inside the database.
struct Doorway {
    schema: Arc<Schema>,
    store: Postgres,
    db: Client,
}

impl Doorway {
    async fn closed(schema: Arc<Schema>, store: Postgres, door: &str) -> Self {
        schema.execute(door.to_owned());
        let db = look(&schema).await;
        let close = "SELECT pg_advisory_lock(hashtextextended(current_schema(), 1))";
        db.query(close, &[]).await.unwrap();
        Self { schema, store, db }
    }

    /// A store whose connections can be told from those of other tests.
    async fn store(schema: &Schema) -> Postgres {
        let address = format!("{}&application_name={}", schema.address(), schema.name());
        Postgres::open(&address, Durability::Full, &LINE.stages()).await.unwrap()
    }

    /// Waits until so many operations wait, at the door or for one who does.
    async fn wait_for(&self, count: i64) {
        let waiting = "SELECT count(*) FROM pg_stat_activity
                       WHERE application_name = $1 AND wait_event = 'advisory'";
        let waiting = async {
            while self.db.query_one(waiting, &[&self.schema.name()]).await.unwrap().get::<_, i64>(0)
                < count
            {}
        };
        timeout(PATIENCE, waiting).await.expect("they come to the door");
    }

    async fn open(&self) {
        let open = "SELECT pg_advisory_unlock(hashtextextended(current_schema(), 1))";
        self.db.query(open, &[]).await.unwrap();
    }
}

/// A claim sees the rows as they were when it began, and locks them as they are.
#[tokio::test]
async fn a_claim_takes_work_that_moved_on_since_it_began() {
    let schema = Schema::create();
    let store = Doorway::store(&schema).await;
    let id = accept(&store).await.unwrap();
    let door = Doorway::closed(schema, store, BEFORE_CLOCK).await;
    let asking = door.store.clone();
    let claim = tokio::spawn(async move { asking.claim(&Instance("here".to_owned())).await });
    door.wait_for(1).await;
    door.db.execute("UPDATE work SET milestone = 'submitted', fence = 7", &[]).await.unwrap();
    door.open().await;

    let claim = claim.await.unwrap().unwrap().expect("it is ready all the same");
    assert_eq!((claim.id(), claim.fence().0), (id, 8));
    let lease = "SELECT lease_us, ready_at - claimed_at FROM work";
    let row = door.db.query_one(lease, &[]).await.unwrap();
    let stages = LINE.stages();
    let stage = stages.iter().find(|stage| stage.name == "submitted").unwrap();
    let lease_us = i64::try_from(stage.lease.as_micros()).unwrap();
    assert_eq!((row.get::<_, i64>(0), row.get::<_, i64>(1)), (lease_us, lease_us));
}

/// Both saw the same row as the next one.
#[tokio::test]
async fn two_claims_that_begin_at_the_same_moment_share_nothing() {
    let schema = Schema::create();
    let store = Doorway::store(&schema).await;
    accept(&store).await.unwrap();
    let door = Doorway::closed(schema, store, BEFORE_CLOCK).await;
    let asking = [(); 2].map(|()| {
        let store = door.store.clone();
        tokio::spawn(async move { store.claim(&Instance("here".to_owned())).await.unwrap() })
    });
    door.wait_for(2).await;
    door.open().await;
    let claims = join_all(asking).await;
    assert_eq!(claims.into_iter().filter_map(Result::unwrap).count(), 1);
}

/// Waits until the store waits for a row, or is done without.
pub(super) async fn wait_for_a_lock(watch: &Client, schema: &Schema, is_done: impl Fn() -> bool) {
    let waits = "SELECT count(*) FROM pg_stat_activity
                 WHERE application_name = $1 AND wait_event_type = 'Lock'";
    while !is_done()
        && watch.query_one(waits, &[&schema.name()]).await.unwrap().get::<_, i64>(0) == 0
    {}
}

/// A person's stop, a restart, another claim: whoever moves the fence has the row first, and the
/// holder comes while that is not committed yet.
#[tokio::test]
async fn a_holder_waits_for_whoever_moves_the_fence_and_has_lost_then() {
    let schema = Schema::create();
    let store = Arc::new(Doorway::store(&schema).await);
    let mut db = look(&schema).await;
    let watch = look(&schema).await;
    let audio = Audio { key: "x".to_owned(), duration: Duration::from_secs(1), level_db: None };
    let product = Product::Normalised { audio, warnings: Vec::new() };
    for verb in ["settle", "settle with a product", "note", "open an attempt"] {
        accept(&store).await.unwrap();
        let claim = store.claim(&Instance("here".to_owned())).await.unwrap().unwrap();
        let mover = db.transaction().await.unwrap();
        mover.execute("UPDATE work SET fence = fence + 1", &[]).await.unwrap();
        let (store, written) = (Arc::clone(&store), product.clone());
        let holder = tokio::spawn(async move {
            let change = advance("normalized");
            match verb {
                "settle" => store.settle(&claim, &change).await.unwrap() == Settled::Lost,
                "note" => store.note(&claim, written).await.unwrap() == Noted::Lost,
                "open an attempt" => {
                    let second = Duration::from_secs(1);
                    let opened = store.open_attempt(&claim, "x", Lanes::Unlimited, second).await;
                    opened.unwrap() == Admission::Lost
                }
                _ => {
                    let change = Change { product: Some(written.into()), ..change };
                    store.settle(&claim, &change).await.unwrap() == Settled::Lost
                }
            }
        });
        wait_for_a_lock(&watch, &schema, || holder.is_finished()).await;
        mover.commit().await.unwrap();
        assert!(holder.await.unwrap(), "{verb}");
    }
}

/// An answer needs no claim. A removal has the attempt's row first, then its calls': whoever took
/// them in the other order would wait for it while it waits. A restart closes the attempt.
#[tokio::test]
async fn an_answer_waits_for_whoever_has_the_attempt_before_it_takes_its_call() {
    let schema = Schema::create();
    let store = Arc::new(Doorway::store(&schema).await);
    let mut db = look(&schema).await;
    let watch = look(&schema).await;
    for (mover, kept) in
        [("SELECT 1 FROM attempt FOR UPDATE", 1), ("UPDATE attempt SET closed_at = 1", 0)]
    {
        accept(&store).await.unwrap();
        let claim = store.claim(&Instance("here".to_owned())).await.unwrap().unwrap();
        let second = Duration::from_secs(1);
        let opened = store.open_attempt(&claim, "x", Lanes::Unlimited, second).await.unwrap();
        let Admission::Opened(attempt) = opened else { panic!("{opened:?}") };
        let call = Call { index: 0, from_ms: 0, until_ms: 1000 };
        let call = store.open_call(&claim, attempt, call).await.unwrap().unwrap();
        let tx = db.transaction().await.unwrap();
        tx.execute(mover, &[]).await.unwrap();
        let part = Part { index: 0, segments: Vec::new(), language: None };
        let answering = Arc::clone(&store);
        let answer = tokio::spawn(async move { answering.keep_answer(attempt, call, &part).await });
        wait_for_a_lock(&watch, &schema, || answer.is_finished()).await;
        tx.execute("SELECT 1 FROM call FOR UPDATE NOWAIT", &[]).await.expect("nobody has it");
        tx.commit().await.unwrap();
        answer.await.unwrap().unwrap();
        assert_eq!(store.parts(attempt).await.unwrap().len(), kept, "{mover}");
    }
}

/// Whoever writes the card has it first, and the edit comes while that is not committed yet.
#[tokio::test]
async fn an_edit_waits_for_a_transcript_and_keeps_what_was_said() {
    let schema = Schema::create();
    let store = Arc::new(Doorway::store(&schema).await);
    let mut db = look(&schema).await;
    let watch = look(&schema).await;
    let id = accept(&store).await.unwrap();
    let said = Segment { start_ms: 0, end_ms: 1, text: "договор".to_owned(), speaker: None };
    let places = Card::new(&[said], &[1]).write();
    let transcript = db.transaction().await.unwrap();
    transcript.execute("UPDATE card SET places = $1", &[&places]).await.unwrap();
    let editing = Arc::clone(&store);
    let edited = tokio::spawn(async move {
        let edit = Edit { title: Some("встреча".to_owned()), ..Edit::default() };
        editing.edit(id, edit).await
    });
    wait_for_a_lock(&watch, &schema, || edited.is_finished()).await;
    transcript.commit().await.unwrap();
    assert!(edited.await.unwrap().unwrap());
    let search = Some(Query::new("договор встреча").unwrap());
    let found = store.list(Filter { search, limit: 9, ..Filter::default() }).await.unwrap();
    assert_eq!(found.len(), 1, "by both");
}

/// The older one comes back from a pause, which held nobody up, when the next one asks as well.
#[tokio::test]
async fn a_lane_takes_one_of_two_that_ask_at_the_same_moment() {
    let schema = Schema::create();
    let store = Doorway::store(&schema).await;
    let mut claims = Vec::new();
    for failed in [Some(Failure::new("provider_failed")), None] {
        accept(&store).await.unwrap();
        let claim = store.claim(&Instance("here".to_owned())).await.unwrap().unwrap();
        let audio =
            Audio { key: "x".to_owned(), duration: Duration::from_hours(1), level_db: None };
        let product = Some(Product::Normalised { audio, warnings: Vec::new() }.into());
        let change = Change { product, last_failure: failed, ..advance("normalized") };
        store.settle(&claim, &change).await.unwrap();
        claims.push(store.claim(&Instance("here".to_owned())).await.unwrap().unwrap());
    }
    let door = Doorway::closed(schema, store, BEFORE_ATTEMPT).await;
    let asking = claims.into_iter().map(|claim| {
        let store = door.store.clone();
        tokio::spawn(async move {
            let lanes = Lanes::OldestAndShort { short: Duration::from_secs(1) };
            store.open_attempt(&claim, "x", lanes, Duration::from_hours(1)).await.unwrap()
        })
    });
    let asking: Vec<_> = asking.collect();
    door.wait_for(2).await;
    door.open().await;
    let mut opened = 0;
    for answer in join_all(asking).await {
        opened += u32::from(matches!(answer.unwrap(), Admission::Opened(_)));
    }
    assert_eq!(opened, 1, "they would be in the same lane");
}

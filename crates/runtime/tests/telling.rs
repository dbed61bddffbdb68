//! What happens between the commit of a notice and its letter.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use verst_kernel::{Failure, Herald, Notice, Outcome, Queue, Undelivered};
use verst_runtime::{Runtime, Turn};
use verst_testkit::{Backend, Setup, World};

/// Notes at every letter whether its notice could be taken once more.
struct Ear<P> {
    queue: Arc<dyn Queue<P>>,
    still_there: Mutex<Vec<bool>>,
}

#[async_trait]
impl<P: Send + Sync + 'static> Herald for Ear<P> {
    async fn tell(&self, notice: &Notice) -> Result<(), Undelivered> {
        let taken = self.queue.take_notice(notice.id).await.expect("the store answers");
        self.still_there.lock().expect("no test panics here").push(taken);
        Ok(())
    }
}

#[tokio::test]
async fn a_notice_is_cleared_before_it_is_sent() {
    let world = World::new(Backend::Sqlite, Setup::default());
    world.accept().await;
    world.script.once("uploaded", Outcome::Verdict(Failure::new("damaged_file")));
    let queue = world.runtime.queue.clone();
    let ear = Arc::new(Ear { queue: queue.clone(), still_there: Mutex::default() });
    let runtime = Runtime { herald: ear.clone(), ..world.through(queue) };
    assert_eq!(runtime.turn(&world.shutdown).await.unwrap(), Turn::Worked);
    assert_eq!(*ear.still_there.lock().unwrap(), [false]);
}

//! From opening the database to the answer of the first claim, with what a start does in between.

use std::time::Instant;

use crate::{place, service};

pub async fn run(place: &str) {
    let began = Instant::now();
    let store = place::open(place).await;
    let opened = began.elapsed();
    let runtime = service::runtime(&store).await;
    runtime.recover().await.expect("an answer");
    let recovered = began.elapsed();
    let claim = store.claim(&service::instance()).await.expect("an answer");
    let ready = began.elapsed();
    let system = if place::is_postgres(place) { "verst-postgres" } else { "verst-sqlite" };
    let ms = |it: std::time::Duration| it.as_secs_f64() * 1000.0;
    println!(
        "{{\"system\":\"{system}\",\"mode\":\"ready\",\"open_ms\":{:.2},\"recover_ms\":{:.2},\
         \"ready_ms\":{:.2},\"found_work\":{}}}",
        ms(opened),
        ms(recovered),
        ms(ready),
        claim.is_some()
    );
}

//! A page of a list and a page of hits, with what is shown of them, over recordings that `fill` made.

mod fill;
mod texts;

use std::sync::Arc;
use std::time::Instant;

use verst_kernel::WorkId;
use verst_recordings::search::{Query, Snippet, snippet};
use verst_service::{Filter, State};
use verst_store::Store;

pub use fill::run as fill;

use crate::place;
use texts::{ARCHIVED, Chance, Tongue, root};

/// As many as a page has when nobody says otherwise.
const PAGE: u32 = 50;

/// What is asked for, again and again with other words.
type Asked = fn(&mut Chance, i64) -> Filter;

fn word(chance: &mut Chance, from: u64, to: u64) -> String {
    let tongue = if chance.below(4) == 0 { Tongue::English } else { Tongue::Russian };
    root(tongue, from + chance.below(to - from))
}

fn words(typed: &str) -> Filter {
    let search = Some(Query::new(typed).expect("a query"));
    Filter { limit: PAGE, search, ..Filter::default() }
}

fn owner(name: &str) -> Option<String> {
    Some(name.to_owned())
}

fn deep(chance: &mut Chance, of: i64) -> Option<WorkId> {
    Some(WorkId(1 + chance.below(of as u64) as i64))
}

const ASKED: [(&str, Asked); 24] = [
    ("list", |_, _| Filter { limit: PAGE, ..Filter::default() }),
    ("list, deep", |c, n| Filter { limit: PAGE, before: deep(c, n), ..Filter::default() }),
    ("list, an owner of 60 %", |c, n| Filter {
        limit: PAGE, owner: owner("anna"), before: deep(c, n), ..Filter::default()
    }),
    ("list, an owner of 1 %", |c, n| Filter {
        limit: PAGE, owner: owner("gleb"), before: deep(c, n), ..Filter::default()
    }),
    ("list, moving", |c, n| Filter {
        limit: PAGE, state: Some(State::Moving), before: deep(c, n), ..Filter::default()
    }),
    ("list, stopped, of 1 %", |c, n| Filter {
        limit: PAGE, state: Some(State::Stopped), owner: owner("gleb"), before: deep(c, n),
        ..Filter::default()
    }),
    ("list, done, deep", |c, n| Filter {
        limit: PAGE, state: Some(State::Done), before: deep(c, n), ..Filter::default()
    }),
    ("common", |c, _| words(&word(c, 0, 10))),
    ("common, deep", |c, n| Filter { before: deep(c, n), ..words(&word(c, 0, 10)) }),
    ("frequent", |c, _| words(&word(c, 100, 1000))),
    ("frequent, deep", |c, n| Filter { before: deep(c, n), ..words(&word(c, 100, 1000)) }),
    ("seldom", |c, _| words(&word(c, 1000, 10_000))),
    ("rare", |c, _| words(&word(c, 10_000, 50_000))),
    ("nowhere", |c, _| words(&format!("щщ{}", c.below(1000)))),
    ("two common", |c, _| words(&format!("{} {}", word(c, 0, 10), word(c, 0, 10)))),
    ("common and rare", |c, _| words(&format!("{} {}", word(c, 0, 10), word(c, 10_000, 50_000)))),
    ("three seldom", |c, _| {
        words(&format!("{} {} {}", word(c, 300, 3000), word(c, 300, 3000), word(c, 300, 3000)))
    }),
    ("common, an owner of 60 %", |c, n| Filter {
        owner: owner("anna"), before: deep(c, n), ..words(&word(c, 0, 10))
    }),
    ("common, an owner of 1 %", |c, n| Filter {
        owner: owner("gleb"), before: deep(c, n), ..words(&word(c, 0, 10))
    }),
    ("frequent, an owner of 1 %", |c, _| Filter { owner: owner("gleb"), ..words(&word(c, 100, 1000)) }),
    ("in every name, moving", |c, n| Filter {
        state: Some(State::Moving), before: deep(c, n), ..words("voice")
    }),
    ("common, stopped", |c, _| Filter { state: Some(State::Stopped), ..words(&word(c, 0, 10)) }),
    ("beginning of three letters", |c, _| {
        let beginning: String = word(c, 100, 10_000).chars().take(3).collect();
        words(&format!("{beginning}*"))
    }),
    ("in half of the oldest third", |_, _| words(ARCHIVED)),
];

struct Times(Vec<f64>);

impl Times {
    /// In milliseconds.
    fn at(&mut self, share: f64) -> f64 {
        self.0.sort_by(f64::total_cmp);
        let last = self.0.len() - 1;
        self.0[((last as f64) * share).round() as usize]
    }
}

async fn page(store: &Arc<dyn Store>, filter: Filter) -> (f64, f64, usize, usize) {
    let ms = |began: Instant| began.elapsed().as_secs_f64() * 1000.0;
    let began = Instant::now();
    let views = store.list(filter.clone()).await.expect("an answer");
    let listed = ms(began);
    let Some(query) = filter.search else { return (listed, listed, views.len(), 0) };
    let ids = views.iter().map(|view| view.work.id).collect();
    let glimpses = store.glimpses(ids, query.clone()).await.expect("an answer");
    let shown: Vec<Snippet> =
        glimpses.iter().filter_map(|it| snippet(&it.segments, &query)).collect();
    (listed, ms(began), views.len(), shown.len())
}

/// Asks for everything in turn, so that no kind of question has the machine's best moment.
pub async fn run(place: &str, count: i64, rounds: u64) {
    let store = place::open(place).await;
    let system = if place::is_postgres(place) { "verst-postgres" } else { "verst-sqlite" };
    let mut chance = Chance::new(17);
    let mut kinds: Vec<(Times, Times, usize, usize)> =
        ASKED.iter().map(|_| (Times(Vec::new()), Times(Vec::new()), 0, 0)).collect();
    for round in 0..rounds + rounds / 10 {
        for ((_, asked), kind) in ASKED.iter().zip(&mut kinds) {
            let (listed, shown, hits, snippets) = page(&store, asked(&mut chance, count)).await;
            // The first ones fill caches.
            if round >= rounds / 10 {
                kind.0.0.push(listed);
                kind.1.0.push(shown);
                kind.2 += hits;
                kind.3 += snippets;
            }
        }
    }
    let lines: Vec<String> = ASKED
        .iter()
        .zip(&mut kinds)
        .map(|((name, _), (listed, shown, hits, snippets))| {
            format!(
                "{{\"asked\":\"{name}\",\"found\":{:.1},\"snippets\":{:.1},\"p50_ms\":{:.2},\
                 \"p99_ms\":{:.2},\"shown_p50_ms\":{:.2},\"shown_p99_ms\":{:.2},\"max_ms\":{:.2}}}",
                *hits as f64 / rounds as f64,
                *snippets as f64 / rounds as f64,
                listed.at(0.5),
                listed.at(0.99),
                shown.at(0.5),
                shown.at(0.99),
                shown.at(1.0),
            )
        })
        .collect();
    println!("{{\"system\":\"{system}\",\"rounds\":{rounds},\"kinds\":[{}]}}", lines.join(","));
}

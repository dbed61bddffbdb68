//! Searching, newest first: a page of what may be a hundred thousand hits.
//!
//! An inverted index of PostgreSQL answers with all rows of a word before the first is seen, so that
//! a common word would cost as much as there are recordings. Therefore cards are marked with the
//! blocks their numbers are in, and a page is looked for in small blocks at the newest end first,
//! then in larger ones; the index meets the few entries of a block with the many of a word without
//! reading all of them. What is still missing after that is rare, or it is old: all hits at once
//! if they are few; if not, all of a large block at once, or its smaller ones, and so on.
//!
//! **Invariant:** each look takes hits below those of the one before, so that pages are complete and
//! in order however they were found.

use deadpool_postgres::GenericClient;
use tokio_postgres::Row;
use verst_kernel::StoreError;
use verst_recordings::search::Query;
use verst_service::{Filter, State};

use super::rows::get;
use super::views::{condition, select};
use super::{all, one};
use crate::cards::Signs;

/// The language of a `tsquery`.
const SIGNS: Signs = Signs { quote: '\'', any_ending: ":*", or: " | ", and: " & " };

/// The blocks, small ones first: their mark, and how many bits of a number they leave out.
const SMALL: (char, u32) = ('a', 9);
const MIDDLE: (char, u32) = ('b', 12);
const LARGE: (char, u32) = ('c', 15);
/// As many hits are sorted in no time.
const FEW: usize = 2000;
/// As many recordings are looked at one by one in no time.
const CANDIDATES: usize = 1000;

/// Rows of hits, newest first.
pub(super) async fn search(
    db: &impl GenericClient,
    filter: &Filter,
    query: &Query,
) -> Result<Vec<Row>, StoreError> {
    let last = one(db, "SELECT coalesce(max(recording_id), 0) FROM card", &[]).await?;
    let before = filter.before.map_or(i64::MAX, |id| id.0).min(get::<i64>(&last, 0)? + 1);
    let search = Search { db, filter, expression: SIGNS.expression(query, filter) };
    if let Some(rows) = search.among_few(before).await? {
        return Ok(rows);
    }
    let mut page = Page { rows: Vec::new(), before, wanted: filter.limit as usize };
    for (mark, bits) in [SMALL, MIDDLE] {
        if page.is_open() {
            search.blocks(&mut page, mark, bits, 2).await?;
        }
    }
    if page.is_open() && !search.all_if_few(&mut page, None).await? {
        while page.is_open() {
            let block = (page.before - 1) >> LARGE.1;
            if !search.all_if_few(&mut page, Some(block)).await? {
                search.blocks(&mut page, MIDDLE.0, MIDDLE.1, 2).await?;
            }
        }
    }
    Ok(page.rows)
}

/// What was found so far.
struct Page {
    rows: Vec<Row>,
    /// Everything from here on has been looked at.
    before: i64,
    wanted: usize,
}

impl Page {
    fn is_open(&self) -> bool {
        self.rows.len() < self.wanted && self.before > 0
    }

    fn missing(&self) -> i64 {
        number(self.wanted - self.rows.len())
    }
}

/// Hits of an expression below a number. A number in an expression of its own is no reason for the
/// planner to walk another index, where it would read every card.
fn in_blocks(filter: &Filter) -> String {
    format!(
        "WITH hit AS MATERIALIZED (
             SELECT recording_id FROM card
             WHERE stems @@ $1::text::tsquery AND recording_id + 0 < $2
         )
         {} JOIN hit ON hit.recording_id = r.id
         WHERE true {} ORDER BY r.id DESC LIMIT $3",
        select(),
        condition(filter, "$4")
    )
}

fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

struct Search<'a, C> {
    db: &'a C,
    filter: &'a Filter,
    expression: String,
}

impl<C: GenericClient> Search<'_, C> {
    /// The answer, if few recordings stand so as they are wanted. Without an index of states and
    /// words together, a common word would be looked up for each of its recordings.
    async fn among_few(&self, before: i64) -> Result<Option<Vec<Row>>, StoreError> {
        let Some(ids) = few(self.db, self.filter, before).await? else { return Ok(None) };
        let sql = format!(
            "{} JOIN card c ON c.recording_id = r.id
             WHERE r.id = ANY($1) AND c.stems @@ $2::text::tsquery ORDER BY r.id DESC LIMIT $3",
            select()
        );
        let limit = i64::from(self.filter.limit);
        all(self.db, &sql, &[&ids, &self.expression, &limit]).await.map(Some)
    }

    /// Looks into the newest blocks of a kind that are not looked at yet.
    async fn blocks(
        &self,
        page: &mut Page,
        mark: char,
        bits: u32,
        count: i64,
    ) -> Result<(), StoreError> {
        let newest = (page.before - 1) >> bits;
        let oldest = (newest - count + 1).max(0);
        let marks: Vec<String> = (oldest..=newest).map(|n| format!("':{mark}{n}'")).collect();
        let expression = format!("({}) & {}", marks.join(" | "), self.expression);
        let sql = in_blocks(self.filter);
        let values: super::Values<'_> =
            &[&expression, &page.before, &page.missing(), &self.filter.owner];
        page.rows.extend(all(self.db, &sql, values).await?);
        page.before = oldest << bits;
        Ok(())
    }

    /// Takes all hits that are left if they are few; of one block, or of all. Says whether they are.
    async fn all_if_few(&self, page: &mut Page, block: Option<i64>) -> Result<bool, StoreError> {
        let sql = "SELECT recording_id FROM card
                   WHERE stems @@ $1::text::tsquery AND recording_id + 0 < $2 LIMIT $3";
        let expression = match block {
            Some(block) => format!("':{}{block}' & {}", LARGE.0, self.expression),
            None => self.expression.clone(),
        };
        let found = all(self.db, sql, &[&expression, &page.before, &number(FEW)]).await?;
        if found.len() == FEW {
            return Ok(false);
        }
        let ids = found.iter().map(|row| get(row, 0)).collect::<Result<Vec<i64>, _>>()?;
        let sql = format!(
            "{} WHERE r.id = ANY($1) {} ORDER BY r.id DESC LIMIT $2",
            select(),
            condition(self.filter, "$3")
        );
        let values: super::Values<'_> = &[&ids, &page.missing(), &self.filter.owner];
        page.rows.extend(all(self.db, &sql, values).await?);
        page.before = block.map_or(0, |block| block << LARGE.1);
        Ok(true)
    }
}

/// Which recordings stand so as they are wanted, if few do.
pub(super) async fn few(
    db: &impl GenericClient,
    filter: &Filter,
    before: i64,
) -> Result<Option<Vec<i64>>, StoreError> {
    if !matches!(filter.state, Some(State::Moving | State::Stopped)) {
        return Ok(None);
    }
    let sql = format!(
        "SELECT w.id FROM work w JOIN recording r ON r.id = w.id WHERE w.id < $1 {} LIMIT $2",
        condition(filter, "$3")
    );
    let found = all(db, &sql, &[&before, &number(CANDIDATES + 1), &filter.owner]).await?;
    if found.len() > CANDIDATES {
        return Ok(None);
    }
    found.iter().map(|row| get(row, 0)).collect::<Result<_, _>>().map(Some)
}

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;

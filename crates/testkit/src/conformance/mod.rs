//! What every store promises, as checks that any store can be put through.
//!
//! The checks know the ports and a clock that they move, and nothing of what stands behind them.
//! A store joins with one call of [`store_conformance!`](crate::store_conformance).

pub mod accounts;
pub mod attempts;
pub mod calls;
pub mod chats;
pub mod claims;
pub mod corrections;
mod download_values;
pub mod downloads;
pub mod fences;
pub mod notices;
pub mod people;
pub mod products;
pub mod reads;
pub mod recovery;
pub mod removals;
pub mod restarts;
pub mod search;
pub mod settles;
pub mod shares;
pub mod tokens;
pub mod torrents;

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;
use verst_store::Store;

use verst_kernel::{Change, Claim, Instance, Settled, Standing, WorkId};
use verst_recordings::model::{Audio, NewRecording, Product, Source};
use verst_recordings::ports::Wish;
use verst_service::Product as AnyProduct;
use verst_service::View;

use crate::{TestClock, release};

/// An empty store to check, and its clock.
pub struct Subject {
    /// The store.
    pub store: Arc<dyn Store>,
    /// The clock it takes the time from.
    pub clock: Arc<TestClock>,
    /// What has to live as long as the store does: its directory, its server.
    pub keeps: Box<dyn Any + Send>,
}

const SECOND: Duration = Duration::from_secs(1);
const MOMENT: Duration = Duration::from_micros(1);

fn here() -> Instance {
    Instance("here".to_owned())
}

fn there() -> Instance {
    Instance("there".to_owned())
}

fn new(source: Source, owner: Option<&str>) -> NewRecording {
    NewRecording {
        source,
        reply_to: Some("chat-1".to_owned()),
        owner: owner.map(str::to_owned),
        original: format!("original/{:016x}", fastrand::u64(..)),
        handle: None,
        name: Some("name".to_owned()),
        size_bytes: 7,
        wish: Wish::default(),
    }
}

fn advance(milestone: &'static str) -> Change<AnyProduct> {
    Change { advance: Some(milestone), ..release() }
}

fn normalised(duration: Duration) -> Product {
    let audio = Audio { key: "normalised/x".to_owned(), duration, level_db: Some(-20.5) };
    Product::Normalised { audio, warnings: Vec::new() }
}

impl Subject {
    async fn accept(&self) -> WorkId {
        self.store.accept(new(Source::Telegram, None)).await.unwrap().id
    }

    async fn claim(&self) -> Option<Claim> {
        self.store.claim(&here()).await.unwrap()
    }

    /// Claims what must be ready.
    async fn hold(&self) -> Claim {
        self.claim().await.expect("something is ready")
    }

    async fn standing(&self, claim: &Claim) -> Option<Standing> {
        self.store.standing(claim).await.unwrap()
    }

    async fn settle(&self, claim: &Claim, change: Change<AnyProduct>) -> Settled {
        self.store.settle(claim, &change).await.unwrap()
    }

    async fn view(&self, id: WorkId) -> View {
        self.store.view(id).await.unwrap().expect("it is there")
    }

    /// Takes a new recording to `normalized` and claims it there.
    async fn hold_normalised(&self, duration: Duration) -> Claim {
        let id = self.accept().await;
        let change = Change { product: Some(normalised(duration).into()), ..advance("normalized") };
        let first = self.hold().await;
        assert_eq!(first.id(), id, "nothing else may be ready");
        self.settle(&first, change).await;
        self.hold().await
    }
}

/// Puts a store through every check: `$open` is a function that returns a fresh
/// [`Subject`](crate::conformance::Subject).
#[macro_export]
macro_rules! store_conformance {
    ($open:path) => {
        $crate::store_conformance! { @each $open;
            claims: nothing_to_claim_is_an_answer, order_is_ready_time_then_id,
                a_claim_marks_the_row, what_is_not_ready_is_not_handed_out,
                a_lease_ends_at_its_moment, many_claims_at_once_share_nothing;
            fences: the_fence_grows_and_never_repeats, a_stale_holder_reads_and_writes_nothing,
                a_stale_holder_gives_nothing_back,
                a_holder_past_its_lease_still_settles_once;
            settles: an_advance_resets_what_belongs_to_the_milestone,
                a_deferral_moves_nothing, busy_is_held_apart_and_no_try,
                a_wait_begins_goes_on_and_ends,
                a_stop_keeps_the_milestone, failures_and_reasons_read_back,
                the_end_of_the_road_is_never_claimed;
            people: a_stop_takes_the_work_from_its_holder, stops_answer_what_they_found,
                a_lift_resets_every_guard, a_lift_may_go_back_and_write,
                lifts_answer_what_they_found;
            notices: a_notice_is_taken_once, leftovers_belong_to_their_instance;
            recovery: an_instance_takes_back_its_own_and_only_its_own,
                a_start_makes_ready_what_waits_for_us_and_what_no_clock_can_mean,
                a_run_that_brings_a_part_is_held;
            attempts: one_attempt_is_open_at_a_time, lanes_let_the_oldest_and_a_short_one_in,
                lanes_hold_under_concurrency, older_ones_of_its_kind_are_ahead, a_ticket_is_kept_after_the_claim_was_lost,
                a_ticket_is_never_overwritten, parts_come_in_order_and_end_with_the_road,
                a_part_is_written_once;
            calls: a_call_is_on_record_under_the_fence, one_call_is_open_at_a_time,
                an_answer_is_kept_after_the_claim_was_lost, an_answer_counts_once,
                an_answer_to_what_is_closed_changes_nothing,
                calling_again_closes_what_has_no_answer;
            products: no_product_touches_what_the_owner_owns, notes_are_written_at_once,
                a_transcript_reads_back_and_a_later_one_replaces_it;
            reads: a_recording_reads_back_as_it_was_given, lists_page_from_the_newest,
                lists_can_be_narrowed, depth_counts_what_waits,
                the_journal_is_in_order, objects_are_named_by_their_rows,
                objects_are_bound_once, a_handle_is_one_recording,
                edits_change_what_they_name, what_is_missing_is_none;
            restarts: what_is_done_begins_anew, a_restart_takes_the_work_from_its_holder,
                a_restart_gives_up_what_was_begun_and_keeps_what_people_wrote;
            removals: what_is_removed_is_gone_with_all_its_rows, a_holder_of_what_is_gone_has_lost,
                discarded_keys_are_kept_until_they_are_forgotten;
            search: everything_known_of_a_recording_finds_it, a_beginning_finds_every_ending,
                what_is_typed_is_no_expression, hits_page_from_the_newest,
                hits_keep_to_owner_and_state, what_was_not_written_or_is_removed_is_not_found,
                glimpses_are_of_the_places_where_it_was_said, cards_of_these_rules_stay;
            downloads: many_intakes_of_one_torrent_are_one_download,
                a_download_reads_back_as_it_was_given, active_is_what_may_still_go_on,
                a_look_under_a_moved_fence_writes_nothing, what_a_look_saw_is_written,
                downloads_of_one_torrent_become_one, what_another_owns_is_not_revived,
                a_retry_has_two_halves, a_retry_ends_in_downloading,
                a_download_goes_on_where_it_stands, what_people_said_of_series_is_kept,
                what_is_followed_is_listed_with_its_fence, what_is_followed_is_never_claimed;
            tokens: a_token_opens_until_it_is_revoked_or_expires,
                the_use_of_a_token_is_written_to_the_minute,
                a_setup_token_makes_one_first_token,
                a_setup_token_is_void_once_there_is_a_token;
            corrections: a_correction_changes_the_text_and_what_finds_it,
                corrections_survive_another_transcription,
                a_person_writes_while_a_step_runs;
            shares: a_link_opens_until_it_is_revoked_or_expires,
                links_are_limited_and_end_with_their_maker;
            accounts: a_name_is_one_account, the_last_admin_stays,
                a_setup_token_makes_one_first_account,
                a_setup_token_is_void_once_an_admin_can_come_in,
                a_session_lasts_while_it_is_used_and_not_for_ever,
                the_use_of_a_session_is_written_to_the_minute,
                sessions_end_in_every_way, a_session_takes_the_place_of_the_one_before,
                a_token_opens_no_more_than_its_maker_may;
            chats: one_instance_asks_for_updates, an_update_is_acted_on_once,
                a_chat_is_linked_by_a_code,
                a_link_gives_what_came_from_the_chat_to_the_account,
                a_thing_has_one_message_in_a_chat,
                messages_are_found_by_what_moves_and_by_chat;
        }
    };
    (@each $open:path; $($module:ident: $($check:ident),+;)+) => {
        $(mod $module {
            $(#[tokio::test]
            async fn $check() {
                $crate::conformance::$module::$check($open()).await;
            })+
        })+
    };
}

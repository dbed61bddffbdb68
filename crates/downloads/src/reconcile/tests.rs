use std::time::Duration;

use proptest::prelude::*;
use verst_kernel::{Failure, Fence, Stop, StopReason, Timestamp, WorkId};

use super::*;
use crate::hash::{Hashes, InfoHash};
use crate::model::{Measure, Measures};

const HOUR: Duration = Duration::from_hours(1);
const NOW: Timestamp = Timestamp(1_000_000 * 3600 * 10_000);
const LIMITS: Patience =
    Patience { magnet_timeout: Duration::from_hours(48), stuck_after: Duration::from_hours(72) };

fn ago(hours: u64) -> Timestamp {
    Timestamp(NOW.0 - i64::try_from((HOUR * u32::try_from(hours).unwrap()).as_micros()).unwrap())
}

fn hash() -> InfoHash {
    InfoHash::v1([7; 20])
}

fn task() -> Followed {
    Followed {
        id: WorkId(1),
        fence: Fence(3),
        created_at: ago(1000),
        stop: None,
        hashes: std::iter::once(hash()).collect(),
        measures: Measures::default(),
        in_client: true,
        called: (Some("name".to_owned()), Some(9)),
        bytes_wanted: false,
    }
}

fn stopped(reason: StopReason, code: &'static str) -> Followed {
    let stop = Stop { reason, failure: Failure::new(code) };
    Followed { stop: Some((ago(5), stop)), ..task() }
}

fn torrent(state: ClientState) -> Snapshot {
    Snapshot {
        key: hash(),
        hashes: std::iter::once(hash()).collect(),
        name: "name".to_owned(),
        state,
        metadata: !matches!(state, ClientState::MetaDl | ClientState::ForcedMetaDl),
        added_on: Some(ago(1000)),
        last_activity: Some(ago(1000)),
        size_bytes: 9,
        left_bytes: 0,
        received_bytes: 0,
        down_rate: 0,
        up_rate: 0,
        seeds: 0,
        peers: 0,
        eta: None,
        save_path: "/d".to_owned(),
        category: "verst".to_owned(),
    }
}

fn around() -> Circumstances<'static> {
    Circumstances { patience: &LIMITS, since: Some(ago(900)), now: NOW }
}

/// How it moves.
fn turn(task: &Followed, torrent: &Snapshot, whole: bool) -> Turn {
    let seen = Sighting::Present { torrent, whole: Some(whole) };
    decide(task, seen, &around()).map_or(Turn::Stay, |sight| sight.turn)
}

fn code(turn: &Turn) -> &str {
    match turn {
        Turn::Stop(stop) => &stop.failure.code,
        Turn::Stay => "stay",
        Turn::Complete => "complete",
        Turn::Revive { complete: true } => "revive whole",
        Turn::Revive { complete: false } => "revive",
    }
}

/// A task whose measure has run for so long.
fn running(measure: Measure, hours: u64) -> Followed {
    let measures =
        Measures { running: Some(measure), floor: Some(ago(hours).0), ..Measures::default() };
    Followed { measures, ..task() }
}

#[test]
fn what_is_whole_and_rests_is_complete() {
    use ClientState::{CheckingUp, Moving, StalledDl, StalledUp, StoppedUp, Uploading};
    for state in [Uploading, StalledUp, StoppedUp] {
        assert_eq!(code(&turn(&task(), &torrent(state), true)), "complete", "{state:?}");
        assert_eq!(code(&turn(&task(), &torrent(state), false)), "stay", "{state:?}");
    }
    for state in [Moving, CheckingUp, StalledDl] {
        assert!(!wants_files(&task(), &torrent(state)), "{state:?}");
        assert_eq!(code(&turn(&task(), &torrent(state), true)), "stay", "{state:?}");
    }
    let none_wanted = Snapshot { size_bytes: 0, ..torrent(StalledUp) };
    assert_eq!(code(&turn(&task(), &none_wanted, true)), "stay");
    let magnet = Snapshot { size_bytes: 0, ..torrent(ClientState::MetaDl) };
    assert_eq!(code(&turn(&task(), &magnet, true)), "stay", "nothing is left of what is not known");
}

#[test]
fn each_measure_counts_from_the_latest_and_in_its_states_only() {
    use ClientState::{Downloading, ForcedMetaDl, MetaDl, QueuedDl, StalledDl, StoppedDl};
    let age = |hours| running(Measure::Age, hours);
    let idle = |hours| running(Measure::Idle, hours);
    for (task, state, expected) in [
        (age(49), MetaDl, "magnet_timeout"),
        (age(47), MetaDl, "stay"),
        (age(49), ForcedMetaDl, "magnet_timeout"),
        (idle(73), StalledDl, "stalled"),
        (idle(73), Downloading, "stalled"),
        (idle(71), StalledDl, "stay"),
        (idle(73), QueuedDl, "stay"),
        (age(49), StoppedDl, "stay"),
        (age(73), StalledDl, "stay"),
        (task(), StalledDl, "stay"),
    ] {
        assert_eq!(code(&turn(&task, &torrent(state), false)), expected, "{state:?}");
    }
    let moved = Snapshot { last_activity: Some(ago(1)), ..torrent(StalledDl) };
    assert_eq!(code(&turn(&idle(73), &moved, false)), "stay");
    let future = Snapshot { last_activity: Some(NOW.after(HOUR)), ..torrent(StalledDl) };
    assert_eq!(code(&turn(&idle(73), &future, false)), "stalled", "no torrent moves in the future");
    let mut retried = idle(73);
    retried.measures.retried_at = Some(ago(1).0);
    assert_eq!(code(&turn(&retried, &torrent(StalledDl), false)), "stay");
    let mut ours = idle(73);
    ours.measures.moved_at = Some(ago(1).0);
    assert_eq!(code(&turn(&ours, &torrent(StalledDl), false)), "stay");
    let back = Circumstances { since: Some(ago(1)), ..around() };
    let away = Circumstances { since: None, ..around() };
    let seen = torrent(StalledDl);
    let seen = Sighting::Present { torrent: &seen, whole: None };
    for circumstances in [back, away] {
        assert_eq!(decide(&idle(73), seen, &circumstances), None);
    }
}

#[test]
fn what_the_client_cannot_go_on_with_is_stopped_and_stays_so() {
    for state in [ClientState::Error, ClientState::MissingFiles] {
        assert_eq!(code(&turn(&task(), &torrent(state), false)), "client_error");
        for given_up in ["magnet_timeout", "stalled"] {
            let task = stopped(StopReason::Stuck, given_up);
            assert_eq!(code(&turn(&task, &torrent(state), false)), "stay");
        }
    }
}

#[test]
fn what_was_given_up_comes_back_when_it_did_what_it_was_given_up_for() {
    use ClientState::{Downloading, MetaDl, StalledDl, StalledUp};
    let magnet = stopped(StopReason::Stuck, "magnet_timeout");
    let stalled = stopped(StopReason::Stuck, "stalled");
    let moved = Snapshot { last_activity: Some(ago(1)), ..torrent(StalledDl) };
    let came = Snapshot { received_bytes: 1, ..torrent(StalledDl) };
    for (task, torrent, whole, expected) in [
        (&magnet, torrent(Downloading), false, "revive"),
        (&magnet, torrent(StalledUp), true, "revive whole"),
        (&magnet, torrent(MetaDl), false, "stay"),
        (&stalled, torrent(StalledDl), false, "stay"),
        (&stalled, moved, false, "revive"),
        (&stalled, came, false, "revive"),
        (&stalled, torrent(StalledUp), true, "revive whole"),
        (&stopped(StopReason::Person, "stopped_by_person"), torrent(StalledUp), true, "stay"),
        (&stopped(StopReason::Verdict, "client_error"), torrent(StalledUp), true, "stay"),
    ] {
        assert_eq!(code(&turn(task, &torrent, whole)), expected, "{torrent:?}");
    }
}

#[test]
fn a_torrent_is_gone_after_several_full_listings_over_minutes() {
    let mut missing = task();
    let at = |minutes: u64| NOW.after(Duration::from_mins(minutes));
    let look = |task: &Followed, minutes| {
        let around = Circumstances { now: at(minutes), ..around() };
        decide(task, Sighting::Absent { full: true }, &around).unwrap()
    };
    assert_eq!(decide(&missing, Sighting::Absent { full: false }, &around()), None);
    assert_eq!(decide(&missing, Sighting::Silent, &around()), None);
    for minutes in [0, 1, 2, 4] {
        let sight = look(&missing, minutes);
        assert_eq!((code(&sight.turn), sight.in_client), ("stay", true), "{minutes}");
        missing.measures = sight.measures;
    }
    let sight = look(&missing, 5);
    assert_eq!((code(&sight.turn), sight.in_client), ("torrent_gone", false));
    let there = torrent(ClientState::StalledDl);
    let seen = Sighting::Present { torrent: &there, whole: None };
    let back = decide(&missing, seen, &around()).unwrap();
    assert_eq!((back.measures.absent_since, back.measures.absent_listings), (None, 0));
}

#[test]
fn names_hashes_and_sizes_are_learned_once() {
    let other = InfoHash::v2([9; 32]);
    let mut there = torrent(ClientState::StalledDl);
    there.hashes.insert(other.clone());
    there.name = "another".to_owned();
    let task = running(Measure::Idle, 1);
    let seen = Sighting::Present { torrent: &there, whole: None };
    let sight = decide(&task, seen, &around()).unwrap();
    assert!(sight.learned.contains(&other) && !sight.learned.contains(&hash()));
    assert_eq!(sight.called, Some(("another".to_owned(), 9)));
    let hashes: Hashes = task.hashes.iter().chain(sight.learned.iter()).cloned().collect();
    let known = Followed { hashes, called: (Some("another".to_owned()), Some(9)), ..task };
    assert_eq!(decide(&known, seen, &around()), None, "nothing is written twice");
}

fn states() -> impl Strategy<Value = ClientState> {
    use ClientState::{
        CheckingDl, CheckingResume, CheckingUp, Downloading, Error, ForcedDl, ForcedMetaDl,
        ForcedUp, MetaDl, MissingFiles, Moving, QueuedDl, QueuedUp, StalledDl, StalledUp,
        StoppedDl, StoppedUp, Unknown, Uploading,
    };
    proptest::sample::select(vec![
        Error,
        MissingFiles,
        Uploading,
        StoppedUp,
        QueuedUp,
        StalledUp,
        ForcedUp,
        CheckingUp,
        Downloading,
        ForcedDl,
        MetaDl,
        ForcedMetaDl,
        StoppedDl,
        QueuedDl,
        StalledDl,
        CheckingDl,
        CheckingResume,
        Moving,
        Unknown,
    ])
}

prop_compose! {
    fn torrents()(
        state in states(), metadata: bool, added: Option<i64>, active: Option<i64>,
        size in 0_u64..3, left in 0_u64..3, received: u64,
    ) -> Snapshot {
        Snapshot {
            metadata,
            added_on: added.map(Timestamp),
            last_activity: active.map(Timestamp),
            size_bytes: size,
            left_bytes: left,
            received_bytes: received,
            ..torrent(state)
        }
    }
}

prop_compose! {
    fn tasks()(
        code in proptest::option::of(0_usize..3), retried: Option<i64>, floor: Option<i64>,
        run in 0_u8..3, moved: Option<i64>, received: u64, created: i64, at: i64,
    ) -> Followed {
        let codes = ["magnet_timeout", "stalled", "stopped_by_person"];
        let stop = code.map(|code| {
            let reason = if code == 2 { StopReason::Person } else { StopReason::Stuck };
            (Timestamp(at), Stop { reason, failure: Failure::new(codes[code]) })
        });
        let running = [None, Some(Measure::Age), Some(Measure::Idle)][usize::from(run)];
        let measures = Measures {
            retried_at: retried, running, floor, received_bytes: received, moved_at: moved,
            ..Measures::default()
        };
        Followed { stop, measures, created_at: Timestamp(created), ..task() }
    }
}

proptest! {
    /// Whatever numbers there are, there is an answer, and a second look writes nothing new.
    #[test]
    fn it_is_total_and_silence_stops_nothing(task in tasks(), torrent in torrents(), now: i64) {
        let around = Circumstances { now: Timestamp(now), ..around() };
        prop_assert_eq!(decide(&task, Sighting::Silent, &around), None);
        let seen = Sighting::Present { torrent: &torrent, whole: Some(true) };
        if let Some(sight) = decide(&task, seen, &around) {
            let again = Followed { measures: sight.measures.clone(), ..task };
            let next = decide(&again, seen, &around);
            prop_assert_eq!(next.map_or(sight.measures.clone(), |next| next.measures), sight.measures);
        }
    }

    /// The later a floor, the later a stop.
    #[test]
    fn a_later_floor_never_stops_sooner(
        task in tasks(), torrent in torrents(), later in 0_i64..i64::MAX / 2, now: i64,
    ) {
        let around = Circumstances { now: Timestamp(now), ..around() };
        let seen = Sighting::Present { torrent: &torrent, whole: None };
        let stops = |task: &Followed| {
            let turn = decide(task, seen, &around).map(|sight| sight.turn);
            matches!(turn, Some(Turn::Stop(stop)) if stop.reason == StopReason::Stuck)
        };
        let mut raised = [task.clone(), task.clone()];
        let later = |floor: Option<i64>| Some(floor.unwrap_or(i64::MIN).saturating_add(later));
        raised[0].measures.floor = later(task.measures.floor);
        raised[1].measures.retried_at = later(task.measures.retried_at);
        for raised in raised {
            prop_assert!(stops(&task) || !stops(&raised));
        }
    }
}

//! Who does what: workers, starts and crashes, a person, and time that comes when it likes.

use stateright::{Model, Property};

use crate::flaws::Flaw;
use crate::kernel::{self, End};
use crate::properties;
use crate::store::Row;
use crate::world::{Broken, Life, Place, World};

/// What is searched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Protocol {
    pub(crate) records: u8,
    /// The instance of each worker.
    pub(crate) homes: [u8; 2],
    /// How many things may go wrong in one history, of whatever kind.
    pub(crate) disturbances: u8,
    /// Whether the person also begins work anew and removes it.
    pub(crate) anew: bool,
    pub(crate) flaw: Option<Flaw>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Claim { worker: usize, record: u8 },
    Note { worker: usize },
    Settle { worker: usize, end: End, answered: bool },
    TimeComes { record: u8 },
    Stop { record: u8 },
    Lift { record: u8 },
    Restart { record: u8 },
    Remove { record: u8 },
    Crash { instance: u8 },
    Look { instance: u8 },
    TakeBack { instance: u8 },
    Clear { notice: usize },
    Send { notice: usize },
    Release { record: u8 },
}

impl Protocol {
    fn instances(self) -> impl Iterator<Item = u8> + use<> {
        0..=self.homes[1]
    }

    /// Who writes a person's stop.
    fn face(self, world: &World) -> Option<u8> {
        self.instances().find(|instance| world.is_up(*instance))
    }

    pub(crate) fn possible(self, world: &World, actions: &mut Vec<Action>) {
        let disturb = world.left > 0;
        for worker in (0..2).filter(|worker| world.is_up(self.homes[*worker])) {
            self.worker(world, worker, actions);
        }
        for (record, row) in (0..).zip(&world.rows).filter(|(_, row)| !row.removed) {
            if disturb && self.anew {
                actions.extend([Action::Restart { record }, Action::Remove { record }]);
            }
            if row.is_done() {
                continue;
            }
            let for_ever = self.flaw == Some(Flaw::ClaimForEver) && row.holder.is_some();
            let in_time = disturb || !world.is_worked_on(record);
            if !row.ready && !row.stopped && !for_ever && in_time {
                actions.push(Action::TimeComes { record });
            }
            if disturb
                && !row.ready
                && row.holder.is_some()
                && self.flaw == Some(Flaw::EarlyRelease)
            {
                actions.push(Action::Release { record });
            }
            if disturb && row.stopped {
                actions.push(Action::Lift { record });
            } else if disturb && self.face(world).is_some() {
                actions.push(Action::Stop { record });
            }
        }
        for instance in self.instances() {
            match world.lives[usize::from(instance)] {
                Life::Up if disturb => actions.push(Action::Crash { instance }),
                Life::Up => {}
                Life::Down => actions.push(Action::Look { instance }),
                Life::Starts(_) => actions.push(Action::TakeBack { instance }),
            }
        }
        self.telling(world, actions);
    }

    fn worker(self, world: &World, worker: usize, actions: &mut Vec<Action>) {
        let Some(run) = &world.runs[worker] else {
            let rows = (0..).zip(&world.rows);
            let claimable = rows.filter(|(_, row)| row.is_claimable(self.flaw));
            actions.extend(claimable.map(|(record, _)| Action::Claim { worker, record }));
            return;
        };
        actions.push(Action::Note { worker });
        for end in kernel::ends(run.seen) {
            let cost = u8::from(end.is_disturbance());
            if world.left >= cost {
                actions.push(Action::Settle { worker, end, answered: true });
            }
            if world.left > cost {
                actions.push(Action::Settle { worker, end, answered: false });
            }
        }
    }

    fn telling(self, world: &World, actions: &mut Vec<Action>) {
        let sends_first = self.flaw == Some(Flaw::ClearAfterSending);
        for (notice, told) in world.notices.iter().enumerate() {
            match told.place {
                _ if !world.is_up(told.instance) => {}
                Place::Stored { known: true } if sends_first => {
                    actions.push(Action::Send { notice });
                }
                Place::Stored { known: true } | Place::SentFirst => {
                    actions.push(Action::Clear { notice });
                }
                Place::Taken => actions.push(Action::Send { notice }),
                Place::Stored { known: false } | Place::Gone => {}
            }
        }
    }

    fn settle(self, mut world: World, worker: usize, end: End, answered: bool) -> Option<World> {
        let run = world.runs[worker].clone()?;
        let applied = world.settle(self.flaw, self.homes[worker], &run, end, answered);
        if self.flaw == Some(Flaw::TellBeforeStoring) {
            let tells = kernel::change(run.seen, end).notice.is_some();
            world.broken.told_early |= tells && !applied;
        }
        if end.is_disturbance() {
            world = world.disturbed();
        }
        if answered {
            world.runs[worker] = None;
            return Some(world);
        }
        world.runs[worker].as_mut()?.entitled = false;
        applied.then(|| world.disturbed())
    }

    fn crash(self, world: &mut World, instance: u8) {
        world.lives[usize::from(instance)] = Life::Down;
        for worker in (0..2).filter(|worker| self.homes[*worker] == instance) {
            world.runs[worker] = None;
        }
        for notice in world.notices.iter_mut().filter(|notice| notice.instance == instance) {
            notice.place = match notice.place {
                Place::Stored { .. } => Place::Stored { known: false },
                Place::Taken => Place::Gone,
                place @ (Place::SentFirst | Place::Gone) => place,
            };
        }
    }
}

impl Model for Protocol {
    type State = World;
    type Action = Action;

    fn init_states(&self) -> Vec<World> {
        vec![World {
            rows: vec![Row::fresh(); usize::from(self.records)],
            runs: [None, None],
            lives: [Life::Up, if self.homes[1] == 0 { Life::Down } else { Life::Up }],
            notices: Vec::new(),
            left: self.disturbances,
            broken: Broken::default(),
        }]
    }

    fn actions(&self, world: &World, actions: &mut Vec<Action>) {
        self.possible(world, actions);
    }

    fn next_state(&self, last: &World, action: Action) -> Option<World> {
        let mut world = last.clone();
        match action {
            Action::Claim { worker, record } => {
                world.runs[worker] = Some(world.claim(self.flaw, self.homes[worker], record));
            }
            Action::Note { worker } => {
                let run = world.runs[worker].clone()?;
                if !world.note(self.flaw, &run) {
                    world.runs[worker] = None;
                }
            }
            Action::Settle { worker, end, answered } => {
                return self.settle(world, worker, end, answered);
            }
            Action::TimeComes { record } => {
                world.time_comes(record);
                if last.is_worked_on(record) {
                    world = world.disturbed();
                }
            }
            Action::Stop { record } => {
                world.stop(self.flaw, self.face(last)?, record);
                world = world.disturbed();
            }
            Action::Lift { record } => {
                world.lift(self.flaw, record);
                world = world.disturbed();
            }
            Action::Restart { record } => {
                world.restart(self.flaw, record);
                world = world.disturbed();
            }
            Action::Remove { record } => {
                world.remove(self.flaw, record);
                world = world.disturbed();
            }
            Action::Crash { instance } => {
                self.crash(&mut world, instance);
                world = world.disturbed();
            }
            Action::Look { instance } => {
                let former = world.former_claims(self.flaw, instance);
                world.lives[usize::from(instance)] = Life::Starts(former);
            }
            Action::TakeBack { instance } => {
                let Life::Starts(former) = last.lives[usize::from(instance)].clone() else {
                    return None;
                };
                world.take_back(self.flaw, &former);
                world.sweep_notices(instance);
                world.lives[usize::from(instance)] = Life::Up;
            }
            Action::Clear { notice } => world.clear(notice),
            Action::Send { notice } => world.send(notice),
            Action::Release { record } => {
                let row = &mut world.rows[usize::from(record)];
                (row.holder, row.ready) = (None, true);
                world = world.disturbed();
            }
        }
        (world != *last).then_some(world)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        properties::all(*self)
    }
}

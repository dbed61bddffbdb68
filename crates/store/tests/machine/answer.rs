//! What a command came to, as the store or the model says it.
//!
//! Ids of attempts, calls and notices are their place in the order in which they were made, from one: a
//! store may leave some out.

use verst_kernel::{
    Depth, Entry, Fence, Lifted, Noted, Notice, Reclaimed, Settled, Standing, StopByPerson, WorkId,
};
use verst_recordings::model::{Attempt, RecordedCall};
use verst_recordings::ports::{Admission, Part};
use verst_recordings::transcript::Transcript;
use verst_service::View;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Answer {
    /// There is none to this command.
    Silence,
    /// The schema forbids what was to be written; nothing was.
    Refused,
    Accepted(WorkId),
    Claimed(Option<(Fence, Standing)>),
    Settled(Settled),
    Noted(Noted),
    Admitted(Admission),
    Stopped(StopByPerson),
    Lifted(Lifted),
    Restarted(Reclaimed, Vec<Notice>),
    Notices(Vec<Notice>),
    Yes(bool),
    Standing(Option<Standing>),
    Views(Vec<View>),
    Journal(Vec<Entry>),
    Depth(Vec<Depth>),
    Ahead(u64),
    Attempt(Option<Attempt>),
    Parts(Vec<Part>),
    Calls(Vec<RecordedCall>),
    Transcript(Option<Transcript>),
}

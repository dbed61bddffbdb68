//! The ports of the line. `store` and `adapters` implement them; only the binary wires them.

mod media;
mod objects;
mod recogniser;
mod store;

pub use media::{Codec, LocalFile, Media, MediaError, Normalised, Order, Warning};
pub use objects::{Bytestream, ObjectError, ObjectInfo, Objects};
pub use recogniser::{
    Begins, Begun, Call, Called, Hearing, Inquiry, Lanes, Obstacle, Part, Profile, Recogniser,
    Ticket, Wish,
};
pub use store::{Admission, RecordingStore};

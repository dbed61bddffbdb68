//! The ports of the line. `store` and `adapters` implement them; only the binary wires them.

mod media;

mod recogniser;


pub use media::{Codec, LocalFile, Media, MediaError, Normalised, Order, Warning};
pub use recogniser::{
    Begun, Hearing, Inquiry, Lanes, Obstacle, Part, Profile, Recogniser, Ticket, Wish,
};

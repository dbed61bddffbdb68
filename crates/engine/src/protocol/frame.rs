//! Frames: a 32-bit little-endian length and that many bytes of JSON.
//!
//! The pure half ([`encode`], [`length`], [`decode`]) is also what the asynchronous client uses.
//! A length over the limit is refused before anything is allocated for it; after that, or in the
//! middle of a frame, the stream has no next frame to go on with.

use std::io::{ErrorKind, Read, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The largest frame. The plan of a full day is under two megabytes.
pub const FRAME_LIMIT_BYTES: usize = 16 * 1024 * 1024;

/// Size of the length before each frame.
pub const LENGTH_BYTES: usize = 4;

/// Why a frame could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// Over [`FRAME_LIMIT_BYTES`].
    #[error("frame of {0} bytes is over the limit")]
    TooLarge(usize),
    /// The bytes of a complete frame are not the expected JSON; the stream can go on.
    #[error("frame is not a message")]
    Message(#[source] serde_json::Error),
    /// The stream broke or ended inside a frame.
    #[error("frame stream broke")]
    Stream(#[source] std::io::Error),
}

/// A message as a complete frame.
pub fn encode<T: Serialize>(message: &T) -> Result<Vec<u8>, FrameError> {
    let mut frame = vec![0; LENGTH_BYTES];
    serde_json::to_writer(&mut frame, message).map_err(FrameError::Message)?;
    let body = frame.len() - LENGTH_BYTES;
    let length = u32::try_from(body).map_err(|_| FrameError::TooLarge(body))?;
    if body > FRAME_LIMIT_BYTES {
        return Err(FrameError::TooLarge(body));
    }
    frame[..LENGTH_BYTES].copy_from_slice(&length.to_le_bytes());
    Ok(frame)
}

/// The number of bytes that follow a frame's first four.
pub fn length(head: [u8; LENGTH_BYTES]) -> Result<usize, FrameError> {
    let length = usize::try_from(u32::from_le_bytes(head)).unwrap_or(usize::MAX);
    if length > FRAME_LIMIT_BYTES { Err(FrameError::TooLarge(length)) } else { Ok(length) }
}

/// A message from the bytes after the length.
pub fn decode<T: DeserializeOwned>(body: &[u8]) -> Result<T, FrameError> {
    serde_json::from_slice(body).map_err(FrameError::Message)
}

/// Reads a frame; `None` when the stream ended before it.
pub fn read<T: DeserializeOwned>(input: &mut impl Read) -> Result<Option<T>, FrameError> {
    let mut head = [0; LENGTH_BYTES];
    if !read_or_end(input, &mut head).map_err(FrameError::Stream)? {
        return Ok(None);
    }
    let mut body = vec![0; length(head)?];
    input.read_exact(&mut body).map_err(FrameError::Stream)?;
    decode(&body).map(Some)
}

/// Writes a frame and flushes it.
pub fn write<T: Serialize>(output: &mut impl Write, message: &T) -> Result<(), FrameError> {
    let frame = encode(message)?;
    output.write_all(&frame).and_then(|()| output.flush()).map_err(FrameError::Stream)
}

/// Fills `buffer`; false when the stream ended before its first byte.
fn read_or_end(input: &mut impl Read, buffer: &mut [u8]) -> std::io::Result<bool> {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read(&mut buffer[filled..]) {
            Ok(0) if filled == 0 => return Ok(false),
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(n) => filled += n,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_back_in_order_and_then_end() {
        let mut bytes = Vec::new();
        write(&mut bytes, &"first").unwrap();
        write(&mut bytes, &"second").unwrap();
        let mut input = bytes.as_slice();
        assert_eq!(read::<String>(&mut input).unwrap().as_deref(), Some("first"));
        assert_eq!(read::<String>(&mut input).unwrap().as_deref(), Some("second"));
        assert!(read::<String>(&mut input).unwrap().is_none());
    }

    #[test]
    fn broken_frames_are_errors_of_their_kind() {
        let whole = encode(&"text").unwrap();
        let kind = |error: &FrameError| match error {
            FrameError::Stream(_) => "stream",
            FrameError::TooLarge(_) => "too large",
            FrameError::Message(_) => "message",
        };
        let cases: [(&[u8], &str); 4] = [
            (&whole[..2], "stream"),
            (&whole[..7], "stream"),
            (&[255, 255, 255, 255], "too large"),
            (&[2, 0, 0, 0, b'{', b'x'], "message"),
        ];
        for (bytes, expected) in cases {
            let error = read::<String>(&mut &*bytes).unwrap_err();
            assert_eq!(kind(&error), expected, "{bytes:?}: {error}");
        }
        let huge = "x".repeat(FRAME_LIMIT_BYTES);
        assert!(matches!(encode(&huge), Err(FrameError::TooLarge(_))));
    }
}

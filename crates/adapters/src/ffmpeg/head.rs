//! A look at the first bytes of a file: is it certainly no media, or certainly meant as media?
//! Nothing is parsed; what neither table knows is left to ffprobe.
//!
//! **Invariant:** nothing that FFmpeg would decode under our whitelist is refused here.

use verst_kernel::Failure;
use verst_recordings::codes;

/// Bytes that are worth reading for these looks and for the header of a WAV.
pub(super) const HEAD_BYTES: usize = 64 * 1024;

/// Beginnings of files that are no media, or media by reference.
const FOREIGN: [&[u8]; 19] = [
    b"%PDF-",
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\x7fELF",
    b"\x1f\x8b\x08",
    b"BZh",
    b"\xfd7zXZ\x00",
    b"7z\xbc\xaf\x27\x1c",
    b"Rar!\x1a\x07",
    b"\x28\xb5\x2f\xfd",
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff",
    b"GIF8",
    b"SQLite format 3\x00",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    b"{\\rtf",
    b"#!/",
    b"BEGIN:VCARD",
    b"-----BEGIN ",
];

/// Beginnings of texts that make FFmpeg open something else, or of pages. Compared without case,
/// after a byte order mark and white space.
const TEXTS: [&str; 11] = [
    "#extm3u",
    "ffconcat",
    "[playlist]",
    "<!doctype",
    "<html",
    "<?xml",
    "<svg",
    "<smil",
    "<asx",
    "<mpd",
    "v=0\r\no=",
];

/// Text shorter than this is not judged by being text: `RIFF` and `#!AMR` are text too.
const SHORTEST_TEXT: usize = 64;

/// Refuses what is certainly no media. `head` is the beginning of the file, as long as it was
/// convenient to read.
pub(super) fn refuse(head: &[u8], size_bytes: u64) -> Option<Failure> {
    if size_bytes == 0 {
        return Some(Failure::new(codes::EMPTY_FILE));
    }
    let foreign = FOREIGN.iter().any(|magic| head.starts_with(magic)) || is_text(head);
    foreign.then(|| Failure::new(codes::UNSUPPORTED_FORMAT))
}

fn is_text(head: &[u8]) -> bool {
    let body = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    let begins = |text: &str| {
        body.get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text.as_bytes()))
    };
    if TEXTS.iter().any(|text| begins(text)) {
        return true;
    }
    // The last character may be cut in the middle.
    let whole = match std::str::from_utf8(head) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    let control = |byte: &u8| *byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c);
    head.len() >= SHORTEST_TEXT && whole && !head.iter().any(control)
}

/// Beginnings of the kinds on our whitelist: offset and bytes.
const MEDIA: [(usize, &[u8]); 30] = [
    (0, b"RIFF"),
    (0, b"RIFX"),
    (0, b"RF64"),
    (0, b"riff\x2e\x91\xcf\x11"),
    (0, b"OggS"),
    (0, b"fLaC"),
    (0, b"ID3"),
    (0, b"\xff\xfb"),
    (0, b"\xff\xfa"),
    (0, b"\xff\xf3"),
    (0, b"\xff\xf2"),
    (0, b"\xff\xf1"),
    (0, b"\xff\xf9"),
    (4, b"ftyp"),
    (4, b"moov"),
    (4, b"mdat"),
    (4, b"wide"),
    (4, b"free"),
    (4, b"skip"),
    (0, b"\x1a\x45\xdf\xa3"),
    (0, b"FORM"),
    (0, b"caff"),
    (0, b"#!AMR"),
    (0, b"\x30\x26\xb2\x75\x8e\x66\xcf\x11"),
    (0, b"FLV\x01"),
    (0, b".snd"),
    (0, b"wvpk"),
    (0, b"MAC "),
    (0, b"TTA1"),
    (0, b"\x0b\x77"),
];

/// Whether the file begins like a kind that is taken, so that a failure to read it means damage.
pub(super) fn begins_as_media(head: &[u8]) -> bool {
    MEDIA.iter().any(|(offset, magic)| head.get(*offset..).is_some_and(|b| b.starts_with(magic)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(head: &[u8], expected: Option<&str>) {
        let size = u64::try_from(head.len()).unwrap_or(0);
        let found = refuse(head, size);
        assert_eq!(found.as_ref().map(|f| f.code.as_ref()), expected, "{}", head.escape_ascii());
    }

    #[test]
    fn what_is_certainly_no_media_is_refused() {
        check(b"", Some(codes::EMPTY_FILE));
        let unsupported: [&[u8]; 13] = [
            b"#EXTM3U\n#EXTINF:10,\nfile:///other.mp3",
            b"\xef\xbb\xbf  \n#ExtM3U",
            b"ffconcat version 1.0\nfile a.mp3\n",
            b"<!DOCTYPE html><html>",
            b"<?xml version=\"1.0\"?><MPD>",
            b"v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\n",
            b"%PDF-1.7",
            b"PK\x03\x04\x14\x00",
            b"\x7fELF\x02\x01\x01\x00",
            b"\x89PNG\r\n\x1a\n\x00\x00",
            b"\xff\xd8\xff\xe0",
            b"[playlist]\nFile1=a.mp3",
            b"{\"error\": \"the link has expired\", \"code\": 403, \"retry\": false, \"id\": 12345}",
        ];
        for head in unsupported {
            check(head, Some(codes::UNSUPPORTED_FORMAT));
        }
        let russian = "Сегодня мы поговорим о том, как скачивать файлы и раздавать их.".as_bytes();
        check(russian, Some(codes::UNSUPPORTED_FORMAT));
        check(&russian[..russian.len() - 2], Some(codes::UNSUPPORTED_FORMAT));
    }

    #[test]
    fn the_doubtful_is_left_to_ffprobe() {
        let doubtful: [&[u8]; 7] = [
            b"R",
            b"RIFF",
            b"#!AMR\n",
            b"OggS\x00\x02",
            b"\xff\xfb\x90",
            b"MZ",
            b"\x00\x01\x02\x03",
        ];
        for head in doubtful {
            check(head, None);
        }
        assert_eq!(refuse(b"", 10), None);
        check(&[0x55; 8], None);
    }

    #[test]
    fn kinds_on_the_whitelist_are_known_by_their_beginning() {
        assert!(begins_as_media(b"\x00\x00\x00\x20ftypM4A "));
        assert!(begins_as_media(b"OggS\x00"));
        assert!(!begins_as_media(b"hello world"));
        assert!(!begins_as_media(b""));
    }
}

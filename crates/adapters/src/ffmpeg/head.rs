//! A look at the first bytes of a file: is it certainly no media, or certainly meant as media?
//! Nothing is parsed; what neither table knows is left to ffprobe.
//!
//! **Invariant:** nothing that FFmpeg would decode under our whitelist is refused here.

use verst_kernel::Failure;
use verst_recordings::codes;

/// Bytes that are worth reading for these looks and for the header of a WAV.
pub(super) const HEAD_BYTES: usize = 64 * 1024;

/// Beginnings of files that are no media, or media by reference.
const FOREIGN: [&[u8]; 35] = [
    b"%PDF-",
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"PK\x07\x08",
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
    b"II*\x00",
    b"MM\x00*",
    b"8BPS",
    b"AT&TFORM",
    b"ITSF",
    b"\x00asm",
    b"\xca\xfe\xba\xbe",
    b"\xcf\xfa\xed\xfe",
    b"!<arch>\n",
    b"MSCF\x00\x00\x00\x00",
    b"LZIP\x01",
    b"\x04\x22\x4d\x18",
    b"wOFF",
    b"wOF2",
    b"!BDN",
];

/// Beginnings of texts that make FFmpeg open something else, or of pages. Compared without case,
/// after a byte order mark and white space.
const TEXTS: [&str; 20] = [
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
    "<head",
    "<body",
    "<meta",
    "<title",
    "<script",
    "<style",
    "<!--",
    "<rss",
    "<feed",
];

/// Text shorter than this is not judged by being text: `RIFF` and `#!AMR` are text too.
const SHORTEST_TEXT: usize = 64;

/// Refuses what is certainly no media. `head` is the beginning of the file, as long as it was
/// convenient to read.
pub(super) fn refuse(head: &[u8], size_bytes: u64) -> Option<Failure> {
    if size_bytes == 0 {
        return Some(Failure::new(codes::EMPTY_FILE));
    }
    let foreign = FOREIGN.iter().any(|magic| head.starts_with(magic))
        || is_picture(head)
        || is_windows_program(head)
        || is_text(head)
        || is_wide_text(head);
    foreign.then(|| Failure::new(codes::UNSUPPORTED_FORMAT))
}

/// A picture in the container that WAV has.
fn is_picture(head: &[u8]) -> bool {
    head.starts_with(b"RIFF") && head.get(8..12).is_some_and(|kind| kind == b"WEBP")
}

/// The two letters that these begin with are too few; they say where more follows.
fn is_windows_program(head: &[u8]) -> bool {
    let place = head.get(0x3c..0x40).and_then(|bytes| bytes.try_into().ok());
    let place = place.and_then(|bytes| usize::try_from(u32::from_le_bytes(bytes)).ok());
    let there = place.and_then(|place| head.get(place..)).unwrap_or_default();
    head.starts_with(b"MZ") && there.starts_with(b"PE\0\0")
}

/// Text in UTF-16 with its byte order mark, which could begin a frame of MPEG audio: so it has to be
/// in letters of Latin, Greek or Cyrillic script for the most part, which sound is not.
fn is_wide_text(head: &[u8]) -> bool {
    let read: fn([u8; 2]) -> u16 = match head.get(..2) {
        Some(b"\xff\xfe") => u16::from_le_bytes,
        Some(b"\xfe\xff") => u16::from_be_bytes,
        _ => return false,
    };
    let units: Vec<u16> = head[2..].chunks_exact(2).map(|pair| read([pair[0], pair[1]])).collect();
    let letters = units.iter().filter(|unit| (0x20..0x0530).contains(*unit)).count();
    let control = |unit: &u16| *unit < 0x20 && !matches!(unit, 0x09 | 0x0a | 0x0d);
    units.len() >= SHORTEST_TEXT && letters * 4 >= units.len() * 3 && !units.iter().any(control)
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
    fn whatever_its_name_a_page_a_document_or_a_program_is_none() {
        let wide = |text: &str, mark: [u8; 2], bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
            mark.into_iter().chain(text.encode_utf16().flat_map(bytes)).collect()
        };
        let page = "<html><body>Ссылка устарела. Войдите, чтобы скачать запись совещания.</body>";
        let mut program = b"MZ\x90\x00".to_vec();
        program.resize(0x3c, 0);
        program.extend_from_slice(b"\x80\0\0\0");
        program.resize(0x80, 0);
        program.extend_from_slice(b"PE\0\0\x64\x86");
        let unsupported: [&[u8]; 12] = [
            // A page in the encoding of old Russian servers is no UTF-8.
            b"<HEAD><title>\xd1\xf1\xfb\xeb\xea\xe0",
            b"\n <!-- saved from -->\x00",
            b"<script>location='/login'</script>",
            b"<rss version=\"2.0\">",
            b"RIFF\x24\x00\x00\x00WEBPVP8 ",
            b"PK\x07\x08PK\x03\x04",
            b"II*\x00\x08\x00\x00\x00",
            b"MSCF\x00\x00\x00\x00",
            b"\xca\xfe\xba\xbe\x00\x00\x00\x34",
            &wide(page, *b"\xff\xfe", u16::to_le_bytes),
            &wide(page, *b"\xfe\xff", u16::to_be_bytes),
            &program,
        ];
        for head in unsupported {
            check(head, Some(codes::UNSUPPORTED_FORMAT));
        }
    }

    #[test]
    fn sound_that_begins_oddly_is_let_in() {
        let mut tagged =
            b"ID3\x03\x00\x00\x00\x00\x02\x01TIT2\x00\x00\x00\x20\x00\x00\x00".to_vec();
        tagged.extend_from_slice(b"<html>%PDF-PK\x03\x04 is what this song is called");
        let mut layer_one = b"\xff\xfe\xc4\x00".to_vec();
        layer_one.extend((0..600u32).flat_map(|n| (n.wrapping_mul(2_654_435_761)).to_le_bytes()));
        let mut junk = vec![0; 700];
        junk.extend_from_slice(b"\xff\xfb\x90\x64");
        let mut cut = vec![b'M', b'Z'];
        cut.resize(0x3f, 0xff);
        let sound: [&[u8]; 7] = [
            &tagged,
            &layer_one,
            &junk,
            &cut,
            b"RIFF\x24\x00\x00\x00WAVEfmt \x10\x00",
            b"RIFX\x00\x00\x00\x24WAVEfmt ",
            b"\x47\x40\x11\x10\x00\x42\xf0\x25",
        ];
        for head in sound {
            check(head, None);
        }
    }

    proptest::proptest! {
        #[test]
        fn nothing_that_begins_as_media_is_refused(
            kind in 0..MEDIA.len(),
            rest in proptest::collection::vec(proptest::num::u8::ANY, 0..5000),
        ) {
            let (offset, magic) = MEDIA[kind];
            let mut head = vec![0; offset];
            head.extend_from_slice(magic);
            // What has letters only is text, whatever the first four say.
            head.push(0);
            head.extend(rest);
            check(&head, None);
            proptest::prop_assert!(begins_as_media(&head));
        }

        #[test]
        fn any_bytes_are_looked_at(head in proptest::collection::vec(proptest::num::u8::ANY, 0..5000)) {
            refuse(&head, 5000);
            begins_as_media(&head);
        }
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

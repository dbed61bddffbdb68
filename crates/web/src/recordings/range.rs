//! One stretch of a file, as RFC 9110 asks for it in section 14.
//!
//! **Invariant:** what is not understood is as if it had not been asked for: the whole file.

/// What is to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// All of it.
    Whole,
    /// From the first byte to the last one, which are in the file.
    Stretch {
        /// From here.
        first: u64,
        /// To here, this one too.
        last: u64,
    },
    /// There is nothing where it was asked for.
    Outside,
}

/// Reads the header of a request for a file of that size.
pub(super) fn part(header: Option<&str>, size: u64) -> Part {
    let Some(ranges) = header.and_then(|text| text.strip_prefix("bytes=")) else {
        return Part::Whole;
    };
    // Several at once would have to be wrapped in a form, and nobody who plays audio asks so.
    if ranges.contains(',') {
        return Part::Whole;
    }
    let Some((first, last)) = ranges.trim().split_once('-') else { return Part::Whole };
    match (number(first), number(last)) {
        (Number::Is(first), Number::Is(last)) if first > last => Part::Whole,
        (Number::Is(first), _) if first >= size => Part::Outside,
        (Number::Is(first), Number::Is(last)) => Part::Stretch { first, last: last.min(size - 1) },
        (Number::Is(first), Number::Absent) => Part::Stretch { first, last: size - 1 },
        (Number::Absent, Number::Is(count)) if count == 0 || size == 0 => Part::Outside,
        (Number::Absent, Number::Is(count)) => {
            Part::Stretch { first: size.saturating_sub(count), last: size - 1 }
        }
        _ => Part::Whole,
    }
}

enum Number {
    Absent,
    Is(u64),
    Wrong,
}

fn number(text: &str) -> Number {
    let text = text.trim();
    if text.is_empty() {
        return Number::Absent;
    }
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Number::Wrong;
    }
    // A number that fits nowhere is beyond the end of every file.
    Number::Is(text.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_stretch_is_understood_and_nothing_else() {
        let stretch = |first, last| Part::Stretch { first, last };
        for (header, expected) in [
            ("bytes=0-0", stretch(0, 0)),
            ("bytes=0-", stretch(0, 99)),
            ("bytes=10-19", stretch(10, 19)),
            ("bytes=90-1000", stretch(90, 99)),
            ("bytes=-10", stretch(90, 99)),
            ("bytes=-1000", stretch(0, 99)),
            ("bytes=99-", stretch(99, 99)),
            ("bytes=0-99999999999999999999999", stretch(0, 99)),
            ("bytes=100-", Part::Outside),
            ("bytes=99999999999999999999999-", Part::Outside),
            ("bytes=-0", Part::Outside),
            ("bytes=20-10", Part::Whole),
            ("bytes=0-1,3-4", Part::Whole),
            ("bytes=-", Part::Whole),
            ("bytes=a-b", Part::Whole),
            ("bytes=+1-2", Part::Whole),
            ("bytes", Part::Whole),
            ("seconds=0-1", Part::Whole),
        ] {
            assert_eq!(part(Some(header), 100), expected, "{header}");
        }
        assert_eq!(part(None, 100), Part::Whole);
        assert_eq!(part(Some("bytes=0-"), 0), Part::Outside);
    }
}

//! The kinds of strings that a JSON Schema can name. Each is recognised by a strict reading: what is recognised is one in the eyes of any
//! validator, and some that validators accept are not recognised.

use borsh::{BorshDeserialize, BorshSerialize};

/// A kind of strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextKind {
    /// A date of RFC 3339.
    Date = 1,
    /// A date and time of RFC 3339, with its offset.
    DateTime = 2,
    /// A UUID in its usual form.
    Uuid = 4,
    /// An address of HTTP.
    Uri = 8,
    /// A whole number of at most [`MOST_DIGITS`] digits, as JSON writes it.
    Integer = 16,
    /// The same, or with a fraction.
    Number = 32,
}

/// The kinds that a string of a path is not. None is excluded before the first string.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(super) struct Excluded(u8);

/// The longest number, in digits: each is exact as a 64-bit float.
const MOST_DIGITS: usize = 15;

impl Excluded {
    /// All kinds.
    const ALL: Self = Self(63);

    /// Excludes the kinds that a string is not. It has no escapes; what has some is of no kind.
    #[inline]
    pub(super) fn note(&mut self, text: Option<&[u8]>) {
        if *self != Self::ALL {
            self.0 |= text.map_or(Self::ALL.0, |text| Self::ALL.0 & !kinds(text));
        }
    }

    /// Excludes what another path excludes.
    pub(super) fn merge(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// Whether all strings are of a kind.
    pub(super) fn are_all(self, kind: TextKind) -> bool {
        self.0 & kind as u8 == 0
    }
}

/// The kinds of a string.
fn kinds(text: &[u8]) -> u8 {
    let number = || match text.iter().position(|byte| *byte == b'.') {
        Some(point) if is_integer(&text[..point]) && text.len() <= MOST_DIGITS => {
            let fraction = &text[point + 1..];
            let is = !fraction.is_empty() && fraction.iter().all(u8::is_ascii_digit);
            u8::from(is) * TextKind::Number as u8
        }
        None if is_integer(text) => TextKind::Integer as u8 | TextKind::Number as u8,
        _ => 0,
    };
    let is = |is: bool, kind: TextKind| u8::from(is) * kind as u8;
    match (text.len(), text.first()) {
        (_, Some(b'h')) => is(is_http(text), TextKind::Uri),
        (10, Some(b'0'..=b'9')) if text[4] == b'-' => is(is_date(text), TextKind::Date),
        (36, _) => is(is_uuid(text), TextKind::Uuid),
        (20..=35, _) => is(is_date(&text[..10]) && is_time(&text[10..]), TextKind::DateTime),
        (1..=16, _) => number(),
        _ => 0,
    }
}

/// Whether it is a whole number as JSON writes it.
fn is_integer(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    digits.len() <= MOST_DIGITS
        && digits.iter().all(u8::is_ascii_digit)
        && (digits.first().is_some_and(|first| *first != b'0') || digits == b"0")
}

/// Digits as a number; `None` for anything else.
fn digits(text: &[u8]) -> Option<u32> {
    text.iter().try_fold(0_u32, |number, byte| {
        byte.is_ascii_digit().then(|| number.wrapping_mul(10).wrapping_add(u32::from(byte - b'0')))
    })
}

/// Whether 10 bytes are a day of the calendar.
fn is_date(text: &[u8]) -> bool {
    let (Some(year), Some(month), Some(day)) = (digits(&text[..4]), digits(&text[5..7]), digits(&text[8..]))
    else {
        return false;
    };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    text[4] == b'-' && text[7] == b'-' && (1..=days).contains(&day)
}

/// Whether at least 10 bytes are a time after a `T`, with an offset. Not a leap second, which depends on the day.
fn is_time(text: &[u8]) -> bool {
    let (time, rest) = text.split_at(9);
    let is_clock = |text: &[u8]| {
        let two = |at: usize, most: u32| digits(&text[at..at + 2]).is_some_and(|number| number <= most);
        text[2] == b':' && two(0, 23) && two(3, 59)
    };
    let fraction = match rest {
        [b'.', digits @ ..] => 1 + digits.iter().take_while(|byte| byte.is_ascii_digit()).count(),
        _ => 0,
    };
    let is_offset = match &rest[fraction..] {
        b"Z" => true,
        [b'+' | b'-', clock @ ..] => clock.len() == 5 && is_clock(clock),
        _ => false,
    };
    let seconds = digits(&time[7..]).is_some_and(|seconds| seconds <= 59);
    time[0] == b'T' && is_clock(&time[1..]) && time[6] == b':' && seconds && fraction != 1 && is_offset
}

/// Whether 36 bytes are a UUID.
fn is_uuid(text: &[u8]) -> bool {
    let mut bytes = text.iter().enumerate();
    bytes.all(
        |(at, byte)| if matches!(at, 8 | 13 | 18 | 23) { *byte == b'-' } else { byte.is_ascii_hexdigit() },
    )
}

/// Whether it is an address of HTTP by RFC 3986, with the name of a host, and neither a user nor brackets.
fn is_http(text: &[u8]) -> bool {
    let rest = text.strip_prefix(b"https://").or_else(|| text.strip_prefix(b"http://"));
    let Some(rest) = rest else { return false };
    let end = rest.iter().position(|byte| matches!(byte, b'/' | b'?' | b'#')).unwrap_or(rest.len());
    let (host, path) = rest.split_at(end);
    let (host, port) = match host.iter().position(|byte| *byte == b':') {
        Some(colon) => (&host[..colon], &host[colon + 1..]),
        None => (host, &b"1"[..]),
    };
    let is_label = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    let is_port = (1..=5).contains(&port.len()) && digits(port).is_some_and(|port| port <= 65_535);
    let mut fragments = 0;
    let is_path = path.iter().enumerate().all(|(at, byte)| match byte {
        b'%' => path.get(at + 1..at + 3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)),
        b'#' => {
            fragments += 1;
            fragments == 1
        }
        byte => matches!(byte, b'!' | b'$' | b'&'..=b';' | b'=' | b'?'..=b'Z' | b'_' | b'a'..=b'z' | b'~'),
    });
    !host.is_empty() && host.iter().all(is_label) && is_port && is_path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_kinds(kind: u8, texts: &[&str]) {
        for text in texts {
            assert_eq!(kinds(text.as_bytes()), kind, "{text}");
        }
    }

    #[test]
    fn kinds_are_read_strictly() {
        assert_kinds(TextKind::Date as u8, &["2024-02-29", "2000-02-29", "0001-12-31"]);
        assert_kinds(
            TextKind::DateTime as u8,
            &["2024-05-01T23:59:59Z", "2024-05-01T00:00:00.123456+05:30", "2024-05-01T00:00:00-00:00"],
        );
        assert_kinds(TextKind::Uuid as u8, &["123e4567-e89b-12d3-A456-426614174000"]);
        assert_kinds(
            TextKind::Uri as u8,
            &[
                "http://a",
                "https://a.b:8080/c%20d?e=f&g#h",
                "https://example.com?x",
                "http://127.0.0.1/a:b@c",
            ],
        );
        assert_kinds(TextKind::Number as u8, &["1.5", "-0.0", "0.25", "12345.67890123"]);
        assert_kinds(48, &["0", "-0", "7", "-12", "123456789012345"]);
        let none = [
            "",
            "-",
            "--1",
            "01",
            "-01",
            "+1",
            "1.",
            ".5",
            "1e5",
            "1234567890123456",
            "1.2.3",
            "0x1",
            "1 ",
            "NaN",
            "2023-02-29",
            "1900-02-29",
            "2024-13-01",
            "2024-00-10",
            "2024-04-31",
            "2024-4-031",
            "2024/01/01",
            "2024-05-01T23:59:59",
            "2024-05-01 23:59:59Z",
            "2024-05-01t23:59:59Z",
            "2024-05-01T24:00:00Z",
            "2024-05-01T23:59:60Z",
            "2024-05-01T23:59:59.Z",
            "2024-05-01T23:59:59+5:300",
            "2024-05-01T23:59:59+24:00",
            "2024-05-01T23:59:59+0530",
            "123e4567-e89b-12d3-a456-42661417400g",
            "{23e4567-e89b-12d3-a456-42661417400}",
            "http://",
            "http:///a",
            "HTTP://a",
            "http://a b",
            "http://a/\"",
            "http://a/%2",
            "http://a/%zz",
            "http://a#b#c",
            "http://[::1]/",
            "http://u@h/",
            "http://a:b",
            "http://a:",
            "http://a:70000",
            "http://\u{e9}.org",
            "https://a/\u{e9}",
            "http://a/{b}",
            "http://a/<b",
            "http://a/b>",
            "http://a/[",
            "http://a/^",
            "http://a/`",
            "http://a/|",
            "http://a/\\",
            "hello",
            "20240501T235959Z0000",
        ];
        assert_kinds(0, &none);
    }

    #[test]
    fn a_kind_is_that_of_all_strings() {
        let mut excluded = Excluded::default();
        excluded.note(Some(b"7"));
        assert!(excluded.are_all(TextKind::Integer) && excluded.are_all(TextKind::Number));
        excluded.note(Some(b"7.5"));
        assert!(!excluded.are_all(TextKind::Integer) && excluded.are_all(TextKind::Number));
        excluded.note(None);
        assert_eq!(excluded, Excluded::ALL);
    }
}

//! Guesses the encoding of text that is not UTF-8.

use std::ops::RangeInclusive;

/// Guesses the encodings of text that is not UTF-8 from its bytes above 7F, the likeliest first, by their names in the
/// [Encoding Standard](https://encoding.spec.whatwg.org/). None when the bytes show nothing, and for damaged UTF-8, which still
/// has characters of several bytes.
///
/// ```
/// use evalcheck_core::content::guess_encodings;
///
/// assert_eq!(guess_encodings(b"it\x92s"), ["windows-1252"]);
/// assert!(guess_encodings("a cut character: \u{20ac}".as_bytes().split_last().unwrap().1).is_empty());
/// ```
pub fn guess_encodings(bytes: &[u8]) -> Vec<&'static str> {
    if is_mostly_utf8(bytes) {
        return Vec::new();
    }
    // There may be as many runs as bytes, so they are not collected.
    let runs = || bytes.split(u8::is_ascii).filter(|run| !run.is_empty());
    let is_letter = |byte: &&u8| **byte >= 0xc0;
    let letters: usize = runs().map(|run| run.iter().filter(is_letter).count()).sum();
    let total: usize = runs().map(<[u8]>::len).sum();
    // Words of letters above BF are Cyrillic; in Western European languages such letters are single.
    let has_words = runs().any(|run| run.len() >= 4);
    let is_cyrillic = has_words && letters * 10 >= total * 9;
    // FF is a character too, but it is rare in text and frequent in binary data.
    let is_usual = |byte: &u8| !matches!(byte, 0x81 | 0x8d | 0x8f | 0x90 | 0x9d | 0xff);
    // Latin-1 has the same characters from A0 on, and below A0 only control characters, which no text has.
    let is_western = runs().all(|run| run.iter().all(is_usual));
    let is_double_byte =
        |leads: &RangeInclusive<u8>| runs().all(|run| run.len() % 2 == 0 && is_double_byte(run, leads));
    let candidates = [
        ("Shift_JIS", is_shift_jis(bytes)),
        // Among Latin letters, two bytes are two letters.
        ("windows-1252", is_western && !has_words && is_among_letters(bytes)),
        ("GBK", is_double_byte(&(0xb0..=0xf7))),
        ("EUC-KR", is_double_byte(&(0xb0..=0xc8))),
        ("windows-1251", is_cyrillic),
        ("windows-1252", is_western),
    ];
    let mut guesses = Vec::new();
    for (name, fits) in candidates {
        if fits && !guesses.contains(&name) {
            guesses.push(name);
        }
    }
    guesses.truncate(MOST_GUESSES);
    guesses
}

/// The maximum number of guesses.
const MOST_GUESSES: usize = 3;

/// The encodings that a user can choose from for text that is not UTF-8: the guesses, then others in which datasets are saved by
/// mistake. None for damaged UTF-8.
///
/// ```
/// use evalcheck_core::content::possible_encodings;
///
/// assert_eq!(possible_encodings(b"it\x92s")[..2], ["windows-1252", "Shift_JIS"]);
/// assert!(possible_encodings("plain".as_bytes()).is_empty());
/// ```
pub fn possible_encodings(bytes: &[u8]) -> Vec<&'static str> {
    if is_mostly_utf8(bytes) {
        return Vec::new();
    }
    let mut encodings = guess_encodings(bytes);
    for name in CHOICES {
        if !encodings.contains(&name) {
            encodings.push(name);
        }
    }
    encodings
}

/// Encodings in which datasets are saved by mistake. UTF-16 is missing, because `utf16` recognises it.
const CHOICES: [&str; 9] = [
    "Shift_JIS",
    "GBK",
    "Big5",
    "EUC-KR",
    "windows-1252",
    "windows-1251",
    "windows-1250",
    "ISO-8859-2",
    "macintosh",
];

/// Whether this is UTF-8 or damaged UTF-8, which still has characters of several bytes.
fn is_mostly_utf8(bytes: &[u8]) -> bool {
    let (mut characters, mut broken) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        characters += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    let is_cut = bytes.utf8_chunks().last().is_some_and(|chunk| chunk.invalid().len() > 1);
    broken == 0 || characters >= broken || (is_cut && broken == 1)
}

/// Whether each run of bytes above 7F is next to a Latin letter.
fn is_among_letters(bytes: &[u8]) -> bool {
    let mut before = None;
    let mut rest = bytes;
    while let Some(start) = rest.iter().position(|byte| !byte.is_ascii()) {
        before = start.checked_sub(1).map_or(before, |at| Some(rest[at]));
        let end = rest[start..].iter().position(u8::is_ascii).map_or(rest.len(), |length| start + length);
        let after = rest.get(end).copied();
        if !before.into_iter().chain(after).any(|byte| byte.is_ascii_alphabetic()) {
            return false;
        }
        rest = &rest[end..];
    }
    true
}

/// Whether the bytes above 7F are half-width katakana and pairs of a lead byte and a trail byte, some of them hiragana or katakana.
fn is_shift_jis(bytes: &[u8]) -> bool {
    let mut kana = 0;
    let mut rest = bytes;
    loop {
        rest = match rest {
            [] => return kana > 0,
            [0..=0x7f | 0xa1..=0xdf, rest @ ..] => rest,
            [lead @ (0x81..=0x9f | 0xe0..=0xfc), 0x40..=0x7e | 0x80..=0xfc, rest @ ..] => {
                kana += usize::from(matches!(lead, 0x82 | 0x83));
                rest
            }
            _ => return false,
        };
    }
}

/// Whether a run consists of pairs of bytes above A0, and at least half of the pairs begin with one of these lead bytes, as frequent
/// characters do.
fn is_double_byte(run: &[u8], leads: &RangeInclusive<u8>) -> bool {
    let frequent = run.chunks(2).filter(|pair| leads.contains(&pair[0])).count();
    run.iter().all(|byte| *byte >= 0xa1) && frequent * 4 >= run.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_told_by_their_bytes() {
        let known: &[(&[u8], &[&str])] = &[
            (b"it\x92s \x93quoted\x94 caf\xe9", &["windows-1252"]),
            (b"caf\xe9, na\xefve, Stra\xdfe", &["windows-1252"]),
            (b"die gr\xf6\xdfte Zahl", &["windows-1252", "GBK"]),
            (b"\x82\xb1\x82\xf1\x82\xc9\x82\xbf\x82\xcd", &["Shift_JIS", "windows-1252"]),
            (b"{\"a\": \"\xc4\xe3\xba\xc3\xca\xc0\xbd\xe7\"}", &["GBK", "EUC-KR", "windows-1252"]),
            (b"\"\xb4\xeb\xc7\xd1\xb9\xce\xb1\xb9\"", &["GBK", "EUC-KR", "windows-1252"]),
            (b"\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0", &["windows-1251", "windows-1252"]),
            (b"plain text", &[]),
            // Damaged UTF-8: one character cut, another whole.
            (b"\xe2\x82\xac and \xe2\x82", &[]),
            (b"a \xff b", &[]),
        ];
        for (bytes, encodings) in known {
            assert_eq!(guess_encodings(bytes), *encodings, "{}", bytes.escape_ascii());
        }
    }
}

//! Comparing captured texts without decoding their escapes.

use std::ops::Range;

use crate::scan::is_filled;

/// The maximum number of texts that are compared with each other.
const FEW: usize = 64;

/// Whether the texts captured under `number` are certainly distinct after trimming, not blank, and few. False means unknown.
pub fn are_distinct(bytes: &[u8], captures: &[(u8, Range<usize>)], number: u8) -> bool {
    let mut texts = captures.iter().filter(|(of, _)| *of == number).map(|(_, range)| &bytes[range.clone()]);
    let mut count = 0;
    while let Some(text) = texts.next() {
        count += 1;
        if count > FEW || !is_filled(text) || !texts.clone().all(|other| differ(text, other)) {
            return false;
        }
    }
    true
}

/// Whether two texts are certainly different after trimming: different visible characters follow their common prefix, or they differ and
/// neither has escapes.
fn differ(one: &[u8], other: &[u8]) -> bool {
    let (one, other) = (one.trim_ascii_start(), other.trim_ascii_start());
    let mut at = 0;
    while let (Some(a), Some(b)) = (one.get(at), other.get(at))
        && a == b
    {
        at += 1;
        if *a == b'\\' {
            if one.get(at) != other.get(at) || one.get(at) == Some(&b'u') {
                return false;
            }
            at += 1;
        }
    }
    let shows = |text: &[u8]| match text.get(at)? {
        b'\\' => text.get(at + 1).copied().filter(|byte| matches!(byte, b'"' | b'\\' | b'/')),
        byte => Some(*byte).filter(u8::is_ascii_graphic),
    };
    if let (Some(a), Some(b)) = (shows(one), shows(other)) {
        return a != b;
    }
    // U+001C to U+001F are white space to Python.
    let is_doubtful = |c: char| matches!(c, '\\' | '\u{1c}'..='\u{1f}');
    let text =
        |bytes| std::str::from_utf8(bytes).ok().filter(|text| !text.contains(is_doubtful)).map(str::trim);
    matches!((text(one), text(other)), (Some(one), Some(other)) if one != other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_may_be_the_same_are_not_distinct() {
        let are_distinct = |texts: &[&str]| {
            let (mut bytes, mut captures) = (Vec::new(), vec![(2, 0..0)]);
            for text in texts {
                captures.push((1, bytes.len()..bytes.len() + text.len()));
                bytes.extend_from_slice(text.as_bytes());
            }
            super::are_distinct(&bytes, &captures, 1)
        };
        assert!(are_distinct(&[]) && are_distinct(&["a"]) && are_distinct(&["a", "b", "ab", "é", "ab c"]));
        assert!(are_distinct(&[r"a\n b", r"a\n c", r"\/"]));
        for texts in [&["a", " a"][..], &["a", "a "], &["a", "b", "a"], &[""], &["a", " "], &["a", r"\u0061"]]
        {
            assert!(!are_distinct(texts), "{texts:?}");
        }
        let many: Vec<String> = (0..=FEW).map(|n| n.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(are_distinct(&many[1..]) && !are_distinct(&many));
    }
}

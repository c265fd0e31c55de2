//! Fixes of characters and bytes in a record that is JSON.

use std::ops::Range;

use super::RecordFix;

/// Escaped NULs of a text.
pub(in crate::diagnose) fn without_nul(spans: &[Range<usize>]) -> RecordFix {
    replace_all(RecordFix::not_safe("Delete the NUL, which is lost"), spans, "")
}

/// Lone surrogates of a text.
pub(in crate::diagnose) fn without_surrogates(spans: &[Range<usize>]) -> RecordFix {
    replace_all(RecordFix::not_safe("Write U+FFFD in place of half a character"), spans, "\\ufffd")
}

fn replace_all(fix: RecordFix, spans: &[Range<usize>], text: &str) -> RecordFix {
    spans.iter().fold(fix, |fix, span| fix.replace(span.clone(), text))
}

/// An integer that is too large for readers.
pub(in crate::diagnose) fn number_as_string(span: Range<usize>, digits: &str) -> RecordFix {
    let fix = RecordFix::not_safe("Write the number as a string, which is another type");
    fix.replace(span, format!("\"{digits}\""))
}

/// The bytes of a text that are not UTF-8, as characters of Windows-1252, where they look like that. Never safe: the same bytes are
/// other letters in the encodings of other languages.
pub(in crate::diagnose) fn decoded(
    record: &[u8],
    text: &Range<usize>,
    encoding: Option<&str>,
) -> Option<RecordFix> {
    if !matches!(encoding?, "WINDOWS-1252" | "ISO-8859-1") {
        return None;
    }
    let mut fix =
        RecordFix::not_safe("Write the characters of Windows-1252 in UTF-8, which guesses the encoding");
    let mut at = text.start;
    for chunk in record.get(text.clone())?.utf8_chunks() {
        at += chunk.valid().len();
        let invalid = chunk.invalid();
        if !invalid.is_empty() {
            let characters = invalid.iter().map(|byte| windows_1252(*byte)).collect::<Option<String>>()?;
            fix = fix.replace(at..at + invalid.len(), characters);
            at += invalid.len();
        }
    }
    Some(fix)
}

/// The character of a byte above ASCII; `None` for the five that have none.
fn windows_1252(byte: u8) -> Option<char> {
    const FROM_80: [char; 32] = [
        '\u{20ac}', '\0', '\u{201a}', '\u{192}', '\u{201e}', '\u{2026}', '\u{2020}', '\u{2021}', //
        '\u{2c6}', '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\0', '\u{17d}', '\0', //
        '\0', '\u{2018}', '\u{2019}', '\u{201c}', '\u{201d}', '\u{2022}', '\u{2013}', '\u{2014}', //
        '\u{2dc}', '\u{2122}', '\u{161}', '\u{203a}', '\u{153}', '\0', '\u{17e}', '\u{178}',
    ];
    match byte {
        0x80..=0x9f => Some(FROM_80[usize::from(byte - 0x80)]).filter(|c| *c != '\0'),
        byte => Some(char::from(byte)),
    }
}

/// Every raw U+2028 and U+2029 from `at` on, as an escape.
pub(in crate::diagnose) fn separators(record: &[u8], at: usize) -> RecordFix {
    let mut fix = RecordFix::safe("Write the line separators as escapes");
    for at in memchr::memmem::find_iter(&record[at..], b"\xe2\x80").map(|place| place + at) {
        match record.get(at + 2) {
            Some(0xa8) => fix = fix.replace(at..at + 3, "\\u2028"),
            Some(0xa9) => fix = fix.replace(at..at + 3, "\\u2029"),
            _ => {}
        }
    }
    fix
}

/// Every carriage return from `at` on; a record has none in its strings.
pub(in crate::diagnose) fn carriage_returns(record: &[u8], at: usize) -> RecordFix {
    let ends = record.trim_ascii_end().len();
    let returns = memchr::memchr_iter(b'\r', &record[at..ends]).map(|place| place + at);
    returns.fold(RecordFix::safe("Delete the carriage returns"), |fix, at| fix.replace(at..at + 1, ""))
}

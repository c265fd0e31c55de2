//! Fixes of characters and bytes in a record that is JSON.

use std::ops::Range;

use super::{RecordFix, strings};
use crate::parse::hex_unit;
use evalcheck_json::scan::LineReader;

/// Deletes the escaped NULs of a text. `span` extends from the first to the last.
pub(crate) fn without_nul(record: &[u8], span: Range<usize>) -> Option<RecordFix> {
    let text = without_escapes(record.get(span.clone())?, |escape| matches!(escape, Escape::Nul), "")?;
    Some(RecordFix::not_safe("Delete the NUL, which is lost").replace(span, text))
}

/// Replaces the lone surrogates of a text. `span` extends from the first to the last.
pub(crate) fn without_surrogates(record: &[u8], span: Range<usize>) -> Option<RecordFix> {
    let text =
        without_escapes(record.get(span.clone())?, |escape| matches!(escape, Escape::Half), "\\ufffd")?;
    Some(RecordFix::not_safe("Write U+FFFD in place of half a character").replace(span, text))
}

/// Doubles the backslashes before letters in the text that contains `at`. `None` if the text has a doubled backslash: then it is unknown
/// which are meant as escapes.
pub(crate) fn with_doubled_backslashes(record: &[u8], at: usize) -> Option<RecordFix> {
    let edits = strings::single_backslashes(record, at);
    let title = "Double the backslashes before letters, which guesses that no control character is meant";
    (!edits.is_empty()).then(|| RecordFix { edits, ..RecordFix::not_safe(title) })
}

/// The kinds of escapes that fixes distinguish.
enum Escape {
    Nul,
    /// An unpaired half of a surrogate pair.
    Half,
    Other,
}

/// A part of a JSON string, with `instead` in place of the escapes that satisfy `is_meant`.
fn without_escapes(text: &[u8], is_meant: impl Fn(&Escape) -> bool, instead: &str) -> Option<String> {
    let mut out = String::new();
    let (mut at, mut written) = (0, 0);
    while let Some(backslash) = memchr::memchr(b'\\', &text[at..]) {
        let start = at + backslash;
        let (escape, length) = match (hex_unit(text, start), hex_unit(text, start + 6)) {
            (Some(0), _) => (Escape::Nul, 6),
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => (Escape::Other, 12),
            (Some(0xd800..=0xdfff), _) => (Escape::Half, 6),
            (Some(_), _) => (Escape::Other, 6),
            (None, _) => (Escape::Other, 2),
        };
        at = text.len().min(start + length);
        if is_meant(&escape) {
            out.push_str(std::str::from_utf8(&text[written..start]).ok()?);
            out.push_str(instead);
            written = at;
        }
    }
    out.push_str(std::str::from_utf8(&text[written..]).ok()?);
    Some(out)
}

/// Decodes the bytes of a text that are not UTF-8 as Windows-1252, if that is the likeliest encoding. Never safe: in the encodings of other
/// languages, the same bytes are other letters.
pub(crate) fn decoded(record: &[u8], text: &Range<usize>, encodings: &[&str]) -> Option<RecordFix> {
    if *encodings.first()? != "windows-1252" {
        return None;
    }
    // One edit from the first such byte to the last, because there may be as many as bytes.
    let bytes = record.get(text.clone())?;
    let mut written = String::new();
    let mut at = text.start;
    let mut invalid: Option<(usize, usize, usize)> = None;
    for chunk in bytes.utf8_chunks() {
        if invalid.is_some() {
            written.push_str(chunk.valid());
        }
        at += chunk.valid().len();
        if !chunk.invalid().is_empty() {
            for byte in chunk.invalid() {
                written.push(windows_1252(*byte)?);
            }
            let start = invalid.map_or(at, |(start, ..)| start);
            at += chunk.invalid().len();
            invalid = Some((start, at, written.len()));
        }
    }
    let (start, end, length) = invalid?;
    written.truncate(length);
    let title = "Write the characters of Windows-1252 in UTF-8, which guesses the encoding";
    Some(RecordFix::not_safe(title).replace(start..end, written))
}

/// The character of a byte above ASCII; `None` for the five bytes without one.
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

/// Escapes every line separator of Unicode at which the system may end a line, from `at`.
pub(crate) fn separators(record: &[u8], mut at: usize, lines: LineReader) -> RecordFix {
    let mut fix = RecordFix::safe("Write the line separators as escapes");
    while let Some((ahead, character)) = lines.separator(&record[at..]) {
        let span = at + ahead..at + ahead + character.len_utf8();
        at = span.end;
        fix = fix.replace(span, escape(character));
    }
    fix
}

/// A character of 16 bits as JSON escapes it: `\u2028`.
pub(crate) fn escape(character: char) -> String {
    format!("\\u{:04x}", u32::from(character))
}

/// Deletes every carriage return from `at`. The strings of a record contain none.
pub(crate) fn carriage_returns(record: &[u8], at: usize) -> RecordFix {
    let ends = record.trim_ascii_end().len();
    let returns = memchr::memchr_iter(b'\r', &record[at..ends]).map(|place| place + at);
    returns.fold(RecordFix::safe("Delete the carriage returns"), |fix, at| fix.replace(at..at + 1, ""))
}

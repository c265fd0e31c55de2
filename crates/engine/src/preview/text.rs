//! The text of a record, as far as it is shown, and the positions of findings in it.

use std::ops::Range;

use evalcheck_core::excerpt::is_continuation;
use evalcheck_report::Severity;
use evalcheck_report::view::{ByteRange, Mark, Source};

use crate::finding::Finding;

/// The maximum number of bytes of a record that are shown.
const SOURCE: usize = 128 << 10;

/// The largest record that can be edited, in bytes: a text field is too slow for more.
const MOST_BYTES: usize = 8 << 20;

/// The severities of findings, and their spans in a record of `length` bytes that begins at a byte of the dataset.
pub(super) fn spans(findings: &[Finding], start: u64, length: usize) -> Vec<(Severity, Range<usize>)> {
    let local = |byte: u64| {
        let byte = usize::try_from(byte.checked_sub(start)?).ok()?;
        (byte <= length).then_some(byte)
    };
    let span = |finding: &Finding| {
        let bytes = finding.location.bytes.as_ref()?;
        Some((finding.problem.rule().severity, local(bytes.start)?..local(bytes.end)?))
    };
    findings.iter().filter_map(span).collect()
}

/// The text of a record of `length` bytes that begins at a byte of the dataset; `bytes` are its first bytes.
pub(super) fn source(bytes: &[u8], length: u64, start: u64, findings: &[Finding], at: Option<u64>) -> Source {
    let first = || findings.iter().find_map(|finding| Some(finding.location.bytes.as_ref()?.start));
    let at =
        at.or_else(first).map_or(0, |at| usize::try_from(at.saturating_sub(start)).unwrap_or(usize::MAX));
    let mut from = at.saturating_sub(SOURCE / 2).min(bytes.len().saturating_sub(SOURCE));
    from += bytes[from..].iter().take_while(|byte| from > 0 && is_continuation(**byte)).take(3).count();
    let shown = clip_utf8(&bytes[from..], SOURCE);
    let before = from as u64;
    let after = length.saturating_sub(before + shown.len() as u64);
    Source {
        text: String::from_utf8_lossy(shown).into_owned(),
        marks: marks(findings, start + before, shown),
        editable: editable_range(bytes, start).filter(|_| bytes.len() as u64 == length),
        before,
        after,
    }
}

/// The first bytes, not cut within a character.
pub(super) fn clip_utf8(bytes: &[u8], most: usize) -> &[u8] {
    let mut end = bytes.len().min(most);
    while end < bytes.len() && end > 0 && is_continuation(bytes[end]) {
        end -= 1;
    }
    &bytes[..end]
}

/// The positions of the findings in the shown text, as far as it goes, in UTF-16 code units.
fn marks(findings: &[Finding], start: u64, shown: &[u8]) -> Vec<Option<Mark>> {
    let end = start + shown.len() as u64;
    let local = |byte: u64| usize::try_from(byte.clamp(start, end) - start).unwrap_or(shown.len());
    let units = |bytes: &[u8]| String::from_utf8_lossy(bytes).encode_utf16().count() as u64;
    // Findings are mostly in the order of the text, so counting continues from the one before.
    let mut counted = (0, 0);
    let mark = |finding: &Finding| {
        let span = finding.location.bytes.as_ref().filter(|span| start <= span.end && span.start <= end)?;
        let (from, to) = (local(span.start), local(span.end));
        if from == to && !span.is_empty() {
            return None;
        }
        if counted.0 > from {
            counted = (0, 0);
        }
        counted = (from, counted.1 + units(&shown[counted.0..from]));
        Some(Mark { start_utf16: counted.1, end_utf16: counted.1 + units(&shown[from..to]) })
    };
    findings.iter().map(mark).collect()
}

/// The bytes of a record that can be edited, because a text field keeps every character of it. `None` if it is too large, is not
/// UTF-8, or has a lone carriage return, which a text field would turn into a line break.
pub(super) fn editable_range(bytes: &[u8], start: u64) -> Option<ByteRange> {
    let text = std::str::from_utf8(bytes).ok().filter(|text| text.len() <= MOST_BYTES)?;
    let is_kept = !text.contains('\r') || !text.replace("\r\n", "").contains('\r');
    is_kept.then_some(ByteRange { start, end: start + bytes.len() as u64 })
}

//! Records with another text, which the user is writing.

use std::io::{self, Read, Seek};
use std::ops::ControlFlow;

use evalcheck_wire::view::{ByteRange, EditedRecord};

use super::{MAX_RECORD, View, check_line, each_line, is_record, record};
use crate::finding::Finding;
use crate::formats::Layout;
use crate::records::finder::FoundRecord;

/// The bytes of a record that can be edited, because a text field keeps every character of it. None where it is not UTF-8, or has a
/// carriage return alone, which a text field would make a line break.
pub(super) fn range(bytes: &[u8], start: u64) -> Option<ByteRange> {
    let text = std::str::from_utf8(bytes).ok()?;
    let is_kept = !text.contains('\r') || !text.replace("\r\n", "").contains('\r');
    is_kept.then_some(ByteRange { start, end: start + bytes.len() as u64 })
}

impl<R: Read + Seek> View<'_, R> {
    /// Checks the record at a line with another text; `None` when the dataset has no such line.
    ///
    /// # Errors
    /// The source's own, when the file went away or changed.
    pub fn recheck(&mut self, line: u64, text: &str) -> io::Result<Option<EditedRecord>> {
        let reader = self.reader;
        let answer = |text: String, findings: Option<Vec<Finding>>| EditedRecord {
            text,
            findings: findings.map(|findings| findings.iter().map(Finding::to_wire).collect()),
        };
        let finder = record::find(self, line)?.filter(|finder| !finder.several);
        if let Some(found) = finder.and_then(|finder| finder.found) {
            let has_returns = memchr::memchr(b'\r', &found.bytes).is_some();
            let text = if has_returns { text.replace('\n', "\r\n") } else { text.to_owned() };
            let edited = FoundRecord { bytes: text.clone().into_bytes(), is_partial: false, ..found };
            let findings = record::recheck(&edited, reader);
            return Ok(Some(answer(text, Some(findings))));
        }
        let is_lines = matches!(reader.visitor().variant.layout, Layout::Jsonl | Layout::JsonlWithHeader(_));
        // Between tokens of JSON a line break is white space as any other.
        let text = if is_lines { text.replace('\n', " ") } else { text.to_owned() };
        let mut result = None;
        each_line(self, line, MAX_RECORD, |mut raw| {
            raw.bytes = text.clone().into_bytes();
            raw.whole = true;
            let is_blank = text.trim().is_empty() && !reader.positions().header_lines.contains(&line);
            let is_known = is_record(&raw, reader) || (is_lines && is_blank);
            result = Some(answer(text.clone(), is_known.then(|| check_line(&raw, reader))));
            ControlFlow::Break(())
        })?;
        Ok(result)
    }
}

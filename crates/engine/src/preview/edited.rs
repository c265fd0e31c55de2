//! Records whose text the user edits.

mod completion;
mod indented;

use std::io::{self, Read, Seek};
use std::ops::{ControlFlow, Range};

use evalcheck_report::view::{EditedRecord, Mark, TextToEdit};

use super::lines::{Raw, check_line, each_line, is_record};
use super::sample::Shows;
use super::text::editable_range;
use super::{MAX_RECORD, View, record};
use crate::check::state::CheckState;
use crate::finding::Finding;
use crate::formats::Layout;
use crate::records::Reader;
use crate::records::finder::FoundRecord;
use crate::schema::Schema;
use indented::{can_be_indented, indented, written_back};

/// A record that is edited, as it is in the dataset.
pub(super) enum Edited {
    /// A record that is not a line by itself.
    Found(FoundRecord),
    /// A line.
    Line(Raw),
}

impl Edited {
    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Self::Found(found) => &found.bytes,
            Self::Line(raw) => &raw.bytes,
        }
    }

    fn start(&self) -> u64 {
        match self {
            Self::Found(found) => found.mark.record_start.offset,
            Self::Line(raw) => raw.start + raw.skipped,
        }
    }

    /// The schema that it has to follow, if it is JSON.
    fn schema(&self, line: u64, reader: &dyn Reader<CheckState>) -> Option<&'static Schema> {
        let variant = reader.visitor().dataset.variant;
        match (self, &variant.layout) {
            (Self::Found(found), Layout::Json(lists)) => lists.get(found.mark.list).map(|list| list.schema),
            (Self::Line(_), Layout::JsonlWithHeader(header))
                if reader.positions().header_lines.contains(&line) =>
            {
                Some(header)
            }
            (Self::Line(_), Layout::Jsonl | Layout::JsonlWithHeader(_)) => Some(variant.schema),
            _ => None,
        }
    }
}

impl<R: Read + Seek> View<'_, R> {
    /// The record at a line as text to edit, and the position of a span of the dataset in it; `None` if it cannot be edited, or the
    /// dataset has no such line.
    ///
    /// # Errors
    /// Those of the source, if the file was removed or changed.
    pub fn text_to_edit(&mut self, line: u64, span: Option<Range<u64>>) -> io::Result<Option<TextToEdit>> {
        let Some(edited) = self.edited(line)? else { return Ok(None) };
        let start = edited.start();
        let (Some(range), Ok(text)) =
            (editable_range(edited.bytes(), start), std::str::from_utf8(edited.bytes()))
        else {
            return Ok(None);
        };
        let local = |byte: u64| usize::try_from(byte.checked_sub(start)?).ok().filter(|at| *at <= text.len());
        let span = span.and_then(|span| Some(local(span.start)?..local(span.end)?));
        let (text, span) =
            if self.is_indented(text) { indented(text, span.as_ref()) } else { (text.to_owned(), span) };
        let mark = span.and_then(|span| mark(&text, &span));
        Ok(Some(TextToEdit { text: text.replace("\r\n", "\n"), range, mark }))
    }

    /// Checks the record at a line with another text, which may be indented as by [`View::text_to_edit`]; `None` if the dataset has
    /// no such line. With a caret, in UTF-16 code units of that text, also returns the completions there.
    ///
    /// # Errors
    /// Those of the source, if the file was removed or changed.
    pub fn recheck(&mut self, line: u64, text: &str, caret: Option<u64>) -> io::Result<Option<EditedRecord>> {
        let Some(edited) = self.edited(line)? else { return Ok(None) };
        let (reader, archive) = (self.reader, self.archive);
        let caret = caret.and_then(|caret| byte_at(text, caret));
        let completions = caret
            .zip(edited.schema(line, reader))
            .and_then(|(caret, schema)| completion::completions(text, caret, schema));
        let old = std::str::from_utf8(edited.bytes()).unwrap_or_default();
        let is_lines =
            matches!(reader.visitor().dataset.variant.layout, Layout::Jsonl | Layout::JsonlWithHeader(_));
        let text = if self.is_indented(old) {
            written_back(old, text)
        } else if is_lines {
            // Between tokens of JSON, a line break is white space like any other.
            text.replace('\n', " ")
        } else if old.contains('\r') {
            text.replace('\n', "\r\n")
        } else {
            text.to_owned()
        };
        let start = edited.start();
        let findings = match edited {
            Edited::Found(found) => {
                let found = FoundRecord { bytes: text.clone().into_bytes(), is_partial: false, ..found };
                Some(record::recheck(&found, reader))
            }
            Edited::Line(raw) => {
                let raw = Raw { bytes: text.clone().into_bytes(), whole: true, ..raw };
                let is_blank = text.trim().is_empty() && !reader.positions().header_lines.contains(&line);
                let is_known = is_record(&raw, reader) || (is_lines && is_blank);
                is_known.then(|| check_line(&raw, reader))
            }
        };
        let sample = findings.as_ref().and_then(|findings| {
            let shows = Shows { bytes: text.as_bytes(), start, line, findings, reader, archive };
            let (sample, is_fixed) = shows.sample(|_| Vec::new());
            sample.filter(|_| is_fixed.is_none())
        });
        let findings = findings.map(|findings| findings.iter().map(Finding::to_wire).collect());
        Ok(Some(EditedRecord { text, findings, sample, completions }))
    }

    /// The record at a line.
    pub(super) fn edited(&mut self, line: u64) -> io::Result<Option<Edited>> {
        let finder = record::find(self, line)?.filter(|finder| !finder.several);
        if let Some(found) = finder.and_then(|finder| finder.found) {
            return Ok(Some(Edited::Found(found)));
        }
        let mut edited = None;
        each_line(self, line, MAX_RECORD, |raw| {
            edited = Some(Edited::Line(raw));
            ControlFlow::Break(())
        })?;
        Ok(edited)
    }

    /// Whether a record is edited as [`indented`] writes it.
    fn is_indented(&self, text: &str) -> bool {
        !matches!(self.reader.visitor().dataset.variant.layout, Layout::Csv(_)) && can_be_indented(text)
    }
}

/// The byte at a number of UTF-16 code units.
fn byte_at(text: &str, units: u64) -> Option<usize> {
    let mut left = units;
    for (at, c) in text.char_indices() {
        if left == 0 {
            return Some(at);
        }
        left = left.checked_sub(c.len_utf16() as u64)?;
    }
    (left == 0).then_some(text.len())
}

/// A span of bytes of a text in UTF-16 code units, without the carriage returns of line breaks.
fn mark(text: &str, span: &Range<usize>) -> Option<Mark> {
    let units = |text: &str| (text.encode_utf16().count() - text.matches("\r\n").count()) as u64;
    let start_utf16 = units(text.get(..span.start)?);
    Some(Mark { start_utf16, end_utf16: start_utf16 + units(text.get(span.clone())?) })
}

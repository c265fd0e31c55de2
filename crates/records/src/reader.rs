//! The contract of readers, and the parts that they share.

use std::fmt;
use std::ops::Range;
use std::rc::Rc;

use evalcheck_core::finding::{Finding, Location};
use evalcheck_diagnose::{RecordStart, TextProblem};
use evalcheck_json::scan::{BOM, FileKind, TextPolicy};
use evalcheck_report::{Edit, Fix};

use crate::csv::table::Table;
use crate::line_index::LineIndex;
use crate::record_index::RecordIndex;

/// The longest record that is read, in bytes: a line, a row or an element. A record is held in memory while it is checked, and
/// must fit into a browser's tab.
pub const MAX_RECORD: usize = 64 << 20;

/// Reads the bytes of one dataset as they arrive, and passes its records to a visitor.
pub trait Reader<V> {
    /// Returns space for the next bytes.
    fn buffer(&mut self, room: usize) -> &mut [u8];

    /// Takes the first `n` bytes of the space as read, and passes every record that is now complete.
    fn commit(&mut self, n: usize);

    /// The start of the next line, if lines can be skipped there ([`Reader::skip`]). `None` if they have to be read: an earlier record may
    /// continue in them, or the layout has no such lines.
    fn next_line(&self) -> Option<RecordStart> {
        None
    }

    /// Skips lines that begin at [`Reader::next_line`]; the visitor does not see them. The reader counts lines and clean records.
    fn skip(&mut self, _lines: &KnownLines) {}

    /// Ends the dataset after its last byte: passes the last record.
    fn finish(&mut self);

    /// Stops before the end of the dataset. An incomplete record is not checked.
    fn stop(&mut self);

    /// The starts of the lines and records read so far.
    fn positions(&self) -> &Positions;

    /// The header of a CSV, if it was read.
    fn table(&self) -> Option<&Rc<Table>> {
        None
    }

    /// The visitor.
    fn visitor(&self) -> &V;

    /// The visitor, mutable.
    fn visitor_mut(&mut self) -> &mut V;

    /// The visitor, after the last byte.
    fn into_visitor(self: Box<Self>) -> V;
}

// Only the name: a reader holds a buffer and a visitor.
impl<V> fmt::Debug for dyn Reader<V> + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reader")
    }
}

/// Consecutive lines that need not be read: each is a clean record or blank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownLines {
    /// Their bytes in the dataset, with their line breaks.
    pub bytes: Range<u64>,
    /// The number of lines.
    pub lines: u64,
    /// The number of records among them; the others are blank.
    pub records: u64,
}

/// The starts of lines and records, so that any of them can be read again.
#[derive(Debug, Default)]
pub struct Positions {
    /// The starts of lines.
    pub lines: LineIndex,
    /// The starts of records.
    pub records: RecordIndex,
    /// The number of lines of text read so far.
    pub text_lines: u64,
    /// The lines of a JSONL header; empty without a header.
    pub header_lines: Range<u64>,
}

/// The finding of a dataset of a kind that begins with a byte order mark.
pub(crate) fn byte_order_mark(texts: TextPolicy, kind: FileKind) -> Finding {
    let location =
        Location { line: Some(1), column: Some(1), bytes: Some(0..BOM.len() as u64), ..Location::default() };
    let edits = vec![Edit { start: 0, end: BOM.len() as u64, text: String::new() }];
    let fix = Fix::safe("Delete the byte order mark", edits);
    Finding::new(TextProblem::byte_order_mark(texts, kind), location).with_fix(Some(fix))
}

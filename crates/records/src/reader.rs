//! The contract of readers, and what all of them need.

use std::fmt;
use std::ops::Range;
use std::rc::Rc;

use evalcheck_core::finding::{Finding, Location};
use evalcheck_json::diagnose::TextProblem;
use evalcheck_json::scan::BOM;
use evalcheck_wire::report::{Edit, Fix};

use crate::csv::Table;
use crate::line_index::LineIndex;
use crate::record_index::RecordIndex;
use crate::visit::Visit;

/// The longest record that is read, in bytes: a line, a row or an element. It is held in memory while it is checked, and a
/// browser's tab has to bear it.
pub const MAX_RECORD: usize = 64 << 20;

/// Reads the bytes of one dataset as they come, and hands its records to a visitor.
pub trait Reader<V> {
    /// Room for the bytes that come next.
    fn buffer(&mut self, room: usize) -> &mut [u8];

    /// Takes `n` bytes of the space as read, and hands over every record that is complete now.
    fn commit(&mut self, n: usize);

    /// Every byte was read: hands over what is left, and finishes the dataset.
    fn finish(&mut self);

    /// No more bytes will come, and the dataset is not at its end: what was read of a record is not checked.
    fn stop(&mut self);

    /// Where lines and records begin, as far as they were read.
    fn positions(&self) -> &Positions;

    /// The header of a CSV, once it was read.
    fn table(&self) -> Option<&Rc<Table>> {
        None
    }

    /// The visitor.
    fn visitor(&self) -> &V;

    /// The same, to be changed.
    fn visitor_mut(&mut self) -> &mut V;
}

// By name only: a reader holds a buffer and a visitor.
impl<V> fmt::Debug for dyn Reader<V> + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reader")
    }
}

/// Where lines and records begin: enough to read any of them again.
#[derive(Debug, Default)]
pub struct Positions {
    /// Where lines begin.
    pub lines: LineIndex,
    /// Where records begin that are no lines: rows of a CSV, elements of a document.
    pub records: RecordIndex,
    /// Lines of text read so far.
    pub text_lines: u64,
    /// The lines that a JSONL header takes; none where there is no header.
    pub header_lines: Range<u64>,
}

/// The finding of a dataset that begins with a byte order mark.
pub(crate) fn byte_order_mark(visitor: &impl Visit) -> Finding {
    let location =
        Location { line: Some(1), column: Some(1), bytes: Some(0..BOM.len() as u64), ..Location::default() };
    let edits = vec![Edit { start: 0, end: BOM.len() as u64, text: String::new() }];
    let fix = Fix::safe("Delete the byte order mark", edits);
    Finding::new(TextProblem::byte_order_mark(visitor.texts()), location).with_fix(Some(fix))
}

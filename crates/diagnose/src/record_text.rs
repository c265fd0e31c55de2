//! Lines and columns in a record.

use std::cell::OnceCell;
use std::ops::Range;

use evalcheck_core::excerpt::{at_least_one_character, is_continuation, replaced_characters};
use evalcheck_core::finding::{Location, Path};

/// The distance of two [`Mark`]s in bytes. At most this many bytes are counted again for each location.
const BLOCK: usize = 2048;

/// More continuation bytes than a character has: the last one does not belong to the character before them.
const NO_CHARACTER: usize = 4;

/// The start of a record in the dataset.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RecordStart {
    /// The offset of its first byte in the dataset.
    pub offset: u64,
    /// The line of that byte, from 1.
    pub line: u64,
    /// The column of that byte, from 1.
    pub column: u64,
    /// The index of the record, from 0.
    pub record: u64,
}

/// The bytes of a record and their start in the dataset: converts offsets to lines and columns.
///
/// A record of any length may have findings everywhere. The first request for a location beyond the first block therefore notes lines and
/// columns every 2 KiB, in one pass.
///
/// ```
/// use evalcheck_diagnose::{RecordStart, RecordText};
///
/// let start = RecordStart { offset: 500, line: 3, column: 1, record: 2 };
/// let location = RecordText::new("é\nab".as_bytes(), start).locate(4..5, None);
/// assert_eq!((location.line, location.column, location.bytes), (Some(4), Some(2), Some(504..505)));
/// ```
#[derive(Debug)]
pub struct RecordText<'a> {
    /// The bytes.
    pub bytes: &'a [u8],
    /// The start of the bytes.
    pub start: RecordStart,
    marks: OnceCell<Vec<Mark>>,
}

impl RecordStart {
    /// The location of a span of the record, whose bytes are `bytes`. For several spans use a [`RecordText`].
    pub fn locate(self, span: Range<usize>, path: Option<Path>, bytes: &[u8]) -> Location {
        RecordText::new(bytes, self).locate(span, path)
    }
}

/// A position in a record, at the start of a character.
#[derive(Debug, Clone, Copy)]
struct Mark {
    at: usize,
    line: u64,
    column: u64,
}

impl Mark {
    /// The position at a later offset.
    fn advance(self, bytes: &[u8], at: usize) -> Self {
        let passed = &bytes[self.at..at];
        let newlines = memchr::memchr_iter(b'\n', passed).count() as u64;
        let column = match memchr::memrchr(b'\n', passed) {
            Some(newline) => 1 + replaced_characters(&passed[newline + 1..]),
            // Wrapping: `unexpected_token` puts bytes before the line, so its first columns are below 1.
            None => self.column.wrapping_add(replaced_characters(passed)),
        };
        Self { at, line: self.line + newlines, column }
    }
}

impl<'a> RecordText<'a> {
    /// The bytes of a record that begins at `start`.
    pub fn new(bytes: &'a [u8], start: RecordStart) -> Self {
        Self { bytes, start, marks: OnceCell::new() }
    }

    /// The location of a span in the dataset. An empty span becomes one character, so that it can be marked.
    pub fn locate(&self, span: Range<usize>, path: Option<Path>) -> Location {
        let span = at_least_one_character(self.bytes, span);
        let Mark { line, column, .. } = self.place(span.start);
        Location {
            line: Some(line),
            column: Some(column),
            bytes: Some(self.start.offset + span.start as u64..self.start.offset + span.end as u64),
            begins: None,
            record: Some(self.start.record),
            path,
            entry: None,
            file: None,
        }
    }

    /// The column of an offset, counted from 1 in code points.
    pub fn column(&self, at: usize) -> u64 {
        self.place(at).column
    }

    /// The position of an offset in words: `column 7`, or `line 3` if `seen_from` is on another line.
    pub fn where_is(&self, at: usize, seen_from: usize) -> String {
        let (place, seen_from) = (self.place(at), self.place(seen_from));
        if place.line == seen_from.line {
            format!("column {}", place.column)
        } else {
            format!("line {}", place.line)
        }
    }

    fn place(&self, at: usize) -> Mark {
        let at = at.min(self.bytes.len());
        let first = self.first();
        if at < BLOCK {
            return first.advance(self.bytes, at);
        }
        let marks = self.marks.get_or_init(|| self.marks());
        let before = marks.partition_point(|mark| mark.at <= at);
        let mark = before.checked_sub(1).map_or(first, |index| marks[index]);
        mark.advance(self.bytes, at)
    }

    fn first(&self) -> Mark {
        Mark { at: 0, line: self.start.line, column: self.start.column }
    }

    fn marks(&self) -> Vec<Mark> {
        let mut mark = self.first();
        let mut marks = Vec::with_capacity(self.bytes.len() / BLOCK);
        while let Some(rest) = self.bytes.get(mark.at + BLOCK..) {
            let within = rest.iter().take(NO_CHARACTER).take_while(|byte| is_continuation(**byte)).count();
            mark = mark.advance(self.bytes, mark.at + BLOCK + within);
            marks.push(mark);
        }
        marks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: RecordStart = RecordStart { offset: 10, line: 5, column: 3, record: 0 };

    /// Line and column, counted from the start.
    fn counted(bytes: &[u8], at: usize) -> (u64, u64) {
        let lines: Vec<_> = bytes[..at].split(|byte| *byte == b'\n').collect();
        let newlines = lines.len() as u64 - 1;
        let first = if newlines == 0 { START.column } else { 1 };
        let passed = String::from_utf8_lossy(lines[lines.len() - 1]).chars().count() as u64;
        (START.line + newlines, first + passed)
    }

    #[test]
    fn lines_and_columns_are_those_counted_from_the_start() {
        let texts: [Vec<u8>; 5] = [
            "aé→𝄞".repeat(1000).into_bytes(),
            "aé→𝄞\n".repeat(1000).into_bytes(),
            b"\xe2\x86\x92\x80\x80\xff".repeat(1000),
            b"\x80".repeat(5000),
            [b"a".repeat(3000), b"\n".to_vec(), b"b".repeat(3000)].concat(),
        ];
        for text in texts {
            let record = RecordText::new(&text, START);
            let starts =
                (0..=text.len()).filter(|at| text.get(*at).is_none_or(|byte| !is_continuation(*byte)));
            for at in starts.step_by(7) {
                let location = record.place(at);
                assert_eq!((location.line, location.column), counted(&text, at), "offset {at}");
            }
        }
    }
}

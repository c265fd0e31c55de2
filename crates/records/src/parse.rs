//! The value of a record.

use evalcheck_diagnose::{Parsed, RecordFindings, Room};

use crate::csv::{Table, row};

/// The value of a record at a line, which is a row if there is a table; `None` if it cannot be read.
pub fn parse<'t>(text: &'t [u8], line: u64, table: Option<&'t Table>) -> Option<Parsed<'t>> {
    match table {
        Some(table) => row::read(text, table, line, &mut RecordFindings::within(Room::None)),
        None => evalcheck_diagnose::parse(text).ok(),
    }
}

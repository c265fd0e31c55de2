//! Fixes of rows.

use evalcheck_json::csv::{Cell, QUOTE, split};
use evalcheck_json::diagnose::RecordFix;
use evalcheck_wire::report::Conversion;

use super::header::Table;

/// A row with too few cells, or with blank ones too many. `None` where a cell would be lost.
pub(super) fn ragged(row: &[u8], cells: &[Cell], table: &Table) -> Option<RecordFix> {
    let wanted = table.columns.len();
    if let Some(extra) = cells.get(wanted) {
        let start = extra.span.start - 1;
        let is_blank = row[start..].iter().all(|&byte| byte == table.delimiter || byte.is_ascii_whitespace());
        return is_blank
            .then(|| RecordFix::safe("Delete the blank cells at the end").replace(start..row.len(), ""));
    }
    // A single cell in a table of several columns is hardly a row that only lacks its end.
    let missing = char::from(table.delimiter).to_string().repeat(wanted - cells.len());
    let fix = || RecordFix::safe("Add the blank cells that are missing at the end");
    (cells.len() > 1).then(|| fix().replace(row.len()..row.len(), missing))
}

/// A row with another separator.
pub(super) fn separated(row: &[u8], from: u8, to: u8) -> RecordFix {
    let mut cells = Vec::new();
    split(row, from, true, &mut cells);
    let cells: Vec<String> = cells.iter().map(|cell| written(&cell.text(row), to)).collect();
    let name = if to == b',' { "commas" } else { "the separator of the header" };
    RecordFix::safe(format!("Separate the cells by {name}"))
        .replace(0..row.len(), cells.join(&char::from(to).to_string()))
}

/// Cells that have quotes and do not begin with one, in quotes.
pub(super) fn quoted(row: &[u8], cells: &[Cell]) -> RecordFix {
    let has_stray = |cell: &&Cell| !cell.quoted && memchr::memchr(QUOTE, &row[cell.span.clone()]).is_some();
    let fix = RecordFix::safe("Put the cell in quotes, and double those in it");
    cells.iter().filter(has_stray).fold(fix, |fix, cell| {
        let text = cell.text(row).replace('"', "\"\"");
        fix.replace(cell.span.clone(), format!("\"{text}\""))
    })
}

/// Line breaks in place of carriage returns alone, in the whole file.
pub(super) fn carriage_returns(delimiter: u8) -> RecordFix {
    let fix = RecordFix::safe("End the rows with line breaks");
    fix.convert(Conversion::CommaSeparated { separator: char::from(delimiter) })
}

/// A cell as it is written.
fn written(text: &str, delimiter: u8) -> String {
    if text.bytes().any(|byte| byte == delimiter || matches!(byte, QUOTE | b'\n' | b'\r')) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// Another name for a column.
pub(super) fn renamed(cell: &Cell, from: &str, to: &str) -> RecordFix {
    let is_same = from.trim().eq_ignore_ascii_case(to);
    let fix = if is_same {
        RecordFix::safe(format!("Rename the column to \"{to}\""))
    } else {
        RecordFix::not_safe(format!("Rename the column to \"{to}\", which is a guess"))
    };
    fix.replace(cell.span.clone(), to)
}

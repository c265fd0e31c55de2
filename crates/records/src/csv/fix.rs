//! Fixes of rows.

use std::ops::Range;

use evalcheck_core::suggest::is_same_word;
use evalcheck_diagnose::RecordFix;
use evalcheck_json::csv::{Cell, QUOTE, split};
use evalcheck_report::Conversion;

use super::table::Table;

/// Writes a row with the separator `to` in place of `from`.
pub(super) fn separated(row: &[u8], from: u8, to: u8) -> Option<RecordFix> {
    std::str::from_utf8(row).ok()?;
    let mut cells = Vec::new();
    split(row, from, true, &mut cells);
    let cells: Vec<String> = cells.iter().map(|cell| written(&cell.text(row), to)).collect();
    let name = if to == b',' { "commas" } else { "the separator of the header" };
    let fix = RecordFix::not_safe(format!("Separate the cells by {name}, which is a guess"));
    Some(fix.replace(0..row.len(), cells.join(&char::from(to).to_string())))
}

/// Quotes cells that contain quotes but do not begin with one. Certain if the quotes are within the text. A quote at the beginning or the
/// end, or doubled quotes, may belong to a quoted cell that lacks its other quote.
pub(super) fn quoted(row: &[u8], cells: &[Cell]) -> RecordFix {
    let has_stray = |cell: &&Cell| !cell.quoted && memchr::memchr(QUOTE, &row[cell.span.clone()]).is_some();
    let is_inside = |cell: &Cell| {
        let text = cell.text(row);
        let text = text.trim();
        !text.starts_with('"') && !text.ends_with('"') && !text.contains("\"\"")
    };
    let title = "Put the cell in quotes, and double those in it";
    let fix = if cells.iter().filter(has_stray).all(is_inside) {
        RecordFix::safe(title)
    } else {
        RecordFix::not_safe(format!("{title}, which guesses that they are text"))
    };
    cells.iter().filter(has_stray).fold(fix, |fix, cell| {
        let Range { start, end } = cell.span;
        let quotes = memchr::memchr_iter(QUOTE, &row[start..end]).map(|at| start + at);
        [start].into_iter().chain(quotes).chain([end]).fold(fix, |fix, at| fix.replace(at..at, "\""))
    })
}

/// Fixes a row without line breaks in which text follows the closing quote of a cell. Doubles the quotes that no separator
/// follows, because they belong to the text. `None` unless the row then has as many cells as the header.
pub(super) fn inner_quotes(row: &[u8], table: &Table) -> Option<RecordFix> {
    let mut edits = Vec::new();
    let (mut at, mut cells) = (0, 1);
    loop {
        if row.get(at) == Some(&QUOTE) {
            at = end_of_quoted(row, at, table.delimiter, &mut edits)?;
        } else {
            at += memchr::memchr(table.delimiter, &row[at..]).unwrap_or(row.len() - at);
        }
        if at == row.len() {
            break;
        }
        at += 1;
        cells += 1;
    }
    let fix = RecordFix::not_safe("Double the quotes inside the cell, which guesses where it ends");
    (cells == table.columns.len())
        .then(|| edits.into_iter().fold(fix, |fix, (span, text)| fix.replace(span, text)))
}

/// Writes `""` for `\"` in a row, reading backslashes as escapes. `None` unless it then has as many cells as the header, without another
/// quote in them.
pub(super) fn escaped_quotes(row: &[u8], table: &Table, is_certain: bool) -> Option<RecordFix> {
    let mut fix = RecordFix::safe_if(is_certain, "Write \"\" for \\\" in the row".to_owned());
    let (mut at, mut cells) = (0, 1);
    loop {
        if row.get(at) == Some(&QUOTE) {
            loop {
                at += 1 + memchr::memchr(QUOTE, row.get(at + 1..)?)?;
                match (row[..at].ends_with(b"\\"), row[..at].ends_with(b"\\\\")) {
                    (_, true) => return None,
                    (true, false) => fix = fix.replace(at - 1..at, "\""),
                    (false, false) => break,
                }
            }
            at += 1;
        } else {
            at = end_of_plain(row, at, table.delimiter)?;
        }
        match row.get(at) {
            None => break,
            Some(&byte) if byte == table.delimiter => at += 1,
            Some(_) => return None,
        }
        cells += 1;
    }
    (cells == table.columns.len() && !fix.edits.is_empty()).then_some(fix)
}

/// The end of a cell without quotes; `None` if it has a quote.
fn end_of_plain(row: &[u8], at: usize, delimiter: u8) -> Option<usize> {
    let end = memchr::memchr(delimiter, &row[at..]).map_or(row.len(), |end| at + end);
    memchr::memchr(QUOTE, &row[at..end]).is_none().then_some(end)
}

/// The end of the cell that a quote opens at `open`: the separator after it, or the end of the row. The edits double the
/// quotes that belong to the text, and remove spaces after the quote that closes the cell.
fn end_of_quoted(
    row: &[u8],
    open: usize,
    delimiter: u8,
    edits: &mut Vec<(Range<usize>, &'static str)>,
) -> Option<usize> {
    let mut from = open + 1;
    let mut is_in_quotation = false;
    let is_end = |behind: &[u8]| behind.first().is_none_or(|&byte| byte == delimiter);
    loop {
        let quote = from + memchr::memchr(QUOTE, &row[from..])?;
        from = quote + 1;
        let behind = &row[from..];
        let spaces = behind.iter().take_while(|&&byte| byte == b' ').count();
        if let [QUOTE, behind @ ..] = behind {
            // At the end of `"say "yes"",` the first quote ends the quotation, and the second closes the cell.
            if !(is_in_quotation && is_end(behind)) {
                from += 1;
                continue;
            }
        } else if is_end(&behind[spaces..]) {
            if spaces > 0 {
                edits.push((from..from + spaces, ""));
            }
            return Some(from + spaces);
        }
        edits.push((quote..quote, "\""));
        is_in_quotation = !is_in_quotation;
    }
}

/// Closes an open cell on its line, if the line then has as many cells as the header.
pub(super) fn closed(row: &[u8], cell: &Cell, index: usize, table: &Table) -> Option<RecordFix> {
    let line = memchr::memchr(b'\n', row).map_or(row, |end| row[..end].trim_ascii_end());
    let text = line.get(cell.span.start + 1..).filter(|text| memchr::memchr(QUOTE, text).is_none())?;
    let cells_behind = table.columns.len().checked_sub(index + 1)?;
    let end = match cells_behind.checked_sub(1) {
        None => text.len(),
        Some(nth) => memchr::memrchr_iter(table.delimiter, text).nth(nth)?,
    };
    let end = cell.span.start + 1 + end;
    Some(RecordFix::not_safe("Close the cell on its line, which is a guess").replace(end..end, "\""))
}

/// Deletes the spaces around the quotes of quoted cells. `None` unless there are some and the row then has as many cells as the header.
pub(super) fn spaces_at_quotes(row: &[u8], table: &Table) -> Option<RecordFix> {
    let mut fix =
        RecordFix::not_safe("Delete the spaces around the quotes, which guesses that the cell is quoted");
    let spaces = |at: usize| row[at..].iter().take_while(|&&byte| byte == b' ').count();
    let (mut at, mut cells) = (0, 1);
    loop {
        let open = at + spaces(at);
        if row.get(open) == Some(&QUOTE) {
            fix = if open > at { fix.replace(at..open, "") } else { fix };
            let mut close = open;
            loop {
                close += 1 + memchr::memchr(QUOTE, row.get(close + 1..)?)?;
                if row.get(close + 1) != Some(&QUOTE) {
                    break;
                }
                close += 1;
            }
            at = close + 1 + spaces(close + 1);
            fix = if at > close + 1 { fix.replace(close + 1..at, "") } else { fix };
        } else {
            at = end_of_plain(row, at, table.delimiter)?;
        }
        match row.get(at) {
            None => break,
            Some(&byte) if byte == table.delimiter => at += 1,
            Some(_) => return None,
        }
        cells += 1;
    }
    (cells == table.columns.len() && !fix.edits.is_empty()).then_some(fix)
}

/// In a row with a cell for each column, treats lone carriage returns as line breaks inside cells, and those at its end as part of the line
/// break.
pub(super) fn returns_in_cells(row: &[u8], cells: &[Cell]) -> Option<RecordFix> {
    let end = row.len() - row.iter().rev().take_while(|&&byte| byte == b'\r').count();
    let inside = |cell: &&Cell| {
        !cell.quoted && memchr::memchr(b'\r', &row[cell.span.start..cell.span.end.min(end)]).is_some()
    };
    let title = if cells.iter().any(|cell| inside(&cell)) {
        "Put the cells with carriage returns in quotes, which guesses that these are line breaks of a text"
    } else {
        "Delete the carriage returns at the end of the row"
    };
    let mut fix = RecordFix::not_safe(title);
    for cell in cells.iter().filter(inside) {
        let text = std::str::from_utf8(&row[cell.span.start..cell.span.end.min(end)]).ok()?;
        fix = fix.replace(cell.span.clone(), written(&text.replace('\r', "\n"), b','));
    }
    let has_last = cells.last().is_some_and(|cell| inside(&cell));
    Some(if end < row.len() && !has_last { fix.replace(end..row.len(), "") } else { fix })
}

/// Writes line breaks in place of lone carriage returns in the whole file. Safe if they end its rows; otherwise one may be a
/// line break in a text.
pub(super) fn carriage_returns(delimiter: u8, ends_rows: bool) -> RecordFix {
    let fix = if ends_rows {
        RecordFix::safe("End the rows with line breaks")
    } else {
        RecordFix::not_safe("End the row at the carriage return, which is a guess")
    };
    fix.convert(Conversion::CommaSeparated { separator: char::from(delimiter) })
}

/// A text as a cell, in quotes if necessary.
pub fn written(text: &str, delimiter: u8) -> String {
    if text.bytes().any(|byte| byte == delimiter || matches!(byte, QUOTE | b'\n' | b'\r')) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// Renames a column. A mark before the name, such as a dash, may be one that all rows have.
pub(super) fn renamed(cell: &Cell, from: &str, to: &str) -> RecordFix {
    let has_mark = |name: &str| name.trim_start().starts_with(|c: char| !c.is_alphanumeric() && c != '_');
    let is_same = is_same_word(from, to) && !has_mark(from);
    let fix = if is_same {
        RecordFix::safe(format!("Rename the column to \"{to}\""))
    } else {
        RecordFix::not_safe(format!("Rename the column to \"{to}\", which is a guess"))
    };
    fix.replace(cell.span.clone(), to)
}

//! The thorough tier for rows: reads a row as a record, or finds why it is not one.

use evalcheck_core::finding::Location;
use std::ops::Range;

use super::carriage_returns::{bare_carriage_return, cell_at};
use super::fix;
use super::problem::{Cells, Csv};
use super::readings;
use super::separator::{SEPARATORS, separator_name};
use super::table::{Repeated, Table};
use evalcheck_core::excerpt::clip;
use evalcheck_core::finding::{Path, Step};
use evalcheck_diagnose::SchemaProblem;
use evalcheck_diagnose::{
    self, Anomaly, Kind, Member, Parsed, PathBuilder, RecordFinding, RecordFindings, RecordFix, TextSpans,
    Value,
};
use evalcheck_json::csv::{Cell, QUOTE, QuoteError, split};
use evalcheck_json::scan::BOM;

/// Reads a row without its line break, which begins at `line`, as an object of the columns. `None` if the cells cannot be assigned to
/// columns. Adds the findings of the row and of its cells.
pub fn read<'a>(
    row: &'a [u8],
    table: &'a Table,
    line: u64,
    found: &mut RecordFindings<'_>,
) -> Option<Parsed<'a>> {
    let has_quotes = memchr::memchr(QUOTE, row).is_some();
    let mut cells = Vec::new();
    let error = split(row, table.delimiter, has_quotes, &mut cells);
    if !table.filled.is_empty() && cells.iter().all(|cell| cell.text(row).trim().is_empty()) {
        let fix = RecordFix::safe("Delete the cells, which are all blank").replace(0..row.len(), "");
        found.push(RecordFinding::new(Csv::BlankRow, 0..row.len(), None).with_fix(Some(fix)));
        return None;
    }
    if cells.len() != table.columns.len()
        && let Some(problem) = evalcheck_diagnose::conflict_marker(row)
    {
        found.push(RecordFinding::new(problem, 0..row.len(), None));
        return None;
    }
    structure(row, &cells, table, found);
    let is_ragged = cells.len() != table.columns.len();
    let is_spaced = is_ragged && fix::spaces_at_quotes(row, table).is_some();
    // The carriage return is the cause of the problem after it.
    let is_after_row = |text: &Range<usize>| row[text.clone()].starts_with(b"\r");
    let is_told = match &error {
        Some(QuoteError::Stray { .. }) => is_spaced,
        Some(QuoteError::TextAfter { text, .. }) => is_after_row(text),
        Some(QuoteError::Unterminated { .. }) | None => false,
    };
    if let Some(error) = error.filter(|_| !is_told) {
        quotes(row, &cells, table, error, line, found);
    }
    if found.iter().any(|found| !matches!(found.problem.downcast_ref(), Some(Csv::StrayQuote { .. }))) {
        return None;
    }
    if table.columns.is_empty() {
        // The header could not be read; its own finding says so.
        return None;
    }
    if cells.len() != table.columns.len() {
        // The fixes of quotes may belong to wrong cells.
        for found in found.iter_mut() {
            found.fix = None;
        }
        ragged(row, &cells, line, table, is_spaced, found);
        return None;
    }
    let members = table.columns.iter().zip(&cells).map(|(column, cell)| Member {
        key: (&*column.name).into(),
        key_span: cell.span.start..cell.span.start,
        value: Value { span: cell.span.clone(), kind: Kind::String(cell.text(row).into()) },
        shadowed: column.shadowed,
    });
    if let Some(repeated) = repeated_header(row, &cells, table, line) {
        let fix = || {
            RecordFix::not_safe("Delete the row, which the system reads as a record")
                .replace(0..row.len(), "")
        };
        let (how, advice, fix) = match repeated {
            Repeated::Same => ("repeats the header", DELETE_HEADER, Some(fix())),
            Repeated::Otherwise => ("repeats the header in another order", OTHER_HEADER, None),
        };
        let problem = Csv::RepeatedHeader { how, advice };
        found.push(RecordFinding::new(problem, 0..row.len(), None).with_fix(fix));
    }
    let value = Value { span: 0..row.len(), kind: Kind::Object(members.collect()) };
    contents(&value, table, found);
    Some(Parsed { value, anomalies: anomalies(row, cells.iter().map(|cell| cell.span.clone())) })
}

/// The advice for a row that repeats the header.
const DELETE_HEADER: &str = "Delete the row; it usually comes from joining files.";

/// The advice for a row that is a header with other columns.
const OTHER_HEADER: &str = "The row has the names of columns: a file with other columns was probably appended. Split the file before this row, or put the cells of the rows from here on in the order of the header.";

/// How a row with these cells repeats the header. Rows below a header with other columns belong to another table.
fn repeated_header(row: &[u8], cells: &[Cell], table: &Table, line: u64) -> Option<Repeated> {
    if cells.len() == table.columns.len() && !table.may_repeat_header(row) {
        return None;
    }
    let texts: Vec<_> = cells.iter().map(|cell| cell.text(row)).collect();
    let repeated = table.repeats_header(&texts.iter().map(|text| &**text).collect::<Vec<_>>())?;
    if cells.len() != table.columns.len() {
        table.appended.get_or_init(|| (line, cells.len()));
    }
    Some(repeated)
}

/// The offset at which a repeated header begins in the last cell of a row: the file before it has no line break at its end.
fn glued_header(row: &[u8], cells: &[Cell], table: &Table) -> Option<usize> {
    let wanted = table.columns.len();
    let is = |cell: &Cell, name: &str| cell.text(row).trim() == name.trim();
    let others =
        || cells[wanted..].iter().zip(&table.columns[1..]).all(|(cell, column)| is(cell, &column.name));
    if wanted < 2 || cells.len() != 2 * wanted - 1 || !others() {
        return None;
    }
    let last = &cells[wanted - 1];
    let before = row[last.span.clone()].strip_suffix(table.columns[0].name.as_bytes())?;
    Some(last.span.start + before.len()).filter(|_| !last.quoted)
}

/// Reports characters that do not belong in a CSV.
fn structure(row: &[u8], cells: &[Cell], table: &Table, found: &mut RecordFindings<'_>) {
    let mut report = |problem: Csv, span: Range<usize>, fix| {
        let path = cell_at(cells, span.start).and_then(|cell| path(table, cell));
        found.push(RecordFinding::new(problem, span, path).with_fix(fix));
    };
    if row.starts_with(BOM) {
        let fix = RecordFix::safe("Delete the byte order mark").replace(0..BOM.len(), "");
        report(Csv::ByteOrderMark, 0..BOM.len(), Some(fix));
    }
    if let Some(at) = memchr::memchr(0, row) {
        let fix = RecordFix::not_safe("Delete the NUL, which is lost").replace(at..at + 1, "");
        report(Csv::NulCharacter, at..at + 1, Some(fix));
    }
    if let Some(at) = bare_carriage_return(row, cells) {
        // A row of one column has the same number of cells wherever it ends.
        let is_whole = cells.len() == table.columns.len() && cells.len() > 1 && !cells_go_on(row, cells);
        let in_cells = || fix::returns_in_cells(row, cells);
        let fix = if is_whole { in_cells() } else { Some(fix::carriage_returns(table.delimiter, false)) };
        report(Csv::CarriageReturn, at..at + 1, fix);
    }
}

/// Whether a carriage return follows the closing quote of a cell.
fn cells_go_on(row: &[u8], cells: &[Cell]) -> bool {
    let mut quoted = cells.iter().filter(|cell| cell.quoted);
    quoted.any(|cell| memchr::memchr(b'\r', &row[cell.quotes_end(row)..cell.span.end]).is_some())
}

fn quotes(
    row: &[u8],
    cells: &[Cell],
    table: &Table,
    error: QuoteError,
    first_line: u64,
    found: &mut RecordFindings<'_>,
) {
    let newlines = |range: Range<usize>| memchr::memchr_iter(b'\n', &row[range]).count() as u64;
    let escaped = fix::escaped_quotes(row, table, true);
    let spaced = fix::spaces_at_quotes(row, table);
    let (problem, span, cell) = match error {
        QuoteError::Unterminated { cell } => {
            let open = cells[cell].span.start;
            let until = match newlines(open..row.len()) {
                0 => "is never closed".to_owned(),
                1 => "is never closed: the last line of the file becomes part of the cell".to_owned(),
                n => format!("is never closed: the last {n} lines of the file become part of the cell"),
            };
            (Csv::UnterminatedQuote { until, closed: None }, open..open + 1, cell)
        }
        QuoteError::TextAfter { cell, text } => {
            let open = cells[cell].span.start;
            if newlines(open..text.start) == 0 {
                let what = clip(&String::from_utf8_lossy(&row[text.clone()]), 40);
                let found = format!("\"{}\"", evalcheck_report::text::one_line(&what));
                let advice = if row[text.clone()].trim_ascii().is_empty() {
                    "Delete the spaces after the closing quote."
                } else if escaped.is_some() {
                    "The row writes a quote inside a cell as \\\"; in CSV it is written twice: \"\"."
                } else {
                    "A quote inside a quoted cell is written twice: \"\". Put the whole cell in quotes, or none of it."
                };
                (Csv::TextAfterQuote { found, advice }, text, cell)
            } else {
                let line = first_line + newlines(0..text.start);
                let until = format!(
                    "is closed only on line {line}, where text follows the closing quote: a quote is missing in between"
                );
                (Csv::UnterminatedQuote { until, closed: Some(Location::line(line)) }, open..open + 1, cell)
            }
        }
        QuoteError::Stray { cell, at } => {
            let advice = match spaced {
                Some(_) => "Delete the space before the opening quote.",
                None => "Put the whole cell in quotes and write each quote inside it twice.",
            };
            (Csv::StrayQuote { advice }, at..at + 1, cell)
        }
    };
    let fix = match problem {
        // A carriage return may end the row, which then has other cells.
        Csv::StrayQuote { .. } if bare_carriage_return(row, cells).is_some() => None,
        Csv::StrayQuote { .. } => spaced.or_else(|| Some(fix::quoted(row, cells))),
        Csv::TextAfterQuote { .. } => escaped.or(spaced).or_else(|| fix::inner_quotes(row, table)),
        _ => fix::closed(row, &cells[cell], cell, table),
    };
    // Quotes within other quotes are text.
    let fix = fix.filter(|_| !table.has_other_quotes());
    found.push(RecordFinding::new(problem, span, path(table, cell)).with_fix(fix));
}

/// Reports a row with another number of cells than the header. `is_spaced` if only spaces before quotes are the cause.
fn ragged(
    row: &[u8],
    cells: &[Cell],
    line: u64,
    table: &Table,
    is_spaced: bool,
    out: &mut RecordFindings<'_>,
) {
    let wanted = table.columns.len();
    let extra = cells.get(wanted);
    let span = extra.map_or(row.len()..row.len(), |extra| extra.span.start..row.len());
    let separates = |other: u8| {
        let mut cells = Vec::new();
        split(row, other, true, &mut cells).is_none() && cells.len() == wanted
    };
    let other = SEPARATORS.into_iter().find(|(other, _)| cells.len() == 1 && separates(*other));
    let is_header = repeated_header(row, cells, table, line).is_some();
    let of_other_table =
        table.appended.get().is_some_and(|(from, width)| line >= *from && cells.len() == *width);
    let glued = glued_header(row, cells, table);
    let mut shown = Vec::new();
    let fix = match other {
        Some((other, _)) => fix::separated(row, other, table.delimiter),
        // A fix would make it a record, or a row with texts in wrong columns.
        None if is_header || of_other_table || table.has_other_quotes() => None,
        None if let Some(at) = glued => {
            let title = "Delete the header of the second file, which follows the last cell of the first";
            Some(RecordFix::not_safe(title).replace(at..row.len(), ""))
        }
        None => fix::escaped_quotes(row, table, false).or_else(|| {
            let meant = readings::meant(row, cells, line, table);
            shown = meant.shown;
            meant.fix
        }),
    };
    let header_line = table.header_line;
    let is_blank = |extra: &Cell| {
        let rest = &row[extra.span.start..];
        rest.iter().all(|&byte| byte == table.delimiter || byte.is_ascii_whitespace())
    };
    let meant = match shown.as_slice() {
        [] => String::new(),
        readings => format!(" As cells, the row may be {}.", readings.join(", or ")),
    };
    let separator = if table.delimiter == b',' { "a comma" } else { "a separator" };
    let advice = match (other, extra) {
        (Some((_, other)), _) => {
            let separator = separator_name(table.delimiter);
            format!("This row is separated by {other}, the header by {separator}: export the table again with commas.")
                .into()
        }
        _ if table.has_other_quotes() => {
            "The text is in quotes that are no quotes of a CSV: write \" in place of them.".into()
        }
        _ if is_header => OTHER_HEADER.into(),
        _ if glued.is_some() => "The header of a second file follows the last cell, because the first file does not end with a line break: delete the header.".into(),
        _ if of_other_table => {
            let (from, _) = table.appended.get().copied().unwrap_or_default();
            format!("The row is of the table whose header is on line {from}: put its cells in the order of the first header.").into()
        }
        _ if table.names_nothing() => format!(
            "Line {header_line} is read as the header and has none of the columns: delete what is before the header, or add one."
        )
        .into(),
        (None, Some(extra)) if is_blank(extra) => {
            format!("Delete the separator at the end of the row, or name its column in the header.{meant}").into()
        }
        (None, Some(_)) if is_spaced => {
            "Delete the space before the quote: only a cell that begins with a quote may contain commas.".into()
        }
        (None, Some(_)) if shown.is_empty() => {
            "Put a text that contains a comma in quotes, or delete the extra cells.".into()
        }
        (None, Some(_)) if cells.iter().any(|cell| cell.text(row).trim().is_empty()) => {
            format!("Put a text that contains a comma in quotes, or delete a blank cell that is too much.{meant}").into()
        }
        (None, Some(_)) => format!("Put a text that contains a comma in quotes.{meant}").into(),
        (None, None) if row.trim_ascii().is_empty() => {
            "Delete the blank line: the system reads it as a row of one cell.".into()
        }
        (None, None) => {
            format!("Write the cell that is missing: the first, the last or one between. A blank cell is written as {separator} with nothing before it.{meant}").into()
        }
    };
    let found = Cells(cells.len());
    // The cause is a mistake in the table above, or in its quotes.
    let is_of_other_table = of_other_table || table.header_below.get() == Some(&cells.len());
    let follows = match table.other_quotes.get() {
        Some(Some(_)) => Some("quotes".to_owned()),
        _ if is_of_other_table => Some(found.to_string()),
        _ => other.map(|(_, name)| name.to_owned()),
    };
    let labels_rows = table.labels_rows && extra.is_some() && table.first_row.get() == Some(&line);
    let problem = if labels_rows {
        table.moves_cells.set(true);
        Csv::ShiftedColumns { extra: Cells(cells.len() - wanted), advice, header_line }
    } else {
        Csv::RaggedRow { found, wanted, advice, header_line, follows }
    };
    out.push(RecordFinding::new(problem, span, None).with_fix(fix));
}

/// Checks single cells.
fn contents(value: &Value<'_>, table: &Table, found: &mut RecordFindings<'_>) {
    let Kind::Object(members) = &value.kind else { return };
    let is_blank = |index: &usize| members[*index].value.as_str().is_some_and(|text| text.trim().is_empty());
    for places in &table.filled {
        if places.iter().all(is_blank) {
            let index = places[0];
            let span = members[index].value.span.clone();
            found.push(RecordFinding::new(SchemaProblem::Blank, span, path(table, index)));
        }
    }
    for (index, (member, column)) in members.iter().zip(&table.columns).enumerate() {
        if let Some(schema) = column.schema {
            let base = PathBuilder::from(vec![Step::Key(column.name.clone())]);
            // No bytes, and so no fixes: a cell is not written like a JSON string.
            if !table.filled.iter().any(|places| places.contains(&index)) {
                evalcheck_diagnose::check_schema(&member.value, schema, &base, &[], found);
                continue;
            }
            // A blank cell of this column is already reported above.
            let mut own = RecordFindings::default();
            evalcheck_diagnose::check_schema(&member.value, schema, &base, &[], &mut own);
            let is_new = |one: &RecordFinding| one.problem.downcast_ref() != Some(&SchemaProblem::Blank);
            for one in own.into_vec().into_iter().filter(is_new) {
                found.push(one);
            }
        }
    }
}

/// The anomalies of cells: bytes that are not UTF-8.
pub fn anomalies(row: &[u8], cells: impl Iterator<Item = Range<usize>>) -> Vec<Anomaly> {
    let mut anomalies = Vec::new();
    for cell in cells {
        let (mut at, before) = (cell.start, anomalies.len());
        for chunk in row.get(cell).unwrap_or_default().utf8_chunks() {
            at += chunk.valid().len();
            let invalid = chunk.invalid().len();
            if invalid > 0 {
                Anomaly::InvalidUtf8(TextSpans::from(at..at + invalid)).note(before, &mut anomalies);
                at += invalid;
            }
        }
    }
    anomalies
}

fn path(table: &Table, cell: usize) -> Option<Path> {
    table.columns.get(cell).map(|column| Path(vec![Step::Key(column.name.clone())]))
}

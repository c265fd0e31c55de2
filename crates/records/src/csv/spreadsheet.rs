//! Finds cells that a spreadsheet reads as formulas, or has written.

use std::ops::Range;

use evalcheck_core::finding::{Finding, Location, Path, Step};
use evalcheck_diagnose::RecordStart;
use evalcheck_json::csv::{Cell, QUOTE};

use super::problem::Csv;
use super::table::Table;

/// The maximum number of characters of a cell in Excel, in UTF-16 code units.
pub(super) const LONGEST_CELL: usize = 32_767;

/// The number of bytes of the longest date.
const LONGEST_DATE: usize = 19;

/// The texts that a spreadsheet writes in place of a value that it cannot compute, in English, German, French and Spanish.
const ERRORS: [&str; 20] = [
    "#NAME?",
    "#REF!",
    "#N/A",
    "#VALUE!",
    "#DIV/0!",
    "#NUM!",
    "#NULL!",
    "#SPILL!",
    "#CALC!",
    "#ERROR!",
    "#NV",
    "#WERT!",
    "#BEZUG!",
    "#ZAHL!",
    "#NOM?",
    "#VALEUR!",
    "#NOMBRE!",
    "#¿NOMBRE?",
    "#¡VALOR!",
    "#¡REF!",
];

/// The abbreviations of months, in English, and in German where it differs.
const MONTHS: [&[u8]; 16] = [
    b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec", b"Mrz",
    b"Mai", b"Okt", b"Dez",
];

const FROM_SOURCE: &str =
    "If the cell had another text, take it from its source, and write the table without a spreadsheet.";
const FROM_SOURCE_ID: &str = "Take the ids from their source: a spreadsheet makes dates of ids such as 2-19 and MAR1 when it opens the table.";
const AS_A_LIST: &str = "Write the ids as in the other cells: commas between them, or a JSON list.";

/// The cells of a file that show traces of a spreadsheet.
#[derive(Debug, Default)]
pub(super) struct Traces {
    formulas: Cells<char>,
    errors: Cells<String>,
    longest: Cells<()>,
    /// The counts for each column of ids.
    ids: Vec<IdColumn>,
}

/// The counts for a column of ids.
#[derive(Debug, Default)]
struct IdColumn {
    /// The number of its cells.
    cells: u64,
    /// The cells that are or contain a date.
    dates: Cells<String>,
    /// The number of cells with commas or in brackets.
    lists: u64,
    /// The cells with another character that may separate ids.
    joined: Cells<char>,
    /// Whether such a character is part of an id between commas.
    is_of_id: bool,
}

/// The number of cells of a kind, and the first of them.
#[derive(Debug, Default)]
struct Cells<T> {
    first: Option<(T, Location)>,
    count: u64,
}

impl<T> Cells<T> {
    fn note(&mut self, what: T, location: impl FnOnce() -> Location) {
        self.count += 1;
        self.first.get_or_insert_with(|| (what, location()));
    }

    /// The value of the first cell, words about the others, and its location.
    fn into_first(self, verb: &str) -> Option<(T, String, Location)> {
        let (first, location) = self.first?;
        let count = match self.count {
            1 => String::new(),
            n => format!("; {n} cells of the file {verb}"),
        };
        Some((first, count, location))
    }
}

impl Traces {
    /// Counts the traces in a row that begins at `start`.
    #[cold]
    pub(super) fn note(&mut self, row: &[u8], cells: &[Cell], table: &Table, start: RecordStart) {
        for (cell, column) in cells.iter().zip(&table.columns) {
            let text = &row[Range::clone(&cell.span)];
            let text = text.strip_prefix(&[QUOTE]).unwrap_or(text);
            let text = text.strip_suffix(&[QUOTE]).unwrap_or(text);
            let location = || {
                let path = Some(Path(vec![Step::Key(column.name.clone())]));
                start.locate(cell.span.clone(), path, row)
            };
            if is_formula(text) {
                self.formulas.note(char::from(text[0]), location);
            } else if text.starts_with(b"#") && is_error(text) {
                self.errors.note(String::from_utf8_lossy(text).into_owned(), location);
            } else if text.len() >= LONGEST_CELL && cell.text(row).encode_utf16().count() == LONGEST_CELL {
                self.longest.note((), location);
            }
        }
    }

    /// Counts the ids of a row that are dates, and the cells that join ids by other separators.
    pub(super) fn note_ids(&mut self, row: &[u8], cells: &[Cell], table: &Table, start: RecordStart) {
        if self.ids.len() < table.ids.len() {
            self.ids.resize_with(table.ids.len(), IdColumn::default);
        }
        for (place, counts) in table.ids.iter().zip(&mut self.ids) {
            let (Some(cell), Some(column)) = (cells.get(*place), table.columns.get(*place)) else { continue };
            // An unclosed quoted cell has no content.
            let text = row.get(cell.content()).unwrap_or_default();
            let location = || {
                let path = Some(Path(vec![Step::Key(column.name.clone())]));
                start.locate(cell.span.clone(), path, row)
            };
            if column.is_list {
                counts.note_list(text, location);
                continue;
            }
            counts.cells += 1;
            if may_be_date(text) && is_date(trimmed(text)) {
                counts.note_date(trimmed(text), location);
            }
        }
    }

    /// One finding per kind, about all its cells, at the first.
    pub(super) fn into_findings(self) -> Vec<Finding> {
        let formulas = self.formulas.into_first("begin like a formula");
        let formulas =
            formulas.map(|(first, count, location)| Finding::new(Csv::Formula { first, count }, location));
        let errors = self.errors.into_first("have such a value").map(|(found, count, location)| {
            let what = format!(
                "the cell is {found}, which a spreadsheet writes in place of a value that it cannot compute"
            );
            (what, count, location, FROM_SOURCE)
        });
        let longest = self.longest.into_first("have as many").map(|((), count, location)| {
            let what = "the cell has 32,767 characters, the most that a spreadsheet keeps: the rest was probably cut off";
            (what.to_owned(), count, location, FROM_SOURCE)
        });
        let values =
            errors.into_iter().chain(longest).chain(self.ids.into_iter().flat_map(IdColumn::into_values));
        let values = values.map(|(what, count, location, advice)| {
            Finding::new(Csv::SpreadsheetValue { what, count, advice }, location)
        });
        formulas.into_iter().chain(values).collect()
    }
}

impl IdColumn {
    /// Counts a cell with a list of ids.
    fn note_list(&mut self, text: &[u8], location: impl Fn() -> Location) {
        self.cells += 1;
        if memchr::memchr2(b'-', b'.', text).is_some()
            && let Some(date) = text.split(|byte| *byte == b',').map(trimmed).find(|id| is_date(id))
        {
            self.note_date(date, &location);
        }
        if text.starts_with(b"[") {
            self.lists += 1;
            return;
        }
        let has_commas = memchr::memchr(b',', text).is_some();
        self.lists += u64::from(has_commas);
        if let Some(at) = memchr::memchr2(b'|', b';', text) {
            self.is_of_id |= has_commas;
            self.joined.note(char::from(text[at]), location);
        }
    }

    fn note_date(&mut self, date: &[u8], location: impl Fn() -> Location) {
        self.dates.note(String::from_utf8_lossy(date).into_owned(), location);
    }

    /// The values that differ from the other cells of the column.
    fn into_values(self) -> impl Iterator<Item = (String, String, Location, &'static str)> {
        let Self { cells, dates, lists, joined, is_of_id } = self;
        // A column of dates, or of ids with another separator, has no exceptions to report.
        let dates = if dates.count * 2 < cells { dates.into_first("have one") } else { None };
        let dates = dates.map(|(date, count, location)| {
            let what =
                format!("the cell has {date}, a date as a spreadsheet writes it, among ids of another form");
            (what, count, location, FROM_SOURCE_ID)
        });
        let joined = if joined.count < lists && !is_of_id { joined.into_first("do") } else { None };
        let joined = joined.map(|(separator, count, location)| {
            let what = format!("the cell joins ids by {separator}, which makes them one id: other cells of the column have commas or brackets");
            (what, count, location, AS_A_LIST)
        });
        dates.into_iter().chain(joined)
    }
}

/// An id without the brackets, quotes and spaces of a JSON list.
fn trimmed(id: &[u8]) -> &[u8] {
    let is_around = |byte: &u8| matches!(byte, b'[' | b']' | b'"' | b' ');
    let start = id.iter().take_while(|byte| is_around(byte)).count();
    let end = id.iter().rev().take_while(|byte| is_around(byte)).count();
    id.get(start..id.len() - end).unwrap_or_default()
}

/// Whether a text begins like a date, of at most as many bytes.
#[inline]
fn may_be_date(text: &[u8]) -> bool {
    let begins = matches!(
        text,
        [_, _, _, b'-', ..]
            | [b'0'..=b'9', b'-' | b'.', ..]
            | [b'0'..=b'9', b'0'..=b'9', b'-' | b'.', ..]
            | [_, _, _, _, b'-', ..]
    );
    begins && text.len() <= LONGEST_DATE
}

/// Whether a text is a date as spreadsheets write it: `2-Mar`, `02. Mrz`, `Feb-50`, `2026-09-07 00:00:00`.
fn is_date(text: &[u8]) -> bool {
    if let [b'0'..=b'9', .., b':', b'0', b'0', b':', b'0', b'0'] = text {
        return text.len() == 19 && text[4] == b'-' && text.ends_with(b" 00:00:00");
    }
    let is_number = |rest: &[u8]| matches!(rest.len(), 2 | 4) && rest.iter().all(u8::is_ascii_digit);
    let month = |text: &[u8]| text.split_at_checked(3).is_some_and(|(month, _)| MONTHS.contains(&month));
    let day = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match (day, &text[day..]) {
        (0, text) => month(text) && text[3..].strip_prefix(b"-").is_some_and(is_number),
        (1 | 2, [b'-', rest @ ..] | [b'.', b' ', rest @ ..]) => {
            month(rest) && (rest.len() == 3 || rest[3..].strip_prefix(b"-").is_some_and(is_number))
        }
        _ => false,
    }
}

/// Whether a spreadsheet wrote a text in place of a value: an error, or a row of `#` for a value that is too wide.
fn is_error(text: &[u8]) -> bool {
    ERRORS.iter().any(|error| error.as_bytes() == text)
        || text.len() > 2 && text.iter().all(|byte| *byte == b'#')
}

/// Whether a spreadsheet reads a text as a formula. A number with a sign is not one.
fn is_formula(text: &[u8]) -> bool {
    let is_number = || std::str::from_utf8(text).is_ok_and(|text| text.parse::<f64>().is_ok());
    matches!(text.first(), Some(b'=' | b'+' | b'-' | b'@')) && !is_number()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_told_as_spreadsheets_write_them() {
        for date in ["2-Mar", "02-Mar", "Feb-50", "Feb-2050", "2-Mar-24", "02. Mrz", "2026-09-07 00:00:00"] {
            assert!(is_date(date.as_bytes()), "{date}");
        }
        for id in ["2-19", "May", "Mar-ch", "d-Mar", "2026-09-07", "12345", "Mar-1", "2-Max", "ab 00:00:00"] {
            assert!(!is_date(id.as_bytes()), "{id}");
        }
        assert_eq!(trimmed(b"[\"Feb-50\" ]"), b"Feb-50");
        assert_eq!(trimmed(b"\"\""), b"");
    }
}

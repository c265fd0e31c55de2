//! Reads the first row: the columns, and their mistakes.

use std::collections::HashMap;
use std::rc::Rc;

use super::carriage_returns::bare_carriage_return;
use super::columns::Columns;
use super::names::Names;
use super::problem::Csv;
use super::profile::Sample;
use super::separator::SEPARATORS;
use super::table::{Present, Table};
use evalcheck_diagnose::{
    Kind, Member, RecordFinding, RecordFindings, RecordFix, RecordStart, RecordText, Value,
};
use evalcheck_json::csv::{Cell, QUOTE, split};
use evalcheck_json::schema::{Object, Schema};
use evalcheck_report::Conversion;

/// A parsed header.
pub(super) struct Header<'a> {
    pub(super) table: Table,
    /// An object with the columns as its keys.
    pub(super) value: Value<'a>,
    /// The name of its separator, if it is not the comma.
    pub(super) separator: Option<&'static str>,
}

/// Reads the header row and adds the findings of its columns. `sample` has the rows below it, after a line break of `line_break` bytes.
/// Mistakes that any row may have are already reported.
pub(super) fn read<'a>(
    row: &'a [u8],
    start: RecordStart,
    columns: &'static Columns,
    schema: &'static Schema,
    sample: Sample,
    line_break: usize,
    found: &mut RecordFindings<'_>,
) -> Header<'a> {
    let (delimiter, separator) = delimiter(row, columns);
    let mut cells = Vec::new();
    split(row, delimiter, memchr::memchr(QUOTE, row).is_some(), &mut cells);
    // If lone carriage returns end lines, the header ends at the first of them.
    let end = bare_carriage_return(row, &cells).unwrap_or(row.len());
    let own = cells.iter().take_while(|cell| cell.span.start <= end);
    let own = own.map(|cell| Cell { span: cell.span.start..cell.span.end.min(end), ..cell.clone() });
    let names: Vec<Rc<str>> = own.map(|cell| cell.text(row).into()).collect();
    let mut table = table(delimiter, &names, columns, schema);
    table.takes_others = columns.takes_others;
    table.labels_rows = columns.labels_rows;
    table.sample.get_or_init(|| sample);
    Names::new(&names, &cells, columns, &table).check(&RecordText::new(row, start), line_break, found);
    let members = names.iter().zip(&cells).map(|(name, cell)| Member {
        key: name.to_string().into(),
        key_span: cell.span.clone(),
        value: Value { span: cell.span.clone(), kind: Kind::String(name.to_string().into()) },
        shadowed: false,
    });
    let value = Value { span: 0..row.len(), kind: Kind::Object(members.collect()) };
    Header { table, value, separator: separator.filter(|_| !columns.any_separator) }
}

/// The finding of a header whose separator is not the comma. Known columns show the separator; of any columns it is a guess.
pub(super) fn separator(row: &[u8], delimiter: u8, name: &'static str, is_known: bool) -> RecordFinding {
    let at = memchr::memchr(delimiter, row).unwrap_or(0);
    let fix = if is_known {
        RecordFix::safe("Separate the cells by commas, in all rows")
    } else {
        RecordFix::not_safe("Separate the cells by commas, in all rows, which guesses what separates them")
    };
    let fix = fix.convert(Conversion::CommaSeparated { separator: char::from(delimiter) });
    let advice = match delimiter {
        b';' => {
            "Export the table again with commas between the columns. Some spreadsheets write semicolons where the computer's language writes decimals with a comma."
        }
        _ => "Export the table again with commas between the columns.",
    };
    RecordFinding::new(Csv::Separator { name, advice }, at..at + 1, None).with_fix(Some(fix))
}

/// The separator of the cells: another than the comma only if it yields more known columns, or more columns where
/// any are taken.
pub(super) fn delimiter(row: &[u8], columns: &Columns) -> (u8, Option<&'static str>) {
    let names = |delimiter: u8| {
        let mut cells = Vec::new();
        split(row, delimiter, true, &mut cells);
        let known = cells.iter().filter(|cell| {
            let name = String::from_utf8_lossy(row[cell.span.clone()].trim_ascii()).into_owned();
            columns.position(name.trim_matches('"')).is_some()
        });
        let known = if columns.takes_others { cells.len() } else { known.count() };
        (cells.len(), known)
    };
    let (by_comma_cells, by_comma) = names(b',');
    // Where any column is taken, a separator may be part of a name.
    let is_comma_usual = columns.takes_others && !columns.any_separator;
    let other = SEPARATORS.into_iter().find(|&(delimiter, _)| {
        let (cells, known) = names(delimiter);
        cells > 1 && known > by_comma && (!is_comma_usual || by_comma_cells == 1)
    });
    other.map_or((b',', None), |(delimiter, name)| (delimiter, Some(name)))
}

fn table(delimiter: u8, names: &[Rc<str>], columns: &'static Columns, schema: &'static Schema) -> Table {
    let fields = match &schema.object {
        Some(Object::Properties(fields)) => fields.fields,
        _ => &[],
    };
    let last_of: HashMap<&str, usize> =
        names.iter().enumerate().map(|(index, name)| (&**name, index)).collect();
    let any = columns.takes_others.then_some(&Schema::STRING);
    let present = |(index, name): (usize, &Rc<str>)| {
        // Readers see only the last of several columns with one name, so the others count as unknown.
        let shadowed = last_of[&**name] != index;
        let known = columns.position(name).filter(|_| !shadowed);
        let own = known.map(|location| columns.columns[location].name);
        let field = fields.iter().find(|field| field.key == &**name || Some(field.key) == own);
        Present {
            name: name.clone(),
            known: known.and_then(|location| u8::try_from(location).ok()),
            schema: field
                .map(|field| field.schema)
                .or(any)
                .filter(|schema| !shadowed && schema.string.is_some()),
            is_list: known.is_some_and(|location| columns.columns[location].is_list),
            shadowed,
        }
    };
    let location = |name: &str| names.iter().rposition(|found| &**found == name);
    let filled = columns.columns.iter().filter(|column| column.not_blank).map(|column| {
        let places = column.names().filter_map(location);
        places.collect::<Vec<usize>>()
    });
    let filled = filled.filter(|places| !places.is_empty());
    Table::new(delimiter, names.iter().enumerate().map(present).collect(), filled.collect())
}

impl Columns {
    /// The number of cells of a row that names a column; `None` for any other row.
    pub(super) fn cells_of_header(&self, row: &[u8], delimiter: u8) -> Option<usize> {
        let mut cells = Vec::new();
        let is_whole = split(row, delimiter, true, &mut cells).is_none();
        let names_one = || cells.iter().any(|cell| self.position(&cell.text(row)).is_some());
        (is_whole && names_one()).then_some(cells.len())
    }

    /// The number of cells of a row that are names of columns.
    pub(super) fn names_in(&self, row: &[u8], delimiter: u8) -> usize {
        let mut cells = Vec::new();
        split(row, delimiter, true, &mut cells);
        cells.iter().filter(|cell| self.position(&cell.text(row)).is_some()).count()
    }

    /// The index of the column with this name or alias.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.names().any(|known| known == name))
    }
}

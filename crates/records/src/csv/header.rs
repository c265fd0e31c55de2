//! Reads the first row: the columns, and their mistakes.

use std::collections::HashMap;
use std::rc::Rc;

use super::carriage_returns::bare_carriage_return;
use super::columns::{Column, Columns};
use super::fix;
use super::problem::Csv;
use super::separator::SEPARATORS;
use super::table::{Present, Table};
use evalcheck_core::excerpt::clip_quoted;
use evalcheck_core::finding::{Location, Path};
use evalcheck_core::suggest;
use evalcheck_json::csv::{Cell, QUOTE, split};
use evalcheck_json::diagnose::{
    Kind, Member, PathBuilder, RecordFinding, RecordFindings, RecordFix, RecordStart, RecordText, Value,
};
use evalcheck_json::schema::{Object, Schema};
use evalcheck_wire::report::Conversion;

/// A header that was read.
pub(super) struct Header<'a> {
    pub(super) table: Table,
    /// An object with the columns as its keys.
    pub(super) value: Value<'a>,
}

/// Reads the header row, and adds the findings of its separator and its columns. Other mistakes of it are already reported.
pub(super) fn read<'a>(
    row: &'a [u8],
    start: RecordStart,
    columns: &'static Columns,
    schema: &'static Schema,
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
    if let Some(name) = separator {
        let at = memchr::memchr(delimiter, row).unwrap_or(0);
        let fix = RecordFix::safe("Separate the cells by commas, in all rows");
        let fix = fix.convert(Conversion::CommaSeparated { separator: char::from(delimiter) });
        found.push(RecordFinding::new(Csv::Separator { name }, at..at + 1, None).with_fix(Some(fix)));
    }
    check_names(&names, &cells, columns, &RecordText::new(row, start), found);
    let table = table(delimiter, &names, columns, schema);
    let members = names.iter().zip(&cells).map(|(name, cell)| Member {
        key: name.to_string().into(),
        key_span: cell.span.clone(),
        value: Value { span: cell.span.clone(), kind: Kind::String(name.to_string().into()) },
        shadowed: false,
    });
    let value = Value { span: 0..row.len(), kind: Kind::Object(members.collect()) };
    Header { table, value }
}

/// The separator of the cells: another than the comma only if it yields more known columns.
fn delimiter(row: &[u8], columns: &Columns) -> (u8, Option<&'static str>) {
    let names = |delimiter: u8| {
        let mut cells = Vec::new();
        split(row, delimiter, true, &mut cells);
        let known = cells.iter().filter(|cell| {
            let name = String::from_utf8_lossy(row[cell.span.clone()].trim_ascii()).into_owned();
            columns.position(name.trim_matches('"')).is_some()
        });
        (cells.len(), known.count())
    };
    let (_, by_comma) = names(b',');
    let other = SEPARATORS.into_iter().find(|&(delimiter, _)| {
        let (cells, known) = names(delimiter);
        cells > 1 && known > by_comma
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
    let present = |(index, name): (usize, &Rc<str>)| {
        // Readers see only the last of several columns with one name, so the others count as unknown.
        let shadowed = last_of[&**name] != index;
        let known = columns.position(name).filter(|_| !shadowed);
        let own = known.map(|location| columns.columns[location].name);
        let field = fields.iter().find(|field| field.key == &**name || Some(field.key) == own);
        Present {
            name: name.clone(),
            known: known.and_then(|location| u8::try_from(location).ok()),
            schema: field.map(|field| field.schema).filter(|schema| !shadowed && schema.string.is_some()),
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

fn check_names(
    names: &[Rc<str>],
    cells: &[Cell],
    columns: &'static Columns,
    row: &RecordText<'_>,
    found: &mut RecordFindings<'_>,
) {
    let any_known = names.iter().any(|name| columns.position(name).is_some());
    // How often each known column is present, or suggested by an unknown name.
    let meant = |name: &Rc<str>| suggest::nearest(name.trim(), columns.all_names());
    let mut candidates = HashMap::new();
    for name in names {
        let column = columns.position(name).or_else(|| columns.position(meant(name)?));
        *candidates.entry(column).or_insert(0) += 1;
    }
    let mut first_of = HashMap::new();
    for (index, (name, cell)) in names.iter().zip(cells).enumerate() {
        let first = *first_of.entry(&**name).or_insert(index);
        let span = cell.span.clone();
        let mut report = |problem: Csv, path: Option<Path>, fix| {
            found.push(RecordFinding::new(problem, span.clone(), path).with_fix(fix));
        };
        if name.trim().is_empty() {
            // The findings of missing columns say that a row without any known column is not a header.
            let follows_blank = index > 0 && names[index - 1].trim().is_empty();
            if any_known && !follows_blank {
                report(blank_columns(names, index), None, blank_at_end(names, index));
            }
        } else if first < index {
            let first_at = Location { record: None, ..row.locate(cells[first].span.clone(), None) };
            let name_shown = clip_quoted(name);
            let problem = Csv::DuplicateColumn { name: name_shown, first: first + 1, first_at };
            report(problem, Some(path(name)), None);
        } else if any_known && columns.position(name).is_none() {
            let near = meant(name);
            let advice = match near {
                Some(near) => format!("Did you mean \"{near}\"?"),
                None => "Delete the column, or keep it if the system does not need it.".to_owned(),
            };
            let is_only = |near: &&str| candidates.get(&columns.position(near)) == Some(&1);
            let fix = near.filter(is_only).map(|near| fix::renamed(cell, name, near));
            report(Csv::UnknownColumn { name: clip_quoted(name), advice }, Some(path(name)), fix);
        }
    }
    let near_name = |column: &Column| {
        let unknown = names.iter().map(|name| &**name).filter(|name| columns.position(name).is_none());
        suggest::nearest(column.name, unknown)
    };
    let is_header = any_known || columns.columns.iter().any(|column| near_name(column).is_some());
    for column in columns.columns.iter().filter(|column| column.required) {
        if column.names().any(|wanted| names.iter().any(|name| &**name == wanted)) {
            continue;
        }
        let advice = match near_name(column) {
            Some(near) => {
                format!("There is a column {}: rename it to \"{}\".", clip_quoted(near), column.name)
            }
            None if names.len() == 1 && names[0].split(',').any(|name| columns.position(name.trim()).is_some()) => {
                "The header is one cell, because the whole row is in quotes: remove the quotes around the rows.".to_owned()
            }
            None if !is_header => {
                "None of the columns is known: the first row must contain the names of the columns.".to_owned()
            }
            None => "Add the column to the header, and a cell of it to each row.".to_owned(),
        };
        let problem = Csv::MissingColumn { name: column.name, is_header, advice };
        let near =
            near_name(column).and_then(|near| Some((near, names.iter().position(|name| &**name == near)?)));
        let fix = near.map(|(near, index)| fix::renamed(&cells[index], near, column.name));
        let finding = RecordFinding::new(problem, 0..row.bytes.len(), Some(path(column.name)));
        found.push(finding.with_fix(fix));
    }
}

/// The problem of the columns from `first` on that have no name.
fn blank_columns(names: &[Rc<str>], first: usize) -> Csv {
    let count = names[first..].iter().take_while(|name| name.trim().is_empty()).count();
    let which = match count {
        1 => format!("column {} has", first + 1),
        _ => format!("columns {} to {} have", first + 1, first + count),
    };
    let advice = match first {
        0 => {
            "Delete the column if it counts the rows, as pandas writes it (export with to_csv(index=False)); otherwise give it a name."
        }
        _ if first + count == names.len() => {
            "Delete the columns, or give them names. Spreadsheets export columns that were used once as commas at the end of every line."
        }
        _ => "Give the column a name, or delete it.",
    };
    Csv::BlankColumn { which, advice }
}

/// Takes the columns without a name at the end of a table out of it.
fn blank_at_end(names: &[Rc<str>], first: usize) -> Option<RecordFix> {
    let are_last = first > 0 && names[first..].iter().all(|name| name.trim().is_empty());
    are_last.then(|| {
        RecordFix::not_safe(
            "Delete the cells of these columns that are blank; a row with a text in one keeps it",
        )
        .convert(Conversion::WithoutBlankCells { columns: first as u64 })
    })
}

/// True for the line by which Excel is told the separator.
pub(super) fn is_separator_hint(row: &[u8]) -> bool {
    let row = row.strip_prefix(b"\"").and_then(|row| row.strip_suffix(b"\"")).unwrap_or(row);
    matches!(row, [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', _])
}

impl Column {
    /// Its name and its aliases.
    fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }
}

impl Columns {
    /// The number of cells of a row that names a column; `None` for any other row.
    pub(super) fn cells_of_header(&self, row: &[u8], delimiter: u8) -> Option<usize> {
        let mut cells = Vec::new();
        let is_whole = split(row, delimiter, true, &mut cells).is_none();
        let names_one = || cells.iter().any(|cell| self.position(&cell.text(row)).is_some());
        (is_whole && names_one()).then_some(cells.len())
    }

    /// The index of the column with this name or alias.
    fn position(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.names().any(|known| known == name))
    }

    fn all_names(&self) -> impl Iterator<Item = &'static str> {
        self.columns.iter().flat_map(Column::names)
    }
}

fn path(name: &str) -> Path {
    let mut path = PathBuilder::default();
    path.key(name);
    path.path()
}

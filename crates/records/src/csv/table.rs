//! The columns of a file.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use evalcheck_json::csv::Wanted;
use evalcheck_json::schema::Schema;

use super::columns::Column;
use super::profile::{Profile, Sample};

/// The columns of a file, as its header declares them.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about the table")]
pub struct Table {
    /// The separator of cells.
    pub delimiter: u8,
    /// The line of the header.
    pub header_line: u64,
    /// See [`Columns::takes_others`](super::Columns::takes_others).
    pub(super) takes_others: bool,
    /// See [`Columns::labels_rows`](super::Columns::labels_rows).
    pub(super) labels_rows: bool,
    /// The line of the first row, if the row was read thoroughly.
    pub(super) first_row: OnceCell<u64>,
    /// Whether the first row is longer than the header, so that a reader that [labels rows](super::Columns::labels_rows) moves all cells.
    pub moves_cells: Cell<bool>,
    /// Whether the dataset begins with a byte order mark, which some readers read as part of the first column's name.
    pub has_mark: bool,
    /// The number of cells of the first row that names a column, if the header row names none. The header row is then a title.
    pub header_below: OnceCell<usize>,
    /// The first row that names the columns of another table: its line and its number of cells. The rows below it belong to that table.
    pub(super) appended: OnceCell<(u64, usize)>,
    /// The quotes around its cells, if other than those of a CSV; unset until they are searched.
    pub(super) other_quotes: OnceCell<Option<[char; 2]>>,
    /// The columns of the format, if the header names one of several columns. They identify a row that repeats the header.
    pub(super) known: &'static [Column],
    /// Whether a row may repeat the header, or name the columns of another table.
    expects_headers: bool,
    /// Whether such a row may begin with a byte ([`FIRST`]), or have it after that ([`SECOND`]): the bytes of the names of columns.
    begins_header: [u8; 256],
    /// The indices of the columns of ids, by their names.
    pub(super) ids: Vec<usize>,
    /// The first rows.
    pub(super) sample: OnceCell<Sample>,
    /// Their profile, computed on demand.
    profile: OnceCell<Profile>,
    /// The columns, in the order of the file.
    pub columns: Vec<Present>,
    /// For each known column that must not be blank: its indices in `columns`, first the one with its own name, then aliases.
    pub filled: Vec<Vec<usize>>,
    /// The columns as the fast tier needs them.
    pub wanted: Vec<Wanted>,
}

/// The place of a byte in the name of a column.
const FIRST: u8 = 1;
const SECOND: u8 = 2;

impl Table {
    /// A table of these columns; `filled` as in [`Table::filled`].
    pub fn new(delimiter: u8, columns: Vec<Present>, filled: Vec<Vec<usize>>) -> Self {
        let text = |column: &Present| column.schema.and_then(|schema| schema.string.as_ref());
        let wanted = |(location, column): (usize, &Present)| Wanted {
            text: text(column),
            capture: column.known,
            is_list: column.is_list,
            fills: bits(&filled, location),
        };
        let wanted = columns.iter().enumerate().map(wanted).collect();
        let ids = (0..columns.len()).filter(|place| is_of_ids(&columns[*place].name)).collect();
        Self {
            delimiter,
            header_line: 1,
            takes_others: false,
            labels_rows: false,
            first_row: OnceCell::new(),
            moves_cells: Cell::new(false),
            has_mark: false,
            header_below: OnceCell::new(),
            appended: OnceCell::new(),
            other_quotes: OnceCell::new(),
            known: &[],
            expects_headers: false,
            begins_header: [0; 256],
            ids,
            sample: OnceCell::new(),
            profile: OnceCell::new(),
            columns,
            filled,
            wanted,
        }
    }

    /// Whether the header names no known column, and no other is as good.
    pub fn names_nothing(&self) -> bool {
        !self.takes_others
            && !self.columns.is_empty()
            && self.columns.iter().all(|column| column.known.is_none())
    }

    /// The profile of the first rows.
    pub(super) fn profile(&self) -> &Profile {
        self.profile.get_or_init(|| match self.sample.get() {
            Some(sample) => sample.profile(self.delimiter, self.columns.len()),
            None => Profile::unknown(self.columns.len()),
        })
    }

    /// Whether its cells are in other quotes than those of a CSV.
    pub(super) fn has_other_quotes(&self) -> bool {
        self.other_quotes.get().is_some_and(Option::is_some)
    }

    /// The first rows, as text.
    pub(super) fn sample(&self) -> Option<&str> {
        self.sample.get()?.text()
    }

    /// Prepares the search for rows that repeat the header, which names one of several columns. `known` are the columns of the format.
    pub(super) fn expect_other_headers(&mut self, known: &'static [Column]) {
        self.known = known;
        self.expects_headers = true;
        let mut begins = [0; 256];
        self.columns.iter().for_each(|column| note_start(&mut begins, column.name.trim()));
        known.iter().flat_map(Column::names).for_each(|name| note_start(&mut begins, name));
        self.begins_header = begins;
    }

    /// Whether a row may repeat the header: its first cell is the name of a column.
    #[inline]
    pub(super) fn may_repeat_header(&self, row: &[u8]) -> bool {
        let text = row.strip_prefix(b"\"").unwrap_or(row);
        let may = |byte: u8, place: u8| self.begins_header[usize::from(byte)] & place != 0;
        let begins = match *text {
            [] => false,
            [b' ' | b'\t', ..] => true,
            [first] => may(first, FIRST),
            [first, second, ..] => may(first, FIRST) && may(second, SECOND),
        };
        begins && self.begins_with_name(row)
    }

    fn begins_with_name(&self, row: &[u8]) -> bool {
        let row = row.strip_prefix(b"\"").unwrap_or(row).trim_ascii_start();
        let begins = |name: &str| is_first(row, name, self.delimiter);
        self.columns.iter().any(|column| begins(column.name.trim()))
            || self.known.iter().flat_map(Column::names).any(begins)
    }

    /// How a row with these texts repeats the header: all texts are names of different columns, in any case, or they include all names of
    /// the header.
    pub(super) fn repeats_header(&self, texts: &[&str]) -> Option<Repeated> {
        let is = |text: &str, name: &str| text.trim().eq_ignore_ascii_case(name.trim());
        let known = |name: &str| self.known.iter().position(|column| column.names().any(|own| is(name, own)));
        // Indices in the table come before those of columns that only the format has.
        let place = |text: &&str| {
            let of_format = known(text);
            let same = |column: &Present| {
                is(text, &column.name) || of_format.is_some() && known(&column.name) == of_format
            };
            let in_table = self.columns.iter().position(same);
            in_table.or_else(|| Some(self.columns.len() + of_format?))
        };
        let places: Vec<Option<usize>> = texts.iter().map(place).collect();
        let mut named: Vec<usize> = places.iter().flatten().copied().collect();
        let is_same = named.len() == texts.len() && named.iter().copied().eq(0..self.columns.len());
        named.sort_unstable();
        let count = named.len();
        named.dedup();
        let are_distinct = named.len() == count && count > 1;
        let has_all = || (0..self.columns.len()).all(|place| named.binary_search(&place).is_ok());
        // Two names that only the format has may be texts of a record.
        let has_own = || texts.iter().any(|text| self.columns.iter().any(|column| is(text, &column.name)));
        let is_whole = count == texts.len() && (count > 2 || has_own());
        let is_header = self.expects_headers && are_distinct && (is_whole || has_all());
        is_header.then_some(if is_same { Repeated::Same } else { Repeated::Otherwise })
    }

    /// The table of a file whose header could not be read.
    pub fn of_no_columns(delimiter: u8) -> Self {
        Self::new(delimiter, Vec::new(), Vec::new())
    }
}

/// How a row repeats the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Repeated {
    /// With all columns, in their order.
    Same,
    /// With fewer columns, or in another order: the rows below belong to another table.
    Otherwise,
}

/// Whether a row begins with a name, in any case, and what ends a cell.
#[inline(never)]
fn is_first(row: &[u8], name: &str, delimiter: u8) -> bool {
    row.split_at_checked(name.len()).is_some_and(|(first, rest)| {
        let ends = rest.first().is_none_or(|byte| *byte == delimiter || b"\" \t".contains(byte));
        ends && first.eq_ignore_ascii_case(name.as_bytes())
    })
}

/// Notes the first two bytes of a name, in any case.
fn note_start(begins: &mut [u8; 256], name: &str) {
    for (at, place) in [FIRST, SECOND].into_iter().enumerate() {
        match name.as_bytes().get(at) {
            Some(byte) => {
                begins[usize::from(byte.to_ascii_lowercase())] |= place;
                begins[usize::from(byte.to_ascii_uppercase())] |= place;
            }
            // Anything may follow a shorter name.
            None => begins.iter_mut().for_each(|places| *places |= place),
        }
    }
}

/// Whether a name is that of a column of ids: `id`, `query_id`, `Doc IDs`.
fn is_of_ids(name: &str) -> bool {
    let last = name.trim().rsplit(['_', '-', ' ']).next().unwrap_or(name);
    last.eq_ignore_ascii_case("id") || last.eq_ignore_ascii_case("ids")
}

/// The bits of the lists that contain an index.
fn bits(lists: &[Vec<usize>], location: usize) -> u32 {
    lists.iter().fold(0, |bits, list| bits << 1 | u32::from(list.contains(&location)))
}

/// A column of the file.
#[derive(Debug)]
pub struct Present {
    /// Its name, as the header has it.
    pub name: Rc<str>,
    /// Its index among the columns that the format knows.
    pub known: Option<u8>,
    /// The schema of its cells, beyond the settings of [`Column`](super::Column).
    pub schema: Option<&'static Schema>,
    /// Whether its cells may be JSON lists.
    pub is_list: bool,
    /// Whether a later column has the same name: readers see only the last.
    pub shadowed: bool,
}

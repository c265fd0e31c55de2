//! The columns of a file.

use std::cell::OnceCell;
use std::rc::Rc;

use evalcheck_json::csv::Wanted;
use evalcheck_json::schema::Schema;

use super::profile::{Profile, Sample};

/// The columns of a file, as its header declares them.
#[derive(Debug)]
pub struct Table {
    /// The separator of cells.
    pub delimiter: u8,
    /// The line of the header.
    pub header_line: u64,
    /// The dataset begins with a byte order mark, which some readers read as part of the first column's name.
    pub has_mark: bool,
    /// The number of cells of the first row that names a column, if the header row names none. The header row is then a title.
    pub header_below: OnceCell<usize>,
    /// The header names a column of several, so that a row that repeats it can be told.
    pub(super) has_header: bool,
    /// The first rows.
    pub(super) sample: OnceCell<Sample>,
    /// What they have in common, once it is asked for.
    profile: OnceCell<Profile>,
    /// The columns, in the order of the file.
    pub columns: Vec<Present>,
    /// For each known column that must not be blank: its indices in `columns`, first the one with its own name, then aliases.
    pub filled: Vec<Vec<usize>>,
    /// The columns as the fast tier needs them.
    pub wanted: Vec<Wanted>,
}

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
        Self {
            delimiter,
            header_line: 1,
            has_mark: false,
            header_below: OnceCell::new(),
            has_header: false,
            sample: OnceCell::new(),
            profile: OnceCell::new(),
            columns,
            filled,
            wanted,
        }
    }

    /// True when the header names no known column.
    pub fn names_nothing(&self) -> bool {
        !self.columns.is_empty() && self.columns.iter().all(|column| column.known.is_none())
    }

    /// What the first rows have in common.
    pub(super) fn profile(&self) -> &Profile {
        self.profile.get_or_init(|| match self.sample.get() {
            Some(sample) => sample.profile(self.delimiter, self.columns.len()),
            None => Profile::unknown(self.columns.len()),
        })
    }

    /// True for a row that may repeat the header: it begins with the name of a column.
    #[inline]
    pub(super) fn may_repeat_header(&self, row: &[u8]) -> bool {
        let begins = |name: &[u8]| {
            let row = row.strip_prefix(b"\"").unwrap_or(row).trim_ascii_start();
            let ends = |rest: &[u8]| {
                rest.first().is_none_or(|byte| *byte == self.delimiter || b"\" \t".contains(byte))
            };
            row.split_at_checked(name.len())
                .is_some_and(|(first, rest)| first.eq_ignore_ascii_case(name) && ends(rest))
        };
        self.has_header && self.columns.iter().any(|column| begins(column.name.as_bytes()))
    }

    /// How a row with these texts repeats the header: all are names of columns, each once, in whatever case.
    pub(super) fn repeats_header(&self, texts: &[&str]) -> Option<Repeated> {
        let is = |text: &str, column: &Present| text.trim().eq_ignore_ascii_case(column.name.trim());
        let place = |text: &&str| self.columns.iter().position(|column| is(text, column));
        let mut places = texts.iter().map(place).collect::<Option<Vec<_>>>()?;
        if !self.has_header || places.len() < 2 {
            return None;
        }
        let is_same = places.len() == self.columns.len() && places.is_sorted();
        places.sort_unstable();
        places.dedup();
        let are_distinct = places.len() == texts.len();
        are_distinct.then_some(if is_same { Repeated::Same } else { Repeated::Otherwise })
    }

    /// The table of a file whose header could not be read.
    pub fn of_no_columns() -> Self {
        Self::new(b',', Vec::new(), Vec::new())
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
    /// The schema of its cells, beyond what [`Column`](super::Column) says.
    pub schema: Option<&'static Schema>,
    /// Its cells may be JSON lists.
    pub is_list: bool,
    /// A later column has the same name, and readers see only the last.
    pub shadowed: bool,
}

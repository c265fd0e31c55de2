//! The ways in which a row with too many or too few cells can be meant.
//!
//! A reading fits if each cell has the form of its column ([`Profile`]). A single one that fits is safe unless the same bytes can
//! have come about in a way that no reading shows:
//!
//! - A comma in a text: the separators of this row have spaces, a quote is lost, two texts have commas, or the rest of another row
//!   follows. So a space follows each comma, no other row begins cells with one, and there is no other text and no quote.
//! - Blank cells at the end: a text ends with commas, which is a reading too, or the row is the beginning of a quoted text that goes
//!   on in the next row. So the rows around it are whole.
//! - A missing cell: a separator is lost, a line break is in the row, or the file is cut. So no cell can be cut into two, the rows
//!   around it are whole, and it is not the last row.

use evalcheck_core::excerpt::clip;
use evalcheck_core::order::Order;
use evalcheck_json::csv::{Cell, QUOTE};
use evalcheck_json::diagnose::RecordFix;

use super::profile::Profile;
use super::table::Table;

/// Cells too many or too few in a row that is read. In a row with more, everything is in doubt.
const MOST: usize = 8;

/// Columns of a table that is read so: the readings are as many.
const MOST_COLUMNS: usize = 64;

/// The most characters of a cell that a hint shows.
const SHOWN: usize = 30;

/// A way in which a row can be meant.
#[derive(Debug)]
struct Reading {
    /// Its cells, for a hint.
    shown: String,
    /// How many cells have the form of their column, where it has one; and what else speaks for it. The likeliest has the highest.
    rank: (usize, Likelihood),
    /// If it is the only reading, nothing else explains the row.
    can_be_certain: bool,
    title: String,
    edits: RecordFix,
}

/// How likely a reading is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Likelihood {
    Possible,
    Likely,
    Likeliest,
}

/// The fix of a row and the cells that it may be meant to have.
#[derive(Debug, Default)]
pub(super) struct Meant {
    /// The likeliest reading. Safe if it is the only one.
    pub(super) fix: Option<RecordFix>,
    /// The two likeliest readings as cells, for a hint.
    pub(super) shown: Vec<String>,
}

/// How a row with too many or too few cells, which begins at this line, can be meant.
pub(super) fn meant(row: &[u8], cells: &[Cell], line: u64, table: &Table) -> Meant {
    let profile = table.profile();
    let wanted = profile.width();
    let has_few = cells.len().abs_diff(wanted) <= MOST && wanted <= MOST_COLUMNS;
    // A single cell in a table of several columns is probably not a row that lacks all others.
    if table.names_nothing() || !has_few || cells.len() < 2 || wanted < 2 {
        return Meant::default();
    }
    let texts: Vec<String> = cells.iter().map(|cell| cell.text(row)).collect();
    let mut row =
        RaggedRow { row, cells, texts: texts.iter().map(String::as_str).collect(), line, table, profile };
    let mut readings = row.readings();
    let unknown = Profile::unknown(wanted);
    if readings.is_empty() && !profile.is_certain() {
        // A few rows do not say what the cells of a column cannot be.
        row.profile = &unknown;
        readings = row.readings();
    }
    readings.order_by_key(|reading| std::cmp::Reverse(reading.rank));
    let is_certain = readings.len() == 1 && row.can_be_certain();
    // Of several readings that are as likely, none is made, and two are shown if they are all.
    let rank = |index: usize| readings.get(index).map(|reading| reading.rank);
    let is_first = rank(0) > rank(1);
    let is_second = readings.len() <= 2 || rank(1) > rank(2);
    let most_shown = if is_second { 2 } else { usize::from(is_first) };
    let shown = readings.iter().take(most_shown).map(|reading| reading.shown.clone()).collect();
    let first = readings.into_iter().next().filter(|_| is_first);
    let fix = first.map(|reading| {
        let is_certain = is_certain && reading.can_be_certain;
        RecordFix { edits: reading.edits.edits, ..RecordFix::safe_if(is_certain, reading.title) }
    });
    Meant { fix, shown }
}

/// A row for a hint.
fn shown(cells: &[&str]) -> String {
    let cell = |cell: &&str| format!("\"{}\"", evalcheck_wire::text::one_line(&clip(cell, SHOWN)));
    cells.iter().map(cell).collect::<Vec<_>>().join(" | ")
}

/// A row with too many or too few cells.
struct RaggedRow<'a> {
    row: &'a [u8],
    cells: &'a [Cell],
    /// The texts of its cells.
    texts: Vec<&'a str>,
    line: u64,
    table: &'a Table,
    profile: &'a Profile,
}

impl RaggedRow<'_> {
    /// All ways in which it can be meant whose cells fit into their columns.
    fn readings(&self) -> Vec<Reading> {
        if self.cells.len() < self.profile.width() {
            self.with_blank_cells()
        } else {
            self.with_fewer_cells()
        }
    }

    /// The readings with too few cells: some are missing at the end or at the start, one is missing between, or a
    /// separator is lost.
    fn with_blank_cells(&self) -> Vec<Reading> {
        let missing = self.profile.width() - self.cells.len();
        let between = (1..self.cells.len()).filter(|_| missing == 1);
        let places = [self.cells.len(), 0].into_iter().chain(between);
        let mut readings: Vec<_> = places.filter_map(|at| self.with_blank_cells_at(at, missing)).collect();
        if missing == 1 {
            readings.extend(self.separated());
        }
        readings
    }

    fn with_blank_cells_at(&self, at: usize, missing: usize) -> Option<Reading> {
        let is_inserted = |index: usize| (at..at + missing).contains(&index);
        let mut meant = self.texts.clone();
        meant.splice(at..at, std::iter::repeat_n("", missing));
        let fits =
            |(index, cell): (usize, &&str)| is_inserted(index) || self.profile.column(index).fits(cell);
        if !meant.iter().enumerate().all(fits) {
            return None;
        }
        let separators = char::from(self.table.delimiter).to_string().repeat(missing);
        let offset = self.cells.get(at).map_or(self.row.len(), |cell| cell.span.start);
        let title = match missing {
            1 => format!("Add a blank cell for {}", self.table.columns[at].name),
            _ if at == 0 => format!("Add {missing} blank cells at the start"),
            _ => format!("Add {missing} blank cells at the end"),
        };
        Some(Reading {
            shown: shown(&meant),
            rank: (
                self.profile.matches(&meant),
                if (at..at + missing).all(|index| self.profile.column(index).is_blank_elsewhere()) {
                    Likelihood::Likeliest
                } else if at == self.cells.len() {
                    Likelihood::Likely
                } else {
                    Likelihood::Possible
                },
            ),
            can_be_certain: missing == 1 && self.glued().next().is_none(),
            title,
            edits: RecordFix::safe("").replace(offset..offset, separators),
        })
    }

    /// The cells that may have become one of two, because the separator is lost, with the parts that they are cut into first and
    /// last.
    fn glued(&self) -> impl Iterator<Item = (usize, [(&str, &str); 2])> {
        let fit = |start: usize, cells: &[&str]| {
            cells.iter().enumerate().all(|(index, cell)| self.profile.column(start + index).fits(cell))
        };
        (0..self.cells.len()).filter_map(move |at| {
            let (one, other) = (self.profile.column(at), self.profile.column(at + 1));
            let fits = fit(0, &self.texts[..at]) && fit(at + 2, &self.texts[at + 1..]);
            let mut cuts = one.cuts(other, self.texts[at]);
            let first = cuts.next().filter(|_| fits)?;
            Some((at, [first, cuts.last().unwrap_or(first)]))
        })
    }

    /// The readings with a separator that is lost, where only one place is possible.
    fn separated(&self) -> impl Iterator<Item = Reading> {
        let places = self.glued().filter(|(_, [first, last])| first == last);
        // A space is in its place: any other cut would be a guess at the cut too.
        let places = places.filter(|(at, [(one, _), _])| !self.cells[*at].quoted && one.ends_with(' '));
        places.map(|(at, [(one, other), _])| {
            let trimmed = one.trim_end_matches(' ');
            let meant = [&self.texts[..at], &[trimmed, other], &self.texts[at + 1..]].concat();
            let start = self.cells[at].span.start;
            Reading {
                shown: shown(&meant),
                rank: (self.profile.matches(&meant), Likelihood::Likely),
                can_be_certain: false,
                title: format!("Separate the cell of {}", self.table.columns[at + 1].name),
                edits: RecordFix::safe("")
                    .replace(start + trimmed.len()..start + one.len(), char::from(self.table.delimiter)),
            }
        })
    }

    /// The readings with too many cells: commas of a text, blank cells that belong to no column, or a line break that is lost.
    fn with_fewer_cells(&self) -> Vec<Reading> {
        let extra = self.cells.len() - self.profile.width();
        let joined = (0..self.profile.width()).filter_map(|at| self.joined(at, extra));
        let mut readings: Vec<Reading> = joined.collect();
        readings.extend(self.without_blank_cells(extra));
        readings.extend(self.cut());
        readings
    }

    /// The cells from `at` on, and so many more, as one text.
    fn joined(&self, at: usize, extra: usize) -> Option<Reading> {
        let (cells, texts) = (&self.cells[at..=at + extra], &self.texts[at..=at + extra]);
        let delimiter = char::from(self.table.delimiter).to_string();
        let text = texts.join(&delimiter);
        let (start, end) = (cells[0].span.start, cells[extra].span.end);
        let quotes = memchr::memchr_iter(QUOTE, &self.row[start..end]).map(|quote| start + quote);
        let quotes: Vec<usize> = quotes.collect();
        // Quotes around the whole text, of which the first is missing or comes after a space.
        let trimmed = text.trim_start_matches(' ');
        let (text, edits) = match quotes.as_slice() {
            _ if cells.iter().any(|cell| cell.quoted) => return None,
            [] => (text, RecordFix::safe("").replace(start..start, "\"").replace(end..end, "\"")),
            [last] if last + 1 == end => {
                (text[..text.len() - 1].to_owned(), RecordFix::safe("").replace(start..start, "\""))
            }
            [first, last] if last + 1 == end && trimmed.starts_with('"') => {
                let text = trimmed[1..trimmed.len() - 1].to_owned();
                (text, RecordFix::safe("").replace(start..*first, ""))
            }
            _ => return None,
        };
        let meant = [&self.texts[..at], &[text.as_str()], &self.texts[at + extra + 1..]].concat();
        if !self.profile.column(at).is_text() || !self.profile.fits(&meant) {
            return None;
        }
        // In prose, a space follows a comma; in a number, three digits.
        let is_prose = texts[1..].iter().all(|piece| piece.starts_with(' ') && !piece.trim().is_empty());
        let is_number = |(before, piece): (&&str, &&str)| {
            let digits = piece.len() - piece.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            digits == 3 && before.ends_with(|c: char| c.is_ascii_digit())
        };
        let are_numbers = texts.iter().zip(&texts[1..]).all(is_number);
        Some(Reading {
            shown: shown(&meant),
            rank: (
                self.profile.matches(&meant),
                match quotes.is_empty() {
                    false => Likelihood::Likeliest,
                    true if is_prose || are_numbers => Likelihood::Likely,
                    true => Likelihood::Possible,
                },
            ),
            can_be_certain: quotes.is_empty() && is_prose && self.profile.has_no_spaces(),
            title: if quotes.is_empty() {
                format!("Put the text of {} in quotes", self.table.columns[at].name)
            } else {
                format!("Put the quote at the start of {}", self.table.columns[at].name)
            },
            edits,
        })
    }

    /// True when a single reading can be certain: enough is known of the columns, and the row is not a part of a text that goes on
    /// in the row before or after it.
    fn can_be_certain(&self) -> bool {
        let is_stray =
            |cell: &Cell| !cell.quoted && memchr::memchr(QUOTE, &self.row[cell.span.clone()]).is_some();
        // Readings with commas in two texts are not made.
        let texts = (0..self.profile.width()).filter(|&index| self.profile.column(index).is_text());
        let has_one_text = self.cells.len() <= self.profile.width() + 1 || texts.count() <= 1;
        self.profile.is_certain()
            && has_one_text
            && !self.cells.iter().any(is_stray)
            && self.profile.is_between_whole_rows(self.line)
    }

    /// Without blank cells at the end, or one blank cell elsewhere.
    fn without_blank_cells(&self, extra: usize) -> Vec<Reading> {
        let is_blank = |cells: &[Cell]| {
            cells.iter().all(|cell| !cell.quoted && self.row[cell.span.clone()].trim_ascii().is_empty())
        };
        let last = self.cells.len() - extra;
        let places = (0..=last).filter(|&at| extra == 1 || at == last);
        let places = places.filter(|&at| is_blank(&self.cells[at..at + extra]));
        // Of several blank cells in a row, it does not matter which one is deleted.
        let places = places.filter(|&at| at == last || !is_blank(&self.cells[at + 1..=at + 1]));
        let reading = |at: usize| {
            let meant = [&self.texts[..at], &self.texts[at + extra..]].concat();
            let is_last = at == last;
            let span = match self.cells.get(at + extra) {
                Some(next) => self.cells[at].span.start..next.span.start,
                None => self.cells[at].span.start - 1..self.row.len(),
            };
            self.profile.fits(&meant).then(|| Reading {
                shown: shown(&meant),
                rank: (
                    self.profile.matches(&meant),
                    match at {
                        _ if is_last => Likelihood::Likeliest,
                        0 => Likelihood::Possible,
                        _ => Likelihood::Likely,
                    },
                ),
                can_be_certain: is_last,
                title: if is_last {
                    "Delete the blank cells at the end".to_owned()
                } else {
                    "Delete the blank cell".to_owned()
                },
                edits: RecordFix::safe("").replace(span, ""),
            })
        };
        places.filter_map(reading).collect()
    }

    /// Two rows whose line break is lost.
    fn cut(&self) -> Option<Reading> {
        let wanted = self.profile.width();
        let last = wanted - 1;
        let (of_end, of_start) = (self.profile.column(last), self.profile.column(0));
        let is_known = !of_end.is_text() && !of_start.is_text();
        if self.cells.len() != last + wanted || self.cells[last].quoted || !is_known {
            return None;
        }
        let (end, start) = of_end.cuts(of_start, self.texts[last]).next()?;
        let rows = [[&self.texts[..last], &[end]].concat(), [&[start], &self.texts[last + 1..]].concat()];
        let at = self.cells[last].span.start + end.len();
        rows.iter().all(|row| self.profile.fits(row)).then(|| Reading {
            rank: (rows.iter().map(|row| self.profile.matches(row)).sum(), Likelihood::Likely),
            shown: rows.map(|row| shown(&row)).join(" and, in a row of its own, "),
            can_be_certain: false,
            title: "Begin a new row".to_owned(),
            edits: RecordFix::safe("").replace(at..at, "\n"),
        })
    }
}

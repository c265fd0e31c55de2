//! The possible readings of a row with too many or too few cells.
//!
//! A reading fits if each cell has the form of its column ([`Profile`]). A single reading that fits is safe unless the bytes may have a
//! cause that no reading shows:
//!
//! - A comma in a text: perhaps the separators of this row have spaces, a quote is lost, two texts have commas, or the rest of another row
//!   follows. So a space must follow each comma, no other row may begin cells with a space, and there may be no other text and no quote.
//! - Blank cells at the end: perhaps a text ends with commas, which is a reading too, or the row is the beginning of a quoted text that
//!   continues in the next row. So the rows around it must be whole.
//! - A missing cell: perhaps a separator is lost, a line break is in the row, or the file is cut. So no cell may be divisible into two, the
//!   rows around it must be whole, and it must not be the last row.

use evalcheck_core::excerpt::clip;
use evalcheck_core::order::Order;
use evalcheck_diagnose::RecordFix;
use evalcheck_json::csv::{Cell, QUOTE};

use super::profile::Profile;
use super::table::Table;

/// The maximum number of surplus or missing cells. In a row with more, everything is in doubt.
const MOST: usize = 8;

/// The maximum number of columns of such a table: it has about as many readings.
const MOST_COLUMNS: usize = 64;

/// The maximum number of characters of a cell in a hint.
const SHOWN: usize = 30;

/// A possible reading of a row.
#[derive(Debug)]
struct Reading {
    /// Its cells, for a hint.
    shown: String,
    /// The number of cells that have the form of their column, if it has one; then the likelihood. The likeliest reading has the highest
    /// rank.
    rank: (usize, Likelihood),
    /// Whether nothing else explains the row if this is the only reading.
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

/// Finds the readings of a row with too many or too few cells, which begins at this line.
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
        // A few rows do not show which cells a column excludes.
        row.profile = &unknown;
        readings = row.readings();
    }
    readings.order_by_key(|reading| std::cmp::Reverse(reading.rank));
    let is_certain = readings.len() == 1 && row.can_be_certain();
    // If the first readings are equally likely, none becomes a fix. The second is shown only if it is likelier than the third.
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
    let cell = |cell: &&str| format!("\"{}\"", evalcheck_report::text::one_line(&clip(cell, SHOWN)));
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
    /// All readings whose cells fit into their columns.
    fn readings(&self) -> Vec<Reading> {
        if self.cells.len() < self.profile.width() {
            self.with_blank_cells()
        } else {
            self.with_fewer_cells()
        }
    }

    /// The readings with too few cells: some are missing at the end or at the start, one is missing in between, or a separator is lost.
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

    /// The cells that may be two cells whose separator is lost, with their first and their last possible split.
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

    /// The readings with a lost separator, if only one split is possible.
    fn separated(&self) -> impl Iterator<Item = Reading> {
        let places = self.glued().filter(|(_, [first, last])| first == last);
        // A space must be in its place: any other split would be a guess too.
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

    /// The readings with too many cells: commas of a text, surplus blank cells, or a lost line break.
    fn with_fewer_cells(&self) -> Vec<Reading> {
        let extra = self.cells.len() - self.profile.width();
        let joined = (0..self.profile.width()).filter_map(|at| self.joined(at, extra));
        let mut readings: Vec<Reading> = joined.collect();
        readings.extend(self.without_blank_cells(extra));
        readings.extend(self.cut());
        readings
    }

    /// Joins the cells from `at` on, `extra` more than one, into one text.
    fn joined(&self, at: usize, extra: usize) -> Option<Reading> {
        let (cells, texts) = (&self.cells[at..=at + extra], &self.texts[at..=at + extra]);
        let delimiter = char::from(self.table.delimiter).to_string();
        let text = texts.join(&delimiter);
        let (start, end) = (cells[0].span.start, cells[extra].span.end);
        let quotes = memchr::memchr_iter(QUOTE, &self.row[start..end]).map(|quote| start + quote);
        let quotes: Vec<usize> = quotes.collect();
        // The quotes are around the whole text; the first is missing or comes after a space.
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

    /// Whether a single reading can be certain: enough is known of the columns, and the row is not part of a text that continues in the row
    /// before or after it.
    fn can_be_certain(&self) -> bool {
        let is_stray =
            |cell: &Cell| !cell.quoted && memchr::memchr(QUOTE, &self.row[cell.span.clone()]).is_some();
        // No reading has commas in two texts.
        let texts = (0..self.profile.width()).filter(|&index| self.profile.column(index).is_text());
        let has_one_text = self.cells.len() <= self.profile.width() + 1 || texts.count() <= 1;
        self.profile.is_certain()
            && has_one_text
            && !self.cells.iter().any(is_stray)
            && self.profile.is_between_whole_rows(self.line)
    }

    /// Omits blank cells at the end, or one blank cell elsewhere.
    fn without_blank_cells(&self, extra: usize) -> Vec<Reading> {
        let is_blank = |cells: &[Cell]| {
            cells.iter().all(|cell| !cell.quoted && self.row[cell.span.clone()].trim_ascii().is_empty())
        };
        let last = self.cells.len() - extra;
        let places = (0..=last).filter(|&at| extra == 1 || at == last);
        let places = places.filter(|&at| is_blank(&self.cells[at..at + extra]));
        // Of several adjacent blank cells, it does not matter which one is deleted.
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

    /// The row as two rows whose line break is lost.
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

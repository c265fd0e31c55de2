//! The checks of the columns of a CSV.

use std::rc::Rc;

use evalcheck_core::excerpt::clip_quoted;
use evalcheck_core::finding::{Location, Path, Step};
use evalcheck_diagnose::{Kind, RecordStart, Value};
use evalcheck_report::text::count;

use super::problem::{CellProblem, TypeProblem};
use super::texts::{is_boolean, is_integer, is_whole};
use crate::checks::{
    Captures, Conclusions, DatasetChecks, Fate, Findings, HeaderAnswer, Observations, Observes, Record,
    RecordChecks, Summary,
};
use crate::loaded::{Held, HeldMember, Loading};
use crate::pandas::{Column, Type, held, is_missing};

/// The rows that are read as one chunk.
const CHUNK: u64 = 10_000;

/// The checks of a CSV. Remembers a few places for each column.
#[derive(Debug, Default)]
pub(super) struct Cells {
    names: Vec<Box<str>>,
    columns: Vec<Seen>,
    rows: u64,
    /// The lines of the first chunk.
    lines: [u64; 2],
    known: Option<Known>,
}

/// The cells of a column.
#[derive(Debug, Default)]
struct Seen {
    /// Those of the first chunk.
    column: Column,
    /// Words for missing values.
    words: Marked,
    /// Whole numbers that are written with a zero, a plus or a space in front.
    padded: Marked,
    /// Whole numbers.
    whole: Marked,
    /// Whole numbers of more than 18 digits.
    long: Marked,
    /// Those of the current chunk, after the first.
    later: Later,
    /// The first cell of a later chunk that cannot be converted to the type of the first.
    refused: Option<(Box<str>, Location)>,
    /// Cells of later chunks that are converted.
    converted: Marked,
}

/// The cells of a column in a chunk after the first.
#[derive(Debug, Default)]
struct Later {
    column: Column,
    any: Marked,
    huge: Marked,
    /// Cells that cannot be converted as texts.
    unfit_texts: Marked,
    /// Cells that cannot be converted as numbers.
    unfit_numbers: Marked,
    /// Cells that are written otherwise as texts of a number or a boolean.
    rewritten: Marked,
}

/// Cells of a kind.
#[derive(Debug, Default)]
struct Marked {
    number: u64,
    /// The text and the place of the first.
    first: Option<(Box<str>, Location)>,
}

impl Marked {
    fn add(&mut self, text: &str, at: impl FnOnce() -> Location) {
        self.number += 1;
        self.first.get_or_insert_with(|| (text.into(), at()));
    }
}

impl Seen {
    fn add(&mut self, text: &str, is_first_chunk: bool, mut at: impl FnMut() -> Location) {
        if is_missing(text) {
            let column = if is_first_chunk { &mut self.column } else { &mut self.later.column };
            column.add(text);
            if !text.is_empty() {
                self.words.add(text, at);
            }
            return;
        }
        let digits = text.trim_matches([' ', '\t']);
        let unsigned = digits.strip_prefix(['-', '+']).unwrap_or(digits);
        if !unsigned.is_empty() && unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
            self.whole.add(text, &mut at);
            if unsigned.len() > 1 && unsigned.starts_with('0') || digits.starts_with('+') || digits != text {
                self.padded.add(text, &mut at);
            }
            if unsigned.len() > 18 {
                self.long.add(text, &mut at);
            }
        }
        if is_first_chunk {
            self.column.add(text);
        } else {
            self.later.add(text, self.column, at);
        }
    }

    /// Ends a chunk after the first.
    fn end_chunk(&mut self) {
        let Later { column, any, huge, unfit_texts, unfit_numbers, rewritten } =
            std::mem::take(&mut self.later);
        let (refused, converted) = match (self.column.of(), column.of()) {
            (Type::Huge, _)
            | (_, Type::Empty)
            | (Type::Boolean, Type::Boolean)
            | (Type::Text | Type::Verbatim, Type::Text | Type::Verbatim)
            | (Type::Float | Type::Empty, Type::Float) => return,
            (_, Type::Huge) => (huge, None),
            (Type::Text | Type::Verbatim, _) => (Marked::default(), Some(rewritten)),
            (_, Type::Text | Type::Verbatim) => (unfit_texts, Some(any)),
            (Type::Boolean, _) | (_, Type::Boolean) => (Marked::default(), Some(any)),
            (Type::Empty, Type::Integer) => (unfit_numbers, Some(any)),
            (Type::Integer | Type::Float, Type::Integer | Type::Float) => (unfit_numbers, None),
        };
        if refused.number > 0 {
            self.refused = self.refused.take().or(refused.first);
        } else if let Some(Marked { number, first }) = converted {
            self.converted.number += number;
            self.converted.first = self.converted.first.take().or(first);
        }
    }
}

impl Later {
    fn add(&mut self, text: &str, first: Column, mut at: impl FnMut() -> Location) {
        self.column.add(text);
        self.any.add(text, &mut at);
        let mut alone = Column::default();
        alone.add(text);
        let own = alone.of();
        if own == Type::Huge {
            self.huge.add(text, &mut at);
        }
        let number = text.trim();
        let whole = number.parse::<i128>();
        let (is_text, is_number) = match first.of() {
            Type::Text | Type::Verbatim => {
                let is_same = match own {
                    Type::Boolean => text == "true" || text == "false",
                    Type::Integer => whole.is_ok_and(|number| number.to_string() == text),
                    Type::Float => number.parse().is_ok_and(|number: f64| number.to_string() == text),
                    _ => true,
                };
                if !is_same {
                    self.rewritten.add(text, &mut at);
                }
                return;
            }
            Type::Boolean => (is_boolean(text), true),
            Type::Integer | Type::Huge => {
                let is_number = match whole {
                    Ok(whole) if first.is_unsigned() => u64::try_from(whole).is_ok(),
                    Ok(whole) => i64::try_from(whole).is_ok(),
                    Err(_) => number.parse().is_ok_and(is_whole),
                };
                (is_integer(text), is_number)
            }
            Type::Float | Type::Empty => {
                (text.parse::<f64>().is_ok(), whole.map_or(true, |whole| whole.unsigned_abs() <= 1 << 53))
            }
        };
        if !is_text {
            self.unfit_texts.add(text, &mut at);
        }
        if !is_number {
            self.unfit_numbers.add(text, at);
        }
    }
}

impl Cells {
    fn end_chunk(&mut self) {
        self.columns.iter_mut().for_each(Seen::end_chunk);
    }
}

impl DatasetChecks for Cells {
    fn header(&mut self, header: Option<&Record<'_>>, _: &mut Findings<'_>) -> HeaderAnswer {
        if let Some(Kind::Object(members)) = header.map(|header| &header.root.kind) {
            self.names = members.iter().map(|member| (&*member.key).into()).collect();
            self.columns.resize_with(self.names.len(), Seen::default);
        }
        HeaderAnswer::default()
    }

    fn observes(&self) -> Observes {
        Observes::Records
    }

    fn observe(&mut self, captures: &Captures<'_>, at: RecordStart, _: &mut Observations) {
        self.rows += 1;
        let is_first_chunk = self.rows <= CHUNK;
        if self.rows % CHUNK == 1 && !is_first_chunk {
            self.end_chunk();
        }
        if is_first_chunk {
            self.lines = [if self.rows == 1 { at.line } else { self.lines[0] }, at.line];
        }
        let Self { names, columns, .. } = self;
        captures.each_cell(|index, text| {
            let Some(seen) = columns.get_mut(index) else { return };
            seen.add(text, is_first_chunk, || {
                let path = Path(vec![Step::Key(names[index].clone().into())]);
                // A column is judged, and not the record.
                Location { record: None, ..captures.locate_cell(index, at, path) }
            });
        });
    }

    fn concludes_on_records(&self) -> bool {
        true
    }

    fn record_checks(&self) -> Option<Rc<dyn RecordChecks>> {
        self.known.clone().map(|known| Rc::new(known) as Rc<dyn RecordChecks>)
    }

    fn finish(&mut self, _: &Summary<'_>, out: &mut Conclusions<'_>) {
        self.end_chunk();
        let errors_of_records = out.errors();
        let since = format!("the first 10,000 rows (lines {} to {})", self.lines[0], self.lines[1]);
        for (seen, name) in self.columns.iter().zip(&self.names) {
            let (of, column) = (seen.column.of(), clip_quoted(name));
            if let Some((word, at)) = seen.words.first.as_ref().filter(|_| of != Type::Verbatim) {
                let (cells, word) = (count(seen.words.number, "cell"), clip_quoted(word));
                let problem = CellProblem::NullWords { column: column.clone(), cells, word };
                out.report_lost_values(problem, at.clone(), seen.words.number);
            }
            let changed = match of {
                Type::Float if seen.column.has_missing() && seen.whole.number > 0 => &seen.whole,
                Type::Integer | Type::Float => &seen.padded,
                _ => &Marked::default(),
            };
            if let Some((written, at)) = &changed.first {
                let held = held(written, of);
                let (cells, written) = (count(changed.number, "cell"), clip_quoted(written));
                let problem = CellProblem::ChangedNumbers { column: column.clone(), cells, written, held };
                out.report_lost_values(problem, at.clone(), changed.number);
            }
            if let Some((_, at)) = seen.long.first.as_ref().filter(|_| of == Type::Huge) {
                out.report_at(CellProblem::HugeCell { column }, at.clone());
            }
            let (column, to) = match of {
                Type::Empty => ("only empty cells", "a float"),
                Type::Boolean => ("booleans", "a boolean"),
                Type::Integer | Type::Huge => ("whole numbers", "a whole number"),
                Type::Float => ("numbers", "a float"),
                Type::Text | Type::Verbatim => ("texts", "the text of a number or a boolean"),
            };
            let (path, since) = (name.to_string(), since.clone());
            if let Some((text, at)) = &seen.refused {
                let found = clip_quoted(text);
                out.report_at(TypeProblem::LateType { path, found, column, since }, at.clone());
            } else if let Some((text, at)) = &seen.converted.first {
                let found = clip_quoted(text);
                let problem = TypeProblem::LateConversion { path, found, to, column, since };
                out.report_lost_values(problem, at.clone(), seen.converted.number);
            }
        }
        let types = self.columns.iter().map(|seen| seen.column.of()).collect();
        self.known = Some(Known { types, are_refused: out.errors() > errors_of_records });
    }
}

/// The checks of rows whose columns are known.
#[derive(Debug, Clone)]
struct Known {
    types: Rc<[Type]>,
    /// Whether a column is refused, and with it the dataset.
    are_refused: bool,
}

impl RecordChecks for Known {
    fn is_clean(&self, _: &Captures<'_>) -> bool {
        true
    }

    fn held(&self, loading: &Loading<'_>) -> Option<Held> {
        let Kind::Object(cells) = &loading.root.kind else { return None };
        let held = cells.iter().zip(&*self.types).map(|(cell, of)| {
            let text = cell.value.as_str().unwrap_or_default();
            let value = Held::json(held(text, *of));
            let value = match of {
                Type::Verbatim => value,
                _ if is_missing(text) => value.changed("pandas takes this for a missing value."),
                Type::Text => value,
                _ => value.changed("All cells of the column are of this type."),
            };
            HeldMember::new(&cell.key, value)
        });
        Some(Held::object(held.collect()))
    }

    fn fate(&self, _: &Value<'_>) -> Option<Fate> {
        self.are_refused.then_some(Fate::Refused)
    }
}

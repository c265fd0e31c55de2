//! The id of a record, by which its two versions are matched.

use evalcheck_formats::fields::{Field, Use, paths};
use evalcheck_json::csv::{Cell, split};
use evalcheck_json::walk::{Text, Visitor, walk};
use evalcheck_records::csv::Table;
use evalcheck_report::selector::Step;

use super::decimal;
use crate::diagnose;
use crate::diagnose::select::steps;

/// Finds the id of records of one format.
#[derive(Debug)]
pub(super) struct IdReader {
    paths: Paths,
    /// The number of paths of ids, which come first. Of these, the first with a value counts.
    ids: usize,
    cells: Vec<Cell>,
}

impl IdReader {
    /// For a format with these fields. Only its first 64 paths count.
    pub(super) fn new(fields: &'static [Field]) -> Self {
        let ids = paths(fields, Use::Id);
        let wanted: Vec<_> = ids.chain(paths(fields, Use::IdPart)).take(64).map(steps).collect();
        let values = vec![Vec::new(); wanted.len()];
        Self {
            paths: Paths { wanted, values, frames: Vec::new(), next: 0, ignored: 0 },
            ids: paths(fields, Use::Id).count(),
            cells: Vec::new(),
        }
    }

    /// Whether records have no ids.
    pub(super) fn is_empty(&self) -> bool {
        self.ids == 0
    }

    /// Writes the id of a record that is known to be JSON to `id`. Returns false if it has none.
    #[inline]
    pub(super) fn read_json(&mut self, bytes: &[u8], id: &mut Vec<u8>) -> bool {
        if self.is_empty() {
            return false;
        }
        self.paths.begin();
        walk(bytes, 0, &mut self.paths).is_some() && self.take(id)
    }

    /// The same for a record that may be anything.
    pub(super) fn read_text(&mut self, bytes: &[u8], id: &mut Vec<u8>) -> bool {
        !self.is_empty() && diagnose::parse(bytes).is_ok() && self.read_json(bytes, id)
    }

    /// The same for a row of a CSV.
    pub(super) fn read_row(&mut self, row: &[u8], table: &Table, id: &mut Vec<u8>) -> bool {
        if self.is_empty() {
            return false;
        }
        self.paths.begin();
        let error = split(row, table.delimiter, true, &mut self.cells);
        if error.is_some() || self.cells.len() != table.columns.len() {
            return false;
        }
        for (cell, column) in self.cells.iter().zip(&table.columns).filter(|(_, column)| !column.shadowed) {
            for (path, value) in self.paths.wanted.iter().zip(&mut self.paths.values) {
                if matches!(&path[..], [Step::Key(key)] if **key == *column.name) {
                    add(value, cell.text(row).as_bytes());
                }
            }
        }
        self.take(id)
    }

    /// Writes the id that consists of the values.
    fn take(&self, id: &mut Vec<u8>) -> bool {
        id.clear();
        let (ids, parts) = self.paths.values.split_at(self.ids.min(self.paths.values.len()));
        let Some((path, value)) = ids.iter().enumerate().find(|(_, value)| !value.is_empty()) else {
            return false;
        };
        id.extend_from_slice(&path.to_le_bytes());
        for value in parts.iter().chain([value]) {
            id.extend_from_slice(&value.len().to_le_bytes());
            id.extend_from_slice(value);
        }
        true
    }
}

/// Adds a value, with its length. An empty text is not a value.
fn add(values: &mut Vec<u8>, text: &[u8]) {
    if !text.is_empty() {
        values.extend_from_slice(&text.len().to_le_bytes());
        values.extend_from_slice(text);
    }
}

/// Collects the values at some paths.
#[derive(Debug)]
struct Paths {
    wanted: Vec<Vec<Step>>,
    /// The values at each of them.
    values: Vec<Vec<u8>>,
    /// The objects and arrays around the next value that can have values at the paths.
    frames: Vec<Frame>,
    /// The paths that the next value can be part of, as bits.
    next: u64,
    /// Objects and arrays around the next value that have no values at the paths.
    ignored: usize,
}

/// An object or an array.
#[derive(Debug, Clone, Copy)]
struct Frame {
    /// The paths that it can be part of, as bits.
    paths: u64,
    /// The paths that the elements of an array can be part of.
    elements: Option<u64>,
}

impl Paths {
    fn begin(&mut self) {
        self.frames.clear();
        self.values.iter_mut().for_each(Vec::clear);
        (self.next, self.ignored) =
            (if self.wanted.len() < 64 { (1 << self.wanted.len()) - 1 } else { u64::MAX }, 0);
    }

    /// The paths among `of` whose next step, after the frames, satisfies `is_wanted`.
    fn step(&self, of: u64, is_wanted: impl Fn(&Step) -> bool) -> u64 {
        let depth = self.frames.len() - 1;
        let is_next =
            |(bit, path): &(usize, &Vec<Step>)| of >> bit & 1 == 1 && path.get(depth).is_some_and(&is_wanted);
        self.wanted.iter().enumerate().filter(is_next).fold(0, |bits, (bit, _)| bits | 1 << bit)
    }

    /// The paths that the current value can be part of.
    #[inline]
    fn here(&self) -> u64 {
        self.frames.last().and_then(|frame| frame.elements).unwrap_or(self.next)
    }

    fn enter(&mut self, is_array: bool) {
        let here = self.here();
        if self.ignored > 0 || here == 0 {
            self.ignored += 1;
            return;
        }
        self.frames.push(Frame { paths: here, elements: None });
        if is_array {
            let elements = self.step(here, |step| *step == Step::Any);
            self.frames.iter_mut().last().into_iter().for_each(|frame| frame.elements = Some(elements));
        }
    }

    fn leave(&mut self) {
        if self.ignored > 0 {
            self.ignored -= 1;
        } else {
            self.frames.pop();
        }
    }

    #[inline]
    fn scalar(&mut self, text: &[u8]) {
        if self.ignored > 0 {
            return;
        }
        let here = self.here();
        if here == 0 {
            return;
        }
        let depth = self.frames.len();
        for (bit, path) in self.wanted.iter().enumerate() {
            if here >> bit & 1 == 1 && path.len() == depth {
                add(&mut self.values[bit], text);
            }
        }
    }
}

impl Visitor for Paths {
    #[inline]
    fn begin_object(&mut self) {
        self.enter(false);
    }

    #[inline]
    fn key(&mut self, key: Text<'_>) {
        if self.ignored > 0 {
            return;
        }
        let Some(frame) = self.frames.last() else { return };
        let decoded: String;
        let key = if key.is_plain() {
            key.raw
        } else {
            decoded = key.decoded().collect();
            decoded.as_bytes()
        };
        let depth = self.frames.len() - 1;
        self.next = self.step(frame.paths, |step| match step {
            Step::Any => true,
            Step::Key(wanted) => wanted.as_bytes() == key,
        });
        for (bit, path) in self.wanted.iter().enumerate() {
            // Of several values of a key the last counts.
            if self.next >> bit & 1 == 1 && !path[..=depth].contains(&Step::Any) {
                self.values[bit].clear();
            }
        }
    }

    #[inline]
    fn end_object(&mut self) {
        self.leave();
    }

    #[inline]
    fn begin_array(&mut self) {
        self.enter(true);
    }

    #[inline]
    fn end_array(&mut self) {
        self.leave();
    }

    #[inline]
    fn string(&mut self, text: Text<'_>) {
        if self.ignored > 0 || self.here() == 0 {
            return;
        }
        if text.is_plain() {
            self.scalar(text.raw);
        } else {
            self.scalar(text.decoded().collect::<String>().as_bytes());
        }
    }

    #[inline]
    fn number(&mut self, number: &[u8]) {
        if self.ignored == 0 && self.here() != 0 {
            self.scalar(decimal::canonical(&String::from_utf8_lossy(number)).as_bytes());
        }
    }

    #[inline]
    fn boolean(&mut self, value: bool) {
        self.scalar(if value { b"true" } else { b"false" });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static FIELDS: &[Field] = &[
        Field::new("id", &["a.id", "*.id", "id"], &[Use::Id]),
        Field::new("name", &["name"], &[Use::IdPart]),
    ];

    fn id(json: &str) -> Option<Vec<u8>> {
        let mut id = Vec::new();
        IdReader::new(FIELDS).read_text(json.as_bytes(), &mut id).then_some(id)
    }

    #[test]
    fn the_first_path_with_a_value_is_the_id_together_with_its_parts() {
        let same = [
            r#"{"name":"x","a":{"id":1}}"#,
            r#" {"a":{"b":[{"id":9}],"id":"1"},"id":"other","name":"x"}"#,
            r#"{"name":"y","a":{"id":1.0},"name":"\u0078"}"#,
        ];
        assert!(id(same[0]).is_some());
        assert!(same.iter().all(|json| id(json) == id(same[0])), "{:?}", same.map(id));
        assert_eq!(id(r#"[{"id":1},{"id":2}]"#), id(r#"[{"id":1},{"x":[[3]]},{"id":"2"}]"#));
        let different = [
            same[0],
            r#"{"name":"x","a":{"id":2}}"#,
            r#"{"a":{"id":3}}"#,
            r#"{"id":1}"#,
            r#"[{"id":1},{"id":2}]"#,
            r#"[{"id":12}]"#,
            r#"[{"id":1}]"#,
        ];
        for (index, one) in different.iter().enumerate() {
            assert!(different[..index].iter().all(|other| id(other) != id(one)), "{one}");
        }
    }

    #[test]
    fn nothing_and_what_is_not_a_scalar_are_no_id() {
        for json in
            [r#"{"id":null}"#, r#"{"id":""}"#, r#"{"id":{"id2":1}}"#, "{}", "1", "[1]", r#"{"id":1"#, ""]
        {
            assert_eq!(id(json), None, "{json}");
        }
    }
}

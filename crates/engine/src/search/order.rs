//! The order of the records that match, by a value of the data.

use std::cmp::Ordering;

use evalcheck_report::selector::Step;

use crate::diagnose::select::{Place, at_path, scalar};
use crate::diagnose::{Kind, Value};

/// The maximum number of records that are sorted: the values of all are kept.
const MOST_SORTED: usize = 1_000_000;

/// Characters of a text that are compared.
const TEXT: usize = 64;

/// The records that match, in the order of a value of theirs.
#[derive(Debug)]
pub(super) struct Sorted {
    /// The value is the first one at these paths.
    paths: Vec<Vec<Step>>,
    is_descending: bool,
    /// The records so far, until they are sorted.
    found: Vec<(Key, u64)>,
    /// The records in their order.
    records: Vec<u64>,
}

/// A value by which records are sorted.
#[derive(Debug, PartialEq, PartialOrd)]
enum Key {
    Number(f64),
    Text(Box<str>),
    /// The record has no such value.
    None,
}

impl Sorted {
    pub(super) fn new(paths: Vec<Vec<Step>>, is_descending: bool) -> Self {
        Self { paths, is_descending, found: Vec::new(), records: Vec::new() }
    }

    /// Adds a record that matches; without a value, it cannot be read.
    pub(super) fn add(&mut self, record: u64, root: Option<&Value<'_>>) {
        if self.has_room() {
            let key = root.map_or(Key::None, |root| self.key(root));
            self.found.push((key, record));
        }
    }

    /// Whether another record is kept. One more than are sorted tells that there are too many.
    pub(super) fn has_room(&self) -> bool {
        self.found.len() <= MOST_SORTED
    }

    fn key(&self, root: &Value<'_>) -> Key {
        let key = |value: &Value<'_>| match &value.kind {
            Kind::Null => None,
            Kind::Number(_, text) => {
                text.parse().ok().filter(|number: &f64| number.is_finite()).map(Key::Number)
            }
            _ => scalar(value).map(|text| Key::Text(text.chars().take(TEXT).collect())),
        };
        let mut found = self
            .paths
            .iter()
            .filter_map(|path| at_path(root, path, &Place::Record, &mut |value, _| key(value)));
        found.next().unwrap_or(Key::None)
    }

    /// Sorts the records: numbers before texts, and those without a value at the end. Those with the same value stay in the order of the
    /// dataset.
    ///
    /// # Errors
    /// There are more than [`MOST_SORTED`].
    pub(super) fn finish(&mut self) -> Result<(), String> {
        let mut found = std::mem::take(&mut self.found);
        if found.len() > MOST_SORTED {
            return Err("More than 1,000,000 records match: search for fewer to sort them.".to_owned());
        }
        found.sort_by(|(one, _), (other, _)| {
            let order = one.partial_cmp(other).unwrap_or(Ordering::Equal);
            let has_none = *one == Key::None || *other == Key::None;
            if self.is_descending && !has_none { order.reverse() } else { order }
        });
        self.records = found.into_iter().map(|(_, record)| record).collect();
        Ok(())
    }

    /// The records in their order; none before they are sorted.
    pub(super) fn records(&self) -> &[u64] {
        &self.records
    }
}

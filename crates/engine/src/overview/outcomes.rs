//! The outcomes of loading the records of a dataset.

use borsh::{BorshDeserialize, BorshSerialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;

use evalcheck_core::order::Order;
use evalcheck_report::overview::{LoadedDifference, LoadedFacts};
use evalcheck_report::selector::{PathStep, ROOT_PATH, general_path_of};
use evalcheck_report::view::ChangeKind;

use super::LONGEST_PATH;
use crate::dataset::ListValues;
use crate::loaded::Outcome;

/// The maximum number of different differences that are counted.
const MOST_DIFFERENCES: usize = 500;

/// The number of records with each outcome.
#[derive(Debug, Clone, Default, BorshSerialize, BorshDeserialize)]
pub(super) struct Outcomes {
    /// The values of lists that the records are in, with the sums of each; one outside of documents.
    values: Vec<(usize, Sums)>,
    /// Records in values that were replaced.
    replaced: u64,
    /// The differences of the record that is counted.
    #[borsh(skip)]
    differences: Vec<Difference>,
}

/// A difference from the file: its kind, the path in which `*` is any index, and the reason.
type Difference = (ChangeKind, String, String);

#[derive(Debug, Clone, Default, BorshSerialize, BorshDeserialize)]
struct Sums {
    same: u64,
    different: u64,
    dropped: u64,
    refused: u64,
    /// The number of records with each difference.
    differences: BTreeMap<Difference, u64>,
    /// The number of further differences of records, for which there was no room.
    others: u64,
}

impl Outcomes {
    /// Counts the records in values of lists that are replaced as dropped.
    pub(super) fn replace(&mut self, lists: &ListValues) {
        self.values.retain(|(value, sums)| {
            let is_kept = !lists.is_replaced(*value);
            self.replaced += if is_kept { 0 } else { sums.records() };
            is_kept
        });
    }

    /// Counts the records that follow for the value of a list that began last.
    #[inline]
    pub(super) fn set_value(&mut self, lists: &ListValues) {
        if self.values.last().is_none_or(|(last, _)| *last != lists.last()) {
            self.replace(lists);
            self.values.push((lists.last(), Sums::default()));
        }
    }

    /// Counts a record that the system holds as it is in the file.
    pub(super) fn count_same(&mut self) {
        if let Some((_, sums)) = self.values.last_mut() {
            sums.same += 1;
        }
    }

    /// Counts a record with this outcome.
    pub(super) fn count(&mut self, outcome: &Outcome) {
        let Some((_, sums)) = self.values.last_mut() else { return };
        match outcome {
            Outcome::Dropped => sums.dropped += 1,
            Outcome::Refused => sums.refused += 1,
            Outcome::Held(held) => {
                self.differences.clear();
                held.visit_changes(|kind, path, why| {
                    self.differences.push((kind, general_path(path), why.to_owned()));
                });
                sums.add(&mut self.differences);
            }
        }
    }

    /// Counts the records that follow.
    pub(super) fn merge(&mut self, next: &Self) {
        for (value, sums) in &next.values {
            if self.values.last().is_none_or(|(last, _)| last != value) {
                self.values.push((*value, Sums::default()));
            }
            if let Some((_, mine)) = self.values.last_mut() {
                mine.merge(sums);
            }
        }
    }

    /// The sums.
    pub(super) fn to_wire(&self) -> LoadedFacts {
        let mut all = Sums { dropped: self.replaced, ..Sums::default() };
        for (_, sums) in &self.values {
            all.merge(sums);
        }
        let differences = all.differences.into_iter();
        let mut differences: Vec<LoadedDifference> = differences
            .map(|((kind, path, why), records)| LoadedDifference { kind, path, why, records })
            .collect();
        differences.order_by(|a, b| {
            let key = |difference: &LoadedDifference| (Reverse(difference.records), difference.kind);
            key(a).cmp(&key(b)).then_with(|| (&a.path, &a.why).cmp(&(&b.path, &b.why)))
        });
        LoadedFacts {
            same: all.same,
            different: all.different,
            dropped: all.dropped,
            refused: all.refused,
            differences,
            others: all.others,
        }
    }
}

impl Sums {
    /// The number of all records.
    fn records(&self) -> u64 {
        self.same + self.different + self.dropped + self.refused
    }

    /// Adds a record with these differences. Each of them counts once.
    fn add(&mut self, differences: &mut Vec<Difference>) {
        if differences.is_empty() {
            self.same += 1;
            return;
        }
        self.different += 1;
        differences.sort_unstable();
        differences.dedup();
        for difference in differences.drain(..) {
            self.count(difference, 1);
        }
    }

    /// Counts records with a difference. Of too many differences, the first ones in their order are kept, so that the counts do not depend on
    /// the order of the records.
    fn count(&mut self, difference: Difference, records: u64) {
        if difference.1.len() > LONGEST_PATH {
            self.others += records;
            return;
        }
        *self.differences.entry(difference).or_default() += records;
        if self.differences.len() > MOST_DIFFERENCES {
            self.others += self.differences.pop_last().map_or(0, |(_, records)| records);
        }
    }

    fn merge(&mut self, next: &Self) {
        self.same += next.same;
        self.different += next.different;
        self.dropped += next.dropped;
        self.refused += next.refused;
        self.others += next.others;
        for (difference, records) in &next.differences {
            self.count(difference.clone(), *records);
        }
    }
}

/// The path with `*` for indexes; `(root)` for the record.
fn general_path(path: &[PathStep<'_>]) -> String {
    if path.is_empty() { ROOT_PATH.to_owned() } else { general_path_of(path.iter().copied()) }
}

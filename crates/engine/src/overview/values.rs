//! Different values, each with its count, if they are few. The counts do not depend on the order of the values.

use borsh::{BorshDeserialize, BorshSerialize};
use evalcheck_core::order::Order;
use evalcheck_report::overview::{Categories, Category};
use indexmap::IndexMap;

/// The maximum number of different values. If there are more, none is counted by itself.
const MOST: usize = 1000;

/// The longest value that is counted by itself, in bytes.
pub(super) const LONGEST: usize = 100;

/// Values are a category if there are at most this many.
const ALWAYS_CATEGORY: usize = 10;

/// Counted values.
#[derive(Debug, Clone, Default, BorshSerialize, BorshDeserialize)]
pub(super) struct Values {
    /// Those that are counted by themselves, in the order in which they first occur, each with its count.
    kept: IndexMap<Box<[u8]>, u64>,
    /// All values.
    total: u64,
    /// Whether there were too many, so that none is kept.
    is_given_up: bool,
    /// The index of the last one in `kept`.
    #[borsh(skip)]
    last: usize,
}

impl Values {
    /// Values that are not counted one by one.
    pub(super) fn given_up() -> Self {
        Self { is_given_up: true, ..Self::default() }
    }

    /// Counts a value, and returns its number. `None` if it is not counted by itself.
    #[inline]
    pub(super) fn add(&mut self, value: &[u8]) -> Option<usize> {
        self.total += 1;
        if self.is_given_up || value.len() > LONGEST {
            return None;
        }
        let at = match self.kept.get_index(self.last) {
            Some((last, _)) if **last == *value => self.last,
            _ => self.find(value).or_else(|| self.insert(value))?,
        };
        self.last = at;
        self.kept[at] += 1;
        Some(at)
    }

    /// Counts a value that is too long to be counted by itself.
    #[inline]
    pub(super) fn add_long(&mut self) {
        self.total += 1;
    }

    /// Whether no value is counted by itself any more.
    #[inline]
    pub(super) fn is_given_up(&self) -> bool {
        self.is_given_up
    }

    /// Keeps a new value, if there is room.
    fn insert(&mut self, value: &[u8]) -> Option<usize> {
        if self.kept.len() == MOST {
            self.give_up();
            return None;
        }
        Some(self.kept.insert_full(value.into(), 0).0)
    }

    /// Drops all values, because there are too many: ids, for instance.
    fn give_up(&mut self) {
        self.kept = IndexMap::default();
        self.is_given_up = true;
    }

    /// Counts other values. `counted` gets the numbers, there and here, of each value that is counted by itself.
    pub(super) fn merge(&mut self, other: &Self, mut counted: impl FnMut(usize, usize)) {
        self.total += other.total;
        if self.is_given_up || other.is_given_up {
            return self.give_up();
        }
        for (at, (value, count)) in other.kept.iter().enumerate() {
            let Some(own) = self.find(value).or_else(|| self.insert(value)) else { return };
            self.kept[own] += count;
            counted(at, own);
        }
    }

    /// Whether the values are a category, see [`evalcheck_report::overview::PathFacts::values`].
    pub(super) fn are_category(&self) -> bool {
        let (different, total) = (self.kept.len(), self.total);
        let are_few = different <= ALWAYS_CATEGORY && (different as u64) < total;
        let are_known = different > 0 && self.others() * 10 <= total;
        are_known && (are_few || different < MOST && has_few_for_their_number(different, total))
    }

    /// Values that are not counted by themselves.
    pub(super) fn others(&self) -> u64 {
        self.total - self.kept.values().sum::<u64>()
    }

    /// The number of a value that is counted by itself.
    fn find(&self, value: &[u8]) -> Option<usize> {
        self.kept.get_index_of(value)
    }

    /// The number of values that are counted by themselves, each once.
    pub(super) fn len(&self) -> usize {
        self.kept.len()
    }

    /// The values with their counts.
    pub(super) fn kept(&self) -> impl Iterator<Item = (String, u64)> + '_ {
        self.kept.iter().map(|(value, count)| (String::from_utf8_lossy(value).into_owned(), *count))
    }

    /// The most frequent values first.
    pub(super) fn to_wire(&self) -> Categories {
        let mut values: Vec<Category> = self.kept().map(|(value, count)| Category { value, count }).collect();
        values.order_by_key(|category| std::cmp::Reverse(category.count));
        Categories { values, others: self.others() }
    }
}

fn has_few_for_their_number(different: usize, total: u64) -> bool {
    different as u64 * 5 <= total
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: impl IntoIterator<Item = u32>) -> Values {
        let mut counted = Values::default();
        for value in values {
            counted.add(value.to_string().as_bytes());
        }
        counted
    }

    #[test]
    fn every_value_has_its_count() {
        let values = of((0..10_000).map(|i| i * i % 997));
        let wire = values.to_wire();
        for Category { value, count } in &wire.values {
            let expected = (0..10_000_u32).filter(|i| (i * i % 997).to_string() == *value).count();
            assert_eq!(*count, expected as u64, "{value}");
        }
        assert_eq!((wire.total(), wire.others), (10_000, 0));
    }

    #[test]
    fn a_category_has_few_values() {
        assert!(of([1, 1]).are_category());
        assert!(!of([1, 2, 3]).are_category(), "no value occurs again");
        assert!(of((0..50).map(|i| i % 10)).are_category());
        assert!(!of((0..54).map(|i| i % 11)).are_category(), "a fifth of 54 is less than 11");
        assert!(of((0..55).map(|i| i % 11)).are_category());
        assert!(!of((0..9990).map(|i| i % 1000)).are_category());
        assert!(!of([]).are_category());
    }

    #[test]
    fn too_many_values_are_given_up() {
        let ids = of(0..5000);
        assert_eq!((ids.kept.len(), ids.total, ids.others()), (0, 5000, 5000));
        assert_eq!(of((0..20_000).map(|i| i % 1000)).kept.len(), 1000);
        let mut long = of([7, 7]);
        assert_eq!(long.add(&[b'x'; LONGEST + 1]), None);
        assert_eq!((long.others(), long.are_category()), (1, false));
    }

    /// The counts, whatever the order.
    fn seen(values: &Values) -> (Vec<(String, u64)>, u64, bool) {
        let mut kept: Vec<_> = values.kept().collect();
        kept.sort_unstable();
        (kept, values.total, values.is_given_up)
    }

    #[test]
    fn parts_add_up_in_any_order_and_any_groups() {
        let few = |i: u32| i * 7 % 400;
        let late = |i: u32| if i < 6_000 { i % 9 } else { i };
        let nearly = |i: u32| i % 1_001;
        for value in [few, late, nearly, |i| i] {
            let values: Vec<u32> = (0..12_000).map(value).collect();
            for step in [1, 7, 999, 1000, 5_000] {
                let parts: Vec<Values> = values.chunks(step).map(|part| of(part.iter().copied())).collect();
                let merged = |parts: &mut dyn Iterator<Item = &Values>| {
                    let mut whole = Values::default();
                    parts.for_each(|part| {
                        let numbers = |at, own| (part.kept.get_index(at).map(|(text, _)| text.clone()), own);
                        let mut counted = Vec::new();
                        whole.merge(part, |at, own| counted.push(numbers(at, own)));
                        let is_same = |(text, own): &(Option<Box<[u8]>>, usize)| {
                            whole.is_given_up
                                || whole.kept.get_index(*own).map(|(text, _)| text) == text.as_ref()
                        };
                        assert!(counted.iter().all(is_same));
                    });
                    whole
                };
                let expected = seen(&of(values.iter().copied()));
                assert_eq!(seen(&merged(&mut parts.iter())), expected, "parts of {step}");
                assert_eq!(seen(&merged(&mut parts.iter().rev())), expected, "parts of {step}, reversed");
                let halves =
                    [merged(&mut parts.iter().step_by(2)), merged(&mut parts.iter().skip(1).step_by(2))];
                assert_eq!(seen(&merged(&mut halves.iter())), expected, "parts of {step}, in groups");
            }
        }
    }
}

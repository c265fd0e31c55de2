//! Values that occur often, each with its count.

use std::collections::HashMap;
use std::rc::Rc;

use evalcheck_wire::overview::{Categories, Category};

/// The most values that are counted each by itself.
const MOST: usize = 1000;

/// The longest value that is counted by itself, in bytes.
pub(super) const LONGEST: usize = 100;

/// So few values are compared one by one.
const FEW: usize = 8;

/// Values are a category when there are at most so many.
const ALWAYS_CATEGORY: usize = 10;

/// Counted values.
#[derive(Debug, Clone, Default)]
pub(super) struct Values {
    /// In the order in which they first occur.
    kept: Vec<(Rc<[u8]>, u64)>,
    /// Where they are in `kept`; empty while they are [`FEW`].
    index: HashMap<Rc<[u8]>, usize>,
    /// Values that are not kept.
    others: u64,
    /// There were too many values to be a category, so none is kept.
    is_given_up: bool,
    /// The last one, in `kept`.
    last: usize,
}

impl Values {
    /// Counts a value, and returns its number. `None` if it is not counted by itself.
    #[inline]
    pub(super) fn add(&mut self, value: &[u8]) -> Option<usize> {
        if self.is_given_up || value.len() > LONGEST {
            self.others += 1;
            return None;
        }
        let at = match self.kept.get(self.last) {
            Some((last, _)) if **last == *value => self.last,
            _ => self.find(value).or_else(|| self.insert(value))?,
        };
        self.last = at;
        self.kept[at].1 += 1;
        Some(at)
    }

    /// Counts a value that is too long to be counted by itself.
    #[inline]
    pub(super) fn add_long(&mut self) {
        self.others += 1;
    }

    /// True where no value is counted by itself any more.
    #[inline]
    pub(super) fn is_given_up(&self) -> bool {
        self.is_given_up
    }

    fn find(&self, value: &[u8]) -> Option<usize> {
        if self.kept.len() <= FEW {
            return self.kept.iter().position(|(kept, _)| **kept == *value);
        }
        self.index.get(value).copied()
    }

    /// Keeps a new value; if there is no room, counts it.
    fn insert(&mut self, value: &[u8]) -> Option<usize> {
        if self.kept.len() == MOST {
            self.others += 1;
            self.give_up();
            return None;
        }
        self.kept.push((value.into(), 0));
        if self.kept.len() == FEW + 1 {
            let all = self.kept.iter().enumerate();
            self.index = all.map(|(at, (value, _))| (value.clone(), at)).collect();
        } else if let Some((value, _)) = self.kept.last().filter(|_| self.kept.len() > FEW) {
            self.index.insert(value.clone(), self.kept.len() - 1);
        }
        Some(self.kept.len() - 1)
    }

    /// Keeps none where so many values cannot be a category: ids, for instance.
    fn give_up(&mut self) {
        if !self.has_few_for_their_number() {
            *self = Self { others: self.total(), is_given_up: true, ..Self::default() };
        }
    }

    /// How many values were counted.
    pub(super) fn total(&self) -> u64 {
        self.kept.iter().map(|(_, count)| count).sum::<u64>() + self.others
    }

    fn has_few_for_their_number(&self) -> bool {
        self.kept.len() as u64 * 5 <= self.total()
    }

    /// True where the values are a category, see [`evalcheck_wire::overview::PathFacts::values`].
    pub(super) fn are_category(&self) -> bool {
        let (different, total) = (self.kept.len(), self.total());
        let are_few = different <= ALWAYS_CATEGORY && (different as u64) < total;
        let are_known = different > 0 && self.others * 10 <= total;
        are_known && (are_few || different < MOST && self.has_few_for_their_number())
    }

    /// Counts a value several times, at least once.
    pub(super) fn add_many(&mut self, value: &[u8], count: u64) -> Option<usize> {
        let at = self.add(value);
        match at {
            Some(at) => self.kept[at].1 += count - 1,
            None => self.others += count - 1,
        }
        at
    }

    /// Counts the values of another part.
    pub(super) fn merge(&mut self, other: &Self) {
        for (value, count) in &other.kept {
            self.add_many(value, *count);
        }
        self.others += other.others;
        if other.is_given_up && !self.is_given_up {
            *self = Self { others: self.total(), is_given_up: true, ..Self::default() };
        }
    }

    /// The values, by their numbers.
    pub(super) fn kept(&self) -> impl Iterator<Item = (String, u64)> + '_ {
        self.kept.iter().map(|(value, count)| (String::from_utf8_lossy(value).into_owned(), *count))
    }

    /// The most frequent values first.
    pub(super) fn to_wire(&self) -> Categories {
        let mut values: Vec<Category> = self.kept().map(|(value, count)| Category { value, count }).collect();
        values.sort_by_key(|category| std::cmp::Reverse(category.count));
        Categories { values, others: self.others }
    }
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
    fn ids_are_given_up_and_frequent_values_are_not() {
        let ids = of(0..5000);
        assert_eq!((ids.kept.len(), ids.total()), (0, 5000));
        let frequent = of((0..20_000).map(|i| if i < 10_000 { i % 900 } else { i % 1100 }));
        assert_eq!((frequent.kept.len(), frequent.total()), (1000, 20_000));
        assert!(frequent.others > 0);
        let mut long = of([7, 7]);
        assert_eq!(long.add(&[b'x'; LONGEST + 1]), None);
        assert_eq!((long.others, long.are_category()), (1, false));
    }

    #[test]
    fn two_parts_add_up() {
        for modulus in [3, 9, 400] {
            let all = |range: std::ops::Range<u32>| of(range.map(|i| i * 7 % modulus));
            let mut merged = all(0..300);
            merged.merge(&all(300..2000));
            assert_eq!(merged.to_wire(), all(0..2000).to_wire(), "{modulus}");
        }
    }
}

//! Values that occur often, each with its count.

use borsh::{BorshDeserialize, BorshSerialize};
use evalcheck_core::order::Order;
use evalcheck_wire::overview::{Categories, Category};
use indexmap::IndexMap;

/// The maximum number of values that are counted each by itself.
const MOST: usize = 1000;

/// The maximum number of values of a run that are counted each by itself. They may be more than [`MOST`], because some may be known from before.
const MOST_OF_RUN: usize = 16 << 10;

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
    /// Whether there were too many values to be a category, so that none is kept.
    is_given_up: bool,
    /// The index of the last one in `kept`.
    last: usize,
    /// The order of the values of a run; `None` for a dataset.
    run: Option<Box<RunOrder>>,
}

/// The order of the values of a run, for [`Values::add_run`].
#[derive(Debug, Clone, Default, BorshSerialize, BorshDeserialize)]
struct RunOrder {
    /// For each value that is kept, the number of values before it.
    before: Vec<u64>,
    /// The number of values before the first one that has no room in a dataset.
    before_overflow: Option<u64>,
}

impl Values {
    /// For a run of records that is counted by itself ([`super::Overview::of_run`]), or for a dataset.
    pub(super) fn new(is_run: bool) -> Self {
        Self { run: is_run.then(Box::default), ..Self::default() }
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

    /// Keeps a new value, if there is room. It is counted in the total.
    fn insert(&mut self, value: &[u8]) -> Option<usize> {
        match &mut self.run {
            None if self.kept.len() == MOST => {
                if !has_few_for_their_number(MOST, self.total) {
                    self.give_up();
                }
                return None;
            }
            None => {}
            Some(run) => {
                if self.kept.len() == MOST {
                    run.before_overflow = Some(self.total - 1);
                }
                if self.kept.len() == MOST_OF_RUN {
                    self.give_up();
                    return None;
                }
                run.before.push(self.total - 1);
            }
        }
        Some(self.kept.insert_full(value.into(), 0).0)
    }

    /// Drops all values, because so many cannot be a category: ids, for instance.
    fn give_up(&mut self) {
        self.kept = IndexMap::default();
        self.is_given_up = true;
        if let Some(run) = &mut self.run {
            run.before = Vec::new();
        }
    }

    /// Whether [`Values::add_run`] can tell which values of a run are counted by themselves.
    pub(super) fn can_add_run(&self, run: &Self) -> bool {
        // Values are given up at the first one without room, which is not after that of the run.
        let is_given_up_then = |order: &RunOrder| {
            let total = order.before_overflow.map(|before| self.total + before + 1);
            total.is_some_and(|total| !has_few_for_their_number(MOST, total))
        };
        !run.is_given_up || self.is_given_up || run.run.as_deref().is_some_and(is_given_up_then)
    }

    /// Counts the values of the run that follows, as if each was added. `counted` gets the numbers, in the run and here, of each
    /// value that is counted by itself.
    pub(super) fn add_run(&mut self, run: &Self, mut counted: impl FnMut(usize, usize)) {
        let before = self.total;
        self.total += run.total;
        if self.is_given_up {
            return;
        }
        if run.is_given_up {
            return self.give_up();
        }
        let order = run.run.as_deref().map_or(&[][..], |order| &order.before);
        for (at, (value, count)) in run.kept.iter().enumerate() {
            let own = self.find(value);
            if own.is_none() && self.kept.len() == MOST {
                let total = before + order.get(at).copied().unwrap_or_default() + 1;
                if !has_few_for_their_number(MOST, total) {
                    return self.give_up();
                }
                continue;
            }
            let own = own.unwrap_or_else(|| self.kept.insert_full(value.clone(), 0).0);
            self.kept[own] += count;
            counted(at, own);
        }
    }

    /// Whether the values are a category, see [`evalcheck_wire::overview::PathFacts::values`].
    pub(super) fn are_category(&self) -> bool {
        let (different, total) = (self.kept.len(), self.total);
        let are_few = different <= ALWAYS_CATEGORY && (different as u64) < total;
        let are_known = different > 0 && self.others() * 10 <= total;
        are_known && (are_few || different < MOST && has_few_for_their_number(different, total))
    }

    /// Values that are not counted by themselves.
    fn others(&self) -> u64 {
        self.total - self.kept.values().sum::<u64>()
    }

    /// Adds the values of another path.
    pub(super) fn merge(&mut self, other: &Self) {
        for (value, count) in &other.kept {
            if let Some(at) = self.add(value) {
                self.kept[at] += count - 1;
            }
            self.total += count - 1;
        }
        self.total += other.others();
        if other.is_given_up && !self.is_given_up {
            self.give_up();
        }
    }

    /// The number of a value that is counted by itself.
    pub(super) fn find(&self, value: &[u8]) -> Option<usize> {
        self.kept.get_index_of(value)
    }

    /// The values that are counted by themselves.
    pub(super) fn texts(&self) -> impl Iterator<Item = &[u8]> {
        self.kept.keys().map(|value| &**value)
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

    fn count(mut counted: Values, values: impl IntoIterator<Item = u32>) -> Values {
        for value in values {
            counted.add(value.to_string().as_bytes());
        }
        counted
    }

    fn of(values: impl IntoIterator<Item = u32>) -> Values {
        count(Values::default(), values)
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
        assert_eq!((ids.kept.len(), ids.total), (0, 5000));
        let frequent = of((0..20_000).map(|i| if i < 10_000 { i % 900 } else { i % 1100 }));
        assert_eq!((frequent.kept.len(), frequent.total), (1000, 20_000));
        assert!(frequent.others() > 0);
        let mut long = of([7, 7]);
        assert_eq!(long.add(&[b'x'; LONGEST + 1]), None);
        assert_eq!((long.others(), long.are_category()), (1, false));
    }

    /// Everything that later values or the report depend on.
    fn seen(values: &Values) -> (Vec<(String, u64)>, u64, bool) {
        (values.kept().collect(), values.total, values.is_given_up)
    }

    /// Adds up runs that end at these values. Returns how many were added as a whole.
    fn assert_adds_up(values: &[u32], cuts: &[usize]) -> usize {
        let (mut whole, mut expected, mut start, mut added) = (Values::default(), Values::default(), 0, 0);
        for end in cuts.iter().copied().chain([values.len()]) {
            let of_run = &values[start..end];
            let run = count(Values::new(true), of_run.iter().copied());
            if whole.can_add_run(&run) {
                let mut numbers = Vec::new();
                whole.add_run(&run, |at, own| numbers.push((at, own)));
                let is_same = |(at, own): &(usize, usize)| {
                    whole.is_given_up
                        || whole.kept.get_index(*own).map(|(text, _)| text)
                            == run.kept.get_index(*at).map(|(text, _)| text)
                };
                assert!(numbers.iter().all(is_same));
                added += 1;
            } else {
                whole = count(whole, of_run.iter().copied());
            }
            expected = count(expected, of_run.iter().copied());
            if start / 500 < end / 500 {
                assert_eq!(seen(&whole), seen(&expected), "{end} of {}", values.len());
            }
            start = end;
        }
        added
    }

    #[test]
    fn runs_add_up_to_the_dataset() {
        let ids: Vec<u32> = (0..30_000).collect();
        let few: Vec<u32> = (0..8_000).map(|i| i * 7 % 400).collect();
        let borderline: Vec<u32> = (0..12_000).map(|i| if i % 5 == 0 { i } else { i % 3 }).collect();
        let late: Vec<u32> = (0..12_000).map(|i| if i < 6_000 { i % 9 } else { i }).collect();
        let early: Vec<u32> = (0..12_000).map(|i| if i < 3_000 { i % 9 } else { i }).collect();
        let full: Vec<u32> = (0..20_000).map(|i| if i < 10_000 { i % 900 } else { i * i % 1_777 }).collect();
        for values in [ids, few, borderline, late, early, full] {
            for step in [1, 7, 500, 999, 1000, 1001, 2_500, 4_999, 5_000] {
                let cuts: Vec<usize> = (step..values.len()).step_by(step).collect();
                assert_eq!(assert_adds_up(&values, &cuts), cuts.len() + 1, "runs of {step}");
            }
        }
    }

    #[test]
    fn runs_with_too_many_values_are_added_where_values_are_given_up() {
        let many: Vec<u32> = (0..60_000).collect();
        assert_eq!(assert_adds_up(&many, &[20_000, 40_000]), 3);
        let late: Vec<u32> = (0..60_000).map(|i| if i < 5_000 { 0 } else { i }).collect();
        assert_eq!(assert_adds_up(&late, &[5_000, 40_000]), 1);
        assert_eq!(assert_adds_up(&late, &[1_000, 5_000, 40_000]), 2);
    }
}

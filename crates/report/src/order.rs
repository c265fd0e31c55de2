//! Sorting by code that all types share.
//!
//! The sort of the standard library is compiled again for every type and comparison, some 2 kB each time, which a page cannot afford.
//! Here numbers are sorted, by one copy of it; large lists of numbers are left to the standard library, which is faster.

use std::cmp::Ordering;

/// Stable sorts of short lists.
///
/// ```
/// use evalcheck_report::order::Order;
///
/// let mut words = ["three", "one", "four", "two"];
/// words.order_by_key(|word| word.len());
/// assert_eq!(words, ["one", "two", "four", "three"]);
/// words.order();
/// assert_eq!(words, ["four", "one", "three", "two"]);
/// ```
pub trait Order<T> {
    /// Sorts by a comparison, as [`slice::sort_by`].
    fn order_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// Sorts by a key, as [`slice::sort_by_key`].
    fn order_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.order_by(|one, other| key(one).cmp(&key(other)));
    }

    /// Sorts by the order of the values, as [`slice::sort`].
    fn order(&mut self)
    where
        T: Ord,
    {
        self.order_by(T::cmp);
    }
}

impl<T> Order<T> for [T] {
    fn order_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        if self.len() < 2 {
            return;
        }
        let mut places: Vec<usize> = (0..self.len()).collect();
        sort(&mut places, &mut |one, other| compare(&self[one], &self[other]));
        // Each value goes to its place by swaps along the cycle that it is part of.
        for start in 0..places.len() {
            let mut at = start;
            while places[at] != start {
                let next = std::mem::replace(&mut places[at], at);
                self.swap(at, next);
                at = next;
            }
            places[at] = at;
        }
    }
}

fn sort(places: &mut [usize], compare: &mut dyn FnMut(usize, usize) -> Ordering) {
    places.sort_by(|one, other| compare(*one, *other));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_the_standard_library() {
        let mut state = 1_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 16
        };
        for length in 0..200 {
            let values: Vec<(u32, usize)> = (0..length).map(|number| (random() % 50, number)).collect();
            let (mut own, mut expected) = (values.clone(), values);
            own.order_by_key(|(value, _)| std::cmp::Reverse(*value));
            expected.sort_by_key(|(value, _)| std::cmp::Reverse(*value));
            assert_eq!(own, expected);
            own.order();
            expected.sort_unstable();
            assert_eq!(own, expected);
        }
    }
}

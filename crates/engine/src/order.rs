//! Sorting by one and the same code. The standard library's sort is made anew for every type and every key, and in the wasm of
//! the worker each takes 5 to 8 kB (compressed 2); none of the lists that are sorted here is long enough to gain by that.

use std::cmp::Ordering;

/// The numbers from 0 to below `length`, sorted; equal ones keep their order.
pub(crate) fn of_indices(length: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..length).collect();
    let mut merged = order.clone();
    let mut width = 1;
    while width < length {
        for start in (0..length).step_by(2 * width) {
            let (middle, end) = ((start + width).min(length), (start + 2 * width).min(length));
            let (mut left, mut right) = (start, middle);
            for place in &mut merged[start..end] {
                let is_left =
                    right == end || left < middle && compare(order[left], order[right]) != Ordering::Greater;
                let from = if is_left { &mut left } else { &mut right };
                *place = order[*from];
                *from += 1;
            }
        }
        std::mem::swap(&mut order, &mut merged);
        width *= 2;
    }
    order
}

/// Sorts by a key; equal ones keep their order.
pub(crate) fn by_key<T, K: Ord>(items: Vec<T>, key: impl Fn(&T) -> K) -> Vec<T> {
    let order = of_indices(items.len(), &mut |a, b| key(&items[a]).cmp(&key(&items[b])));
    let mut items: Vec<Option<T>> = items.into_iter().map(Some).collect();
    order.into_iter().filter_map(|index| items[index].take()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_ones_keep_their_order() {
        let mut choices = fastrand::Rng::with_seed(7);
        for length in [0, 1, 2, 30, 1000] {
            let items: Vec<(u8, usize)> = (0..length).map(|at| (choices.u8(..20), at)).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|(key, _)| *key);
            assert_eq!(by_key(items, |(key, _)| *key), expected);
        }
    }
}

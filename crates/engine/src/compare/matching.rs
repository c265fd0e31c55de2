//! Matches the records of two versions that are the same record.

use std::collections::BTreeSet;

/// The keys of a record, in 20 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    /// The hash of its id, in words of 32 bits so that there is no padding; 0 without one.
    id: [u32; 2],
    /// The hash of its bytes.
    content: [u32; 2],
    /// Its number.
    number: u32,
}

impl Entry {
    #[expect(clippy::cast_possible_truncation, reason = "the halves of a word")]
    pub(super) fn new(id: Option<u64>, content: u64, number: u32) -> Self {
        let halves = |word: u64| [(word >> 32) as u32, word as u32];
        Self { id: id.map_or([0; 2], |id| halves(id.max(1))), content: halves(content), number }
    }

    fn has_id(&self) -> bool {
        self.id != [0; 2]
    }
}

/// A record whose text is read in the next pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Wanted {
    /// Its number.
    pub(super) number: u32,
    /// The index of its pair; [`Wanted::UNMATCHED`] for a record that may equal one of the other version in another notation.
    pub(super) pair: u32,
}

impl Wanted {
    /// See [`Wanted::pair`].
    pub(super) const UNMATCHED: u32 = u32::MAX;
}

/// The first numbers of a set, and the size of the set.
#[derive(Debug, Clone)]
pub(super) struct Firsts {
    most: usize,
    first: BTreeSet<u32>,
    /// The size of the set.
    pub(super) count: u64,
}

impl Firsts {
    /// A set that keeps at most `most` numbers.
    pub(super) fn new(most: usize) -> Self {
        Self { most, first: BTreeSet::new(), count: 0 }
    }

    /// Adds a number.
    fn insert(&mut self, number: u32) {
        self.count += 1;
        if self.first.len() < self.most || self.first.last().is_some_and(|last| number < *last) {
            self.first.insert(number);
            if self.first.len() > self.most {
                self.first.pop_last();
            }
        }
    }

    /// The first numbers, in their order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> {
        self.first.iter().copied()
    }

    /// The largest of the first numbers.
    pub(super) fn last(&self) -> Option<u32> {
        self.first.last().copied()
    }
}

impl Extend<u32> for Firsts {
    fn extend<I: IntoIterator<Item = u32>>(&mut self, numbers: I) {
        for number in numbers {
            self.insert(number);
        }
    }
}

/// The records that are the same by their ids and bytes. Of two numbers, the first is that of the older version.
#[derive(Debug)]
pub(super) struct Matching {
    /// Records with the same bytes.
    pub(super) unchanged: u64,
    /// Records with one id and different bytes, by their numbers.
    pub(super) pairs: Vec<[u32; 2]>,
    /// Records that only one version has.
    pub(super) only: [Firsts; 2],
    /// Records without an id of their own whose bytes the other version does not have: each may equal one of its records in another notation.
    pub(super) unmatched: [Vec<u32>; 2],
    /// Records without an id.
    pub(super) without_id: [u64; 2],
    /// Records with an id that several records of either version have.
    pub(super) repeated_id: [u64; 2],
}

impl Matching {
    /// Matches all records of two versions. At most `most` records that only one version has are remembered.
    pub(super) fn new(mut entries: [Vec<Entry>; 2], most: usize) -> Self {
        for entries in &mut entries {
            entries.sort_unstable();
        }
        let mut matching = Self {
            unchanged: 0,
            pairs: Vec::new(),
            only: [Firsts::new(most), Firsts::new(most)],
            unmatched: [Vec::new(), Vec::new()],
            without_id: [0; 2],
            repeated_id: [0; 2],
        };
        let [old, new] = &entries;
        let mut contents = [Vec::new(), Vec::new()];
        merge(old, new, |entry| entry.id, |groups| matching.match_ids(groups, &mut contents));
        drop(entries);
        for contents in &mut contents {
            contents.sort_unstable();
        }
        let [old, new] = &contents;
        merge(old, new, |entry| entry.0, |groups| matching.match_contents(groups));
        let [old, new] = &mut matching.unmatched;
        if old.is_empty() || new.is_empty() {
            for (unmatched, only) in [old, new].into_iter().zip(&mut matching.only) {
                only.extend(std::mem::take(unmatched));
            }
        }
        for unmatched in &mut matching.unmatched {
            unmatched.sort_unstable();
        }
        matching
    }

    /// Matches the records of both versions that have one id, or no id.
    fn match_ids(&mut self, groups: [&[Entry]; 2], contents: &mut [Vec<([u32; 2], u32)>; 2]) {
        let has_id = groups.iter().any(|group| group.first().is_some_and(Entry::has_id));
        if has_id && groups.iter().all(|group| group.len() < 2) {
            match groups {
                [[old], [new]] if old.content == new.content => self.unchanged += 1,
                [[old], [new]] => self.pairs.push([old.number, new.number]),
                _ => {
                    for (group, only) in groups.into_iter().zip(&mut self.only) {
                        only.extend(group.iter().map(|entry| entry.number));
                    }
                }
            }
            return;
        }
        let counts = if has_id { &mut self.repeated_id } else { &mut self.without_id };
        for ((group, contents), count) in groups.into_iter().zip(contents).zip(counts) {
            *count += group.len() as u64;
            contents.extend(group.iter().map(|entry| (entry.content, entry.number)));
        }
    }

    /// Matches the records without an id of their own that have the same bytes.
    fn match_contents(&mut self, groups: [&[([u32; 2], u32)]; 2]) {
        let matched = groups[0].len().min(groups[1].len());
        self.unchanged += matched as u64;
        for (group, unmatched) in groups.into_iter().zip(&mut self.unmatched) {
            unmatched.extend(group[matched..].iter().map(|(_, number)| *number));
        }
    }
}

/// Calls `each` with the elements of two sorted lists that have the same key, in the order of keys.
pub(super) fn merge<T, K: Ord>(
    mut old: &[T],
    mut new: &[T],
    key: impl Fn(&T) -> K,
    mut each: impl FnMut([&[T]; 2]),
) {
    while let Some(next) = [old, new].into_iter().filter_map(|list| list.first().map(&key)).min() {
        let length = |list: &[T]| list.iter().take_while(|element| key(element) == next).count();
        let (of_old, of_new) = (length(old), length(new));
        each([&old[..of_old], &new[..of_new]]);
        (old, new) = (&old[of_old..], &new[of_new..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entries of records with these ids and contents.
    fn entries(records: &[(Option<u64>, u64)]) -> Vec<Entry> {
        (0..).zip(records).map(|(number, (id, content))| Entry::new(*id, *content, number)).collect()
    }

    #[test]
    fn an_entry_takes_20_bytes() {
        assert_eq!(size_of::<Entry>(), 20);
    }

    #[test]
    fn ids_match_before_contents() {
        let old = entries(&[(Some(1), 1), (Some(2), 2), (Some(3), 3), (None, 4), (None, 4), (Some(5), 5)]);
        let new = entries(&[
            (Some(3), 30),
            (Some(1), 1),
            (None, 4),
            (Some(6), 2),
            (None, 7),
            (Some(5), 5),
            (Some(5), 8),
        ]);
        let matching = Matching::new([old, new], 10);
        assert_eq!(matching.unchanged, 3, "1, one of 4, and one of 5 by its bytes");
        assert_eq!(matching.pairs, [[2, 0]]);
        assert_eq!(matching.only.map(|only| only.iter().collect::<Vec<_>>()), [vec![1], vec![3]]);
        assert_eq!(matching.unmatched, [vec![4], vec![4, 6]]);
        assert_eq!((matching.without_id, matching.repeated_id), ([2, 2], [1, 2]));
    }

    #[test]
    fn the_first_numbers_are_kept_in_any_order() {
        let mut firsts = Firsts::new(2);
        firsts.extend([5, 3, 9, 1]);
        assert_eq!(
            (firsts.iter().collect::<Vec<_>>(), firsts.last(), firsts.count),
            (vec![1, 3], Some(3), 4)
        );
        let mut none = Firsts::new(0);
        none.extend([1]);
        assert_eq!((none.last(), none.count), (None, 1));
    }
}

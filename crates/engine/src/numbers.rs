//! Numbers by text and by hash. A map of the standard library is made anew for each type of key and value, and a dozen of them
//! takes 3 kB of the worker's wasm, compressed; here are two.

use std::rc::Rc;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::rules::unique::Keyed;

/// Numbers (places in a list, lines) by text.
#[derive(Debug, Default)]
pub(crate) struct ByText {
    table: HashTable<(Rc<str>, u64)>,
    keyed: Keyed,
}

impl ByText {
    /// The number of a text.
    pub(crate) fn get(&self, text: &str) -> Option<u64> {
        self.table.find(self.keyed.hash(text), |(known, _)| **known == *text).map(|(_, number)| *number)
    }

    /// The same as a place in a list.
    pub(crate) fn place(&self, text: &str) -> Option<usize> {
        usize::try_from(self.get(text)?).ok()
    }

    /// Gives a text that has none a number. Gives the one that it has otherwise, and leaves it.
    pub(crate) fn insert(&mut self, text: &str, number: u64) -> Option<u64> {
        let keyed = &self.keyed;
        let entry =
            self.table.entry(keyed.hash(text), |(known, _)| **known == *text, |(known, _)| keyed.hash(known));
        match entry {
            Entry::Occupied(known) => Some(known.get().1),
            Entry::Vacant(place) => {
                place.insert((text.into(), number));
                None
            }
        }
    }

    /// How many texts have a number.
    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    /// All texts, in no order.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.table.iter().map(|(text, _)| &**text)
    }

    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.table.clear();
    }
}

/// A hash and its number. Twelve bytes without padding, because millions of them are held.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Numbered {
    high: u32,
    low: u32,
    number: u32,
}

impl Numbered {
    /// A number beyond 2^32 is clamped.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the halves of the hash; the number is clamped")]
    pub(crate) fn new(hash: u64, number: u64) -> Self {
        let number = number.min(u64::from(u32::MAX)) as u32;
        Self { high: (hash >> 32) as u32, low: hash as u32, number }
    }

    #[inline]
    pub(crate) fn hash(self) -> u64 {
        u64::from(self.high) << 32 | u64::from(self.low)
    }

    pub(crate) fn number(self) -> u64 {
        u64::from(self.number)
    }
}

/// Numbers by hashes of 64 bits whose lowest and highest bits are as good as random.
#[derive(Debug, Clone, Default)]
pub(crate) struct ByHash(HashTable<Numbered>);

impl ByHash {
    /// What has this hash.
    #[inline]
    pub(crate) fn get(&self, hash: u64) -> Option<Numbered> {
        self.0.find(hash, |one| one.hash() == hash).copied()
    }

    /// Gives a hash that has none a number; answers whether it did.
    #[inline]
    pub(crate) fn insert(&mut self, one: Numbered) -> bool {
        match self.0.entry(one.hash(), |other| other.hash() == one.hash(), |other| other.hash()) {
            Entry::Occupied(_) => false,
            Entry::Vacant(place) => {
                place.insert(one);
                true
            }
        }
    }

    /// The same for a hash that has no number.
    #[inline]
    pub(crate) fn insert_new(&mut self, one: Numbered) {
        self.0.insert_unique(one.hash(), one, |other| other.hash());
    }

    /// All of them, in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Numbered> {
        self.0.iter()
    }

    /// Places that there are, for the tests of memory.
    #[cfg(test)]
    pub(crate) fn capacity(&self) -> usize {
        self.0.capacity()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn numbers_are_those_of_a_map() {
        let (mut by_text, mut by_hash) = (ByText::default(), ByHash::default());
        let mut expected = HashMap::new();
        let mut choices = fastrand::Rng::with_seed(11);
        for number in 0..2000 {
            let text = choices.u32(..900).to_string();
            let hash = by_text.keyed.hash(&text);
            let known = expected.get(&text).copied();
            assert_eq!(
                (by_text.get(&text), by_hash.get(hash).map(Numbered::number)),
                (known, known),
                "{text}"
            );
            assert_eq!(by_text.insert(&text, number), known);
            assert_eq!(by_hash.insert(Numbered::new(hash, number)), known.is_none());
            expected.entry(text).or_insert(number);
        }
        assert_eq!(by_text.len(), expected.len());
        assert!(by_text.texts().all(|text| expected.contains_key(text)));
        assert_eq!(by_hash.iter().count(), expected.len());
    }
}

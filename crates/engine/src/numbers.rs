//! Numbers by text. A map of the standard library is made anew for each type of key and value, and a dozen of them takes 3 kB of
//! the worker's wasm, compressed. This is for texts, [`ByHash`](crate::scan::hashes::ByHash) for hashes, and there is no other.

use std::rc::Rc;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::scan::hashes::Keyed;

/// Numbers (places in a list, lines) by text.
#[derive(Debug, Default)]
pub(crate) struct ByText {
    table: HashTable<(Rc<str>, u64)>,
    keyed: Keyed,
}

impl ByText {
    /// The number of a text.
    pub(crate) fn get(&self, text: &str) -> Option<u64> {
        self.table
            .find(self.keyed.hash(text.as_bytes()), |(known, _)| **known == *text)
            .map(|(_, number)| *number)
    }

    /// The same as a place in a list.
    pub(crate) fn place(&self, text: &str) -> Option<usize> {
        usize::try_from(self.get(text)?).ok()
    }

    /// Gives a text that has none a number. Gives the one that it has otherwise, and leaves it.
    pub(crate) fn insert(&mut self, text: &str, number: u64) -> Option<u64> {
        let keyed = &self.keyed;
        let entry = self.table.entry(
            keyed.hash(text.as_bytes()),
            |(known, _)| **known == *text,
            |(known, _)| keyed.hash(known.as_bytes()),
        );
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
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn numbers_are_those_of_a_map() {
        let (mut numbers, mut expected) = (ByText::default(), HashMap::new());
        let mut choices = fastrand::Rng::with_seed(11);
        for number in 0..2000 {
            let text = choices.u32(..900).to_string();
            let known = expected.get(&text).copied();
            assert_eq!(numbers.get(&text), known, "{text}");
            assert_eq!(numbers.insert(&text, number), known, "{text}");
            expected.entry(text).or_insert(number);
        }
        assert_eq!(numbers.len(), expected.len());
        assert!(numbers.texts().all(|text| expected.contains_key(text)));
    }
}

//! Short texts, each kept once and found by its bytes.

use std::hash::{BuildHasher, RandomState};

/// So few texts are compared one by one.
const FEW: usize = 8;

/// Different texts, by their numbers in the order in which they were added. They are in one piece of memory, so that parts of a dataset,
/// each with its own, are cheap to make and to drop.
#[derive(Debug, Clone, Default)]
pub(super) struct Texts {
    bytes: Vec<u8>,
    /// Where each ends.
    ends: Vec<u32>,
    /// A table with at least twice as many places as texts; none while these are [`FEW`].
    places: Vec<Place>,
    /// A text cannot be made for a certain place.
    hash: Option<RandomState>,
}

/// A place of the table; its text is the first one with that hash that has room there or after it.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    hash: u32,
    /// The number of the text, from 1; 0 for none.
    text: u32,
}

impl Texts {
    /// The number of texts.
    pub(super) const fn len(&self) -> usize {
        self.ends.len()
    }

    /// The text of a number.
    #[inline]
    pub(super) fn get(&self, at: usize) -> Option<&[u8]> {
        let end = *self.ends.get(at)? as usize;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        self.bytes.get(start..end)
    }

    /// All texts, by their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).filter_map(|at| self.get(at))
    }

    /// The number of a text.
    #[inline]
    pub(super) fn find(&self, text: &[u8]) -> Option<usize> {
        match &self.hash {
            None => (0..self.len()).find(|at| self.get(*at) == Some(text)),
            Some(hash) => self.look_up(text, short_hash(hash, text)).ok(),
        }
    }

    /// Adds a text that is new, and returns its number.
    pub(super) fn push(&mut self, text: &[u8]) -> usize {
        let at = self.len();
        self.bytes.extend_from_slice(text);
        self.ends.push(number(self.bytes.len()));
        if at + 1 > FEW && self.places.len() < 2 * (at + 1) {
            self.grow();
        } else if let Some(hash) = &self.hash {
            let hash = short_hash(hash, text);
            if let Err(place) = self.look_up(text, hash) {
                self.places[place] = Place { hash, text: number(at + 1) };
            }
        }
        at
    }

    /// The number of a text; without one the place for it.
    #[inline]
    fn look_up(&self, text: &[u8], hash: u32) -> Result<usize, usize> {
        let mask = self.places.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let place = self.places[at];
            let Some(number) = (place.text as usize).checked_sub(1) else { return Err(at) };
            if place.hash == hash && self.get(number) == Some(text) {
                return Ok(number);
            }
            at = (at + 1) & mask;
        }
    }

    /// Makes the table for four times as many texts.
    #[cold]
    fn grow(&mut self) {
        let hash = self.hash.get_or_insert_default();
        let size = (8 * self.ends.len()).next_power_of_two();
        let mut places = vec![Place::default(); size];
        let mut start = 0;
        for (at, end) in self.ends.iter().enumerate() {
            let hash = short_hash(hash, &self.bytes[start..*end as usize]);
            start = *end as usize;
            let mut place = hash as usize & (size - 1);
            while places[place].text > 0 {
                place = (place + 1) & (size - 1);
            }
            places[place] = Place { hash, text: number(at + 1) };
        }
        self.places = places;
    }
}

#[expect(clippy::cast_possible_truncation, reason = "half of the hash")]
#[inline]
fn short_hash(hash: &RandomState, text: &[u8]) -> u32 {
    hash.hash_one(text) as u32
}

/// A number of texts or of their bytes, of which callers keep far fewer than 2^32.
fn number(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_by_their_bytes() {
        let mut texts = Texts::default();
        for at in 0..5000 {
            let text = at.to_string();
            assert_eq!(texts.find(text.as_bytes()), None);
            assert_eq!(texts.push(text.as_bytes()), at);
            for known in [0, at / 2, at] {
                let text = known.to_string();
                assert_eq!(texts.find(text.as_bytes()), Some(known));
                assert_eq!(texts.get(known), Some(text.as_bytes()));
            }
        }
        assert_eq!((texts.len(), texts.get(5000)), (5000, None));
        assert!(texts.iter().enumerate().all(|(at, text)| at.to_string().as_bytes() == text));
        assert_eq!(texts.find(b""), None);
        assert_eq!(texts.push(b""), 5000);
        assert_eq!(texts.find(b""), Some(5000));
    }
}

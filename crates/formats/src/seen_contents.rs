//! Records with the same bytes, in a dataset of any size.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use borsh::{BorshDeserialize, BorshSerialize};

use crate::keyed_hash::KeyedHash;
use crate::seen_ids::PassThrough;

/// The contents so far, as keyed 64-bit hashes in a table of at most 2^21 places: 18 MiB, and half as much again for a moment while it
/// grows. In a full table, two contents have the same hash by chance once in 10^7 datasets.
#[derive(Debug, Clone, Default, BorshSerialize, BorshDeserialize)]
pub struct SeenContents {
    hashes: HashSet<u64, BuildHasherDefault<PassThrough>>,
    #[borsh(skip)]
    keyed: KeyedHash,
}

/// The maximum number of contents that are remembered: 7/8 of the places.
const MOST_CONTENTS: usize = (1 << 21) / 8 * 7;

impl SeenContents {
    /// No contents; they are compared by this hash.
    pub fn new(keyed: KeyedHash) -> Self {
        Self { hashes: HashSet::default(), keyed }
    }

    /// The hash that compares them.
    pub fn keyed(&self) -> &KeyedHash {
        &self.keyed
    }

    /// Returns the hash of a content.
    #[inline]
    pub fn hash(&self, content: &[u8]) -> u64 {
        self.keyed.hash(content)
    }

    /// Remembers the hash of a content. Returns whether it was already known; `None` if it is new and there is no room for it.
    #[inline]
    pub fn insert(&mut self, hash: u64) -> Option<bool> {
        if self.hashes.len() == MOST_CONTENTS {
            return self.hashes.contains(&hash).then_some(true);
        }
        Some(!self.hashes.insert(hash))
    }

    /// Remembers other contents. Returns how many of them were already known; `None` if there is no room for all of them.
    pub fn merge(&mut self, other: &Self) -> Option<u64> {
        other.hashes.iter().map(|hash| self.insert(*hash).map(u64::from)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_are_met_or_not() {
        let mut seen = SeenContents::default();
        let met =
            ["a", "b", "a", "", "ab", "", "b"].map(|content| seen.insert(seen.hash(content.as_bytes())));
        assert_eq!(met, [false, false, true, false, false, true, true].map(Some));
    }

    #[test]
    fn beyond_the_limit_only_repeated_contents_are_known() {
        let mut seen = SeenContents::default();
        for content in 0..MOST_CONTENTS {
            assert_eq!(seen.insert(seen.hash(&content.to_le_bytes())), Some(false));
        }
        assert_eq!(seen.insert(seen.hash(b"new")), None);
        assert_eq!(seen.insert(seen.hash(&7_usize.to_le_bytes())), Some(true));
        assert!(seen.hashes.capacity() <= 1 << 21, "{} places", seen.hashes.capacity());
    }
}

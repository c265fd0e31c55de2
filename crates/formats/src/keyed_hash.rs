//! A keyed hash of bytes, to compare contents without keeping them.

use std::hash::Hasher;

use siphasher::sip::SipHasher13;

use crate::seen_ids::random;

/// SipHash-1-3 with its own key: 64 bits, and nobody can prepare two contents with the same hash. A clone has the same key.
#[derive(Debug, Clone)]
pub struct KeyedHash(SipHasher13);

impl Default for KeyedHash {
    /// A hash with a random key.
    fn default() -> Self {
        Self(SipHasher13::new_with_keys(random(), random()))
    }
}

impl KeyedHash {
    /// A hash with the same key in all runs, for hashes that are kept. Two contents with the same hash can be prepared.
    pub fn of_all_runs() -> Self {
        Self(SipHasher13::new())
    }

    /// A hash with this key.
    pub fn of_key(key: &[u8; 16]) -> Self {
        Self(SipHasher13::new_with_key(key))
    }

    /// The key.
    pub fn key(&self) -> [u8; 16] {
        self.0.key()
    }

    /// Returns the hash of a content.
    #[inline]
    pub fn hash(&self, content: &[u8]) -> u64 {
        let mut hasher = self.0;
        hasher.write(content);
        hasher.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_differ_and_those_of_clones_do_not() {
        let hash = KeyedHash::default();
        assert_eq!(hash.hash(b"a"), hash.clone().hash(b"a"));
        assert_ne!(hash.hash(b"a"), hash.hash(b"b"));
        assert_ne!(hash.hash(b"a"), KeyedHash::default().hash(b"a"));
        assert_eq!(KeyedHash::of_all_runs().hash(b"a"), 4_644_417_185_603_328_019);
    }
}

//! Numbers by the hashes of ids, of millions of them: a look for every record.

use std::hash::Hasher;
#[cfg(not(target_family = "wasm"))]
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

use foldhash::SharedSeed;
use foldhash::quality::FoldHasher;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

/// An odd number whose bits are as good as random: 2^64 divided by the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// What a driver knew of randomness: see [`bring_randomness`].
static BROUGHT: AtomicU64 = AtomicU64::new(0);

/// Lends the keys of hashes a random number, where the standard library has no source of randomness: in wasm.
pub fn bring_randomness(random: u64) {
    BROUGHT.store(random, Ordering::Relaxed);
}

/// How texts are hashed: with a key of its own that is random (in wasm by [`bring_randomness`]), because collisions cost time.
/// Most ids are short, and the standard hash takes long for those.
#[derive(Debug, Clone)]
pub struct Keyed {
    seed: u64,
    shared: SharedSeed,
    mask: u64,
}

impl Default for Keyed {
    fn default() -> Self {
        // Each time another one.
        let random = BROUGHT.fetch_add(SPREAD, Ordering::Relaxed);
        #[cfg(not(target_family = "wasm"))]
        let random = RandomState::new().hash_one(random);
        Self { seed: random, shared: SharedSeed::from_u64(!random), mask: u64::MAX }
    }
}

impl Keyed {
    /// Hashes that have no other bits than these: for tests of what collisions do.
    #[must_use]
    pub fn masked(self, mask: u64) -> Self {
        Self { mask, ..self }
    }

    /// The hash of a text, given as its bytes.
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub fn hash(&self, text: &[u8]) -> u64 {
        self.hash_behind(0, text)
    }

    /// The hash of a text that is told apart from the same text behind another byte.
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub fn hash_behind(&self, first: u8, text: &[u8]) -> u64 {
        let mut hasher =
            FoldHasher::with_seed(self.seed ^ u64::from(first).wrapping_mul(SPREAD), &self.shared);
        hasher.write(text);
        hasher.finish() & self.mask
    }
}

/// Writes texts one behind the other, as the key that is hashed.
#[cfg_attr(target_family = "wasm", inline(never))]
pub fn join(key: &mut Vec<u8>, parts: &[&[u8]]) {
    key.clear();
    for part in parts {
        key.extend_from_slice(part);
    }
}

/// A hash and its number. Twelve bytes without padding, because millions of them are held.
#[derive(Debug, Clone, Copy)]
struct Numbered {
    high: u32,
    low: u32,
    number: u32,
}

impl Numbered {
    #[expect(clippy::cast_possible_truncation, reason = "the halves of the hash; the number is clamped")]
    fn new(hash: u64, number: u64) -> Self {
        let number = number.min(u64::from(u32::MAX)) as u32;
        Self { high: (hash >> 32) as u32, low: hash as u32, number }
    }

    fn hash(self) -> u64 {
        u64::from(self.high) << 32 | u64::from(self.low)
    }
}

/// Numbers by hashes. Numbers beyond 2^32 are clamped.
#[derive(Debug, Default)]
pub struct ByHash(HashTable<Numbered>);

impl ByHash {
    /// The number of a hash.
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub fn get(&self, hash: u64) -> Option<u64> {
        self.0.find(hash, |one| one.hash() == hash).map(|one| u64::from(one.number))
    }

    /// Gives a hash that has none a number; answers whether it did.
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub fn insert(&mut self, hash: u64, number: u64) -> bool {
        match self.0.entry(hash, |one| one.hash() == hash, |one| one.hash()) {
            Entry::Occupied(_) => false,
            Entry::Vacant(place) => {
                place.insert(Numbered::new(hash, number));
                true
            }
        }
    }
}

/// Tables that the hashes are spread over, a power of two. One table would be copied as a whole whenever it grows, to memory
/// that was never touched before, while the copies of a small one stay in the cache and take what another gave back: with a
/// million ids, a first check takes 60 ms less.
const PARTS: usize = 64;

/// With more hashes than this, their tables are larger than what a processor has at hand.
const MANY: usize = 1 << 17;

/// Bits of [`Early::may_be_seen`]: 1 MiB, which stays at hand. With eight million ids it is of no use any more, and of no harm.
const BITS: usize = 1 << 23;

/// New hashes that are put into their tables at once.
const AT_ONCE: usize = 64;

/// What tells of most new hashes that they are new, without a look at the tables, and keeps them until there are some.
///
/// A place in a large table has to be fetched from memory, twice for a hash that is put there, and a check would wait for it
/// with every id: 200 ns, as long as it takes to scan 100 to 200 bytes. Of several in a row the fetches overlap.
#[derive(Debug)]
struct Early {
    /// One bit for some bits of a hash, set when one was met that has them.
    may_be_seen: Vec<u64>,
    /// Those that are in no table yet.
    new: Vec<Numbered>,
}

impl Early {
    /// The word of a hash, and its bits in it. With three in one word a look costs as much as with one, and is in vain half as
    /// often.
    fn bits(hash: u64) -> (usize, u64) {
        let word = (hash >> 32) as usize % (BITS / 64);
        let bit = |shift: u32| 1 << ((hash >> shift) % 64);
        (word, bit(0) | bit(6) | bit(12))
    }

    fn may_be_seen(&self, hash: u64) -> bool {
        let (word, bits) = Self::bits(hash);
        self.may_be_seen[word] & bits == bits
    }

    fn see(&mut self, hash: u64) {
        let (word, bits) = Self::bits(hash);
        self.may_be_seen[word] |= bits;
    }
}

/// Numbers by hashes, made for millions of them.
///
/// ```
/// # use evalcheck_scan::hashes::Hashes;
/// let mut hashes = Hashes::default();
/// assert!(hashes.insert(7, 1) && !hashes.insert(7, 2));
/// assert_eq!((hashes.get(7), hashes.get(8)), (Some(1), None));
/// ```
#[derive(Debug)]
pub struct Hashes {
    parts: Vec<ByHash>,
    /// Hashes in the tables, until they are many.
    count: usize,
    /// Only where there are many.
    early: Option<Early>,
}

impl Default for Hashes {
    fn default() -> Self {
        Self { parts: (0..PARTS).map(|_| ByHash::default()).collect(), count: 0, early: None }
    }
}

/// The table that a hash is in. Within it, the lowest and the highest bits of the hash count.
fn part(hash: u64) -> usize {
    (hash >> 40) as usize % PARTS
}

impl Hashes {
    /// True for a hash that has a number.
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub fn has(&mut self, hash: u64) -> bool {
        self.early.as_ref().is_none_or(|early| early.may_be_seen(hash)) && self.get(hash).is_some()
    }

    /// The number of a hash.
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub fn get(&mut self, hash: u64) -> Option<u64> {
        self.put();
        self.parts[part(hash)].get(hash)
    }

    /// Puts the hashes that wait for it into their tables.
    fn put(&mut self) {
        let Some(early) = &mut self.early else { return };
        for one in early.new.drain(..) {
            self.parts[part(one.hash())].0.insert_unique(one.hash(), one, |one| one.hash());
        }
    }

    /// Gives a hash that has none a number; answers whether it did. Numbers beyond 2^32 are clamped.
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub fn insert(&mut self, hash: u64, number: u64) -> bool {
        if self.early.is_some() {
            if self.has(hash) {
                return false;
            }
        } else if !self.parts[part(hash)].insert(hash, number) {
            return false;
        }
        if let Some(early) = &mut self.early {
            early.see(hash);
            early.new.push(Numbered::new(hash, number));
            if early.new.len() == AT_ONCE {
                self.put();
            }
        } else {
            self.count += 1;
            if self.count == MANY {
                self.become_many();
            }
        }
        true
    }

    #[cold]
    fn become_many(&mut self) {
        let mut early = Early { may_be_seen: vec![0; BITS / 64], new: Vec::with_capacity(AT_ONCE) };
        for one in self.parts.iter().flat_map(|part| &part.0) {
            early.see(one.hash());
        }
        self.early = Some(early);
    }

    /// Bytes of memory, but for some that are always there.
    #[cfg(test)]
    fn bytes(&self) -> usize {
        // One byte more for each place, and an eighth of the places stays free.
        let places: usize = self.parts.iter().map(|part| part.0.capacity() / 7 * 8).sum();
        places * (size_of::<Numbered>() + 1) + self.early.as_ref().map_or(0, |_| BITS / 8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_hashes_each_that_was_met_is_known_at_once() {
        let (mut hashes, keyed) = (Hashes::default(), Keyed::default());
        let hash_of = |number: u64| keyed.hash(number.to_string().as_bytes());
        for number in 0..3 * MANY as u64 {
            let hash = hash_of(number);
            assert!(!hashes.has(hash), "{number} is new");
            assert!(hashes.insert(hash, number), "{number} is new");
            // Of those in the tables and of those that are in none yet.
            for before in [number, number / 2, number.saturating_sub(AT_ONCE as u64)] {
                let hash = hash_of(before);
                assert!(!hashes.insert(hash, 0) && hashes.has(hash), "{before} behind {number}");
                assert_eq!(hashes.get(hash), Some(before), "behind {number}");
            }
        }
    }

    #[test]
    fn five_million_take_less_than_200_mib() {
        let mut hashes = Hashes::default();
        let keyed = Keyed::default();
        for number in 0..5_000_000_u64 {
            hashes.insert(keyed.hash(number.to_string().as_bytes()), number);
        }
        // While they grow, there are those of half the size beside them.
        let bytes = hashes.bytes();
        assert!(bytes + bytes / 2 < 200 << 20, "{bytes} bytes");
    }

    #[test]
    fn a_key_is_another_each_time_and_a_mask_leaves_some_bits() {
        let hashes = |keyed: Keyed| {
            ["a", "b", "c", "a longer text than sixteen bytes"].map(|text| keyed.hash(text.as_bytes()))
        };
        assert_ne!(hashes(Keyed::default()), hashes(Keyed::default()));
        assert!(hashes(Keyed::default().masked(3)).iter().all(|hash| *hash < 4));
    }
}

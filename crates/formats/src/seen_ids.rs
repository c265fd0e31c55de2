//! Ids that must be unique in a dataset of any size.
//!
//! An id is stored as a keyed 96-bit hash with the number of its first line, so that a repeated id is known at once, without a second read.
//! Memory: 21 bytes per place of the table, whose length is a power of two and which is at most 7/8 full: 24 to 48 bytes per id. Five
//! million ids take 168 MiB (252 MiB for a moment, while the table grows; the resident memory of a process was measured to be the same).
//! Storing an id takes 0.1 to 0.6 µs, depending on the size of the table.
//!
//! If that is too much, a dataset is read twice: first its ids are only listed ([`SeenIds::list`]), so that others can sort them and find
//! the repeated ones; then only these are remembered ([`SeenIds::remember_only`]).
//!
//! The hash is SipHash-1-3 with a random key for each check: nobody can prepare a dataset whose ids collide, and among five million ids two
//! have the same hash by chance once in 6 × 10^15 checks, among 10^10 ids once in 10^9.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hash, Hasher};

use siphasher::sip128::{Hash128, Hasher128, SipHasher13};

/// The keyed hash of an id, in words of 32 bits, so that an entry of the table has no padding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct IdHash([u32; 3]);

impl IdHash {
    /// The bytes of a hash.
    pub const BYTES: usize = 12;

    /// The hash as bytes.
    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        for (part, word) in bytes.as_chunks_mut().0.iter_mut().zip(self.0) {
            *part = word.to_le_bytes();
        }
        bytes
    }

    /// The hash with these bytes.
    pub fn from_bytes(bytes: [u8; Self::BYTES]) -> Self {
        let mut words = [0; 3];
        for (word, part) in words.iter_mut().zip(bytes.as_chunks().0) {
            *word = u32::from_le_bytes(*part);
        }
        Self(words)
    }
}

/// The number of a line, also in words of 32 bits.
#[derive(Debug, Clone, Copy)]
struct LineNumber([u32; 2]);

impl LineNumber {
    #[expect(clippy::cast_possible_truncation, reason = "the halves of the number")]
    fn new(line: u64) -> Self {
        Self([line as u32, (line >> 32) as u32])
    }

    fn get(self) -> u64 {
        u64::from(self.0[1]) << 32 | u64::from(self.0[0])
    }
}

impl Hash for IdHash {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [low, high, ..] = self.0;
        state.write_u64(u64::from(high) << 32 | u64::from(low));
    }
}

/// A hasher that returns the first half of an [`IdHash`] unchanged.
#[derive(Debug, Default)]
pub(crate) struct PassThrough(u64);

impl Hasher for PassThrough {
    fn write_u64(&mut self, half: u64) {
        self.0 = half;
    }

    fn write(&mut self, bytes: &[u8]) {
        debug_assert!(false, "an IdHash writes one u64, not {bytes:?}");
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The treatment of ids if memory cannot hold all of them.
#[derive(Debug)]
enum Among {
    /// They are collected here.
    List(Vec<IdHash>),
    /// Only these are remembered.
    Only(HashSet<IdHash, BuildHasherDefault<PassThrough>>),
}

/// The ids of one dataset, or the ids of one kind.
///
/// ```
/// # use evalcheck_formats::seen_ids::SeenIds;
/// let mut ids = SeenIds::default();
/// assert_eq!(ids.repeated(&[b"a"], 1), None);
/// assert_eq!(ids.repeated(&[b"b"], 2), None);
/// assert_eq!(ids.repeated(&[b"a"], 3), Some(1));
/// ```
#[derive(Debug)]
pub struct SeenIds {
    first_lines: HashMap<IdHash, LineNumber, BuildHasherDefault<PassThrough>>,
    /// The initial state of all hashes: the key.
    keyed: SipHasher13,
    /// `None` if all ids are remembered.
    among: Option<Among>,
}

impl Default for SeenIds {
    /// No ids, and a random key.
    fn default() -> Self {
        let keyed = SipHasher13::new_with_keys(random(), random());
        Self { first_lines: HashMap::default(), keyed, among: None }
    }
}

/// Random bits; 0 on a system without any, where ids still differ.
pub(crate) fn random() -> u64 {
    getrandom::u64().unwrap_or_default()
}

impl SeenIds {
    /// The hash of an id that consists of these parts. `["ab", "c"]` and `["a", "bc"]` are different ids.
    pub fn hash(&self, parts: impl IntoIterator<Item: AsRef<[u8]>>) -> IdHash {
        let mut hasher = self.keyed;
        for part in parts {
            let part = part.as_ref();
            hasher.write_usize(part.len());
            hasher.write(part);
        }
        let Hash128 { h1, h2 } = hasher.finish128();
        #[expect(clippy::cast_possible_truncation, reason = "the halves of a word")]
        IdHash([h1 as u32, (h1 >> 32) as u32, h2 as u32])
    }

    /// Remembers an id and the number of its line (or of its record, if that is more useful). If the id is already known, returns the
    /// number of the first one and remembers nothing.
    pub fn insert(&mut self, id: IdHash, line: u64) -> Option<u64> {
        match &mut self.among {
            Some(Among::List(list)) => {
                list.push(id);
                return None;
            }
            Some(Among::Only(repeated)) if !repeated.contains(&id) => return None,
            Some(Among::Only(_)) | None => {}
        }
        match self.first_lines.entry(id) {
            Entry::Occupied(first) => Some(first.get().get()),
            Entry::Vacant(location) => {
                location.insert(LineNumber::new(line));
                None
            }
        }
    }

    /// Remembers an id that consists of these parts, as [`SeenIds::insert`] does.
    pub fn repeated(&mut self, parts: impl IntoIterator<Item: AsRef<[u8]>>, line: u64) -> Option<u64> {
        self.insert(self.hash(parts), line)
    }

    /// Only lists ids from now on, for [`SeenIds::take_listed`]; no id is then reported as repeated.
    ///
    /// ```
    /// # use evalcheck_formats::seen_ids::SeenIds;
    /// let mut listed = SeenIds::default();
    /// listed.list();
    /// for id in [b"a", b"b", b"a"] {
    ///     assert_eq!(listed.repeated(&[id], 1), None);
    /// }
    /// let mut hashes = listed.take_listed();
    /// hashes.sort_unstable();
    /// let repeated = hashes.windows(2).filter(|two| two[0] == two[1]).map(|two| two[0]);
    /// let mut ids = SeenIds::default();
    /// ids.remember_only(repeated, &listed);
    /// assert_eq!([b"a", b"b", b"a"].map(|id| ids.repeated(&[id], 1)), [None, None, Some(1)]);
    /// ```
    pub fn list(&mut self) {
        self.among = Some(Among::List(Vec::new()));
    }

    /// Returns the ids listed since the last call.
    pub fn take_listed(&mut self) -> Vec<IdHash> {
        match &mut self.among {
            Some(Among::List(list)) => std::mem::take(list),
            _ => Vec::new(),
        }
    }

    /// Remembers only these ids from now on: the repeated ids of the dataset, as hashes of `listed`.
    pub fn remember_only(&mut self, repeated: impl IntoIterator<Item = IdHash>, listed: &Self) {
        self.keyed = listed.keyed;
        self.among = Some(Among::Only(repeated.into_iter().collect()));
    }

    /// Forgets the ids; hashes stay the same.
    pub fn clear(&mut self) {
        self.first_lines = HashMap::default();
    }

    /// The number of the first occurrence of an id.
    pub fn get(&self, id: IdHash) -> Option<u64> {
        self.first_lines.get(&id).copied().map(LineNumber::get)
    }

    /// Whether an id is known.
    pub fn contains(&self, id: IdHash) -> bool {
        self.first_lines.contains_key(&id)
    }

    /// The number of different ids.
    pub fn len(&self) -> usize {
        self.first_lines.len()
    }

    /// Whether no id is known.
    pub fn is_empty(&self) -> bool {
        self.first_lines.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_new_or_not_as_a_map_of_texts_says() {
        let mut random = fastrand::Rng::with_seed(1);
        let (mut ids, mut texts) = (SeenIds::default(), HashMap::new());
        for line in 1..20_000 {
            let text = format!("{:x}", random.u32(0..10_000));
            let id = ids.hash(&[text.as_bytes()]);
            let first = texts.get(&text).copied();
            assert_eq!(ids.contains(id), first.is_some(), "\"{text}\"");
            assert_eq!(ids.insert(id, line), first, "\"{text}\"");
            texts.entry(text).or_insert(line);
        }
        assert_eq!(ids.len(), texts.len());
    }

    #[test]
    fn parts_are_told_apart_and_keys_differ() {
        let ids = SeenIds::default();
        let parts: [&[&[u8]]; 5] = [&[b"ab", b"c"], &[b"a", b"bc"], &[b"abc"], &[b"abc", b""], &[]];
        for (index, one) in parts.iter().enumerate() {
            assert!(parts[..index].iter().all(|other| ids.hash(*one) != ids.hash(*other)), "{one:?}");
        }
        assert_ne!(ids.hash(&[b"a"]), SeenIds::default().hash(&[b"a"]));
    }

    #[test]
    fn numbers_of_lines_have_64_bits() {
        let mut ids = SeenIds::default();
        for line in [1, (1 << 32) + 5, u64::MAX] {
            let id = ids.hash(&[line.to_string().as_bytes()]);
            assert_eq!(ids.insert(id, line), None);
            assert_eq!(ids.insert(id, 2), Some(line));
        }
    }

    /// The figure in the module's documentation.
    #[test]
    fn five_million_take_168_mib() {
        let mut ids = SeenIds::default();
        // The capacity to which five million ids make it grow.
        ids.first_lines.reserve(5_000_000);
        let places = (ids.first_lines.capacity() / 7 * 8).next_power_of_two();
        // An entry, and one byte of the table for each.
        assert_eq!(places * (size_of::<(IdHash, LineNumber)>() + 1), 168 << 20);
    }
}

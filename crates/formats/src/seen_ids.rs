//! Ids that must be unique in a dataset of any size.
//!
//! An id is remembered as a keyed 96-bit hash and the number of the line that has it first, so that a repeated id is known
//! at once, without a second read. Memory: 21 bytes for each place of the table, whose length is a power of two and which is at
//! most 7/8 full: 24 to 48 bytes an id. Five million ids take 168 MiB (252 MiB for a moment, while the table grows; the
//! resident memory of a process was measured to be the same). To remember an id takes 0.1 to 0.6 µs, by the size of the table.
//!
//! Where that is too much, a dataset is read twice: first its ids are only listed ([`SeenIds::list`]), so that others can sort them and see
//! which are repeated, then only these are remembered ([`SeenIds::remember_only`]).
//!
//! The hash is SipHash-1-3 under a key that is random for each check: nobody can prepare a dataset whose ids collide, and among
//! five million ids two have the same hash by chance once in 6 × 10^15 checks, among 10^10 ids once in 10^9.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hash, Hasher};

use siphasher::sip128::{Hash128, Hasher128, SipHasher13};

/// The keyed hash of an id. In words of 32 bits, so that an entry of the table has no padding.
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

    /// The hash of these bytes.
    pub fn from_bytes(bytes: [u8; Self::BYTES]) -> Self {
        let mut words = [0; 3];
        for (word, part) in words.iter_mut().zip(bytes.as_chunks().0) {
            *word = u32::from_le_bytes(*part);
        }
        Self(words)
    }
}

/// The number of a line, in words of 32 bits too.
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

/// Takes the first half of an [`IdHash`] as it is.
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

/// What happens to ids where memory cannot hold all of them.
#[derive(Debug)]
enum Among {
    /// They are listed here.
    List(Vec<IdHash>),
    /// Only these are remembered.
    Only(HashSet<IdHash, BuildHasherDefault<PassThrough>>),
}

/// The ids of one dataset, or those of one kind.
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
    /// What all hashes begin with: the key.
    keyed: SipHasher13,
    /// `None` where all ids are remembered.
    among: Option<Among>,
}

impl Default for SeenIds {
    /// No ids, and a key of its own.
    fn default() -> Self {
        let keyed = SipHasher13::new_with_keys(random(), random());
        Self { first_lines: HashMap::default(), keyed, among: None }
    }
}

/// Random bits; 0 on a system that has none, where ids still differ.
pub(crate) fn random() -> u64 {
    getrandom::u64().unwrap_or_default()
}

impl SeenIds {
    /// The hash of an id that consists of these parts. `["ab", "c"]` and `["a", "bc"]` are two ids.
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

    /// Remembers an id and the number of its line (or of its record, where that tells more). Where the id was met before it
    /// gives the first one's number, and remembers nothing.
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

    /// From now on ids are only listed, for [`SeenIds::take_listed`], and none is known to be repeated.
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

    /// The ids that were listed since this was called last.
    pub fn take_listed(&mut self) -> Vec<IdHash> {
        match &mut self.among {
            Some(Among::List(list)) => std::mem::take(list),
            _ => Vec::new(),
        }
    }

    /// From now on only these ids are remembered: those of the dataset that are repeated, with the hashes that `listed` has for them.
    pub fn remember_only(&mut self, repeated: impl IntoIterator<Item = IdHash>, listed: &Self) {
        self.keyed = listed.keyed;
        self.among = Some(Among::Only(repeated.into_iter().collect()));
    }

    /// Forgets the ids; hashes stay the same.
    pub fn clear(&mut self) {
        self.first_lines = HashMap::default();
    }

    /// The number that the id was first met with.
    pub fn get(&self, id: IdHash) -> Option<u64> {
        self.first_lines.get(&id).copied().map(LineNumber::get)
    }

    /// True when the id was met.
    pub fn contains(&self, id: IdHash) -> bool {
        self.first_lines.contains_key(&id)
    }

    /// How many different ids were met.
    pub fn len(&self) -> usize {
        self.first_lines.len()
    }

    /// True when no id was met.
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

    /// The figure of the module's documentation.
    #[test]
    fn five_million_take_168_mib() {
        let mut ids = SeenIds::default();
        // As many as five million make it grow to.
        ids.first_lines.reserve(5_000_000);
        let places = (ids.first_lines.capacity() / 7 * 8).next_power_of_two();
        // An entry, and a byte of the table for each.
        assert_eq!(places * (size_of::<(IdHash, LineNumber)>() + 1), 168 << 20);
    }
}

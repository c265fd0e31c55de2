//! Ids that must be unique in a dataset of any size.
//!
//! Every id is remembered as a hash of 64 bits and the line where it stands first: 12 bytes an id, so that five
//! million ids take about 110 MiB with the tables' slack. A hash that is met again is only a suspicion: the first
//! line is read again and the ids are compared ([`UniqueIds::settle`]), so that two ids of one hash are never
//! reported. An id whose hash another one took is remembered as it is, so that its repeats are found too.

use std::hash::Hasher;
#[cfg(not(target_family = "wasm"))]
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

use foldhash::SharedSeed;
use foldhash::quality::FoldHasher;

use crate::finding::{Finding, Place};
use crate::numbers::{ByHash, ByText, Numbered};

/// Suspicions that may wait to be settled; a driver settles when there are more.
pub const MOST_WAITING: usize = 50_000;

/// An id whose hash was met before.
#[derive(Debug, Clone)]
pub struct Suspicion {
    /// The id.
    pub id: String,
    /// The line where its hash was met first.
    pub first_line: u64,
    /// Where it stands now.
    pub place: Place,
    /// The record it stands in had no error when the id was met.
    pub in_clean_record: bool,
}

/// Tables that the ids are spread over, a power of two. One table would be copied as a whole whenever it grows, to memory
/// that was never touched before, while the copies of a small one stay in the cache and take what another gave back: with a
/// million ids, a first check takes 60 ms less.
const PARTS: usize = 64;

/// With more ids than this, their tables are larger than what a processor has at hand.
const MANY: usize = 1 << 17;

/// Bits of [`Early::may_be_seen`]: 1 MiB, which stays at hand. With eight million ids it is of no use any more, and of no harm.
const BITS: usize = 1 << 23;

/// New ids that are put into their tables at once.
const AT_ONCE: usize = 64;

/// What tells of most new ids that they are new, without a look at the tables, and keeps them until there are some.
///
/// A place in a large table has to be fetched from memory, twice for an id that is put there, and a check would wait for it
/// with every id: 200 ns, as long as it takes to scan 100 to 200 bytes. Of several in a row the fetches overlap.
#[derive(Debug)]
struct Early {
    /// One bit for some bits of a hash, set when an id was met that has them.
    may_be_seen: Vec<u64>,
    /// Ids that are in no table yet.
    new: Vec<Numbered>,
}

impl Early {
    /// The word and the bit of a hash.
    #[inline]
    fn bit(hash: u64) -> (usize, u64) {
        let bit = (hash >> 32) as usize % BITS;
        (bit / 64, 1 << (bit % 64))
    }

    fn may_be_seen(&self, hash: u64) -> bool {
        let (word, bit) = Self::bit(hash);
        self.may_be_seen[word] & bit != 0
    }

    fn see(&mut self, hash: u64) {
        let (word, bit) = Self::bit(hash);
        self.may_be_seen[word] |= bit;
    }
}

/// The ids of one dataset.
#[derive(Debug)]
pub struct UniqueIds {
    seen: Vec<ByHash>,
    /// Ids in the tables, until they are many.
    count: usize,
    /// Only where there are many.
    early: Option<Early>,
    /// Ids that share their hash with an earlier, different one, and the line where they stand first.
    colliding: ByText,
    waiting: Vec<Suspicion>,
    /// The last record that a repeat was found in.
    last_record: Option<u64>,
    keyed: Keyed,
    /// Ids that share a line are told apart by the caller.
    several_on_a_line: bool,
    /// Makes the finding for an id and the line of its first place.
    problem: fn(&str, u64) -> crate::rules::Problem,
}

/// What a driver knew of randomness: see [`bring_randomness`].
static BROUGHT: AtomicU64 = AtomicU64::new(0);

/// Lends the keys of hashes a random number, where the standard library has no source of randomness: in wasm.
pub fn bring_randomness(random: u64) {
    BROUGHT.store(random, Ordering::Relaxed);
}

/// How ids are hashed: with a random key for each dataset (in wasm of [`bring_randomness`]), because collisions cost time. Most ids are short, and the standard hash takes long for those.
#[derive(Debug, Clone)]
pub struct Keyed {
    seed: u64,
    shared: SharedSeed,
    /// Few bits of a fixed hash: for tests of what collisions do.
    #[cfg(test)]
    weak: Option<u64>,
}

impl Default for Keyed {
    fn default() -> Self {
        // Each time another one.
        let random = BROUGHT.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
        #[cfg(not(target_family = "wasm"))]
        let random = RandomState::new().hash_one(random);
        Self {
            seed: random,
            shared: SharedSeed::from_u64(!random),
            #[cfg(test)]
            weak: None,
        }
    }
}

impl Keyed {
    /// The hash of a text.
    #[inline]
    pub fn hash(&self, text: &str) -> u64 {
        #[cfg(test)]
        if let Some(mask) = self.weak {
            return text.bytes().fold(0, |sum, byte| sum * 31 + u64::from(byte)) & mask;
        }
        let mut hasher = FoldHasher::with_seed(self.seed, &self.shared);
        hasher.write(text.as_bytes());
        hasher.finish()
    }
}

/// The table that a hash is in. Within it, the lowest and the highest bits of the hash count.
fn part(hash: u64) -> usize {
    (hash >> 40) as usize % PARTS
}

impl UniqueIds {
    /// No id yet. `problem` makes what is reported of a repeat from the id and the line of its first place.
    pub fn new(problem: fn(&str, u64) -> crate::rules::Problem) -> Self {
        Self {
            seen: vec![ByHash::default(); PARTS],
            count: 0,
            early: None,
            colliding: ByText::default(),
            waiting: Vec::new(),
            last_record: None,
            keyed: Keyed::default(),
            several_on_a_line: false,
            problem,
        }
    }

    /// The same for a format with several ids on a line. The line that a suspicion points to says nothing about ids
    /// that share it, so the caller compares those, and inserts each of a line once.
    #[must_use]
    pub fn several_on_a_line(self) -> Self {
        Self { several_on_a_line: true, ..self }
    }

    /// Forgets all ids, and gives their memory back.
    pub fn clear(&mut self) {
        self.seen.fill(ByHash::default());
        self.count = 0;
        self.early = None;
        self.colliding.clear();
        self.waiting.clear();
    }

    /// The hash by which an id is known here.
    #[inline]
    pub fn hash_of(&self, id: &str) -> u64 {
        self.keyed.hash(id)
    }

    /// True when an id of this hash was met.
    pub fn has_hash(&mut self, hash: u64) -> bool {
        self.early.as_ref().is_none_or(|early| early.may_be_seen(hash)) && self.find(hash).is_some()
    }

    /// The id of this hash that was met.
    fn find(&mut self, hash: u64) -> Option<Numbered> {
        self.put();
        self.seen[part(hash)].get(hash)
    }

    /// Puts the ids that wait for it into their tables.
    fn put(&mut self) {
        let Some(early) = &mut self.early else { return };
        for seen in early.new.drain(..) {
            self.seen[part(seen.hash())].insert_new(seen);
        }
    }

    /// Remembers the id of this hash, which stands at a line, when no id of the hash was met: then it is new. Answers
    /// whether it did.
    #[inline]
    pub fn insert_hash(&mut self, hash: u64, line: u64) -> bool {
        if self.early.is_some() {
            let is_new = !self.has_hash(hash);
            if is_new {
                self.insert_new(Numbered::new(hash, line));
            }
            return is_new;
        }
        let is_new = self.seen[part(hash)].insert(Numbered::new(hash, line));
        if is_new {
            self.count_one();
        }
        is_new
    }

    /// Remembers an id that was not met before.
    #[inline]
    fn insert_new(&mut self, seen: Numbered) {
        let hash = seen.hash();
        if let Some(early) = &mut self.early {
            early.see(hash);
            early.new.push(seen);
            if early.new.len() == AT_ONCE {
                self.put();
            }
        } else {
            self.seen[part(hash)].insert_new(seen);
            self.count_one();
        }
    }

    fn count_one(&mut self) {
        self.count += 1;
        if self.count == MANY {
            self.become_many();
        }
    }

    #[cold]
    fn become_many(&mut self) {
        let mut early = Early { may_be_seen: vec![0; BITS / 64], new: Vec::with_capacity(AT_ONCE) };
        for seen in self.seen.iter().flat_map(ByHash::iter) {
            early.see(seen.hash());
        }
        self.early = Some(early);
    }

    /// Remembers an id that stands at a line; a repeat waits to be settled. `in_clean_record` says that its record has
    /// no error so far.
    pub fn insert(&mut self, id: &str, line: u64, in_clean_record: bool, place: impl FnOnce() -> Place) {
        let hash = self.hash_of(id);
        let Some(seen) = self.find(hash) else { return self.insert_new(Numbered::new(hash, line)) };
        let first_line = seen.number();
        if self.several_on_a_line && first_line == line {
            // Another id of the same hash.
            self.colliding.insert(id, line);
            return;
        }
        self.waiting.push(Suspicion { id: id.to_owned(), first_line, place: place(), in_clean_record });
    }

    /// True when [`UniqueIds::settle`] should be called before more is read.
    pub fn is_full(&self) -> bool {
        self.waiting.len() >= MOST_WAITING
    }

    /// What waits to be settled, in the order of the file.
    pub fn waiting(&self) -> &[Suspicion] {
        &self.waiting
    }

    /// Takes what waits to be settled.
    pub fn take_waiting(&mut self) -> Vec<Suspicion> {
        std::mem::take(&mut self.waiting)
    }

    /// Settles one suspicion: `is_there` says whether its first line really has the id. Gives the finding when the id
    /// is a repeat, and whether it is the first thing that is wrong with its record.
    pub fn settle(&mut self, suspicion: Suspicion, is_there: bool) -> Option<(Finding, bool)> {
        let Suspicion { id, first_line, place, in_clean_record } = suspicion;
        let first = if is_there {
            first_line
        } else if let Some(first) = self.colliding.get(&id) {
            first
        } else {
            // Another id of the same hash: this one is new.
            self.colliding.insert(&id, place.line.unwrap_or(1));
            return None;
        };
        let is_first = in_clean_record && self.last_record != place.record;
        self.last_record = place.record;
        Some((Finding::new((self.problem)(&id, first), place), is_first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Dataset;

    fn problem(_: &str, first: u64) -> crate::rules::Problem {
        Dataset::ManyRecords { found: first, limit: 0 }.into()
    }

    fn at(line: u64) -> Place {
        Place { line: Some(line), ..Place::default() }
    }

    /// Runs ids through a set, settling by the ids themselves; gives the lines of repeats.
    fn repeats(mask: Option<u64>, ids: &[&str]) -> Vec<u64> {
        let mut unique = UniqueIds::new(problem);
        if let Some(mask) = mask {
            unique.keyed.weak = Some(mask);
        }
        let mut lines = Vec::new();
        for (line, id) in (1..).zip(ids) {
            unique.insert(id, line, true, || at(line));
            for suspicion in unique.take_waiting() {
                let index = usize::try_from(suspicion.first_line).unwrap() - 1;
                let is_there = ids[index] == suspicion.id;
                lines.extend(unique.settle(suspicion, is_there).and_then(|(finding, _)| finding.place.line));
            }
        }
        lines
    }

    #[test]
    fn a_collision_is_no_repeat_and_hides_none() {
        let ids = ["a", "b", "c", "a", "b", "d", "c", "b"];
        for mask in [Some(0), Some(1), Some(3), None] {
            assert_eq!(repeats(mask, &ids), [4, 5, 7, 8], "hash of {mask:?}");
        }
    }

    #[test]
    fn ids_of_one_line_that_collide_are_not_suspected() {
        let mut unique = UniqueIds::new(problem).several_on_a_line();
        unique.keyed.weak = Some(0);
        for (line, id) in [(1, "a"), (1, "b"), (2, "c"), (3, "b")] {
            unique.insert(id, line, true, || at(line));
        }
        let waiting = unique.take_waiting();
        assert_eq!(waiting.iter().map(|one| &*one.id).collect::<Vec<_>>(), ["c", "b"]);
        let lines = [(1, "a"), (1, "b"), (2, "c"), (3, "b")];
        let repeats: Vec<_> = waiting
            .into_iter()
            .filter_map(|one| {
                let is_there = lines.contains(&(one.first_line, &*one.id));
                unique.settle(one, is_there)
            })
            .map(|(finding, _)| finding.place.line)
            .collect();
        assert_eq!(repeats, [Some(3)]);
    }

    #[test]
    fn of_many_ids_each_repeat_is_known_at_once() {
        let mut unique = UniqueIds::new(problem);
        let many = 3 * MANY as u64;
        for line in 0..many {
            let hash = unique.hash_of(&line.to_string());
            assert!(!unique.has_hash(hash), "{line} is new");
            assert!(unique.insert_hash(hash, line + 1), "{line} is new");
            // Of those in the tables and of those that are in none yet.
            for before in [line, line / 2, line.saturating_sub(AT_ONCE as u64)] {
                let hash = unique.hash_of(&before.to_string());
                assert!(!unique.insert_hash(hash, many) && unique.has_hash(hash), "{before} behind {line}");
            }
        }
        unique.insert("7", many, true, || at(many));
        unique.insert("another", many, true, || at(many));
        let waiting: Vec<_> = unique.take_waiting().iter().map(|one| one.first_line).collect();
        assert_eq!(waiting, [8]);
    }

    #[test]
    fn five_million_ids_fit_in_200_mib() {
        let mut unique = UniqueIds::new(problem);
        for line in 0..5_000_000_u64 {
            unique.insert(&line.to_string(), line + 1, true, Place::default);
        }
        assert!(unique.take_waiting().is_empty());
        // The tables and, while they grow, those of half the size beside them; a control byte for each place. Beside that
        // there is 1 MiB.
        let places = unique.seen.iter().map(|part| part.capacity() * 8 / 7).sum::<usize>();
        let bytes = places * (size_of::<Numbered>() + 1);
        assert!(bytes + bytes / 2 < 200 << 20, "{bytes} bytes");
    }
}

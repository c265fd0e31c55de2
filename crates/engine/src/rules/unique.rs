//! Ids that must be unique in a dataset of any size.
//!
//! Every id is remembered as a hash of 64 bits and the line where it stands first: 12 bytes an id, so that five
//! million ids take about 110 MiB with the tables' slack. A hash that is met again is only a suspicion: the first
//! line is read again and the ids are compared ([`UniqueIds::settle`]), so that two ids of one hash are never
//! reported. An id whose hash another one took is remembered as it is, so that its repeats are found too.

use crate::finding::{Finding, Place};
use crate::numbers::ByText;
use crate::scan::hashes::{Hashes, Keyed};

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

/// The ids of one dataset.
#[derive(Debug)]
pub struct UniqueIds {
    seen: Hashes,
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

impl UniqueIds {
    /// No id yet. `problem` makes what is reported of a repeat from the id and the line of its first place.
    pub fn new(problem: fn(&str, u64) -> crate::rules::Problem) -> Self {
        Self {
            seen: Hashes::default(),
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
        self.seen = Hashes::default();
        self.colliding = ByText::default();
        self.waiting.clear();
    }

    /// The hash by which an id is known here.
    #[inline]
    pub fn hash_of(&self, id: &[u8]) -> u64 {
        id.split_first().map_or(0, |(first, rest)| self.hash_of_parts(*first, rest))
    }

    /// The same of an id whose first byte stands elsewhere.
    #[inline]
    pub fn hash_of_parts(&self, first: u8, rest: &[u8]) -> u64 {
        self.keyed.hash_behind(first, rest)
    }

    /// True when an id of this hash was met.
    pub fn has_hash(&mut self, hash: u64) -> bool {
        self.seen.has(hash)
    }

    /// Remembers the id of this hash, which stands at a line, when no id of the hash was met: then it is new. Answers
    /// whether it did.
    pub fn insert_hash(&mut self, hash: u64, line: u64) -> bool {
        self.seen.insert(hash, line)
    }

    /// Remembers an id that stands at a line; a repeat waits to be settled. `in_clean_record` says that its record has
    /// no error so far.
    pub fn insert(&mut self, id: &str, line: u64, in_clean_record: bool, place: impl FnOnce() -> Place) {
        let hash = self.hash_of(id.as_bytes());
        let Some(first_line) = self.seen.get(hash) else {
            self.seen.insert(hash, line);
            return;
        };
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
            unique.keyed = unique.keyed.masked(mask);
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
        unique.keyed = unique.keyed.masked(0);
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
}

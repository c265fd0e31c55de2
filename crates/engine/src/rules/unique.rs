//! Ids that must be unique in a dataset of any size.
//!
//! Ids that are numbered through (`q1`, `q2`) are remembered as ranges ([`Series`]), whatever their number. Every other id is
//! remembered as a hash of 64 bits and the line where it stands first: 12 bytes an id, so that five
//! million ids take about 110 MiB with the tables' slack. A hash that is met again is only a suspicion: the first
//! line is read again and the ids are compared ([`UniqueIds::settle`]), so that two ids of one hash are never
//! reported. An id whose hash another one took is remembered as it is, so that its repeats are found too.

use std::collections::BTreeMap;

use crate::finding::{Finding, Place};
use crate::rules::series::{Met, Series};
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

/// An id that is new, and its hash where it will be remembered by that.
#[derive(Debug, Clone, Copy)]
pub struct New {
    hash: Option<u64>,
}

/// The ids of one dataset.
#[derive(Debug)]
pub struct UniqueIds {
    series: Series,
    /// Those of no series.
    seen: Hashes,
    /// Ids that share their hash with an earlier, different one, and the line where they stand first.
    colliding: BTreeMap<String, u64>,
    waiting: Vec<Suspicion>,
    /// The last record that a repeat was found in.
    last_record: Option<u64>,
    keyed: Keyed,
    /// Ids that share a line are told apart by the caller.
    several_on_a_line: bool,
    /// Ids that begin with this byte belong to no series.
    hashed: Option<u8>,
    /// Makes the finding for an id and the line of its first place.
    problem: fn(&str, u64) -> crate::rules::Problem,
}

impl UniqueIds {
    /// No id yet. `problem` makes what is reported of a repeat from the id and the line of its first place.
    #[inline(never)]
    pub fn new(problem: fn(&str, u64) -> crate::rules::Problem) -> Self {
        Self {
            series: Series::default(),
            seen: Hashes::default(),
            colliding: BTreeMap::new(),
            waiting: Vec::new(),
            last_record: None,
            keyed: Keyed::default(),
            several_on_a_line: false,
            hashed: None,
            problem,
        }
    }

    /// The same for a format with several ids on a line. The line that a suspicion points to says nothing about ids
    /// that share it, so the caller compares those, and inserts each of a line once.
    #[must_use]
    pub fn several_on_a_line(self) -> Self {
        Self { several_on_a_line: true, ..self }
    }

    /// The same, and all ids that begin with a byte are remembered by their hashes, so that [`UniqueIds::has_hash`] knows them.
    #[must_use]
    pub fn hashed(self, first: u8) -> Self {
        Self { hashed: Some(first), ..self }
    }

    /// The hash of an id whose first byte stands elsewhere, for [`UniqueIds::has_hash`].
    #[inline]
    pub fn hash_of(&self, first: u8, rest: &[u8]) -> u64 {
        self.keyed.hash_behind(first, rest)
    }

    /// True when an id of this hash was met, of those that are remembered by their hashes.
    pub fn has_hash(&mut self, hash: u64) -> bool {
        self.seen.has(hash)
    }

    /// Looks whether an id was met, or another one of its hash. `None` when it was.
    pub fn look(&mut self, id: &[u8]) -> Option<New> {
        let (first, rest) = parts(id);
        if !self.series.is_closed() {
            match self.series.look(first, rest) {
                Met::New => return Some(New { hash: None }),
                Met::Before(_) => return None,
                Met::Elsewhere => {}
            }
        }
        let hash = self.hash_of(first, rest);
        (!self.has_hash(hash)).then(|| New { hash: Some(hash).filter(|_| self.series.is_closed()) })
    }

    /// Remembers an id that [`UniqueIds::look`] found to be new, and that stands at a line.
    pub fn insert_looked(&mut self, new: New, id: &[u8], line: u64) {
        match new.hash {
            Some(hash) => keep(&mut self.seen, &mut self.colliding, hash, id, line),
            // It is new, so the answer is known.
            None => _ = self.insert_new(id, line),
        }
    }

    /// Remembers an id that stands at a line, when neither it nor another one of its hash was met: then it is new. Gives the
    /// line where that stands first when it is not.
    pub fn insert_new(&mut self, id: &[u8], line: u64) -> Result<(), u64> {
        let (first, rest) = parts(id);
        self.insert_parts(first, rest, line)
    }

    /// The same of an id whose first byte stands elsewhere.
    pub fn insert_parts(&mut self, first: u8, rest: &[u8], line: u64) -> Result<(), u64> {
        if !self.series.is_closed() && self.hashed != Some(first) {
            match self.series.insert(first, rest, line) {
                Met::New => return Ok(()),
                Met::Before(line) => return Err(line),
                Met::Elsewhere => {}
            }
            if self.series.is_in_vain() {
                let (keyed, seen, colliding) = (&self.keyed, &mut self.seen, &mut self.colliding);
                self.series.close(&mut |id, line| {
                    let (first, rest) = parts(id);
                    keep(seen, colliding, keyed.hash_behind(first, rest), id, line);
                });
            }
        }
        let hash = self.hash_of(first, rest);
        if self.seen.insert(hash, line) { Ok(()) } else { Err(self.seen.get(hash).unwrap_or(line)) }
    }

    /// Remembers an id that stands at a line; a repeat waits to be settled. `in_clean_record` says that its record has
    /// no error so far.
    pub fn insert(&mut self, id: &str, line: u64, in_clean_record: bool, place: impl FnOnce() -> Place) {
        let Err(first_line) = self.insert_new(id.as_bytes(), line) else { return };
        if self.several_on_a_line && first_line == line {
            // Another id of the same hash.
            self.colliding.entry(id.to_owned()).or_insert(line);
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
        } else if let Some(&first) = self.colliding.get(&id) {
            first
        } else {
            // Another id of the same hash: this one is new.
            self.colliding.insert(id, place.line.unwrap_or(1));
            return None;
        };
        let is_first = in_clean_record && self.last_record != place.record;
        self.last_record = place.record;
        Some((Finding::new((self.problem)(&id, first), place), is_first))
    }
}

/// Remembers a new id by its hash, or as it is where another id took that.
fn keep(seen: &mut Hashes, colliding: &mut BTreeMap<String, u64>, hash: u64, id: &[u8], line: u64) {
    if !seen.insert(hash, line) {
        colliding.entry(String::from_utf8_lossy(id).into_owned()).or_insert(line);
    }
}

/// The first byte of an id, and the rest.
fn parts(id: &[u8]) -> (u8, &[u8]) {
    id.split_first().map_or((0, id), |(first, rest)| (*first, rest))
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
    fn ids_that_leave_their_series_may_collide() {
        let numbered = (0..200).map(|n| format!("q{n}"));
        let others = (0..700).map(|n| format!("x{}", n * 7919 % 1009));
        let ids: Vec<String> = numbered.clone().chain(others).chain(numbered).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let expected: Vec<u64> = (901..=1100).collect();
        for mask in [None, Some(0xff), Some(3)] {
            assert_eq!(repeats(mask, &ids), expected, "hash of {mask:?}");
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

    /// Ids as datasets have them: numbered in one series or several, with gaps, padded, in disorder, and of no series.
    fn some_id(random: &mut fastrand::Rng, kind: usize, n: u64) -> String {
        match kind {
            0 => format!("q{n}"),
            1 => format!("sample-{}-{}", n / 2, ["a", "b"][(n % 2) as usize]),
            2 => format!("gsm8k_{:03}", n + random.u64(0..20) / 19),
            3 => format!("{}", n % 700),
            4 => format!("{}/{n}", random.u8(0..12)),
            5 => format!("{:x}", random.u32(0..5_000)),
            6 => format!("q{}", random.u64(0..2_000)),
            7 => [
                "",
                "x",
                "9",
                "09",
                "0",
                "99",
                "100",
                "é1",
                "1é",
                "18446744073709551616",
                "12345678901234567890123",
            ][random.usize(0..11)]
            .to_owned(),
            _ => format!("9999999999999999{}", 80 + n),
        }
    }

    #[test]
    fn ids_are_new_or_not_as_a_map_says_whatever_they_are_remembered_as() {
        let mut random = fastrand::Rng::with_seed(1);
        let (mut closed, mut open) = (0, 0);
        for _ in 0..300 {
            let kinds = [random.usize(0..9), random.usize(0..9)];
            let (often, step) = (random.u8(0..10), random.u64(1..3));
            let mut map = std::collections::HashMap::new();
            let mut unique = UniqueIds::new(problem);
            for n in 0..random.u64(1..3_000) {
                let kind = kinds[usize::from(random.u8(0..10) < often)];
                let (id, line) = (some_id(&mut random, kind, n), 1 + step * n);
                let first = map.get(&id).copied();
                let looked = unique.look(id.as_bytes());
                assert_eq!(looked.is_none(), first.is_some(), "\"{id}\" of line {line}, kinds {kinds:?}");
                let inserted = match looked {
                    Some(new) if random.bool() => {
                        unique.insert_looked(new, id.as_bytes(), line);
                        Ok(())
                    }
                    _ => unique.insert_new(id.as_bytes(), line),
                };
                assert_eq!(inserted.err(), first, "\"{id}\" of line {line}, kinds {kinds:?}");
                map.entry(id).or_insert(line);
            }
            *(if unique.series.is_closed() { &mut closed } else { &mut open }) += 1;
            for (id, line) in &map {
                assert_eq!(unique.insert_new(id.as_bytes(), 0), Err(*line), "\"{id}\", kinds {kinds:?}");
            }
        }
        assert!(closed > 30 && open > 30, "both are tried: {closed} closed, {open} open");
    }

    #[test]
    fn numbered_ids_take_no_hashes() {
        let mut unique = UniqueIds::new(problem);
        for n in 0..100_000 {
            let id = format!("sample-{}-{}", n / 2, ["a", "b"][(n % 2) as usize]);
            assert_eq!(unique.insert_new(id.as_bytes(), n / 2), Ok(()));
        }
        assert!(!unique.series.is_closed() && unique.series.runs() < 20, "{} runs", unique.series.runs());
    }
}

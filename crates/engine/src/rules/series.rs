//! Ids that are numbered through, as most are: `q1`, `q2`, `q3`.
//!
//! They are remembered as ranges. Where the next id is the one that comes next, there is no hash to be made of it and no memory
//! to be waited for, and a million of them take no more than one. What is not numbered, or in no order, is for
//! [`Hashes`](crate::scan::hashes::Hashes).

use std::ops::Range;

use crate::scan::bytes::are_same;
use crate::scan::hashes::join;

/// Digits of a number. With a 1 before them they are below 2^64.
const MOST_DIGITS: usize = 18;

/// Series that are told apart; a line may have an id of each.
const MOST_SERIES: usize = 8;

/// So many ids may be no next ones before series are of no use.
const PATIENCE: u64 = 256;

/// What [`Series::insert`] says of an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Met {
    /// It was never met, and is remembered from now on.
    New,
    /// It was met first with this number.
    Before(u64),
    /// It belongs to no series, and was not remembered here.
    Elsewhere,
}

/// Ids that go on counting, each with a number of its own.
///
/// ```
/// # use evalcheck_engine::rules::series::{Met, Series};
/// let mut series = Series::default();
/// assert_eq!(series.insert(b'q', b"08", 1), Met::New);
/// assert_eq!(series.insert(b'q', b"09", 2), Met::New);
/// assert_eq!(series.insert(b'q', b"10", 3), Met::New);
/// assert_eq!(series.insert(b'q', b"09", 4), Met::Before(2));
/// assert_eq!(series.insert(b'q', b"07", 5), Met::Elsewhere);
/// ```
#[derive(Debug, Default)]
pub struct Series {
    all: Vec<One>,
    /// The series that took an id last, and the one that is likely to take the next.
    last: usize,
    likely: usize,
    /// Ids that were the next of a series, and others that were new.
    next: u64,
    others: u64,
    is_closed: bool,
    /// The id at hand.
    id: Vec<u8>,
}

/// Where an id belongs, the last digits in it, and the count that they stand for.
struct Found {
    at: usize,
    digits: Range<usize>,
    count: u64,
}

/// The ids that are alike but for their last digits.
#[derive(Debug, Default)]
struct One {
    /// The id behind the last one, and its digits in it.
    next: Vec<u8>,
    digits: Range<usize>,
    /// Its number, when it goes on as the ids before; `u64::MAX` where none does.
    number: u64,
    /// The series whose turn it was behind this one.
    then: usize,
    /// In the order of their counts, and none overlaps another.
    runs: Vec<Run>,
}

/// Ids whose counts and numbers go up by one. A count is written as the id's digits with a 1 before them, so that `7` and `07`
/// are two.
#[derive(Debug)]
struct Run {
    first: u64,
    number: u64,
    length: u64,
}

impl Series {
    /// Remembers an id with its number, when it belongs to a series and is new. Its first byte may stand elsewhere.
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub fn insert(&mut self, first: u8, rest: &[u8], number: u64) -> Met {
        if let Some(one) = self.all.get_mut(self.likely)
            && one.number == number
            && one.is_next(first, rest)
        {
            one.go_on();
            self.last = self.likely;
            self.likely = one.then;
            self.next += 1;
            return Met::New;
        }
        self.insert_other(first, rest, number)
    }

    /// Whether an id was met, as [`Series::insert`] says it, but without remembering it.
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub fn look(&mut self, first: u8, rest: &[u8]) -> Met {
        if self.all.iter().any(|one| one.number < u64::MAX && one.is_next(first, rest)) {
            return Met::New;
        }
        let found = self.find(first, rest);
        found.and_then(|found| Some(self.all.get(found.at)?.look(found.count))).unwrap_or(Met::Elsewhere)
    }

    /// The series of an id, when it has digits.
    fn find(&mut self, first: u8, rest: &[u8]) -> Option<Found> {
        self.id.clear();
        self.id.push(first);
        self.id.extend_from_slice(rest);
        let id = &self.id[..];
        let mut end = id.len();
        while end > 0 && !id[end - 1].is_ascii_digit() {
            end -= 1;
        }
        let (mut start, mut count, mut power) = (end, 0, 1);
        while start > 0 && id[start - 1].is_ascii_digit() && end - start < MOST_DIGITS {
            start -= 1;
            count += u64::from(id[start] - b'0') * power;
            power *= 10;
        }
        if start == end {
            return None;
        }
        let at = self.all.iter().position(|one| one.before() == &id[..start] && one.behind() == &id[end..]);
        Some(Found { at: at.unwrap_or(self.all.len()), digits: start..end, count: count + power })
    }

    #[inline(never)]
    fn insert_other(&mut self, first: u8, rest: &[u8], number: u64) -> Met {
        self.others += 1;
        if self.is_in_vain() {
            return Met::Elsewhere;
        }
        let Some(Found { at, digits, count }) = self.find(first, rest) else { return Met::Elsewhere };
        if at == MOST_SERIES {
            return Met::Elsewhere;
        }
        if at == self.all.len() {
            self.all.push(One { then: at, ..One::default() });
        } else {
            let met = self.all[at].look(count);
            if met != Met::New {
                return met;
            }
        }
        let one = &mut self.all[at];
        if one.number == number && one.is_next(first, rest) {
            self.others -= 1;
            self.next += 1;
        } else {
            one.runs.push(Run { first: count, number, length: 0 });
            one.next.clear();
            one.next.extend_from_slice(&self.id);
            one.digits = digits;
            one.number = number;
        }
        one.go_on();
        self.all[self.last].then = at;
        self.last = at;
        self.likely = self.all[at].then;
        Met::New
    }

    /// True when too few ids are the next ones for this to be of use: then [`Series::close`].
    pub fn is_in_vain(&self) -> bool {
        self.others > self.next + PATIENCE
    }

    /// True once nothing is remembered here any more.
    #[inline]
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Ranges that are remembered.
    #[cfg(test)]
    pub(crate) fn runs(&self) -> usize {
        self.all.iter().map(|one| one.runs.len()).sum()
    }

    /// Forgets all ids, giving each to `take` with its number. From now on nobody should ask here.
    #[inline(never)]
    pub fn close(&mut self, take: &mut dyn FnMut(&[u8], u64)) {
        self.is_closed = true;
        let mut id = Vec::new();
        for one in &self.all {
            for run in &one.runs {
                for further in 0..run.length {
                    let digits = (run.first + further).to_string();
                    join(&mut id, &[one.before(), &digits.as_bytes()[1..], one.behind()]);
                    take(&id, run.number + further);
                }
            }
        }
        self.all.clear();
    }
}

impl One {
    #[inline]
    fn is_next(&self, first: u8, rest: &[u8]) -> bool {
        self.next.split_first().is_some_and(|(byte, next)| *byte == first && are_same(next, rest))
    }

    /// The next id was met: another one is the next.
    #[inline]
    fn go_on(&mut self) {
        if let Some(run) = self.runs.last_mut() {
            run.length += 1;
        }
        self.number += 1;
        let mut at = self.digits.end;
        while at > self.digits.start {
            at -= 1;
            let digit = &mut self.next[at];
            if *digit < b'9' {
                *digit += 1;
                return;
            }
            *digit = b'0';
        }
        // The next has a digit more, and begins another run.
        self.number = u64::MAX;
    }

    fn before(&self) -> &[u8] {
        &self.next[..self.digits.start]
    }

    fn behind(&self) -> &[u8] {
        &self.next[self.digits.end..]
    }

    /// What was met of this count. New is what is above all others; what is not, may have been left to somebody else.
    fn look(&self, count: u64) -> Met {
        let behind = self.runs.partition_point(|run| run.first <= count);
        let Some(run) = self.runs[..behind].last() else { return Met::Elsewhere };
        match count - run.first {
            further if further < run.length => Met::Before(run.number + further),
            _ if behind == self.runs.len() => Met::New,
            _ => Met::Elsewhere,
        }
    }
}

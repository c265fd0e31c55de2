//! Compares two versions of a dataset by their records, whatever their order.
//!
//! Each version is checked once, and of each record the hashes of its id and of its bytes are kept. Records with one id, which no other record
//! of either version has, are one record; all others are matched by their bytes. Then both versions are read once more, for records with one id
//! and different bytes, and for records that may have the bytes of another notation: only these are parsed. They are read side by side, so that
//! versions in nearly the same order need little memory. Texts that do not fit into it are left to a further round.
//!
//! Memory: 20 bytes a record, at most 160 MiB (twice that for a moment), 64 MiB of texts that wait for the other version, and the
//! memory of the two checks, and of one [`Overview`](crate::overview::Overview) at a time if means are counted. Hashes have 64 bits under a key that is random for each comparison: among as many ids as there can be,
//! two have the same by chance once in 500,000 comparisons, and a changed record looks unchanged once in 10^19.
//!
//! ```
//! # use std::io::Cursor;
//! # use evalcheck_engine::check::FileInfo;
//! # use evalcheck_engine::compare::{Compare, InMemory};
//! let old = br#"{"messages":[{"role":"user","content":"Hi"}]}"#;
//! let new = br#"{"messages": [{"role": "user", "content": "Hi"}]}"#;
//! let info = |data: &[u8]| FileInfo { name: "data.jsonl".into(), size: data.len() as u64 };
//! let mut compare = Compare::new([info(old), info(new)], Default::default(), 10);
//! let mut sources = [InMemory(Cursor::new(&old[..])), InMemory(Cursor::new(&new[..]))];
//! while compare.step(&mut sources, 1 << 20) {}
//! let comparison = compare.finish(&mut sources).unwrap();
//! assert_eq!((comparison.rewritten, comparison.changed, comparison.added), (1, 0, 0));
//! ```

mod decimal;
mod ids;
pub(crate) mod join;
mod list;
mod matching;
mod means;
mod observer;
mod paths;
mod result;
pub(crate) mod values;

use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::ops::Range;

use evalcheck_formats::KeyedHash;
use evalcheck_report::overview::Fact;
use evalcheck_wire::worker::CheckOptions;

use crate::check::{Check, FileInfo};
use crate::source::Source;
use join::Join;
use matching::{Entry, Matching};
use observer::{Keys, Task, Texts, VersionObserver};

pub use list::Compared;

/// The maximum number of records of both versions that are compared.
const MOST_RECORDS: usize = 8 << 20;

/// The maximum number of rounds in which both versions are read for records whose texts did not fit into memory.
const MOST_ROUNDS: usize = 16;

/// A comparison of two versions of a dataset, from their bytes to its result. As [`Check`], it reads nothing by itself:
/// [`Compare::next`] returns the next step, with one of the two.
#[derive(Debug)]
pub struct Compare {
    options: CheckOptions,
    /// The maximum number of records of both versions.
    most_records: usize,
    /// Bytes of texts that may wait, see [`Join`].
    most_waiting: usize,
    /// The maximum number of listed records of a kind.
    listed: usize,
    /// Whether means of numbers by groups are counted.
    has_means: bool,
    hash: KeyedHash,
    sides: [Side; 2],
    phase: Phase,
    /// The reasons why not all records are compared.
    incomplete: Vec<String>,
    format: &'static str,
    entries: [Vec<Entry>; 2],
    result: Option<(Matching, Join)>,
    round: usize,
}

/// The phase of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The keys of records are read, of one version after the other.
    Keys,
    /// Texts of records are read, of both versions side by side.
    Texts,
    Done,
}

/// One of the versions.
#[derive(Debug)]
struct Side {
    file: FileInfo,
    check: Option<Box<Check>>,
    /// Whether it was read as far as this phase needs.
    is_done: bool,
    /// Whether it has to be opened again for this phase.
    is_stale: bool,
    records: u64,
    unread: u64,
    /// The hash of the header of JSONL.
    header: Option<u64>,
    /// Its numbers by groups.
    numbers: Option<Fact>,
}

/// The next step, with the older version (0) or the newer one (1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Call [`Compare::open`].
    Open(usize),
    /// Read a piece with [`Compare::check`], then call [`Compare::advance`].
    Read(usize),
}

/// A version in memory.
#[derive(Debug)]
pub struct InMemory<'a>(pub Cursor<&'a [u8]>);

impl Source for InMemory<'_> {
    fn read_at(&mut self, wanted: Range<u64>, buffer: &mut [u8]) -> Result<usize, String> {
        let mut data = *self.0.get_ref();
        data.read_at(wanted, buffer)
    }
}

impl Read for InMemory<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Seek for InMemory<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

impl Compare {
    /// A comparison of two files, the older first. At most `listed` records of each kind (added, removed, changed) are listed. The user's own schema changes
    /// nothing.
    pub fn new(files: [FileInfo; 2], options: CheckOptions, listed: usize) -> Self {
        let side = |file| Side {
            file,
            check: None,
            is_done: false,
            is_stale: true,
            records: 0,
            unread: 0,
            header: None,
            numbers: None,
        };
        Self {
            options: CheckOptions {
                max_findings_per_code: Some(0),
                all: false,
                schema: Vec::new(),
                ..options
            },
            most_records: MOST_RECORDS,
            most_waiting: join::MOST_WAITING,
            listed,
            has_means: false,
            hash: KeyedHash::default(),
            sides: files.map(side),
            phase: Phase::Keys,
            incomplete: Vec::new(),
            format: "",
            entries: [Vec::new(), Vec::new()],
            result: None,
            round: 0,
        }
    }

    /// The same comparison with other limits: records of both versions, and bytes of texts that wait.
    #[must_use]
    pub fn within(self, most_records: usize, most_waiting: usize) -> Self {
        Self { most_records, most_waiting, ..self }
    }

    /// The same comparison with [`evalcheck_wire::compare::ComparisonSums::means`].
    #[must_use]
    pub fn with_means(self) -> Self {
        Self { has_means: true, ..self }
    }

    /// The next step; `None` at the end.
    pub fn next(&self) -> Option<Step> {
        let side = match self.phase {
            Phase::Done => return None,
            Phase::Keys => usize::from(self.sides[0].is_done),
            Phase::Texts => self.side_behind(),
        };
        Some(if self.sides[side].is_stale { Step::Open(side) } else { Step::Read(side) })
    }

    /// The version to read next. If both are read further, it is the one with the smaller share of its bytes read.
    fn side_behind(&self) -> usize {
        let [old, new] = &self.sides;
        if old.is_done || new.is_done {
            return usize::from(old.is_done);
        }
        let read = |side: &Side| {
            side.check.as_ref().filter(|_| !side.is_stale).map_or((0, 1), |check| {
                let progress = check.progress();
                (u128::from(progress.bytes), u128::from(progress.total_bytes.max(1)))
            })
        };
        let ((old, of_old), (new, of_new)) = (read(old), read(new));
        usize::from(old * of_new > new * of_old)
    }

    /// Opens a version, for [`Step::Open`].
    pub fn open<R: Read + Seek>(&mut self, index: usize, source: &mut R) {
        let Some(side) = self.sides.get_mut(index) else { return };
        let mut check = Check::open(source, side.file.clone(), self.options.clone());
        let format = check.dataset().format;
        let join = self.result.as_ref().filter(|_| self.phase == Phase::Texts).map(|(_, join)| join);
        let task = if let Some(join) = join {
            Task::Texts(Texts::new(join.wanted(index)))
        } else {
            if self.has_means {
                means::observe(&mut check);
            }
            let most = self.most_records.saturating_sub(self.entries[0].len());
            Task::Keys(Box::new(Keys::new(format.fields, self.hash.clone(), most)))
        };
        check.observe(VersionObserver::new(task));
        (side.check, side.is_stale) = (Some(Box::new(check)), false);
        self.advance(index);
    }

    /// The check of a version, which needs bytes for [`Step::Read`].
    pub fn check(&mut self, index: usize) -> Option<&mut Check> {
        self.sides.get_mut(index)?.check.as_deref_mut()
    }

    /// Processes the bytes that the check of a version has read. To be called after each piece.
    pub fn advance(&mut self, index: usize) {
        let Some(side) = self.sides.get_mut(index) else { return };
        let Some(check) = side.check.as_deref_mut() else { return };
        let is_read = check.next_range().is_none();
        let Some(observer) = check.observer_mut::<VersionObserver>() else { return };
        match observer.task() {
            Task::Keys(keys) if is_read || keys.is_full => self.end_keys(index),
            Task::Keys(_) => {}
            Task::Texts(texts) => {
                side.is_done = is_read;
                let read = texts.take_read();
                let is_enough = texts.is_done();
                if let Some((matching, join)) = &mut self.result {
                    // Listed records are read again through this check.
                    let last = matching.only[index].last();
                    let is_listed = last.is_none_or(|last| u64::from(last) < check.progress().records);
                    side.is_done |= self.round == 1 && is_enough && is_listed;
                    for text in read {
                        join.take(index, text, check.table());
                    }
                }
                if self.sides.iter().all(|side| side.is_done) {
                    self.end_round();
                }
            }
        }
    }

    /// Ends the keys of a version, after every record was seen or there are too many.
    fn end_keys(&mut self, index: usize) {
        let name = NAMES[index];
        let side = &mut self.sides[index];
        let Some(check) = side.check.as_deref_mut() else { return };
        side.numbers = means::take(check);
        let report = check.report();
        let records = check.progress().records;
        let Some(observer) = check.observer_mut::<VersionObserver>() else { return };
        let (seen, has_lost) = (observer.seen(), observer.has_lost());
        side.is_done = true;
        (side.records, side.unread) = (records, records.saturating_sub(seen));
        let mut entries = Vec::new();
        let mut is_full = false;
        if let Task::Keys(keys) = observer.task() {
            (entries, is_full) = (std::mem::take(&mut keys.entries), keys.is_full);
            side.header = keys.header;
        }
        let cannot = if report.format.id.is_empty() {
            Some(format!("{name} is of no known format"))
        } else if is_full {
            Some(format!("both have more than {} records together", self.most_records))
        } else if !report.checked && entries.is_empty() {
            Some(format!("{name} cannot be read"))
        } else {
            None
        };
        if let Some(why) = cannot {
            return self.stop(why);
        }
        if !report.checked || has_lost {
            self.incomplete.push(format!("{name} was not read to its end, or not all of it can be read"));
        }
        if side.unread > 0 {
            let verb = if side.unread == 1 { "is" } else { "are" };
            let records = evalcheck_report::text::count(side.unread, "record");
            self.incomplete
                .push(format!("{records} of {name} {verb} too long to be read, or {verb} not ended"));
        }
        self.entries[index] = entries;
        if index == 0 {
            self.format = check.dataset().format.id;
            return;
        }
        if self.format != check.dataset().format.id {
            let why = format!("the formats differ: {} and {}", self.format, check.dataset().format.id);
            return self.stop(why);
        }
        let mut matching = Matching::new(std::mem::take(&mut self.entries), self.listed);
        let join = Join::new(&mut matching, self.hash.clone(), self.listed, self.most_waiting);
        self.result = Some((matching, join));
        self.begin_round();
    }

    /// Ends the comparison, because nothing can be compared.
    fn stop(&mut self, why: String) {
        self.incomplete.push(why);
        self.entries = [Vec::new(), Vec::new()];
        self.result = None;
        self.phase = Phase::Done;
    }

    /// Reads both versions once more, if texts are needed.
    fn begin_round(&mut self) {
        let is_wanted = self.result.as_ref().is_some_and(|(_, join)| join.wants_any());
        if !is_wanted || self.round == MOST_ROUNDS {
            self.phase = Phase::Done;
            return;
        }
        self.phase = Phase::Texts;
        self.round += 1;
        for side in &mut self.sides {
            (side.is_done, side.is_stale) = (false, true);
        }
    }

    fn end_round(&mut self) {
        if let Some((matching, join)) = &mut self.result {
            join.end_round(matching);
        }
        self.begin_round();
    }

    /// Does the next step. Returns false at the end. A driver that can read at once calls it in a loop.
    pub fn step<S: Source + Read + Seek>(&mut self, sources: &mut [S; 2], most: usize) -> bool {
        match self.next() {
            None => return false,
            Some(Step::Open(index)) => self.open(index, &mut sources[index]),
            Some(Step::Read(index)) => {
                if let Some(check) = self.check(index) {
                    check.read_piece(&mut sources[index], most);
                }
                self.advance(index);
            }
        }
        true
    }

    /// The number of the current part of the comparison, from 0, see [`Compare::progress`].
    pub fn part(&self) -> usize {
        self.round
    }

    /// The bytes read in this part of the comparison, and all bytes of it. A comparison has two parts, and more if one round was not enough.
    pub fn progress(&self) -> (u64, u64) {
        let of_side = |side: &Side| {
            let progress = side.check.as_ref().filter(|_| !side.is_stale).map(|check| check.progress());
            let total = progress.map_or(side.file.size, |progress| progress.total_bytes);
            (if side.is_done { total } else { progress.map_or(0, |progress| progress.bytes) }, total)
        };
        let [old, new] = [of_side(&self.sides[0]), of_side(&self.sides[1])];
        (old.0 + new.0, old.1 + new.1)
    }
}

/// The names of the versions in sentences.
const NAMES: [&str; 2] = ["the older version", "the newer version"];

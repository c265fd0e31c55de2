//! Joins the two texts of a record, and compares their values.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use evalcheck_formats::KeyedHash;

use super::matching::{Matching, Wanted, merge};
use super::observer::RecordText;
use super::paths::{Paths, Versions};
use super::values::{Located, hash_of};
use crate::diagnose::Parsed;
use crate::records::{self, csv::Table};

/// The maximum number of bytes of texts that wait for the text of the other version.
pub(super) const MOST_WAITING: usize = 64 << 20;

/// The records whose values are compared.
#[derive(Debug)]
pub(super) struct Join {
    hash: KeyedHash,
    /// Records with one id, by their numbers.
    pairs: Vec<[u32; 2]>,
    /// The indices of those that are compared in this round, in ascending order.
    open: Vec<u32>,
    /// Those of them that did not fit into memory.
    deferred: BTreeSet<u32>,
    /// The number of those that were compared in all rounds.
    compared: u64,
    /// The version and the text, by the index of the pair.
    waiting: HashMap<u32, (usize, RecordText)>,
    /// Bytes of these texts.
    held: usize,
    most_waiting: usize,
    tables: [Option<Rc<Table>>; 2],
    /// Records that may equal one of the other version in another notation, while they are read.
    unmatched: [Vec<u32>; 2],
    /// The hashes of the values of those that were read, if they can be parsed, and their numbers.
    values: [Vec<(Option<u64>, u32)>; 2],
    /// The number of records that are equal except for their notation.
    pub(super) rewritten: u64,
    /// The number of records that differ otherwise.
    pub(super) changed: u64,
    /// The paths at which these differ.
    pub(super) paths: Paths,
    /// The first of these, by the number in the newer version: the number in the older one, and the paths.
    pub(super) changed_records: BTreeMap<u32, (u32, Vec<String>)>,
    /// The maximum number of these.
    listed: usize,
}

impl Join {
    /// Compares the records of a matching. At most `listed` changed records are listed, and `most_waiting` bytes of texts wait.
    pub(super) fn new(matching: &mut Matching, hash: KeyedHash, listed: usize, most_waiting: usize) -> Self {
        let pairs = std::mem::take(&mut matching.pairs);
        Self {
            hash,
            open: (0..).take(pairs.len()).collect(),
            pairs,
            deferred: BTreeSet::new(),
            compared: 0,
            waiting: HashMap::new(),
            held: 0,
            most_waiting,
            tables: [None, None],
            unmatched: std::mem::take(&mut matching.unmatched),
            values: [Vec::new(), Vec::new()],
            rewritten: 0,
            changed: 0,
            paths: Paths::default(),
            changed_records: BTreeMap::new(),
            listed,
        }
    }

    /// Whether texts are wanted in this round.
    pub(super) fn wants_any(&self) -> bool {
        !self.open.is_empty() || self.unmatched.iter().any(|unmatched| !unmatched.is_empty())
    }

    /// The records of a version whose texts are needed in this round, in their order.
    pub(super) fn wanted(&self, version: usize) -> Vec<Wanted> {
        let of_pair =
            |pair: &u32| Some(Wanted { number: self.pairs.get(*pair as usize)?[version], pair: *pair });
        let unmatched = |number: &u32| Wanted { number: *number, pair: Wanted::UNMATCHED };
        let mut wanted: Vec<Wanted> = self.open.iter().filter_map(of_pair).collect();
        wanted.extend(self.unmatched[version].iter().map(unmatched));
        wanted.sort_unstable();
        wanted
    }

    /// Takes the text of a record of a version, which has these columns.
    pub(super) fn take(&mut self, version: usize, text: RecordText, table: Option<&Rc<Table>>) {
        if self.tables[version].is_none() {
            self.tables[version] = table.cloned();
        }
        let pair = text.wanted.pair;
        if pair == Wanted::UNMATCHED {
            let hash = parse(&text, self.tables[version].as_deref())
                .map(|parsed| hash_of(Located { value: &parsed.value, bytes: &text.bytes }, &[], &self.hash));
            self.values[version].push((hash, text.wanted.number));
        } else if let Some((_, other)) = self.waiting.remove(&pair) {
            self.held -= other.bytes.len();
            let texts = if version == 0 { [text, other] } else { [other, text] };
            self.compare(&texts);
        } else if self.held + text.bytes.len() > self.most_waiting && !self.waiting.is_empty() {
            // The other text of the pair is not kept either.
            self.deferred.insert(pair);
        } else if !self.deferred.contains(&pair) {
            self.held += text.bytes.len();
            self.waiting.insert(pair, (version, text));
        }
    }

    /// Compares the two texts of a record, whose bytes differ.
    fn compare(&mut self, texts: &[RecordText; 2]) {
        self.compared += 1;
        let [old, new] = texts;
        let parsed = [parse(old, self.tables[0].as_deref()), parse(new, self.tables[1].as_deref())];
        let values = if let [Some(old), Some(new)] = &parsed { Some([&old.value, &new.value]) } else { None };
        let paths = self.paths.count(&Versions { texts: [old, new], values });
        if paths.is_empty() {
            self.rewritten += 1;
            return;
        }
        self.changed += 1;
        self.changed_records.insert(new.wanted.number, (old.wanted.number, paths));
        if self.changed_records.len() > self.listed {
            self.changed_records.pop_last();
        }
    }

    /// Ends a round, after both versions were read. Texts that did not fit into memory are read in the next round.
    pub(super) fn end_round(&mut self, matching: &mut Matching) {
        self.waiting = HashMap::new();
        self.held = 0;
        self.open = std::mem::take(&mut self.deferred).into_iter().collect();
        self.unmatched = [Vec::new(), Vec::new()];
        let mut values = std::mem::take(&mut self.values);
        for values in &mut values {
            values.sort_unstable();
        }
        let [old, new] = &values;
        merge(
            old,
            new,
            |(hash, _)| *hash,
            |groups| {
                let has_value =
                    groups.iter().any(|group| group.first().is_some_and(|(hash, _)| hash.is_some()));
                let matched = if has_value { groups[0].len().min(groups[1].len()) } else { 0 };
                self.rewritten += matched as u64;
                for (group, only) in groups.into_iter().zip(&mut matching.only) {
                    only.extend(group[matched..].iter().map(|(_, number)| *number));
                }
            },
        );
    }

    /// The number of records with one id that were not compared.
    pub(super) fn unexamined(&self) -> u64 {
        self.pairs.len() as u64 - self.compared
    }
}

/// The value of a record; `None` if it cannot be read.
pub(super) fn parse<'t>(text: &'t RecordText, table: Option<&'t Table>) -> Option<Parsed<'t>> {
    records::parse(&text.bytes, text.line, table)
}

//! The locations of all findings of a dataset, in a few bytes each, so that any of them can be reached.

use std::collections::BTreeMap;

use evalcheck_report::{Applicability, Severity};

use crate::finding::Finding;
use crate::rule::Rule;

/// The maximum number of bytes of all entries. Later findings are counted and not listed.
const MOST_BYTES: usize = 64 << 20;

/// The number of entries in a block.
const BLOCK: u64 = 512;

/// The maximum number of groups with a path. Further findings are grouped by their rule alone.
const MOST_GROUPS: usize = 1_000;

/// The maximum number of bytes of a path or a message of a group. A longer path does not make a group, and a longer message is not kept.
const MOST_TEXT: usize = 300;

/// More entries than this are not sorted: sorting takes some 80 bytes for each.
const MOST_SORTED: u64 = 2_000_000;

/// The maximum number of findings that are kept, because they cannot be made again from one record.
const MOST_KEPT: usize = 20_000;

/// All findings, in the order in which they were found, until they are sorted at the end of the dataset.
///
/// An entry has the differences from the entry before it, as numbers of variable length: mostly 6 to 8 bytes.
#[derive(Debug, Default)]
pub struct FindingIndex {
    blocks: Vec<Block>,
    /// Bytes of all blocks.
    bytes: usize,
    len: u64,
    /// The numbers of the last entry.
    last: Position,
    groups: Vec<Group>,
    /// The indices of groups, by code and path.
    known: BTreeMap<String, usize>,
    kept: Vec<Finding>,
    unlisted: u64,
}

/// Findings of one rule, at paths that differ in indices only.
#[derive(Debug, Clone)]
pub struct Group {
    /// The rule.
    pub rule: &'static Rule,
    /// The path with `*` for each index. `None` for findings without a path, and if there are too many paths.
    pub path: Option<String>,
    /// The message of the findings.
    pub message: SharedText,
    /// The problem of the first of them with its value, if it has one ([`Problem::brief`](crate::rule::Problem::brief)).
    pub brief: Option<String>,
    /// The title of their safe fixes.
    pub safe_title: SharedText,
    /// The title of their unsafe fixes.
    pub unsafe_title: SharedText,
    /// Findings that are counted and not listed.
    pub unlisted: u64,
}

/// A text that all findings of a group have, or that differs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum SharedText {
    /// No text so far.
    #[default]
    None,
    /// All have this text.
    Same(String),
    /// They differ, or the text is too long to be kept.
    Differs,
}

impl SharedText {
    fn note(&mut self, text: &str) {
        match self {
            Self::None if text.len() <= MOST_TEXT => *self = Self::Same(text.to_owned()),
            Self::Same(same) if same == text => {}
            _ => *self = Self::Differs,
        }
    }

    /// The text, if all have the same.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Same(text) => Some(text),
            Self::None | Self::Differs => None,
        }
    }
}

/// The facts of a finding that are known without reading its record again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The record, from 0.
    pub record: Option<u64>,
    /// The line, from 1.
    pub line: Option<u64>,
    /// The first byte.
    pub byte: Option<u64>,
    /// The index of its group.
    pub group: usize,
    /// The kind of its fix, if it has one.
    pub fix: Option<Applicability>,
    /// The index in [`FindingIndex::kept`], if the finding is kept.
    kept: Option<usize>,
}

/// Up to [`BLOCK`] entries.
#[derive(Debug)]
struct Block {
    /// The numbers of the entry before the first.
    before: Position,
    bytes: Vec<u8>,
}

/// The last known numbers, which the next entry is compared with.
#[derive(Debug, Clone, Copy, Default)]
struct Position {
    record: u64,
    line: u64,
    byte: u64,
}

impl Group {
    /// Notes the texts of one of its findings.
    fn note_texts(&mut self, finding: &Finding) {
        if self.message == SharedText::None {
            self.brief = finding.problem.brief().filter(|brief| brief.len() <= MOST_TEXT);
        }
        if self.message != SharedText::Differs {
            self.message.note(&finding.problem.message());
        }
        if let Some(fix) = &finding.fix {
            match fix.applicability {
                Applicability::Safe => self.safe_title.note(&fix.title),
                Applicability::Unsafe => self.unsafe_title.note(&fix.title),
            }
        }
    }
}

impl FindingIndex {
    /// Adds a finding. `is_of_record`: it is found again when its record is read again.
    pub(crate) fn add(&mut self, finding: &Finding, is_of_record: bool) {
        let group = self.group_for(finding);
        if let Some(number) = finding.only_counted {
            self.skip(group, number);
            return;
        }
        self.groups[group].note_texts(finding);
        if self.bytes >= MOST_BYTES {
            self.skip(group, 1);
            return;
        }
        let is_kept = !is_of_record || finding.needs_dataset || finding.location.record.is_none();
        let kept = (is_kept && self.kept.len() < MOST_KEPT).then(|| {
            self.kept.push(finding.clone());
            self.kept.len() - 1
        });
        let location = &finding.location;
        self.push(Entry {
            record: location.record,
            line: location.line,
            byte: location.bytes.as_ref().map(|bytes| bytes.start),
            group,
            fix: finding.fix.as_ref().map(|fix| fix.applicability),
            kept,
        });
    }

    /// Counts findings that are not listed.
    fn skip(&mut self, group: usize, number: u64) {
        self.groups[group].unlisted += number;
        self.unlisted += number;
    }

    /// Counts findings whose groups are unknown.
    pub(crate) fn skip_unknown(&mut self, number: u64) {
        self.unlisted += number;
    }

    fn push(&mut self, entry: Entry) {
        if self.len.is_multiple_of(BLOCK) {
            if let Some(block) = self.blocks.last_mut() {
                block.bytes.shrink_to_fit();
            }
            self.blocks.push(Block { before: self.last, bytes: Vec::new() });
        }
        if let Some(block) = self.blocks.last_mut() {
            let before = block.bytes.len();
            entry.write(&mut self.last, &mut block.bytes);
            self.bytes += block.bytes.len() - before;
            self.len += 1;
        }
    }

    /// The group of a finding. A finding that was not added may have none.
    pub fn group_of(&self, finding: &Finding) -> Option<usize> {
        let (key, alone) = keys(finding);
        self.known.get(&key).or_else(|| self.known.get(alone)).copied()
    }

    fn group_for(&mut self, finding: &Finding) -> usize {
        let rule = finding.problem.rule();
        let (key, alone) = keys(finding);
        if let Some(group) = self.known.get(&key) {
            return *group;
        }
        let has_path = key.len() > alone.len();
        let fits = key.len() - alone.len() <= MOST_TEXT && self.groups.len() < MOST_GROUPS;
        let path = (has_path && fits).then(|| key[alone.len() + 1..].to_owned());
        let key = if has_path && !fits { alone.to_owned() } else { key };
        if let Some(group) = self.known.get(&key) {
            return *group;
        }
        self.known.insert(key, self.groups.len());
        self.groups.push(Group {
            rule,
            path,
            message: SharedText::None,
            brief: None,
            safe_title: SharedText::None,
            unsafe_title: SharedText::None,
            unlisted: 0,
        });
        self.groups.len() - 1
    }

    /// The number of findings that are listed.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether no finding is listed.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of findings that are counted and not listed.
    pub fn unlisted(&self) -> u64 {
        self.unlisted
    }

    /// The groups, in the order of their first findings.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The finding of an entry, if it cannot be made again from its record and there was room for it.
    pub fn kept(&self, entry: &Entry) -> Option<&Finding> {
        self.kept.get(entry.kept?)
    }

    /// The entries from a number on.
    pub fn entries(&self, from: u64) -> impl Iterator<Item = Entry> + '_ {
        let first = usize::try_from(from / BLOCK).unwrap_or(usize::MAX);
        let skipped = usize::try_from(from % BLOCK).unwrap_or(usize::MAX);
        self.blocks.get(first..).unwrap_or_default().iter().flat_map(Block::entries).skip(skipped)
    }

    /// The number of the first entry in the run of adjacent entries of the same record.
    pub fn first_of_record(&self, number: u64) -> u64 {
        let Some(record) = self.entries(number).next().map(|entry| entry.record) else { return number };
        let mut first = number;
        loop {
            let begin = first.saturating_sub(1) / BLOCK * BLOCK;
            let before: Vec<Entry> =
                self.entries(begin).take(usize::try_from(first - begin).unwrap_or(usize::MAX)).collect();
            let same = before.iter().rev().take_while(|entry| entry.record == record).count();
            first -= same as u64;
            if same < before.len() || first == 0 {
                return first;
            }
        }
    }

    /// Sorts the entries as [`crate::collector::FindingCollector::in_order`] does, unless there are too many.
    pub(crate) fn sort(&mut self) {
        if self.len > MOST_SORTED {
            return;
        }
        let mut run = 0_u64;
        let entries = self.entries(0).map(|entry| {
            run += u64::from(entry.line.is_none());
            (run, entry)
        });
        let mut entries: Vec<_> = entries.collect();
        entries.sort_by_key(|(run, entry)| (*run, entry.line));
        self.clear();
        for (_, entry) in entries {
            self.push(entry);
        }
    }

    /// Removes the errors among the entries `from..to`. Returns their number.
    pub(crate) fn retract(&mut self, from: u64, to: u64) -> u64 {
        let before = self.len;
        let is_error = |group: &Group| group.rule.severity == Severity::Error;
        let errors: Vec<bool> = self.groups.iter().map(is_error).collect();
        let blocks = self.clear();
        for (number, entry) in (0..).zip(blocks.iter().flat_map(Block::entries)) {
            if !((from..to).contains(&number) && errors[entry.group]) {
                self.push(entry);
            }
        }
        before - self.len
    }

    /// Removes all entries, and returns them.
    fn clear(&mut self) -> Vec<Block> {
        (self.bytes, self.len, self.last) = (0, 0, Position::default());
        std::mem::take(&mut self.blocks)
    }
}

/// The key of a finding with its path, and the key of its rule alone.
fn keys(finding: &Finding) -> (String, &'static str) {
    let code = finding.problem.rule().code;
    let mut key = code.to_owned();
    if let Some(path) = &finding.location.path {
        key.push(' ');
        key.push_str(&path.general());
    }
    (key, code)
}

impl Block {
    fn entries(&self) -> impl Iterator<Item = Entry> + '_ {
        let (mut last, mut bytes) = (self.before, &self.bytes[..]);
        std::iter::from_fn(move || (!bytes.is_empty()).then(|| Entry::read(&mut last, &mut bytes)))
    }
}

const HAS_RECORD: u64 = 4;
const HAS_LINE: u64 = 8;
const HAS_BYTE: u64 = 16;
const IS_KEPT: u64 = 32;

impl Entry {
    fn write(&self, last: &mut Position, out: &mut Vec<u8>) {
        let fix = match self.fix {
            None => 0,
            Some(Applicability::Safe) => 1,
            Some(Applicability::Unsafe) => 2,
        };
        let has = |is_known: bool, bit: u64| if is_known { bit } else { 0 };
        let flags = fix
            | has(self.record.is_some(), HAS_RECORD)
            | has(self.line.is_some(), HAS_LINE)
            | has(self.byte.is_some(), HAS_BYTE)
            | has(self.kept.is_some(), IS_KEPT);
        write_number(flags, out);
        write_number(self.group as u64, out);
        for (value, last) in
            [(self.record, &mut last.record), (self.line, &mut last.line), (self.byte, &mut last.byte)]
        {
            if let Some(value) = value {
                write_number(zigzag(value.wrapping_sub(*last)), out);
                *last = value;
            }
        }
        if let Some(kept) = self.kept {
            write_number(kept as u64, out);
        }
    }

    fn read(last: &mut Position, bytes: &mut &[u8]) -> Self {
        let flags = read_number(bytes);
        let group = read_index(bytes);
        let mut value = |bit: u64, last: &mut u64| {
            (flags & bit != 0).then(|| {
                *last = last.wrapping_add(unzigzag(read_number(bytes)));
                *last
            })
        };
        let record = value(HAS_RECORD, &mut last.record);
        let line = value(HAS_LINE, &mut last.line);
        let byte = value(HAS_BYTE, &mut last.byte);
        let fix = match flags & 3 {
            1 => Some(Applicability::Safe),
            2 => Some(Applicability::Unsafe),
            _ => None,
        };
        let kept = (flags & IS_KEPT != 0).then(|| read_index(bytes));
        Self { record, line, byte, group, fix, kept }
    }
}

/// Maps small differences in either direction to small numbers.
fn zigzag(difference: u64) -> u64 {
    (difference << 1) ^ (difference.cast_signed() >> 63).cast_unsigned()
}

fn unzigzag(number: u64) -> u64 {
    (number >> 1) ^ (number & 1).wrapping_neg()
}

/// Writes seven bits a byte, the lowest first.
fn write_number(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    out.push(number.to_le_bytes()[0]);
}

fn read_number(bytes: &mut &[u8]) -> u64 {
    let (mut number, mut shift) = (0, 0);
    while let Some((&first, rest)) = bytes.split_first() {
        *bytes = rest;
        number |= u64::from(first & 0x7f) << shift;
        shift += 7;
        if first < 0x80 || shift > 63 {
            break;
        }
    }
    number
}

fn read_index(bytes: &mut &[u8]) -> usize {
    usize::try_from(read_number(bytes)).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(record: Option<u64>, line: Option<u64>, byte: Option<u64>) -> Entry {
        Entry { record, line, byte, group: 3, fix: Some(Applicability::Safe), kept: None }
    }

    #[test]
    fn entries_are_read_as_they_were_written() {
        let mut index = FindingIndex::default();
        let mut entries = vec![
            entry(None, None, None),
            entry(Some(u64::MAX), Some(u64::MAX), Some(u64::MAX)),
            entry(Some(0), Some(1), Some(0)),
            Entry { kept: Some(70_000), fix: None, group: 900, ..entry(Some(1 << 40), None, Some(7)) },
        ];
        entries.extend((0..3 * BLOCK).map(|n| entry(Some(n / 700), Some(n + 1), Some(n * 90))));
        for entry in &entries {
            index.push(*entry);
        }
        assert_eq!(index.entries(0).collect::<Vec<_>>(), entries);
        for from in [0, 1, 511, 512, 513, 1_024, entries.len() - 1, entries.len()] {
            assert_eq!(index.entries(from as u64).collect::<Vec<_>>(), entries[from..], "from {from}");
        }
        assert_eq!(index.first_of_record(4 + 699), 4);
        assert_eq!(index.first_of_record(4 + 700), 4 + 700);
        assert_eq!(index.first_of_record(4 + 1_399), 4 + 700);
    }

    #[test]
    fn an_entry_takes_a_few_bytes() {
        let mut index = FindingIndex::default();
        let number = 100_000;
        for n in 0..number {
            index.push(entry(Some(n), Some(n + 1), Some(n * 500)));
        }
        assert!(index.bytes as u64 <= 7 * number, "{} bytes", index.bytes);
    }
}

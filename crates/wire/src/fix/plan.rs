//! Combines the edits of fixes.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, Write};

use borsh::{BorshDeserialize, BorshSerialize};

use super::{Patcher, Selection};
use evalcheck_report::{Applicability, Conversion, Edit, EntryEdit, Finding, Fix, Report};

/// The number of bytes read at a time.
const BUFFER: usize = 1 << 18;

/// The most memory for edits, in bytes; further ones are stored.
const IN_MEMORY: usize = 8 << 20;

/// The approximate memory of an edit, without its text.
const OF_EDIT: usize = 128;

/// Storage for edits outside of memory: a temporary file. It is empty at first.
pub trait Store: Read + Write + Seek {}

impl<T: Read + Write + Seek> Store for T {}

/// Edits of one dataset that do not overlap.
///
/// Fixes come nearly in the order of their bytes. Where there are many, the first edits are stored, and a later fix that begins before the
/// end of the stored ones is not taken: it is found again when the result is checked.
#[derive(Debug)]
pub struct EditPlan<S = Cursor<Vec<u8>>> {
    /// Edits in the order of their first bytes; an insertion comes before an edit at the same place.
    edits: BTreeMap<(u64, u64), PlannedText>,
    /// Their memory in bytes.
    memory: usize,
    /// The edits before these.
    stored: StoredEdits<S>,
    /// New names of entries; `None` for removed ones.
    entries: BTreeMap<String, Option<String>>,
    /// All new names.
    names: BTreeSet<String>,
    /// The name of an entry that is added.
    added: Option<String>,
    fixes: u64,
    conversion: Option<Conversion>,
}

/// Edits in a store, in their order.
#[derive(Debug)]
struct StoredEdits<S> {
    store: S,
    count: usize,
    /// The end of the last edit.
    end: u64,
    /// The error that kept edits out of the store.
    failure: Option<io::Error>,
}

/// The text of an edit.
#[derive(Debug)]
struct PlannedText {
    text: String,
    applicability: Applicability,
}

/// An edit of a plan.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct PlannedEdit {
    /// Offset of the first byte that it replaces.
    pub start: u64,
    /// Offset of the byte after the last one.
    pub end: u64,
    /// Its text.
    pub text: String,
    /// The applicability of its fix.
    pub applicability: Applicability,
}

impl<S: Store> EditPlan<S> {
    /// A plan without edits, with a store for edits that do not fit in memory.
    pub fn new(store: S) -> Self {
        let stored = StoredEdits { store, count: 0, end: 0, failure: None };
        Self {
            edits: BTreeMap::new(),
            memory: 0,
            stored,
            entries: BTreeMap::new(),
            names: BTreeSet::new(),
            added: None,
            fixes: 0,
            conversion: None,
        }
    }

    /// Adds a fix as a whole. Returns false, and adds nothing, if one of its edits would touch another, an entry would get two names, or
    /// two entries the same name. A fix that converts the file replaces all others: checking the converted file finds them again.
    ///
    /// ```
    /// # use evalcheck_wire::fix::EditPlan;
    /// # use evalcheck_report::{Applicability, Edit, Fix};
    /// let delete = |start, end| Fix {
    ///     title: "Delete".to_owned(),
    ///     applicability: Applicability::Safe,
    ///     edits: vec![Edit { start, end, text: String::new() }],
    ///     convert: None,
    ///     entries: vec![],
    /// };
    /// let mut plan = EditPlan::default();
    /// assert!(plan.add(&delete(1, 3)));
    /// assert!(!plan.add(&delete(2, 4)));
    /// assert!(plan.add(&delete(3, 4)));
    /// assert_eq!(plan.apply(b"abcde"), b"ae");
    /// ```
    pub fn add(&mut self, fix: &Fix) -> bool {
        if self.conversion.is_some()
            || fix.edits.iter().any(|edit| self.touches(edit))
            || fix.entries.iter().any(|entry| self.contradicts(entry))
        {
            return false;
        }
        if let Some(conversion) = &fix.convert {
            self.conversion = Some(conversion.clone());
            self.edits.clear();
            self.memory = 0;
            (self.stored.count, self.stored.end) = (0, 0);
            self.entries.clear();
            self.names.clear();
            self.fixes = 0;
        }
        for Edit { start, end, text } in &fix.edits {
            // Several insertions at one place are written in the order of their arrival.
            let new = || PlannedText { text: String::new(), applicability: fix.applicability };
            let planned = self.edits.entry((*start, *end)).or_insert_with(new);
            planned.text.push_str(text);
            planned.applicability = planned.applicability.max(fix.applicability);
            self.memory += OF_EDIT + text.len();
        }
        for EntryEdit { entry, rename } in &fix.entries {
            self.entries.insert(entry.clone(), rename.clone());
            self.names.extend(rename.clone());
        }
        self.fixes += 1;
        if self.memory > IN_MEMORY {
            self.store_first();
        }
        true
    }

    /// Stores the first half of the edits in memory.
    fn store_first(&mut self) {
        let left = self.edits.len() / 2;
        let mut bytes = Vec::new();
        while self.edits.len() > left
            && let Some(((start, end), PlannedText { text, applicability })) = self.edits.pop_first()
        {
            self.memory = self.memory.saturating_sub(OF_EDIT + text.len());
            self.stored.push(&PlannedEdit { start, end, text, applicability }, &mut bytes);
        }
        self.stored.write(&bytes);
    }

    /// Adds an entry to the ZIP. Its content is not part of the plan.
    pub fn add_entry(&mut self, name: String) {
        self.added = Some(name);
        self.fixes += 1;
    }

    /// The name of an entry that is added to the ZIP.
    pub fn added(&self) -> Option<&str> {
        self.added.as_deref()
    }

    /// Adds the selected fixes of findings, as far as they fit.
    pub fn add_selected<'f>(
        &mut self,
        selection: &Selection,
        findings: impl IntoIterator<Item = &'f Finding>,
    ) {
        for fix in findings.into_iter().filter_map(|finding| selection.fix_of(finding)) {
            self.add(fix);
        }
    }

    fn touches(&self, edit: &Edit) -> bool {
        if edit.start < self.stored.end {
            return true;
        }
        // Edits do not overlap, so the last one that begins before its end also ends last.
        let before = self.edits.range(..(edit.end, 0)).next_back();
        before.is_some_and(|((_, end), _)| *end > edit.start)
    }

    /// Returns true if an edit of an entry contradicts the plan. Several fixes may contain the same edit.
    fn contradicts(&self, edit: &EntryEdit) -> bool {
        match self.entries.get(&edit.entry) {
            Some(planned) => *planned != edit.rename,
            None => edit.rename.as_ref().is_some_and(|name| self.names.contains(name)),
        }
    }

    /// The edits, in the order of the bytes.
    ///
    /// # Errors
    /// Those of the store.
    pub fn edits(&mut self) -> io::Result<impl Iterator<Item = io::Result<PlannedEdit>>> {
        let in_memory = self.edits.iter().map(|((start, end), PlannedText { text, applicability })| {
            Ok(PlannedEdit { start: *start, end: *end, text: text.clone(), applicability: *applicability })
        });
        Ok(self.stored.read()?.chain(in_memory))
    }

    /// The conversion of the file before any edits.
    pub fn conversion(&self) -> Option<&Conversion> {
        self.conversion.as_ref()
    }

    /// The changes of entries of the ZIP.
    pub fn entries(&self) -> Vec<EntryEdit> {
        let entries = self.entries.iter();
        entries.map(|(entry, rename)| EntryEdit { entry: entry.clone(), rename: rename.clone() }).collect()
    }

    /// Returns true if the plan changes the dataset.
    pub fn has_edits(&self) -> bool {
        self.count() > 0 || self.conversion.is_some()
    }

    /// Returns true if the file is a ZIP, which is rewritten; `entry` is the dataset in it, if there is one. Only for a ZIP there are
    /// plans that do not change the dataset.
    pub fn changes_archive(&self, entry: Option<&str>) -> bool {
        entry.is_some() || !self.has_edits()
    }

    /// The number of fixes.
    pub fn fixes(&self) -> u64 {
        self.fixes
    }

    /// Returns true if there are no fixes.
    pub fn is_empty(&self) -> bool {
        self.fixes == 0
    }

    /// The dataset with the edits applied; it is not converted.
    pub fn apply(&mut self, dataset: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(dataset.len());
        // Reading and writing memory does not fail.
        let _ = self.copy(&mut &*dataset, &mut out);
        out
    }

    /// Copies a dataset with the edits applied, in the memory of a buffer.
    ///
    /// # Errors
    /// Those of `source`, `sink` and the store.
    pub fn copy(&mut self, source: &mut impl Read, sink: &mut impl Write) -> io::Result<()> {
        let mut patcher = Patcher::new(self.edits()?)?;
        let mut source = BufReader::with_capacity(BUFFER, source);
        loop {
            let held = source.fill_buf()?;
            if held.is_empty() {
                return patcher.finish(sink);
            }
            patcher.feed(held, sink)?;
            let length = held.len();
            source.consume(length);
        }
    }

    /// The number of edits.
    pub fn count(&self) -> usize {
        self.stored.count + self.edits.len()
    }
}

impl Default for EditPlan {
    /// A plan without edits. Those that memory has no room for are written one after the other, in less memory.
    fn default() -> Self {
        Self::new(Cursor::default())
    }
}

impl EditPlan {
    /// The selected fixes of a report that lists all findings; `None` for any other report.
    pub fn of_report(report: &Report, selection: &Selection) -> Option<Self> {
        let mut plan = Self::default();
        plan.add_selected(selection, &report.findings);
        (!report.truncated).then_some(plan)
    }
}

impl<S: Store> StoredEdits<S> {
    /// Adds an edit as bytes, which are written next.
    fn push(&mut self, edit: &PlannedEdit, bytes: &mut Vec<u8>) {
        self.count += 1;
        self.end = self.end.max(edit.end);
        self.failure = self.failure.take().or_else(|| borsh::to_writer(bytes, edit).err());
    }

    fn write(&mut self, bytes: &[u8]) {
        if self.failure.is_none() {
            self.failure = self.store.write_all(bytes).err();
        }
    }

    fn read(&mut self) -> io::Result<impl Iterator<Item = io::Result<PlannedEdit>>> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        self.store.rewind()?;
        let mut store = BufReader::with_capacity(BUFFER, &mut self.store);
        Ok((0..self.count).map(move |_| PlannedEdit::deserialize_reader(&mut store)))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn fix(entries: &[(&str, Option<&str>)]) -> Fix {
        let entry = |(entry, rename): &(&str, Option<&str>)| EntryEdit {
            entry: (*entry).to_owned(),
            rename: rename.map(str::to_owned),
        };
        Fix { entries: entries.iter().map(entry).collect(), ..Fix::new("", Applicability::Safe) }
    }

    #[test]
    fn edits_that_memory_has_no_room_for_are_stored() {
        const COUNT: u64 = 200_000;
        let mut plan = EditPlan::default();
        let fix = |start, end, text: &str| Fix::safe("", vec![Edit { start, end, text: text.to_owned() }]);
        // Each pair of neighbours arrives in reverse order.
        for number in (0..COUNT).map(|number| number ^ 1) {
            assert!(plan.add(&fix(number * 3, number * 3 + 1, "xy")), "{number}");
        }
        assert!(plan.stored.count > 0 && plan.edits.len() < 150_000);
        assert!(!plan.add(&fix(1, 1, "late")), "it is before the stored ones");
        assert!(!plan.add(&fix(COUNT * 3 - 3, COUNT * 3 - 2, "twice")));
        assert!(plan.add(&fix(COUNT * 3, COUNT * 3, "!")));
        assert_eq!((plan.fixes(), plan.count() as u64), (COUNT + 1, COUNT + 1));
        let dataset = b"abc".repeat(usize::try_from(COUNT).unwrap());
        let expected = [b"xybc".repeat(usize::try_from(COUNT).unwrap()), b"!".to_vec()].concat();
        assert!(plan.apply(&dataset) == expected);
        assert!(plan.apply(&dataset) == expected, "the edits are read as often as they are wanted");
    }

    #[test]
    fn a_conversion_goes_before_stored_edits() {
        let mut plan = EditPlan::default();
        for number in 0..100_000 {
            plan.add(&Fix::safe("", vec![Edit { start: number, end: number, text: "x".to_owned() }]));
        }
        assert!(plan.stored.count > 0);
        let conversion = Conversion::Utf16 { big_endian: false };
        assert!(plan.add(&Fix { convert: Some(conversion.clone()), ..Fix::safe("", Vec::new()) }));
        assert_eq!((plan.conversion(), plan.count(), plan.fixes()), (Some(&conversion), 0, 1));
    }

    #[test]
    fn an_entry_gets_one_name_and_a_name_one_entry() {
        let mut plan = EditPlan::default();
        assert!(plan.add(&fix(&[("a", Some("b")), ("c", None)])));
        assert!(plan.add(&fix(&[("a", Some("b"))])), "the same again");
        assert!(!plan.add(&fix(&[("a", Some("d"))])));
        assert!(!plan.add(&fix(&[("a", None)])));
        assert!(!plan.add(&fix(&[("e", Some("b"))])));
        assert!(!plan.add(&fix(&[("c", Some("f"))])));
        assert_eq!(plan.entries(), [EntryEdit::rename("a", "b"), EntryEdit::remove("c")]);
        assert!(!plan.has_edits());
    }
}

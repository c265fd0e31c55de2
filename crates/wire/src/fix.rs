//! Which fixes are applied, and their edits put together.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, BufReader, Read, Write};

use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Serialize};

use crate::query::path_matches;
use crate::report::{Applicability, Conversion, Counts, Edit, EntryEdit, Finding, Fix, Report};

/// Which fixes are applied.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
pub struct Selection {
    /// Those that lose or guess something too.
    pub not_safe: bool,
    /// Only of these rules; of all when it is empty. A code, or a category before the slash.
    pub select: Vec<String>,
    /// Not of these.
    pub ignore: Vec<String>,
    /// Only at paths that this pattern describes, see [`path_matches`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// What was chosen of single kinds of fixes, which goes before all else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<FixChoice>,
}

/// The fixes of one rule that are all safe or all unsafe, at paths that differ in indices only.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
pub struct FixKind {
    /// The code of the rule.
    pub code: String,
    /// The path with `*` for each index. `None` for findings without a path, and for those with a path that no other kind describes.
    pub path: Option<String>,
    /// Whether they are safe.
    pub applicability: Applicability,
}

/// Whether the fixes of a kind are applied.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
pub struct FixChoice {
    /// The kind.
    pub kind: FixKind,
    /// True when its fixes are applied.
    pub is_applied: bool,
}

/// A change of a dataset.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// These fixes are applied, until there are none.
    Fixes(Selection),
    /// One fix is applied, of a finding or made of what the user wrote.
    One(Box<Fix>),
    /// The records with errors are left out.
    DropInvalid,
    /// The changes at a place of the list of changes are taken back.
    TakeBack(u64),
    /// A file is added to the ZIP as an entry of this name.
    AddFile(String),
}

impl Selection {
    /// The fix of a finding, when it is to be applied.
    ///
    /// ```
    /// # use evalcheck_wire::fix::{FixChoice, FixKind, Selection};
    /// # use evalcheck_wire::report::{Applicability, Finding};
    /// let finding: Finding = serde_json::from_str(
    ///     r#"{"code":"shape/type","severity":"error","path":"messages.3.role","message":"",
    ///         "fix":{"title":"Write null","applicability":"safe","edits":[]}}"#,
    /// )?;
    /// let choice = |path: Option<&str>, is_applied| {
    ///     let path = path.map(str::to_owned);
    ///     FixChoice { kind: FixKind { code: "shape/type".into(), path, applicability: Applicability::Safe }, is_applied }
    /// };
    /// let choices = vec![choice(None, true), choice(Some("messages.*.role"), false)];
    /// assert!(Selection::default().fix_of(&finding).is_some());
    /// assert!(Selection { choices, ..Selection::default() }.fix_of(&finding).is_none());
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn fix_of<'f>(&self, finding: &'f Finding) -> Option<&'f Fix> {
        if let Some(fix) = finding.fix.as_deref()
            && let Some(is_applied) = self.choice(finding, fix)
        {
            return is_applied.then_some(fix);
        }
        let is_there = self
            .path
            .as_ref()
            .is_none_or(|pattern| finding.path.as_ref().is_some_and(|path| path_matches(path, pattern)));
        let fix = finding.fix.as_deref().filter(|_| is_there && self.selects(&finding.code))?;
        (self.not_safe || fix.applicability == Applicability::Safe).then_some(fix)
    }

    /// What was chosen of the kind that a fix is of. The pattern with the fewest `*` that describes its path tells the kind.
    fn choice(&self, finding: &Finding, fix: &Fix) -> Option<bool> {
        let is_described = |pattern: &Option<String>| match (pattern, &finding.path) {
            (Some(pattern), Some(path)) => path_matches(path, pattern),
            (pattern, _) => pattern.is_none(),
        };
        let of_kind = self.choices.iter().filter(|FixChoice { kind, .. }| {
            kind.code == finding.code && kind.applicability == fix.applicability && is_described(&kind.path)
        });
        let stars = |pattern: &str| pattern.matches('*').count();
        let nearest = of_kind.min_by_key(|choice| choice.kind.path.as_deref().map_or(usize::MAX, stars));
        nearest.map(|choice| choice.is_applied)
    }

    /// How many findings have a fix that is to be applied, whether the report lists them or not. Counts know no paths and
    /// no choices.
    ///
    /// ```
    /// # use evalcheck_wire::fix::Selection;
    /// # use evalcheck_wire::report::Counts;
    /// let mut counts = Counts::default();
    /// counts.safe_fixes.insert("json/bad-escape".to_owned(), 7_500);
    /// counts.unsafe_fixes.insert("json/bad-escape".to_owned(), 3);
    /// let selection = |not_safe, select: &str| Selection { not_safe, select: vec![select.to_owned()], ..Selection::default() };
    /// assert_eq!(Selection::default().count(&counts), 7_500);
    /// assert_eq!(selection(true, "json").count(&counts), 7_503);
    /// assert_eq!(selection(true, "shape").count(&counts), 0);
    /// ```
    pub fn count(&self, counts: &Counts) -> u64 {
        let not_safe = counts.unsafe_fixes.iter().filter(|_| self.not_safe);
        let all = counts.safe_fixes.iter().chain(not_safe);
        all.filter(|(code, _)| self.selects(code)).map(|(_, fixes)| fixes).sum()
    }

    /// True for the code of a rule that is selected.
    pub fn selects(&self, code: &str) -> bool {
        let is = |wanted: &String| {
            let rest = code.strip_prefix(wanted.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        (self.select.is_empty() || self.select.iter().any(is)) && !self.ignore.iter().any(is)
    }
}

/// Edits of one dataset, of which none touches another.
#[derive(Debug, Default)]
pub struct EditPlan {
    /// In the order of their first bytes; an insertion comes before an edit at the same place.
    edits: BTreeMap<(u64, u64), PlannedText>,
    /// New names of entries; none of those that are left out.
    entries: BTreeMap<String, Option<String>>,
    /// All new names.
    names: BTreeSet<String>,
    /// The name of an entry that is added.
    added: Option<String>,
    fixes: u64,
    conversion: Option<Conversion>,
}

/// What is written by an edit.
#[derive(Debug)]
struct PlannedText {
    text: String,
    applicability: Applicability,
}

/// Where an edit of a plan is, and what it does there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlannedEdit {
    /// Offset of the first byte that it replaces.
    pub start: u64,
    /// Offset of the byte after the last one.
    pub end: u64,
    /// Bytes that it writes.
    pub length: u64,
    /// That of the fix that it belongs to.
    pub applicability: Applicability,
}

impl EditPlan {
    /// Adds a fix, whole or not at all. False when one of its edits would touch another, an entry would get two names or two
    /// entries one. A fix that converts the file goes before all others, which are found again in what it becomes.
    ///
    /// ```
    /// # use evalcheck_wire::fix::EditPlan;
    /// # use evalcheck_wire::report::{Applicability, Edit, Fix};
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
            *self = Self { conversion: Some(conversion.clone()), ..Self::default() };
        }
        for Edit { start, end, text } in &fix.edits {
            // Several insertions at one place are written in the order in which they came.
            let new = || PlannedText { text: String::new(), applicability: fix.applicability };
            let planned = self.edits.entry((*start, *end)).or_insert_with(new);
            planned.text.push_str(text);
            planned.applicability = planned.applicability.max(fix.applicability);
        }
        for EntryEdit { entry, rename } in &fix.entries {
            self.entries.insert(entry.clone(), rename.clone());
            self.names.extend(rename.clone());
        }
        self.fixes += 1;
        true
    }

    /// Adds an entry to the ZIP. Its contents are not part of the plan.
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

    /// The selected fixes of a report that lists all findings; `None` of any other.
    pub fn of_report(report: &Report, selection: &Selection) -> Option<Self> {
        let mut plan = Self::default();
        plan.add_selected(selection, &report.findings);
        (!report.truncated).then_some(plan)
    }

    fn touches(&self, edit: &Edit) -> bool {
        // Of what begins before its end, the last ends last.
        let before = self.edits.range(..(edit.end, 0)).next_back();
        before.is_some_and(|((_, end), _)| *end > edit.start)
    }

    /// Several fixes may want the same of an entry.
    fn contradicts(&self, edit: &EntryEdit) -> bool {
        match self.entries.get(&edit.entry) {
            Some(planned) => *planned != edit.rename,
            None => edit.rename.as_ref().is_some_and(|name| self.names.contains(name)),
        }
    }

    /// The edits, in the order of the bytes.
    pub fn into_edits(self) -> Vec<Edit> {
        let edit = |((start, end), PlannedText { text, .. })| Edit { start, end, text };
        self.edits.into_iter().map(edit).collect()
    }

    /// Where the edits are, in the order of the bytes.
    pub fn places(&self) -> impl Iterator<Item = PlannedEdit> {
        self.edits.iter().map(|((start, end), planned)| PlannedEdit {
            start: *start,
            end: *end,
            length: planned.text.len() as u64,
            applicability: planned.applicability,
        })
    }

    /// How the file is written anew before any edits.
    pub fn conversion(&self) -> Option<&Conversion> {
        self.conversion.as_ref()
    }

    /// What becomes of entries of the ZIP.
    pub fn entries(&self) -> Vec<EntryEdit> {
        let entries = self.entries.iter();
        entries.map(|(entry, rename)| EntryEdit { entry: entry.clone(), rename: rename.clone() }).collect()
    }

    /// True when it changes the dataset.
    pub fn has_edits(&self) -> bool {
        !self.edits.is_empty() || self.conversion.is_some()
    }

    /// True when the file is a ZIP, which is written anew; `entry` is the dataset in it, where it has one. A plan that does
    /// not change the dataset is made for such a file only.
    pub fn changes_archive(&self, entry: Option<&str>) -> bool {
        entry.is_some() || !self.has_edits()
    }

    /// How many fixes it has.
    pub fn fixes(&self) -> u64 {
        self.fixes
    }

    /// True without any.
    pub fn is_empty(&self) -> bool {
        self.fixes == 0
    }

    /// The dataset with the edits made; it is not converted.
    pub fn apply(&self, dataset: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(dataset.len());
        // Reading and writing memory does not fail.
        let _ = self.copy(&mut &*dataset, &mut out);
        out
    }

    /// Copies a dataset with the edits made, in the memory of a buffer.
    ///
    /// # Errors
    /// Those of `source` and `sink`.
    pub fn copy(&self, source: &mut impl Read, sink: &mut impl Write) -> io::Result<()> {
        let edits = self.edits.iter().map(|((start, end), planned)| (*start, *end, planned.text.as_str()));
        let mut patcher = Patcher::new(edits);
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

    /// How many edits it has.
    pub fn edits(&self) -> usize {
        self.edits.len()
    }
}

/// Bytes that are read at a time.
const BUFFER: usize = 1 << 18;

/// Makes edits in a dataset that comes piece by piece: where each begins and ends, and the text in its place, in the order of the
/// bytes.
///
/// ```
/// # use evalcheck_wire::fix::Patcher;
/// let mut patcher = Patcher::new([(1, 3, "x"), (5, 5, "!")].into_iter());
/// let mut out = Vec::new();
/// patcher.feed(b"ab", &mut out)?;
/// patcher.feed(b"cde", &mut out)?;
/// patcher.finish(&mut out)?;
/// assert_eq!(out, b"axde!");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Patcher<I: Iterator> {
    edits: I,
    /// The edit at hand, or to come.
    edit: Option<I::Item>,
    /// Its text was written.
    is_written: bool,
    at: u64,
}

impl<T: AsRef<str>, I: Iterator<Item = (u64, u64, T)>> Patcher<I> {
    /// Makes these edits.
    pub fn new(mut edits: I) -> Self {
        let edit = edits.next();
        Self { edits, edit, is_written: false, at: 0 }
    }

    /// Writes the next bytes of the dataset with the edits made.
    ///
    /// # Errors
    /// Those of `sink`.
    pub fn feed(&mut self, mut bytes: &[u8], sink: &mut impl Write) -> io::Result<()> {
        while !bytes.is_empty() {
            let Some((start, end, text)) = &self.edit else { return sink.write_all(bytes) };
            let most = |place: u64| usize::try_from(place - self.at).unwrap_or(usize::MAX).min(bytes.len());
            let length = if self.at < *start {
                let kept = most(*start);
                sink.write_all(&bytes[..kept])?;
                kept
            } else {
                if !self.is_written {
                    sink.write_all(text.as_ref().as_bytes())?;
                    self.is_written = true;
                }
                most((*end).max(self.at))
            };
            bytes = &bytes[length..];
            self.at += length as u64;
            if self.is_written && self.at >= *end {
                self.edit = self.edits.next();
                self.is_written = false;
            }
        }
        Ok(())
    }

    /// Writes what is inserted at the end of the dataset.
    ///
    /// # Errors
    /// Those of `sink`.
    pub fn finish(&mut self, sink: &mut impl Write) -> io::Result<()> {
        if self.is_written {
            self.edit = self.edits.next();
        }
        while let Some((_, _, text)) = self.edit.take() {
            sink.write_all(text.as_ref().as_bytes())?;
            self.edit = self.edits.next();
        }
        Ok(())
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

    #[test]
    fn pieces_make_no_difference() {
        let dataset = b"0123456789";
        let edits =
            [(0, 0, "a"), (0, 1, ""), (2, 2, "b"), (2, 5, "cd"), (5, 6, "e"), (8, 10, "f"), (10, 10, "g")];
        // Every subset of the edits, in pieces of every size.
        for chosen in 0..1 << edits.len() {
            let edits: Vec<_> = edits
                .iter()
                .enumerate()
                .filter(|(index, _)| chosen & (1 << index) != 0)
                .map(|(_, edit)| *edit)
                .collect();
            let mut expected = dataset.to_vec();
            for (start, end, text) in edits.iter().rev() {
                let range = usize::try_from(*start).unwrap()..usize::try_from(*end).unwrap();
                expected.splice(range, text.bytes());
            }
            for size in 1..=dataset.len() {
                let mut patcher = Patcher::new(edits.iter().copied());
                let mut out = Vec::new();
                for piece in dataset.chunks(size) {
                    patcher.feed(piece, &mut out).unwrap();
                }
                patcher.finish(&mut out).unwrap();
                assert_eq!(out, expected, "{edits:?} in pieces of {size}");
            }
        }
    }
}

//! Applies the fixes of findings.
//!
//! A fix is a set of edits that belong together. [`EditPlan`] takes the fixes that do not get in each other's way; what it left
//! out is found again when the result is checked. [`fix`] does that until nothing is left to apply.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};

use evalcheck_wire::report::{Applicability, Edit, Finding, Fix, Report};
use evalcheck_wire::worker::CheckOptions;

use crate::check::{Check, FileInfo};

/// How often a dataset is checked and fixed at most. A fix can make another one possible: a record that is no JSON has its
/// shape checked when it can be read.
pub const MOST_ROUNDS: usize = 5;

/// Which fixes are applied.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Those that lose or guess something too.
    pub not_safe: bool,
    /// Only of these rules; of all when it is empty. A code, or a category before the slash.
    pub select: Vec<String>,
    /// Not of these.
    pub ignore: Vec<String>,
}

impl Selection {
    /// The fix of a finding, when it is to be applied.
    pub fn fix_of<'f>(&self, finding: &'f Finding) -> Option<&'f Fix> {
        let is = |wanted: &String| {
            let rest = finding.code.strip_prefix(wanted.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let is_selected = self.select.is_empty() || self.select.iter().any(is);
        let fix = finding.fix.as_deref().filter(|_| is_selected && !self.ignore.iter().any(is))?;
        (self.not_safe || fix.applicability == Applicability::Safe).then_some(fix)
    }
}

/// Edits of one dataset, of which none touches another.
#[derive(Debug, Default)]
pub struct EditPlan {
    /// By where they begin, and insertions before what they stand before.
    edits: BTreeMap<(u64, u64), String>,
    fixes: u64,
}

impl EditPlan {
    /// Adds a fix, whole or not at all. False when one of its edits would touch another.
    ///
    /// ```
    /// # use evalcheck_engine::fix::EditPlan;
    /// # use evalcheck_wire::report::{Applicability, Edit, Fix};
    /// let delete = |start, end| Fix {
    ///     title: "Delete".to_owned(),
    ///     applicability: Applicability::Safe,
    ///     edits: vec![Edit { start, end, text: String::new() }],
    /// };
    /// let mut plan = EditPlan::default();
    /// assert!(plan.add(&delete(1, 3)));
    /// assert!(!plan.add(&delete(2, 4)));
    /// assert!(plan.add(&delete(3, 4)));
    /// assert_eq!(plan.apply(b"abcde"), b"ae");
    /// ```
    pub fn add(&mut self, fix: &Fix) -> bool {
        if fix.edits.iter().any(|edit| self.touches(edit)) {
            return false;
        }
        for Edit { start, end, text } in &fix.edits {
            // Several insertions at one place stand there in the order in which they came.
            self.edits.entry((*start, *end)).or_default().push_str(text);
        }
        self.fixes += 1;
        true
    }

    fn touches(&self, edit: &Edit) -> bool {
        // Of what begins before its end, the last ends last.
        let before = self.edits.range(..(edit.end, 0)).next_back();
        before.is_some_and(|((_, end), _)| *end > edit.start)
    }

    /// How many fixes it has.
    pub fn fixes(&self) -> u64 {
        self.fixes
    }

    /// True without any.
    pub fn is_empty(&self) -> bool {
        self.fixes == 0
    }

    /// The dataset with the edits made.
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
        let mut at = 0;
        for ((start, end), text) in &self.edits {
            io::copy(&mut source.by_ref().take(start.saturating_sub(at)), sink)?;
            sink.write_all(text.as_bytes())?;
            io::copy(&mut source.by_ref().take(end - start), &mut io::sink())?;
            at = *end;
        }
        io::copy(source, sink)?;
        Ok(())
    }
}

/// A dataset that was fixed.
#[derive(Debug)]
pub struct Fixed {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// How many fixes were applied.
    pub fixes: u64,
    /// How often the dataset was changed.
    pub rounds: usize,
    /// The report on what it was.
    pub before: Report,
    /// The report on what it is now.
    pub report: Report,
}

/// Checks a dataset in memory and applies the selected fixes, until there are none or [`MOST_ROUNDS`] are done. Of a ZIP
/// nothing is changed.
pub fn fix(bytes: Vec<u8>, name: &str, options: &CheckOptions, selection: &Selection) -> Fixed {
    let before = report(&bytes, name, options);
    let mut fixed = Fixed { report: before.clone(), before, bytes, fixes: 0, rounds: 0 };
    while fixed.rounds < MOST_ROUNDS {
        let mut plan = EditPlan::default();
        for fix in fixed.report.findings.iter().filter_map(|finding| selection.fix_of(finding)) {
            plan.add(fix);
        }
        if plan.is_empty() || fixed.report.file.entry.is_some() {
            break;
        }
        fixed.bytes = plan.apply(&fixed.bytes);
        fixed.fixes += plan.fixes();
        fixed.rounds += 1;
        fixed.report = report(&fixed.bytes, name, options);
    }
    fixed
}

fn report(bytes: &[u8], name: &str, options: &CheckOptions) -> Report {
    let file = FileInfo { name: name.to_owned(), size: bytes.len() as u64 };
    let options = CheckOptions { max_findings_per_code: None, ..options.clone() };
    let mut check = Check::open(&mut io::Cursor::new(bytes), file, options);
    check.keep_every_finding();
    check.read_all(bytes, 1 << 20);
    check.report()
}

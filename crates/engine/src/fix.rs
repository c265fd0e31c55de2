//! Applies the fixes of findings.
//!
//! A fix is a set of edits that belong together. [`EditPlan`] takes the fixes that do not get in each other's way; what it left
//! out is found again when the result is checked. [`fix`] does that until nothing is left to apply.

use std::io::{self, Read, Write};

use evalcheck_wire::report::Report;
use evalcheck_wire::worker::CheckOptions;

pub use evalcheck_records::convert::{Conversion, Converter};
pub use evalcheck_wire::fix::{EditPlan, Patcher, Selection};

use crate::archive::{self, EditContents};
use crate::check::{Check, FileInfo};

/// How often a dataset is checked and fixed at most. A fix can make another one possible: a record that is no JSON has its
/// shape checked when it can be read.
pub const MOST_ROUNDS: usize = 5;

/// A dataset that was fixed.
#[derive(Debug)]
pub struct Fixed {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// How many fixes were applied.
    pub fixes: u64,
    /// The rules whose findings they are of, in the order in which they were applied.
    pub codes: Vec<String>,
    /// How often the dataset was changed.
    pub rounds: usize,
    /// The report on what it was.
    pub before: Report,
    /// The report on what it is now.
    pub report: Report,
}

/// Checks a dataset in memory and applies the selected fixes, until there are none or [`MOST_ROUNDS`] are done. A ZIP whose data
/// is damaged stays as it is.
pub fn fix(bytes: Vec<u8>, name: &str, options: &CheckOptions, selection: &Selection) -> Fixed {
    let before = report(&bytes, name, options);
    let mut fixed = Fixed { report: before.clone(), before, bytes, fixes: 0, codes: Vec::new(), rounds: 0 };
    while fixed.rounds < MOST_ROUNDS {
        let mut plan = EditPlan::default();
        let mut codes = Vec::new();
        for finding in &fixed.report.findings {
            if selection.fix_of(finding).is_some_and(|fix| plan.add(fix)) {
                codes.push(finding.code.clone());
            }
        }
        if plan.is_empty() {
            break;
        }
        let is_archive = plan.changes_archive(&fixed.report);
        let bytes = if is_archive {
            let (mut new, entry) = (Vec::new(), fixed.report.file.entry.as_deref());
            let (mut source, mut scratch) = (io::Cursor::new(&fixed.bytes), io::Cursor::new(Vec::new()));
            let mut edit = |source: &mut dyn Read, sink: &mut dyn Write| {
                copy_fixed(&plan, &mut { source }, &mut { sink })
            };
            let contents =
                entry.filter(|_| plan.has_edits()).map(|entry| (entry, &mut edit as EditContents<'_>));
            archive::rewrite(&mut source, &mut new, &mut scratch, &plan.entries(), contents).map(|()| new)
        } else {
            Ok(match plan.conversion() {
                Some(conversion) => Converter::convert(conversion, &fixed.bytes),
                None => plan.apply(&fixed.bytes),
            })
        };
        let Ok(bytes) = bytes else { break };
        fixed.bytes = bytes;
        fixed.fixes += plan.fixes();
        fixed.codes.append(&mut codes);
        fixed.rounds += 1;
        fixed.report = report(&fixed.bytes, name, options);
    }
    fixed
}

/// Copies a dataset with the fixes of a plan applied, in the memory of a buffer.
///
/// # Errors
/// Those of `source` and `sink`.
pub fn copy_fixed(plan: &EditPlan, source: &mut impl Read, sink: &mut impl Write) -> io::Result<()> {
    let Some(conversion) = plan.conversion() else { return plan.copy(source, sink) };
    let mut converter = Converter::new(conversion);
    let (mut bytes, mut out) = (vec![0; 1 << 18], Vec::new());
    loop {
        let read = source.read(&mut bytes)?;
        converter.feed(&bytes[..read], &mut out);
        if read == 0 {
            converter.finish(&mut out);
        }
        sink.write_all(&out)?;
        out.clear();
        if read == 0 {
            return Ok(());
        }
    }
}

fn report(bytes: &[u8], name: &str, options: &CheckOptions) -> Report {
    let file = FileInfo { name: name.to_owned(), size: bytes.len() as u64 };
    let options = CheckOptions { all: true, ..options.clone() };
    let mut check = Check::open(&mut io::Cursor::new(bytes), file, options);
    check.read_all(bytes, 1 << 20);
    check.report()
}

//! Fixes a dataset in memory, as the command and the page do with files. For examples and tests.

use std::io::Cursor;

use evalcheck_report::Report;
use evalcheck_wire::worker::CheckOptions;

use super::{EditPlan, Rounds, Selection, write_fixed};
use crate::check::{Check, FileInfo};
use crate::purpose::Purpose;

/// A dataset that was fixed.
#[derive(Debug)]
pub struct Fixed {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The rules of the findings with selected fixes, in the order in which they were found.
    pub codes: Vec<String>,
    /// The number of fixes applied.
    pub fixes: u64,
    /// The number of rounds in which the dataset was changed.
    pub rounds: usize,
    /// The report on the original dataset.
    pub before: Report,
    /// The report on the fixed dataset; it lists all findings.
    pub report: Report,
}

/// Applies the selected fixes until there are none. A ZIP with damaged data stays as it is.
pub fn fix(mut bytes: Vec<u8>, name: &str, options: &CheckOptions, selection: &Selection) -> Fixed {
    let mut rounds = Rounds::default();
    let (before, mut plan) = checked(&bytes, name, options, selection);
    let mut report = before.clone();
    let mut codes = Vec::new();
    while let Some(mut round) = plan.and_then(|plan| rounds.next(plan)) {
        let mut new = Vec::new();
        let (mut source, mut scratch) = (Cursor::new(&bytes), Cursor::new(Vec::new()));
        let entry = report.file.entry.as_deref();
        if write_fixed(&mut round, |_| None, entry, &mut source, &mut new, &mut scratch).is_err() {
            return Fixed { bytes, codes, fixes: 0, rounds: 0, before, report };
        }
        bytes = new;
        let fixable = report.findings.iter().filter(|finding| selection.fix_of(finding).is_some());
        codes.extend(fixable.map(|finding| finding.code.clone()));
        (report, plan) = checked(&bytes, name, options, selection);
    }
    Fixed { bytes, codes, fixes: rounds.fixes(), rounds: rounds.count(), before, report }
}

/// The report on a dataset, and the plan of its fixes.
fn checked(
    bytes: &[u8],
    name: &str,
    options: &CheckOptions,
    selection: &Selection,
) -> (Report, Option<EditPlan>) {
    let mut purpose = Purpose::fix(selection.clone(), Cursor::default());
    let file = FileInfo { name: name.to_owned(), size: bytes.len() as u64 };
    let mut check = Check::open(&mut Cursor::new(bytes), file, purpose.options(options.clone()));
    let mut found = Vec::new();
    while check.read_piece(&mut &*bytes, 1 << 20) {
        found.extend(purpose.take(&mut check));
    }
    found.extend(purpose.finish(&mut check));
    let mut report = check.report();
    report.findings = found;
    (report, purpose.plan())
}

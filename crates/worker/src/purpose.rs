//! What a check is made for beside its report: changes of the file, or another file.

use std::io::{self, Read};

use evalcheck_blob::{BlobWriter, SyncSource};
use evalcheck_engine::archive::Contents;
use evalcheck_engine::check::Check;
use evalcheck_engine::rejects::Rejects;
use evalcheck_wire::fix::{Change, EditPlan, Selection};
use evalcheck_wire::report::{Finding, Fix};
use web_sys::Blob;

/// What a check is made for.
pub(crate) enum Purpose {
    /// Its report, and questions about it.
    Report,
    /// To apply fixes.
    Fixes(Selection, EditPlan),
    /// To leave out the records with errors.
    DropInvalid(Rejects),
    /// To write these to a file of their own.
    InvalidRecords(Rejects),
}

impl From<Change> for Purpose {
    fn from(change: Change) -> Self {
        match change {
            Change::Fixes(selection) => Self::Fixes(selection, EditPlan::default()),
            Change::DropInvalid => Self::DropInvalid(Rejects::default()),
        }
    }
}

impl Purpose {
    /// Makes a check ready, before bytes are read.
    pub(crate) fn prepare(&self, check: &mut Check) {
        match self {
            Self::Report | Self::Fixes(..) => {}
            Self::DropInvalid(_) | Self::InvalidRecords(_) => check.keep_invalid_records(),
        }
    }

    /// Takes findings, where the check is not made for its report.
    pub(crate) fn take(&mut self, findings: &[Finding]) {
        match self {
            // Only where the records are is asked.
            Self::Report | Self::DropInvalid(_) => {}
            Self::Fixes(selection, plan) => {
                for fix in findings.iter().filter_map(|finding| selection.fix_of(finding)) {
                    plan.add(fix);
                }
            }
            Self::InvalidRecords(rejects) => rejects.note(findings),
        }
    }

    /// What is to be changed, at the end of a check that is made for it, and how many fixes or records that are.
    pub(crate) fn plan(&mut self, check: &Check, source: &mut SyncSource) -> io::Result<(EditPlan, u64)> {
        match self {
            Self::Report | Self::InvalidRecords(_) => Ok((EditPlan::default(), 0)),
            Self::Fixes(_, plan) => {
                let plan = std::mem::take(plan);
                let fixes = plan.fixes();
                Ok((plan, fixes))
            }
            Self::DropInvalid(rejects) => {
                rejects.locate(check);
                let mut plan = EditPlan::default();
                if !rejects.is_empty() {
                    let edits = of_dataset(check, source, |dataset| rejects.removal(dataset))?;
                    plan.add(&Fix::safe("Leave out the invalid records", edits));
                }
                Ok((plan, rejects.records()))
            }
        }
    }

    /// The records with errors, as lines of JSON, at the end of a check that is made for them.
    pub(crate) fn invalid_records(&mut self, check: &Check, source: &mut SyncSource) -> io::Result<Blob> {
        let mut out = BlobWriter::default();
        if let Self::InvalidRecords(rejects) = self {
            rejects.locate(check);
            of_dataset(check, source, |dataset| rejects.write(dataset, &mut out))?;
        }
        out.finish()
    }
}

/// Reads the dataset from its start: the file, or an entry of it.
fn of_dataset<T>(
    check: &Check,
    source: &mut SyncSource,
    read: impl FnOnce(&mut dyn Read) -> io::Result<T>,
) -> io::Result<T> {
    io::Seek::rewind(source)?;
    match check.archive() {
        Some((_, Some(entry))) => read(&mut Contents::new(entry, source)?),
        _ => read(source),
    }
}

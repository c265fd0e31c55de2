//! The filter and order of the files of a batch.

use std::cmp::Ordering;
use std::rc::Rc;

use evalcheck_report::Verdict;
use evalcheck_report::order::Order as _;
use yew::AttrValue;

use super::batch_file::{BatchFile, FileStatus};

/// A column of the list of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Column {
    /// The status; invalid files before unchecked ones.
    Status,
    /// The path.
    Path,
    /// The format.
    Format,
    /// The size.
    Size,
    /// The number of records.
    Records,
    /// The number of errors.
    Errors,
    /// The number of warnings.
    Warnings,
}

/// The filter and order of the list.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct FileOrder {
    /// The status of the listed files; `None` for all.
    pub(crate) status: Option<FileStatus>,
    /// The text that the paths of listed files contain, in any letter case.
    pub(crate) text: AttrValue,
    /// The column to sort by, and whether the order is reversed; `None` for the order of opening.
    pub(crate) by: Option<(Column, bool)>,
}

impl FileOrder {
    /// Sorts by a column. For the current column, first reverses the order, then ends sorting. Amounts begin with the largest.
    pub(crate) fn sort_by(&mut self, column: Column) {
        let begins_reversed =
            matches!(column, Column::Size | Column::Records | Column::Errors | Column::Warnings);
        self.by = match self.by {
            Some((by, is_reversed)) if by == column => {
                (is_reversed == begins_reversed).then_some((column, !is_reversed))
            }
            _ => Some((column, begins_reversed)),
        };
    }

    /// Returns true for a file that is listed. `text` is the lower-case text.
    fn is_listed(&self, file: &BatchFile, text: &str) -> bool {
        self.status.is_none_or(|status| rank(status) == rank(file.status))
            && (text.is_empty() || file.dataset.path.to_lowercase().contains(text))
    }

    /// The indices of the listed files in their order.
    pub(crate) fn list(&self, files: &[Rc<BatchFile>]) -> Vec<usize> {
        let text = self.text.to_lowercase();
        let mut listed: Vec<usize> =
            (0..files.len()).filter(|index| self.is_listed(&files[*index], &text)).collect();
        if let Some((column, is_reversed)) = self.by {
            listed
                .order_by(|a, b| compare(&files[*a], &files[*b], column, is_reversed).then_with(|| a.cmp(b)));
        }
        listed
    }
}

/// Compares files by a column. Files without a value come last, also in the reverse order.
fn compare(a: &BatchFile, b: &BatchFile, column: Column, is_reversed: bool) -> Ordering {
    let (no_a, no_b) = (!has_value(a, column), !has_value(b, column));
    if no_a || no_b {
        return no_a.cmp(&no_b);
    }
    let order = match column {
        Column::Path => a.dataset.path.cmp(&b.dataset.path),
        Column::Format => format_of(a).cmp(&format_of(b)),
        Column::Status | Column::Size | Column::Records | Column::Errors | Column::Warnings => {
            amount(a, column).cmp(&amount(b, column))
        }
    };
    if is_reversed { order.reverse() } else { order }
}

fn has_value(file: &BatchFile, column: Column) -> bool {
    match column {
        Column::Status | Column::Path | Column::Size => true,
        Column::Format => !format_of(file).0.is_empty(),
        Column::Records | Column::Errors | Column::Warnings => file.report.is_some(),
    }
}

fn format_of(file: &BatchFile) -> (&str, &str) {
    file.report.as_ref().map_or(("", ""), |report| (&report.format.id, &report.format.version))
}

fn amount(file: &BatchFile, column: Column) -> u64 {
    let counts = file.report.as_ref().map(|report| &report.counts);
    match column {
        Column::Size => file.current().size,
        Column::Records => counts.map_or(0, |counts| counts.records),
        Column::Errors => counts.map_or(0, |counts| counts.errors),
        Column::Warnings => counts.map_or(0, |counts| counts.warnings),
        Column::Status | Column::Path | Column::Format => rank(file.status),
    }
}

/// The place of a status in the order. Files that are judged for no system, or for none yet, share one.
const fn rank(status: FileStatus) -> u64 {
    match status {
        FileStatus::Done(Verdict::Invalid) => 0,
        FileStatus::Done(Verdict::NotChecked) => 1,
        FileStatus::Checking => 2,
        FileStatus::Waiting => 3,
        FileStatus::Done(Verdict::Readable | Verdict::Undecided) => 4,
        FileStatus::Done(Verdict::Valid) => 5,
    }
}

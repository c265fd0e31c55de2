//! Records as the system holds them once the dataset is loaded.

use evalcheck_formats::loaded::Loading;
use evalcheck_wire::report::{Loss, Severity};
use evalcheck_wire::view::Loaded;

use crate::diagnose::{self, Parsed, RecordStart};
use crate::finding::Finding;
use crate::formats::{Format, Variant};
use crate::records::csv::header::Table;
use crate::records::csv::row;

/// A record of a dataset, and what the system makes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadedRecord {
    /// The line that it begins at.
    pub line: u64,
    /// What the system makes of it.
    pub loaded: Loaded,
    /// Which list of a document it is in.
    pub(crate) list: usize,
}

impl LoadedRecord {
    /// A record with these findings that cannot be read, where they say where it is.
    pub(crate) fn not_loaded(findings: &[Finding]) -> Option<Self> {
        let line = findings.iter().filter_map(|finding| finding.location.line).min()?;
        let is_dropped = findings.iter().any(|finding| finding.loss == Some(Loss::Line));
        let loaded = if is_dropped { Loaded::Dropped } else { Loaded::Refused };
        Some(Self { line, loaded, list: 0 })
    }
}

/// A record that is to be shown as it is loaded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate<'a> {
    pub(crate) format: &'static Format,
    pub(crate) variant: &'static Variant,
    pub(crate) bytes: &'a [u8],
    pub(crate) start: RecordStart,
    pub(crate) list: usize,
    /// The columns, where it is a row of a CSV.
    pub(crate) table: Option<&'a Table>,
}

impl Candidate<'_> {
    /// What the system makes of the record, which has these findings.
    pub(crate) fn load(&self, findings: &[Finding]) -> Loaded {
        let is_error = |finding: &Finding| finding.problem.rule().severity == Severity::Error;
        if findings.iter().any(|finding| (self.format.loss)(finding) == Some(Loss::Line)) {
            return Loaded::Dropped;
        }
        if findings.iter().any(is_error) {
            return Loaded::Refused;
        }
        match self.table {
            Some(table) => {
                let row = row::read(self.bytes, table, self.start.line);
                row.parsed.map_or(Loaded::Refused, |parsed| self.held(&parsed))
            }
            None => diagnose::parse(self.bytes).map_or(Loaded::Refused, |parsed| self.held(&parsed)),
        }
    }

    fn held(&self, parsed: &Parsed<'_>) -> Loaded {
        let loading = Loading {
            root: &parsed.value,
            bytes: self.bytes,
            row: if self.table.is_some() { self.start.record } else { 0 },
            list: self.list,
            variant: self.variant,
        };
        Loaded::Held((self.format.loader.held)(&loading).to_wire())
    }
}

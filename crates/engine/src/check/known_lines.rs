//! Known lines of JSONL, found in any order and on any thread or machine, ahead of the check that passes over them.
//!
//! The result for one line depends on nothing before the line but the header, and records of JSONL rarely span several lines. So
//! this part of a check can be divided: [`LineScanner`] reads a piece of the dataset anywhere, and finds the lines that are clean
//! or blank, with the captures that the checks of the dataset look at ([`FoundLines`]).
//! [`Check::skip`](crate::check::Check::skip) passes over these lines: it shows the captures to the checks of the dataset, in the
//! order of the file. The check itself reads all other lines. The report is that of a check that reads every byte.
//!
//! ```text
//! file      |  range 0  |  range 1  |  range 2  |  ...       by whichever thread, worker or machine is free
//! elsewhere    =====x==    ==========   ===x=x===            known lines (=) and their captures; all others (x)
//! check     ---------x-------------------x-x------->         passes over =, shows their captures to the checks of the dataset,
//!                                                            reads and checks x: all in the order of the file
//! ```
//!
//! So readers, rules, causes and caps know nothing of this, ids are compared in one place and in order, and a wrong guess costs a read.
//! Those who look ahead:
//!
//! - Threads of the command, a bounded number of pieces ahead of the check.
//! - Machines, by [`crate::parts`]: a line belongs to the range in which it begins.
//! - Workers of the page, at most 8, for a file of 16 MiB or more. Each reads ranges of the file and posts their parts, with the bytes of
//!   all other lines ([`OtherLines`]), so that the check reads little of the file again.
//! - A file that grows: its known lines are kept for the next check, where the file is longer and its first and last bytes are the same.
//!
//! A search is cut too: a [`LineScanner`] leaves it the records that may match. JSON documents and ZIPs cannot be cut, nor can CSV, in which
//! a quote anywhere decides what a line break is.
//!
//! If statistics are requested, those of the lines are counted too ([`Overview`](crate::overview::Overview)). They are
//! about all these lines, so a check that has to read one of them reads all.

mod found;
mod others;
mod pass_over;
mod scanner;

use std::sync::Arc;

use crate::check::state::CheckState;
use crate::environment::Environment;
use crate::formats::checks::Observes;
use crate::formats::{Format, Layout, Variant};
use crate::overview::Counting;
use crate::search::QueryAhead;
use crate::user_schema::SchemaSource;
use evalcheck_formats::KeyedHash;
use evalcheck_records::Reader;
use evalcheck_wire::plan::{PlannedDataset, PlannedLines};

pub use found::FoundLines;
pub use others::OtherLines;
pub use scanner::LineScanner;

/// The rules by which known lines of a dataset are found ([`crate::check::Check::line_rules`]).
#[derive(Debug, Clone)]
pub struct LineRules {
    pub(super) format: &'static Format,
    pub(super) variant: &'static Variant,
    /// The bytes of the dataset up to the end of its header; empty without a header.
    pub(super) header: Arc<[u8]>,
    /// Whether the system loads none of the records, because of the name or the beginning of the dataset.
    pub(super) rejects_all: bool,
    /// The parts of clean records that are needed; never [`Observes::Records`].
    pub(super) observes: Observes,
    /// Records that may match it are not passed over.
    pub(super) query: Option<QueryAhead>,
    /// The choices for the statistics of clean records, if they are counted.
    pub(super) statistics: Option<Counting>,
    /// The user's own schema, which records are held against too.
    pub(super) schema: Option<SchemaSource>,
}

impl LineRules {
    /// The rules for a plan. `None` if the header is not UTF-8, which a plan cannot hold.
    pub(crate) fn planned(&self) -> Option<PlannedLines> {
        Some(PlannedLines {
            format: self.format.id.to_owned(),
            variant: self.format.variants.iter().position(|variant| std::ptr::eq(variant, self.variant))?,
            header: std::str::from_utf8(&self.header).ok()?.to_owned(),
            rejects_all: self.rejects_all,
            compares_records: self.observes == Observes::Captures,
            query: self.query.as_ref().map(QueryAhead::planned),
            statistics: self.statistics.as_ref().map(|counting| counting.hash.key()),
            counts_values: self.statistics.as_ref().is_some_and(|counting| counting.values),
        })
    }

    /// The rules for the lines of a planned dataset. `None` if the format or variant does not exist, or the query cannot be read.
    pub(crate) fn of_planned(
        environment: &Environment,
        dataset: &PlannedDataset,
        planned: &PlannedLines,
    ) -> Option<Self> {
        let query = match &planned.query {
            Some(query) => Some(QueryAhead::of_planned(query, environment.regexes)?),
            None => None,
        };
        let format = environment.formats.iter().find(|format| format.id == planned.format)?;
        let (format, _) = format.with_options(&dataset.option);
        let schema = SchemaSource::new(&dataset.schema, dataset.schema_formats, environment);
        Some(Self {
            format,
            variant: format.variants.get(planned.variant)?,
            header: planned.header.as_bytes().into(),
            rejects_all: planned.rejects_all,
            observes: if planned.compares_records { Observes::Captures } else { Observes::Nothing },
            query,
            statistics: planned
                .statistics
                .as_ref()
                .map(|key| Counting { hash: KeyedHash::of_key(key), values: planned.counts_values }),
            schema,
        })
    }

    /// Whether the statistics of lines are counted, which take memory.
    pub const fn counts_statistics(&self) -> bool {
        self.statistics.is_some()
    }

    /// A reader that has read the header. `None` if the user's own schema cannot be compiled here, so that no line is known to be clean.
    fn after_header(&self) -> Option<Box<dyn Reader<CheckState>>> {
        let mut reader = begin(self.format, self.variant);
        if let Some(schema) = &self.schema {
            reader.visitor_mut().dataset.set_user_schema(schema.compile(self.format, self.variant).ok()?);
        }
        read(&mut *reader, &self.header);
        reader.visitor_mut().dataset.collector.rejects_all |= self.rejects_all;
        Some(reader)
    }
}

/// A reader at the first byte of a dataset.
fn begin(format: &'static Format, variant: &'static Variant) -> Box<dyn Reader<CheckState>> {
    evalcheck_records::reader(&variant.layout, variant.schema, CheckState::new(format, variant, None))
}

fn read(reader: &mut dyn Reader<CheckState>, bytes: &[u8]) {
    reader.buffer(bytes.len())[..bytes.len()].copy_from_slice(bytes);
    reader.commit(bytes.len());
}

/// The first bytes of a dataset up to the end of its header; empty without a header. `None` if the header does not end in `head`.
pub(super) fn header(format: &'static Format, variant: &'static Variant, head: &[u8]) -> Option<Arc<[u8]>> {
    match variant.layout {
        Layout::Jsonl => return Some(Arc::default()),
        Layout::JsonlWithHeader(_) => {}
        Layout::Csv(_) | Layout::Json(_) => return None,
    }
    let mut reader = begin(format, variant);
    let mut taken = 0;
    for line in head.split_inclusive(|byte| *byte == b'\n') {
        read(&mut *reader, line);
        taken += line.len();
        if reader.next_line().is_some() {
            return Some(head[..taken].into());
        }
    }
    None
}

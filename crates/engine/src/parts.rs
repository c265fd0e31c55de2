//! Divides a check into parts, and merges them.
//!
//! [`plan`] collects once the facts that all parts need, and the ranges of the file. A [`PartScanner`] reads a range and makes a
//! [`Part`]: the known lines that begin in it ([`crate::check::known_lines`]), with the captures of their records for the checks of
//! the dataset. Adjacent parts are merged by [`Part::merge`]. A check that gets the part of the whole file ([`Part::whole`]) passes
//! over its lines and reads only the others, so its report is that of the file, byte for byte.
//!
//! ```
//! # use std::io::Cursor;
//! # use evalcheck_engine::ahead::AheadOfCheck;
//! # use evalcheck_engine::check::{Check, FileInfo};
//! # use evalcheck_engine::parts::{FEWEST, Part, PartScanner, plan};
//! let mut data = r#"{"input":{"messages":[{"role":"user","content":"Hi"}]}}"#.to_owned() + "\n";
//! data = data.repeat(1000);
//! let open = || {
//!     let file = FileInfo { name: "data.jsonl".into(), size: data.len() as u64 };
//!     Check::open(&mut Cursor::new(&data), file, Default::default())
//! };
//! let plan = plan(&open(), "data.jsonl", None, &Default::default(), 20_000);
//! // Each of these could be made by another machine.
//! let parts = plan.ranges.iter().map(|range| {
//!     let mut scanner = PartScanner::new(&plan.dataset, *range, FEWEST).unwrap();
//!     while scanner.read_piece(&mut data.as_bytes(), 1 << 16).unwrap() {}
//!     scanner.finish().to_bytes()
//! });
//! let parts = parts.map(|part| Part::from_bytes(&part).unwrap()).collect();
//! let whole = Part::whole(parts).unwrap();
//! let mut check = open();
//! whole.check_plan(&check).unwrap();
//! let mut ahead = AheadOfCheck::new(whole.into_found(), FEWEST);
//! while ahead.read_piece(&mut check, &mut data.as_bytes(), 1 << 16) {}
//! assert!(check.report().valid);
//! ```

mod encoding;
mod problem;
mod scanner;

use std::vec;

use evalcheck_core::order::Order;
use evalcheck_wire::plan::{PLAN_VERSION, Plan, PlannedDataset};
use evalcheck_wire::worker::CheckOptions;

use crate::check::Check;
use crate::check::known_lines::FoundLines;

pub use problem::PartProblem;
pub use scanner::PartScanner;

/// Runs of known lines with fewer bytes are usually not in a part: they are read with the lines around them.
pub const FEWEST: u64 = 16 << 10;

/// The number of bytes of a range that is worth checking by itself.
pub const USUAL_RANGE: u64 = 256 << 20;

/// The plan of a check, with ranges of about `range` bytes. `file` names the file, and `state` distinguishes this state of it from
/// others, see [`PlannedDataset`]. `options` are those that the check was opened with.
pub fn plan(check: &Check, file: &str, state: Option<String>, options: &CheckOptions, range: u64) -> Plan {
    let size = check.file().size;
    let dataset = PlannedDataset {
        evalcheck: env!("CARGO_PKG_VERSION").to_owned(),
        file: file.to_owned(),
        size,
        state,
        format: options.format.clone(),
        format_version: options.version.clone(),
        option: options.option.clone(),
        schema: options.schema.clone(),
        schema_formats: options.schema_formats,
        lines: check.line_rules().and_then(|rules| rules.planned()),
    };
    let ranges = if dataset.lines.is_some() { Plan::cut(size, range) } else { vec![(0, size)] };
    Plan { plan: PLAN_VERSION.to_owned(), dataset, ranges }
}

/// Fails if a plan is of another version of plans or of evalcheck.
///
/// # Errors
/// Another version.
pub fn check_version(plan: &Plan) -> Result<(), PartProblem> {
    if plan.plan != PLAN_VERSION {
        return Err(PartProblem::OtherVersion { found: plan.plan.clone(), known: PLAN_VERSION });
    }
    check_evalcheck(&plan.dataset)
}

fn check_evalcheck(dataset: &PlannedDataset) -> Result<(), PartProblem> {
    let known = env!("CARGO_PKG_VERSION");
    if dataset.evalcheck == known {
        return Ok(());
    }
    Err(PartProblem::OtherEvalcheck { found: dataset.evalcheck.clone(), known })
}

/// The known lines of a range of a dataset, which begin in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    dataset: PlannedDataset,
    /// Its first byte, and the byte after its last one.
    range: (u64, u64),
    /// In the order of the file. The last line may end after the range.
    found: Vec<FoundLines>,
}

impl Part {
    /// The part of a range that was not scanned: the check reads the whole range. Merging the part of an empty range changes nothing.
    pub fn unread(dataset: PlannedDataset, range: (u64, u64)) -> Self {
        Self { dataset, range, found: Vec::new() }
    }

    /// The dataset.
    pub fn dataset(&self) -> &PlannedDataset {
        &self.dataset
    }

    /// The first byte of its range, and the byte after its last one.
    pub fn range(&self) -> (u64, u64) {
        self.range
    }

    /// The same part of a file to which bytes were added. `None` if the rules for its lines differ.
    pub fn of_longer(self, dataset: &PlannedDataset) -> Option<Self> {
        let was = &self.dataset;
        let of_file = |dataset: &PlannedDataset| PlannedDataset {
            file: String::new(),
            size: 0,
            state: None,
            ..dataset.clone()
        };
        let is_same = of_file(was) == of_file(dataset);
        (is_same && was.size <= dataset.size).then(|| Self { dataset: dataset.clone(), ..self })
    }

    /// The part of the range of both. The other part has to begin where this one ends.
    ///
    /// # Errors
    /// They are not adjacent, or of different datasets.
    pub fn merge(mut self, other: Self) -> Result<Self, PartProblem> {
        if self.dataset != other.dataset {
            return Err(PartProblem::OtherDataset { one: self.range, other: other.range });
        }
        if self.range.1 < other.range.0 {
            return Err(PartProblem::Missing { start: self.range.1, end: other.range.0 });
        }
        if self.range.1 > other.range.0 {
            return Err(PartProblem::Overlap { one: self.range, other: other.range });
        }
        self.range.1 = other.range.1;
        self.found.extend(other.found);
        Ok(self)
    }

    /// The part of the ranges of some parts, which may be in any order.
    ///
    /// # Errors
    /// There are no parts, or see [`Part::merge`].
    pub fn merge_all(mut parts: Vec<Self>) -> Result<Self, PartProblem> {
        parts.order_by_key(|part| part.range);
        let mut parts = parts.into_iter();
        let mut whole = parts.next().ok_or(PartProblem::None)?;
        // Room for all, so that nothing is copied twice.
        whole.found.reserve(parts.as_slice().iter().map(|part| part.found.len()).sum());
        parts.try_fold(whole, Self::merge)
    }

    /// The part of the whole file, of parts in any order.
    ///
    /// # Errors
    /// Some of the file is in no part, or see [`Part::merge_all`].
    pub fn whole(parts: Vec<Self>) -> Result<Self, PartProblem> {
        let whole = Self::merge_all(parts)?;
        let (start, end) = whole.range;
        if start > 0 {
            return Err(PartProblem::Missing { start: 0, end: start });
        }
        if end < whole.dataset.size {
            return Err(PartProblem::Missing { start: end, end: whole.dataset.size });
        }
        Ok(whole)
    }

    /// Bytes of memory that its lines take.
    pub fn memory(&self) -> usize {
        self.found.iter().map(FoundLines::memory).sum()
    }

    /// Fails if a check is not of the planned dataset: it has another size, or other rules for its lines.
    ///
    /// # Errors
    /// Another dataset.
    pub fn check_plan(&self, check: &Check) -> Result<(), PartProblem> {
        let size = check.file().size;
        if size != self.dataset.size {
            return Err(PartProblem::OtherSize { found: size, planned: self.dataset.size });
        }
        let lines = check.line_rules().and_then(|rules| rules.planned());
        if lines == self.dataset.lines { Ok(()) } else { Err(PartProblem::OtherLines) }
    }

    /// The lines, for [`crate::ahead::AheadOfCheck`].
    pub fn into_found(self) -> vec::IntoIter<FoundLines> {
        self.found.into_iter()
    }
}

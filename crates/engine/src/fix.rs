//! Applies the fixes of findings.
//!
//! A fix is a set of edits that belong together. [`EditPlan`] takes the fixes that do not conflict; those that it leaves out are
//! found again when the result is checked. [`Rounds`] counts the rounds, [`write_fixed`] applies a plan.

mod changes;
pub mod in_memory;

use std::io::{self, Read, Seek, Write};

use evalcheck_archive as archive;
use evalcheck_archive::EditContents;

pub use changes::{ChangedRange, Changes};
pub use evalcheck_records::convert::{Conversion, Converter, Decode, Decoders};
pub use evalcheck_wire::fix::{EditPlan, Patcher, PlannedEdit, Selection, Store};

/// The maximum number of rounds of fixing a dataset. A fix can make another one possible: a record that is not JSON is compared
/// with its schema once it can be read.
pub const MOST_ROUNDS: usize = 5;

/// The rounds of fixing a dataset, and the fixes that were applied in them.
///
/// ```
/// # use evalcheck_engine::fix::{EditPlan, Rounds};
/// # use evalcheck_report::{Edit, Fix};
/// # let plan_of = |dataset: &[u8]| {
/// #     let mut plan = EditPlan::default();
/// #     if let Some(at) = dataset.iter().position(|byte| *byte == b'x') {
/// #         let (start, end) = (at as u64, at as u64 + 1);
/// #         plan.add(&Fix::safe("Leave it out", vec![Edit { start, end, text: String::new() }]));
/// #     }
/// #     plan
/// # };
/// let mut dataset = b"axbx".to_vec();
/// let mut rounds = Rounds::default();
/// while let Some(mut plan) = rounds.next(plan_of(&dataset)) {
///     dataset = plan.apply(&dataset);
/// }
/// assert_eq!((dataset.as_slice(), rounds.fixes(), rounds.count()), (&b"ab"[..], 2, 2));
/// ```
#[derive(Debug, Default)]
pub struct Rounds {
    count: usize,
    fixes: u64,
}

impl Rounds {
    /// The plan, if another round is to be made with it: it has fixes, and there were not too many rounds.
    pub fn next<S: Store>(&mut self, plan: EditPlan<S>) -> Option<EditPlan<S>> {
        if plan.is_empty() || self.count == MOST_ROUNDS {
            return None;
        }
        self.count += 1;
        self.fixes += plan.fixes();
        Some(plan)
    }

    /// The number of rounds.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The number of fixes applied.
    pub fn fixes(&self) -> u64 {
        self.fixes
    }
}

/// Writes a file with a plan applied. `entry` is the dataset in the file if that is a ZIP; `scratch` is empty, and holds the data
/// of that entry meanwhile. `decoders` are those of the driver.
///
/// # Errors
/// Those of `source`, `sink` and `scratch`; a ZIP with damaged data; bytes that cannot be decoded.
pub fn write_fixed(
    plan: &mut EditPlan<impl Store>,
    decoders: Decoders,
    entry: Option<&str>,
    source: &mut (impl Read + Seek),
    sink: &mut impl Write,
    scratch: &mut (impl Read + Write + Seek),
) -> io::Result<()> {
    source.rewind()?;
    if !plan.changes_archive(entry) {
        return copy_fixed(plan, decoders, source, sink);
    }
    let (entries, entry) = (plan.entries(), entry.filter(|_| plan.has_edits()));
    let mut edit = |contents: &mut dyn Read, sink: &mut dyn Write| {
        copy_fixed(plan, decoders, &mut { contents }, &mut { sink })
    };
    let contents = entry.map(|entry| (entry, &mut edit as EditContents<'_>));
    archive::rewrite(source, sink, scratch, &entries, contents)
}

/// Copies a dataset with the fixes of a plan applied, in the memory of a buffer.
fn copy_fixed(
    plan: &mut EditPlan<impl Store>,
    decoders: Decoders,
    source: &mut impl Read,
    sink: &mut impl Write,
) -> io::Result<()> {
    let Some(conversion) = plan.conversion() else { return plan.copy(source, sink) };
    let mut converter = Converter::new(conversion, decoders).map_err(io::Error::other)?;
    let (mut bytes, mut out) = (vec![0; 1 << 18], Vec::new());
    loop {
        let read = source.read(&mut bytes)?;
        converter.feed(&bytes[..read], &mut out).map_err(io::Error::other)?;
        if read == 0 {
            converter.finish(&mut out).map_err(io::Error::other)?;
        }
        sink.write_all(&out)?;
        out.clear();
        if read == 0 {
            return Ok(());
        }
    }
}

//! A check in parts: `plan`, `part` and `merge` of the command. Only the required bytes of a file object are read.

use std::io;

use evalcheck_engine::parts::{self, Part, PartProblem};
use evalcheck_wire::plan::{Plan, PlannedDataset};

use super::{Dataset, Error, Options, report_of, wrong};
use crate::check as checks;
use crate::file_again::FileAgain;
use crate::parts::{check_state, scan};

/// The plan of a check, as JSON, with ranges of about `range` bytes. `file` names the dataset for readers of the plan, and `state`
/// identifies its version; for a path, the default is its modification time.
///
/// # Errors
/// An invalid option.
pub fn plan(
    dataset: Dataset,
    file: &str,
    state: Option<String>,
    options: &Options,
    range: u64,
) -> Result<String, Error> {
    let check = options.check();
    let state = state.or_else(|| dataset.0.again()?.state());
    let opened = checks::Dataset::open(dataset.0, check.clone());
    let plan = parts::plan(opened.check(), file, state, &check, range.max(1));
    serde_json::to_string(&plan).map_err(|error| Error::File(error.into()))
}

/// Checks a range of a dataset, and returns its part as bytes. `state` is that of a dataset that is not a path.
///
/// # Errors
/// The plan or the range is invalid, the dataset has changed since it was planned, or it cannot be read.
pub fn check_range(
    mut dataset: Dataset,
    range: (u64, u64),
    plan: &str,
    state: Option<&str>,
) -> Result<Vec<u8>, Error> {
    let plan: Plan =
        serde_json::from_str(plan).map_err(|error| wrong("plan", &format!("this is not a plan: {error}")))?;
    parts::check_version(&plan).map_err(|why| wrong("plan", &why.to_string()))?;
    check_unchanged(&dataset, &plan.dataset, state)?;
    let made = scan(&mut dataset.0, &plan.dataset, range);
    if dataset.0.watch.as_ref().is_some_and(|watch| watch.has_stopped()) {
        return Err(Error::Stopped);
    }
    made.map(|part| part.to_bytes()).map_err(|why| match why {
        PartProblem::NotRead(why) => Error::File(io::Error::other(why)),
        why => wrong("range", &why.to_string()),
    })
}

/// Merges adjacent parts, in any order, into one.
///
/// # Errors
/// They are not parts, or do not fit together.
pub fn merge(parts: impl IntoIterator<Item: AsRef<[u8]>>) -> Result<Vec<u8>, Error> {
    let parts = read(parts)?;
    Part::merge_all(parts).map(|part| part.to_bytes()).map_err(|why| wrong("parts", &why.to_string()))
}

/// The report of a dataset from all its parts: that of [`super::check`]. Only the lines that the report shows, and a few others, are read
/// again. Format and version are those of the plan.
///
/// # Errors
/// The parts do not cover the whole dataset, it has changed since it was planned, or those of [`super::check`].
pub fn finish(
    dataset: Dataset,
    parts: impl IntoIterator<Item: AsRef<[u8]>>,
    state: Option<&str>,
    options: &Options,
) -> Result<String, Error> {
    let whole = Part::whole(read(parts)?).map_err(|why| wrong("parts", &why.to_string()))?;
    let planned = whole.dataset();
    check_unchanged(&dataset, planned, state)?;
    let mut options = options.clone();
    options.declared = planned.choose(options.declared);
    report_of(dataset.0, &options, Some(whole)).map(|(report, _)| report)
}

fn read(parts: impl IntoIterator<Item: AsRef<[u8]>>) -> Result<Vec<Part>, Error> {
    let parts = parts.into_iter().map(|bytes| Part::from_bytes(bytes.as_ref()));
    parts.map(|part| part.map_err(|why| wrong("parts", &why.to_string()))).collect()
}

/// Fails if a dataset is not in the planned state.
fn check_unchanged(dataset: &Dataset, planned: &PlannedDataset, state: Option<&str>) -> Result<(), Error> {
    let of_path = dataset.0.again().and_then(FileAgain::state);
    let state = state.or(of_path.as_deref());
    check_state(planned, dataset.0.info.size, state).map_err(|why| wrong("dataset", &why.to_string()))
}

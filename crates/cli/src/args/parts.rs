//! The arguments of `plan`, `part` and `merge`.

use std::num::NonZero;
use std::path::PathBuf;

use evalcheck_engine::parts::USUAL_RANGE;
use evalcheck_wire::plan::PlannedDataset;

use super::help::{MERGE_HELP, PART_HELP, PLAN_HELP};
use super::options::Given;
use super::{Check, Output, Reading};

#[derive(Debug, clap::Args)]
#[command(after_help = PLAN_HELP)]
pub(crate) struct Plan {
    /// The dataset
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) reading: Reading,

    /// Bytes of a range, such as 500000000
    #[arg(long, value_name = "BYTES", default_value_t = USUAL_RANGE, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) bytes: u64,

    /// For copies of the file: leave out the time when it was changed
    #[arg(long)]
    pub(crate) without_time: bool,

    /// Write the plan to this file, and the ranges to standard output [default: the plan to standard output]
    #[arg(short, long, value_name = "PLAN")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
#[command(after_help = PART_HELP)]
pub(crate) struct Part {
    /// The dataset
    pub(crate) file: PathBuf,

    /// The plan
    #[arg(long, value_name = "PLAN")]
    pub(crate) plan: PathBuf,

    /// A range of the plan, such as 0-268435456
    #[arg(long, value_name = "A-B", value_parser = range)]
    pub(crate) range: (u64, u64),

    /// Write the part to this file [default: A-B.part]
    #[arg(short, long, value_name = "PART")]
    pub(crate) output: Option<PathBuf>,

    /// Threads [default: the number of cores]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZero<usize>>,
}

#[derive(Debug, clap::Args)]
#[command(after_help = MERGE_HELP)]
pub(crate) struct Merge {
    /// The parts, in any order
    #[arg(required = true, value_name = "PART")]
    pub(crate) parts: Vec<PathBuf>,

    /// The dataset [default: the file that was planned]
    #[arg(long)]
    pub(crate) file: Option<PathBuf>,

    /// Only merge adjacent parts into one, which is written to this file
    #[arg(long, value_name = "PART", conflicts_with = "file")]
    pub(crate) into: Option<PathBuf>,

    /// Sort the ids of a JSONL file in this folder, instead of keeping them in memory, where each takes 24 to 48 bytes; the file is read
    /// twice
    #[arg(long, value_name = "FOLDER")]
    pub(crate) sort_ids_in: Option<PathBuf>,

    /// The form of the output
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Output::Text)]
    pub(crate) output: Output,

    #[command(flatten)]
    pub(crate) options: Given,

    /// Treat warnings as errors in the exit status
    #[arg(long)]
    pub(crate) strict: bool,
}

impl Part {
    /// Where the part is written.
    pub(crate) fn output(&self) -> PathBuf {
        let (start, end) = self.range;
        self.output.clone().unwrap_or_else(|| format!("{start}-{end}.part").into())
    }
}

impl Merge {
    /// The check of the dataset, read as it was planned.
    pub(crate) fn check(&self, file: PathBuf, planned: &PlannedDataset) -> Check {
        let options = Given(planned.choose(self.options.0.clone()));
        let (strict, sort_ids_in) = (self.strict, self.sort_ids_in.clone());
        let reading = Reading { options, ..Reading::default() };
        Check { strict, sort_ids_in, ..Check::of(file, reading, self.output) }
    }
}

/// A range: its first byte, and the byte after its last one.
fn range(text: &str) -> Result<(u64, u64), String> {
    let (start, end) =
        text.split_once('-').ok_or("write the first byte and the byte after the last one, such as 0-1000")?;
    let number = |text: &str| text.parse().map_err(|_| format!("\"{text}\" is not a number of bytes"));
    let range = (number(start)?, number(end)?);
    if range.0 > range.1 { Err("it ends before it begins".to_owned()) } else { Ok(range) }
}

//! Checks an input: reads the bytes that the engine requests.

use std::io::{self, Read, Seek, SeekFrom};

use evalcheck_engine::check::Check;
use evalcheck_wire::report::{Finding, Report};
use evalcheck_wire::view::Excerpt;
use evalcheck_wire::worker::CheckOptions;

use crate::input::{Input, describe};

/// The most bytes of one read. The findings of a piece are held at once; larger pieces are read no faster.
const CHUNK: usize = 64 << 10;

/// Findings that are kept before they are shown. A dataset with fewer is shown at its end, in order.
const KEPT: usize = 10_000;

/// The result of a check.
pub(crate) struct Outcome {
    /// Lists the findings that were not shown yet.
    pub(crate) report: Report,
    /// For lines to quote.
    pub(crate) dataset: Dataset,
    /// How many of the findings that were shown count no longer.
    pub(crate) withdrawn: u64,
    /// Why the input could not be read to its end.
    pub(crate) read_error: Option<String>,
}

/// A dataset that was checked, and the check, which finds lines in it again.
pub(crate) struct Dataset {
    check: Check,
    input: Input,
}

impl Dataset {
    /// The input, from its start.
    pub(crate) fn into_input(mut self) -> io::Result<Input> {
        self.input.rewind()?;
        Ok(self.input)
    }

    /// The check of it.
    pub(crate) fn check(&self) -> &Check {
        &self.check
    }

    /// The line of a finding around its span; `None` where it stands in no line, or the file cannot be read any more.
    pub(crate) fn excerpt(&mut self, finding: &Finding) -> Option<Excerpt> {
        let span = finding.byte_start?..finding.byte_end?;
        self.check.excerpt(&mut self.input, span).ok()
    }
}

/// Checks an input to its end. `keeps_invalid_records` as [`Check::keep_invalid_records`]. Where there are many findings, `show`
/// gets them as they come; without it all are in the report.
///
/// # Errors
/// Those of `show`.
pub(crate) fn check(
    mut input: Input,
    options: CheckOptions,
    keeps_invalid_records: bool,
    mut show: Option<impl FnMut(&[Finding], &mut Dataset) -> io::Result<()>>,
) -> io::Result<Outcome> {
    let info = input.info.clone();
    let mut check = Check::open(&mut input, info, options);
    if keeps_invalid_records {
        check.keep_invalid_records();
    }
    let mut read_error = input.error().map(str::to_owned);
    let mut dataset = Dataset { check, input };
    // The position of the input; unknown after the engine's own reads.
    let mut position = None;
    while let Some(wanted) = dataset.check.next_range() {
        if let Err(why) = read_next(&mut dataset.check, &mut dataset.input, wanted, &mut position) {
            dataset.check.fail(&why);
            read_error.get_or_insert(why);
        }
        if let Some(show) = &mut show {
            let findings = dataset.check.take_findings(KEPT);
            if !findings.is_empty() {
                show(&findings, &mut dataset)?;
                position = None;
            }
        }
    }
    Ok(Outcome { report: dataset.check.report(), withdrawn: dataset.check.withdrawn(), dataset, read_error })
}

/// Reads once and passes the bytes to the engine.
pub(crate) fn read_next(
    job: &mut Check,
    input: &mut Input,
    wanted: std::ops::Range<u64>,
    position: &mut Option<u64>,
) -> Result<(), String> {
    if *position != Some(wanted.start) {
        input.seek(SeekFrom::Start(wanted.start)).map_err(|error| describe(&error))?;
    }
    let space = job.buffer(CHUNK);
    let read = loop {
        match input.read(space) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => break result.map_err(|error| describe(&error))?,
        }
    };
    let end = wanted.start + read as u64;
    // The last bytes are not checked before the file is known to be unchanged.
    if (read == 0 || end >= wanted.end)
        && let Some(why) = input.changed()
    {
        return Err(why);
    }
    if read == 0 {
        return Err(format!("the file ends at byte {}, {} bytes were expected", wanted.start, wanted.end));
    }
    job.commit(read);
    *position = Some(end);
    Ok(())
}

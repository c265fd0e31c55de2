//! Checks an input: reads the bytes that the engine requests.

use std::io::{Read, Seek, SeekFrom};

use evalcheck_engine::check::Check;
use evalcheck_wire::report::{Finding, Report};
use evalcheck_wire::view::Excerpt;
use evalcheck_wire::worker::CheckOptions;

use crate::input::{Input, describe};

/// The most bytes of one read.
const CHUNK: usize = 1 << 20;

/// The result of a check.
pub(crate) struct Outcome {
    pub(crate) report: Report,
    /// For lines to quote.
    pub(crate) dataset: Dataset,
    /// Why the input could not be read to its end.
    pub(crate) read_error: Option<String>,
}

/// A dataset that was checked, and the check, which finds lines in it again.
pub(crate) struct Dataset {
    check: Check,
    input: Input,
}

impl Dataset {
    /// The line of a finding around its span; `None` where it stands in no line, or the file cannot be read any more.
    pub(crate) fn excerpt(&mut self, finding: &Finding) -> Option<Excerpt> {
        let span = finding.byte_start?..finding.byte_end?;
        self.check.excerpt(&mut self.input, span).ok()
    }
}

/// Checks an input to its end.
pub(crate) fn check(mut input: Input, options: CheckOptions) -> Outcome {
    let info = input.info.clone();
    let mut job = Check::open(&mut input, info, options);
    let mut read_error = input.error().map(str::to_owned);
    // The position of the input; unknown after the engine's own reads.
    let mut position = None;
    while let Some(wanted) = job.next_range() {
        if let Err(why) = read_next(&mut job, &mut input, wanted, &mut position) {
            job.fail(&why);
            read_error.get_or_insert(why);
        }
    }
    Outcome { report: job.report(), dataset: Dataset { check: job, input }, read_error }
}

/// Reads once and passes the bytes to the engine.
fn read_next(
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
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
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

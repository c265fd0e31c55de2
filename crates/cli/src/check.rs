//! Drives the engine over an input.

use std::io::{Read, Seek, SeekFrom};

use evalcheck_engine::check::Check;
use evalcheck_wire::report::Report;
use evalcheck_wire::worker::CheckOptions;

use crate::input::{Input, in_words};

/// Bytes asked for in one read.
const CHUNK: usize = 1 << 20;

/// A report, and why it is not of the whole file where that is the file's or the system's fault.
pub(crate) struct Outcome {
    pub(crate) report: Report,
    pub(crate) unreadable: Option<String>,
}

/// Checks an input to its end.
pub(crate) fn check(mut input: Input, options: CheckOptions) -> Outcome {
    let info = input.info.clone();
    let mut job = Check::open(&mut input, info, options);
    let mut unreadable = input.error().map(str::to_owned);
    // Where the input stands; unknown after the engine's own reads.
    let mut position = None;
    while let Some(wanted) = job.next_range() {
        match step(&mut job, &mut input, wanted, &mut position) {
            Ok(()) => {}
            Err(why) => {
                job.fail(&why);
                unreadable.get_or_insert(why);
            }
        }
    }
    Outcome { report: job.report(), unreadable }
}

/// Reads once and hands over what came.
fn step(
    job: &mut Check,
    input: &mut Input,
    wanted: std::ops::Range<u64>,
    position: &mut Option<u64>,
) -> Result<(), String> {
    if *position != Some(wanted.start) {
        input.seek(SeekFrom::Start(wanted.start)).map_err(|error| in_words(&error))?;
    }
    let space = job.buffer(CHUNK);
    let read = loop {
        match input.read(space) {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            result => break result.map_err(|error| in_words(&error))?,
        }
    };
    let end = wanted.start + read as u64;
    // The last bytes are not taken before it is known that all belong to one state of the file.
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

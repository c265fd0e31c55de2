//! Checks an input: reads the bytes that the engine requests.

use std::io;

use evalcheck_engine::check::Check;
use evalcheck_engine::purpose::Purpose;
use evalcheck_wire::report::{Finding, Report};
use evalcheck_wire::view::Excerpt;
use evalcheck_wire::worker::CheckOptions;

use encoding_rs::Encoding;
use tempfile::SpooledTempFile;

use crate::encoding;
use crate::input::Input;

/// The most bytes of one read. The findings of a piece are held at once; larger pieces are read no faster.
pub(crate) const CHUNK: usize = 64 << 10;

/// Findings that are kept before they are shown. A dataset with fewer is shown at its end, in order.
const KEPT: usize = 10_000;

/// The result of a check.
pub(crate) struct Outcome {
    /// Lists the findings that were not shown yet.
    pub(crate) report: Report,
    /// For lines to quote.
    pub(crate) dataset: Dataset,
    /// How many of the findings that were shown count no longer.
    pub(crate) retracted: u64,
    /// Why the input could not be read to its end.
    pub(crate) read_error: Option<String>,
}

/// A dataset that was checked, and the check, which finds lines in it again.
pub(crate) struct Dataset {
    check: Check,
    input: Input,
}

impl Dataset {
    /// The line of a finding around its span; `None` where it has no line, or the file cannot be read any more.
    pub(crate) fn excerpt(&mut self, finding: &Finding) -> Option<Excerpt> {
        let span = finding.byte_start?..finding.byte_end?;
        self.check.view(&mut self.input).excerpt(span).ok()
    }

    /// A guess at the encoding of a dataset that is not UTF-8; `None` where it is, or cannot be read any more.
    pub(crate) fn guess_encoding(&mut self) -> Option<&'static str> {
        if !self.check.has_invalid_utf8() {
            return None;
        }
        let entry =
            self.check.archive().and_then(|(_, dataset)| dataset).map(|dataset| dataset.name.to_string());
        encoding::guess(&mut self.input, entry.as_deref()).ok()?.map(Encoding::name)
    }
}

/// Checks an input to its end. Where there are many findings, `show` gets them as they come; the others are in the report,
/// and all without it.
///
/// # Errors
/// Those of `show`.
pub(crate) fn check(
    mut input: Input,
    options: CheckOptions,
    mut show: Option<impl FnMut(&[Finding], &mut Dataset) -> io::Result<()>>,
) -> io::Result<Outcome> {
    let info = input.info.clone();
    let mut dataset = Dataset { check: Check::open(&mut input, info, options), input };
    if let Some(encoding) = dataset.input.encoding {
        dataset.check.report_conversion(encoding);
    }
    while dataset.check.read_piece(&mut dataset.input, CHUNK) {
        let Some(show) = &mut show else { continue };
        let findings = dataset.check.take_findings(KEPT);
        if !findings.is_empty() {
            show(&findings, &mut dataset)?;
        }
    }
    let read_error = dataset.input.error().map(str::to_owned);
    Ok(Outcome { report: dataset.check.report(), retracted: dataset.check.retracted(), dataset, read_error })
}

/// Checks an input to its end for a purpose.
///
/// # Errors
/// The input cannot be read to its end.
pub(crate) fn check_for(
    input: &mut Input,
    options: CheckOptions,
    purpose: &mut Purpose<SpooledTempFile>,
) -> io::Result<Report> {
    let info = input.info.clone();
    let mut check = Check::open(input, info, purpose.options(options));
    purpose.prepare(&mut check);
    while check.read_piece(input, CHUNK) {
        purpose.take(&mut check);
    }
    purpose.finish(&mut check);
    match input.error() {
        Some(why) => Err(io::Error::other(why.to_owned())),
        None => Ok(check.report()),
    }
}

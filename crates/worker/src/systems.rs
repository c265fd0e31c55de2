//! Checks a file for several systems.

use std::rc::Rc;

use evalcheck_blob::Throttle;
use evalcheck_engine::check::Check;
use evalcheck_report::Severity;
use evalcheck_wire::question::{Advance, Answer};
use evalcheck_wire::worker::{CheckOptions, RequestId};

use crate::check::FileCheck;
use crate::jobs::{Jobs, STOPPED, post_advance};
use crate::progress::PROGRESS_EVERY;

/// Returns the report for each format, with its first error alone.
pub(crate) async fn check(
    request: RequestId,
    shown: &FileCheck,
    formats: Vec<String>,
    jobs: &Jobs,
) -> Result<Answer, String> {
    let all = formats.len() as u64;
    let mut reports = Vec::new();
    let mut progress = Throttle::every(PROGRESS_EVERY);
    for (number, format) in (0..).zip(formats) {
        // No system reads the user's own schema.
        let options =
            CheckOptions { format: Some(format), version: None, schema: Vec::new(), ..shown.options() };
        let (file, snapshot) = shown.file();
        let check = FileCheck::start(request, file, snapshot, options)?;
        let ending = Rc::clone(&check);
        let after_piece = |running: &mut Check| {
            if !jobs.is_wanted(request) {
                ending.end();
            } else if !running.end_if_evident() && progress.is_due() {
                let progress = running.progress();
                let bytes = number * progress.total_bytes + progress.bytes;
                post_advance(
                    request,
                    Advance { bytes, total_bytes: all * progress.total_bytes, ..Advance::default() },
                );
            }
        };
        if !check.read_silently(after_piece).await {
            return Err(STOPPED.to_owned());
        }
        let mut report = check.check().report();
        let first = report.findings.into_iter().find(|finding| finding.severity == Severity::Error);
        report.findings = first.into_iter().collect();
        reports.push(report);
    }
    Ok(Answer::Systems(reports))
}

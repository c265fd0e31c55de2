//! Invariants of every report. The golden cases and the fuzz targets check them.

#![allow(unreachable_pub, reason = "shared with the fuzz targets")]

use std::collections::{BTreeMap, BTreeSet};

use evalcheck_engine::formats::{FORMATS, Layout, Variant};
use evalcheck_report::{Applicability, Finding, Report};

/// Counts, findings and verdict are consistent.
pub fn assert_counts_add_up(name: &str, report: &Report) {
    let counts = &report.counts;
    let accounted = counts.valid + counts.invalid + counts.blank + counts.header + counts.continued;
    // A row of a CSV may span several lines, and several elements of a document may be on one line.
    let is_of_lines = |variant: &Variant| match variant.layout {
        Layout::Jsonl | Layout::JsonlWithHeader(_) => true,
        Layout::Csv(_) | Layout::Json(_) => false,
    };
    let format = FORMATS.iter().find(|format| format.id == report.format.id);
    if format.is_none_or(|format| format.variants.iter().all(is_of_lines)) {
        assert_eq!(counts.lines, accounted, "{name}: lines");
    }
    assert_eq!(counts.records, counts.valid + counts.invalid, "{name}: records");
    let by_code: u64 = counts.by_code.values().sum();
    assert_eq!(counts.errors + counts.warnings + counts.infos, by_code, "{name}: findings by code");
    let listed = report.findings.len() as u64;
    assert_eq!(report.truncated, listed < by_code, "{name}: {listed} of {by_code} findings are listed");
    assert_eq!(report.valid, report.checked && counts.errors == 0, "{name}: valid");
    if !report.truncated {
        let of = |severity: &str| {
            report.findings.iter().filter(|f| f.severity.as_str() == severity).count() as u64
        };
        let listed = (of("error"), of("warning"), of("info"));
        assert_eq!(listed, (counts.errors, counts.warnings, counts.infos), "{name}: findings by severity");
        let with_fix = |applicability: Applicability| {
            let mut by_code = BTreeMap::<String, u64>::new();
            for finding in &report.findings {
                if finding.fix.as_ref().is_some_and(|fix| fix.applicability == applicability) {
                    *by_code.entry(finding.code.clone()).or_default() += 1;
                }
            }
            by_code
        };
        assert_eq!(with_fix(Applicability::Safe), counts.safe_fixes, "{name}: safe fixes");
        assert_eq!(with_fix(Applicability::Unsafe), counts.unsafe_fixes, "{name}: unsafe fixes");
        let invalid: BTreeSet<u64> = report
            .findings
            .iter()
            .filter(|finding| finding.severity.as_str() == "error")
            .filter_map(|finding| finding.record)
            .collect();
        // An error before the records may keep the system from reading them.
        let is_before_records =
            |finding: &Finding| finding.severity.as_str() == "error" && finding.record.is_none();
        // So may an array at the position of the header, which counts as a record.
        let is_without_header = report.format.id == "quest" && counts.header == 0;
        if is_without_header || report.findings.iter().any(is_before_records) {
            assert!(invalid.len() as u64 <= counts.invalid, "{name}: records with an error");
        } else {
            assert_eq!(invalid.len() as u64, counts.invalid, "{name}: records with an error");
        }
    }
}

/// Findings are in the order of their lines; those without a line come before and after them.
pub fn assert_in_order(name: &str, report: &Report) {
    for pair in report.findings.windows(2) {
        assert!(pair[1].line.is_none() || pair[0].line <= pair[1].line, "{name}: {pair:#?}");
    }
}

/// Line and column of a finding are computed again from the bytes of the dataset, and those of related places too.
pub fn assert_place_is_right(name: &str, finding: &Finding, report: &Report, dataset: &[u8]) {
    let about = format!("{name}: {finding:?}");
    for record in finding.related.iter().map(|related| related.record).chain([finding.record]).flatten() {
        assert!(record < report.counts.records, "{about}: there are {} records", report.counts.records);
    }
    for related in &finding.related {
        let other = related.file.as_ref().map(|file| std::fs::read(file).unwrap());
        let dataset = other.as_deref().unwrap_or(dataset);
        let lines = dataset.split(|byte| *byte == b'\n').count() as u64;
        assert!(
            related.line.is_none_or(|line| (1..=lines).contains(&line)),
            "{about}: there are {lines} lines"
        );
        assert!(related.line.or(related.record).is_some(), "{about}: a related place without a place");
        if let Some((start, end)) = related.byte_start.zip(related.byte_end) {
            assert_span_is_right(&about, start, end, (related.line, related.column), dataset);
        }
    }
    match finding.byte_start.zip(finding.byte_end) {
        Some((start, end)) => {
            assert_span_is_right(&about, start, end, (finding.line, finding.column), dataset);
        }
        None => assert_eq!(finding.line, None, "{about}: a line without bytes"),
    }
}

fn assert_span_is_right(
    about: &str,
    start: u64,
    end: u64,
    (found_line, found_column): (Option<u64>, Option<u64>),
    dataset: &[u8],
) {
    let (start, end) = (usize::try_from(start).unwrap(), usize::try_from(end).unwrap());
    assert!(start <= end && end <= dataset.len(), "{about}: the dataset has {} bytes", dataset.len());
    assert!(start < end || dataset.is_empty(), "{about}: nothing is marked");
    let before = &dataset[..start];
    let line = before.split(|byte| *byte == b'\n').count();
    assert_eq!(found_line, Some(line as u64), "{about}: the line by its bytes");
    let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let text = &before[line_start..];
    // Editors do not show a byte order mark.
    let text = if line_start == 0 { text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text) } else { text };
    let column = 1 + text.iter().filter(|byte| **byte & 0b1100_0000 != 0b1000_0000).count();
    // Bytes that are not UTF-8 have no code points to count; then only the line is compared.
    if std::str::from_utf8(text).is_ok() {
        assert_eq!(found_column, Some(column as u64), "{about}: the column by its bytes");
    }
}

//! The built-in examples, checked as a user who drops them would.

use std::collections::BTreeSet;
use std::io::Cursor;

use evalcheck_report::{Report, Severity};
use evalcheck_wire::worker::CheckOptions;

use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::formats::{Example, FORMATS, Format};
use evalcheck_wire::catalogue::ExampleContent;

/// The number of codes of errors that a broken example shows; a table has fewer ways to be wrong.
const MISTAKES: usize = 6;
const MISTAKES_IN_A_TABLE: usize = 4;

/// Checks an example as a user who drops it would. A format that is not detected is asked for.
fn check(format: &Format, example: &Example) -> Report {
    let bytes = match example.content() {
        ExampleContent::Text(text) => text.into_bytes(),
        ExampleContent::Bytes(bytes) => bytes,
    };
    let asked = (!format.is_detected()).then(|| format.id.to_owned());
    let options = CheckOptions { format: asked, ..CheckOptions::default() };
    let file = FileInfo { name: example.file_name.to_owned(), size: bytes.len() as u64 };
    let mut check = Check::open(&mut Cursor::new(&bytes), file, options);
    check.read_all(&bytes, 1 << 20);
    check.report()
}

fn examples() -> impl Iterator<Item = (&'static Format, &'static Example)> {
    FORMATS.iter().flat_map(|format| format.examples.iter().map(move |example| (*format, example)))
}

#[test]
fn every_format_has_a_minimal_a_full_and_a_broken_example() {
    for format in FORMATS {
        let ids: BTreeSet<&str> = format.examples.iter().map(|example| example.id).collect();
        assert!(ids.is_superset(&["minimal", "full", "broken"].into()), "{}: {ids:?}", format.id);
    }
}

#[test]
fn examples_are_detected_as_their_own_format() {
    for (format, example) in examples().filter(|(format, _)| format.is_detected()) {
        let report = check(format, example);
        assert_eq!(report.format.id, format.id, "{}: {}", example.id, report.format.reason);
        if !example.id.starts_with("broken") {
            let certain = report.format.is_certain() || format.is_plain();
            assert!(certain, "{} {}: {:?}", format.id, example.id, report.format);
        }
    }
}

#[test]
fn examples_that_are_meant_to_be_right_have_no_finding() {
    for (format, example) in examples().filter(|(_, example)| !example.id.starts_with("broken")) {
        let report = check(format, example);
        assert!(
            report.valid && report.findings.is_empty(),
            "{} {}: {:#?}",
            format.id,
            example.id,
            report.findings
        );
    }
}

#[test]
fn broken_examples_show_many_mistakes() {
    for (format, example) in examples().filter(|(_, example)| example.id.starts_with("broken")) {
        let report = check(format, example);
        let errors = report.findings.iter().filter(|finding| finding.severity == Severity::Error);
        let codes: BTreeSet<&str> = errors.map(|finding| &*finding.code).collect();
        let is_table = example.id.ends_with("-csv") || format.id == "csv";
        let wanted = if is_table { MISTAKES_IN_A_TABLE } else { MISTAKES };
        assert!(codes.len() >= wanted, "{} {}: only {codes:?}", format.id, example.id);
    }
}

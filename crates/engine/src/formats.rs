//! The catalogue of formats: one file and one line each.

use evalcheck_archive::{Archive, Entry};
use evalcheck_core::finding::Finding;
use evalcheck_core::rule::AnyProblem;
use evalcheck_wire::catalogue::ExampleContent;
use evalcheck_wire::view::Sample;

use crate::detect::{Detection, FileHead};
use crate::preview::sample::Shown;
use crate::rules::Rule;
use crate::schema::Schema;

pub use crate::scan::TextPolicy;
use checks::Checks;
pub use evalcheck_records::{Layout, List};

pub mod checks;
pub mod eee_instance;
pub mod evret;
pub mod juryarena;
pub mod quest;
pub mod tencent;
pub mod user_keys;

/// Every format, in the order in which a selector lists them.
pub static FORMATS: Formats = &[
    &juryarena::FORMAT,
    &eee_instance::FORMAT,
    &tencent::INFER,
    &tencent::EVAL,
    &tencent::MANUAL,
    &quest::FORMAT,
    &evret::FORMAT,
];

/// Formats to choose from, at least one.
pub type Formats = &'static [&'static Format];

/// One format: all that is known of it, and nothing of it is known elsewhere.
#[derive(Debug)]
pub struct Format {
    /// Stable id.
    pub id: &'static str,
    /// Its name in a list.
    pub title: &'static str,
    /// The system that reads it.
    pub system: &'static str,
    /// Where the system documents it; empty where no public address is known.
    pub link: &'static str,
    /// One sentence: what a record is.
    pub summary: &'static str,
    /// Extensions of the files that hold it, without a dot.
    pub extensions: &'static [&'static str],
    /// The ways in which it is written: versions, and kinds of file. The first is the usual one.
    pub variants: &'static [Variant],
    /// How the format comes in a ZIP; `None` where it does not.
    pub archive: Option<&'static Packaging>,
    /// How well a file fits: the best variant, how sure, and why; `None` for not at all.
    pub detect: fn(&FileHead<'_>) -> Option<Detection>,
    /// What a file needs to be detected as this format, as a noun phrase: `lines with "messages"`.
    pub expected: &'static str,
    /// What strings of a record must not hold.
    pub texts: TextPolicy,
    /// Makes the checks of one dataset.
    pub checks: fn(&'static Variant) -> Checks,
    /// The rules that only this format has, by group. Formats that share a group all list it.
    pub rules: &'static [&'static [Rule]],
    /// A record as a conversation, for showing; `None` when there is nothing of one in it.
    pub preview: fn(&Shown<'_>) -> Option<Sample>,
    /// The number of records: how many are too many.
    pub limits: Limits,
    /// What the format calls a record, in the singular: `sample`, `query`.
    pub noun: &'static str,
    /// Built-in examples.
    pub examples: &'static [Example],
}

impl Format {
    /// The versions that there are, without repeats; empty where the format has no versions.
    pub fn versions(&self) -> Vec<&'static str> {
        let mut versions = Vec::new();
        for variant in self.variants {
            if !variant.version.is_empty() && !versions.contains(&variant.version) {
                versions.push(variant.version);
            }
        }
        versions
    }
}

/// One way in which a format is written.
#[derive(Debug)]
pub struct Variant {
    /// The version, where the format has several; otherwise empty.
    pub version: &'static str,
    /// How records stand in the file.
    pub layout: Layout,
    /// What one record looks like. Where a header or a list decides, the usual one.
    pub schema: &'static Schema,
}

/// How a format comes in a ZIP.
#[derive(Debug)]
pub struct Packaging {
    /// The entry that is the dataset, as an index into [`Archive::entries`], and what is wrong with the choice.
    pub choose_dataset: fn(&Archive) -> (Option<usize>, Vec<Finding>),
    /// True for an entry that could be the dataset, so that no record has to refer to it.
    pub is_dataset: fn(&Entry) -> bool,
    /// The problem of a file that no record refers to.
    pub unreferenced: fn() -> AnyProblem,
}

/// How many records a dataset may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Above this, the system refuses by default: a warning.
    pub usual: Option<u64>,
    /// Above this, the system refuses always: an error.
    pub most: Option<u64>,
}

impl Limits {
    /// Any number of records.
    pub const NONE: Self = Self { usual: None, most: None };
}

/// A built-in dataset.
#[derive(Debug)]
pub struct Example {
    /// `minimal`, `full` or `broken`.
    pub id: &'static str,
    /// What it shows, a few words.
    pub title: &'static str,
    /// The name it is checked under.
    pub file_name: &'static str,
    /// Makes its content.
    pub content: fn() -> ExampleContent,
}

/// The format with this id.
pub fn by_id(id: &str) -> Option<&'static Format> {
    FORMATS.iter().copied().find(|format| format.id == id)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::io::Cursor;

    use evalcheck_wire::report::{Report, Severity};
    use evalcheck_wire::worker::CheckOptions;

    use super::*;
    use crate::check::{Check, FileInfo};

    /// Codes of errors that a broken example shows; a table has fewer ways to be wrong.
    const MISTAKES: usize = 6;
    const MISTAKES_IN_A_TABLE: usize = 4;

    /// Checks an example as a person who drops it would.
    fn check(example: &Example) -> Report {
        let bytes = match (example.content)() {
            ExampleContent::Text(text) => text.into_bytes(),
            ExampleContent::Bytes(bytes) => bytes,
        };
        let file = FileInfo { name: example.file_name.to_owned(), size: bytes.len() as u64 };
        let mut check = Check::open(&mut Cursor::new(&bytes), file, CheckOptions::default());
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
        for (format, example) in examples() {
            let report = check(example);
            assert_eq!(report.format.id, format.id, "{}: {}", example.id, report.format.reason);
            if !example.id.starts_with("broken") {
                let certain = report.format.confidence > 70;
                assert!(certain, "{} {}: {:?}", format.id, example.id, report.format);
            }
        }
    }

    #[test]
    fn examples_that_are_meant_to_be_right_have_no_finding() {
        for (format, example) in examples().filter(|(_, example)| !example.id.starts_with("broken")) {
            let report = check(example);
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
            let report = check(example);
            let errors = report.findings.iter().filter(|finding| finding.severity == Severity::Error);
            let codes: BTreeSet<&str> = errors.map(|finding| &*finding.code).collect();
            let is_table = example.id.ends_with("-csv");
            let wanted = if is_table { MISTAKES_IN_A_TABLE } else { MISTAKES };
            assert!(codes.len() >= wanted, "{} {}: only {codes:?}", format.id, example.id);
        }
    }
}

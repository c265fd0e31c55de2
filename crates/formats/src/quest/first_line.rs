//! A first line that is not a metadata line: a description of it, and advice.

use evalcheck_report::{Edit, Fix};

use super::SampleType;
use super::problem::QuestProblem;
use crate::checks::{Findings, Header, Record};
use crate::diagnose::{Kind, Value};

/// A metadata line that fits the first record.
fn metadata_line(first: &Value<'_>, is_record: bool, usual: SampleType, total: &str) -> String {
    let samples = first.as_array().unwrap_or_default();
    let sample_type = samples.first().map_or_else(|| SampleType::of(first), SampleType::of);
    let sample_type = sample_type.filter(|_| is_record).unwrap_or(usual).name();
    let per_line = samples.len().max(1);
    format!(
        "{{\"total_samples\":{total},\"sample_type\":\"{sample_type}\",\"samples_per_line\":{per_line},\"hidden_metadata\":[]}}"
    )
}

/// The description of a first line with the whole dataset in one array, and the advice for it.
const WRAPPED: &str = "one array around the metadata and all samples";
const TAKE_APART: &str =
    "Split the array into lines, one for each of its elements: jq -c '.[]' FILE > FILE.jsonl";

/// The description of a first line with the metadata in an array, like the samples of the other lines.
const IN_BRACKETS: &str = "the metadata in an array";

/// Whether an object has a key of the metadata and no text of a sample.
fn is_metadata(value: &Value<'_>) -> bool {
    let has = |key: &&str| value.get(key).is_some();
    ["total_samples", "sample_type", "samples_per_line", "hidden_metadata"].iter().any(has)
        && !["text", "prompt", "completion"].iter().any(has)
}

/// The header of a first line that is not a metadata line: its problem, and whether its samples are checked.
pub(super) fn no_metadata_line(
    line: Option<&Record<'_>>,
    usual: SampleType,
    out: &mut Findings<'_>,
) -> Header {
    let Some(line) = line else {
        return Header { problem: Some(QuestProblem::EmptyFirstLine.into()), ..Header::default() };
    };
    let (found, is_record) = match &line.root.kind {
        Kind::Object(_) => {
            out.replace_schema_findings(&line.root.span);
            let has_field =
                ["id", "prompt", "completion", "text"].iter().any(|key| line.root.get(key).is_some());
            ("an object without any of its keys", has_field && SampleType::of(line.root).is_some())
        }
        Kind::Array(elements) if matches!(&elements[..], [only] if is_metadata(only)) => (IN_BRACKETS, false),
        Kind::Array(elements) if elements.iter().any(|element| element.get("sample_type").is_some()) => {
            (WRAPPED, false)
        }
        Kind::Array(_) => ("an array of samples", true),
        Kind::String(_) => ("a string", false),
        Kind::Number(..) => ("a number", false),
        Kind::Boolean(_) => ("a boolean", false),
        Kind::Null => ("null", false),
    };
    let metadata = |total: &str| metadata_line(line.root, is_record, usual, total);
    // The number of samples is not known before the last line.
    let with_n = || format!("{}, with the number of samples as N.", metadata("N"));
    let advice = match found {
        WRAPPED => TAKE_APART.to_owned(),
        IN_BRACKETS => "Take the brackets off: the metadata is an object.".to_owned(),
        _ if is_record => format!("Put a metadata line before it: {}", with_n()),
        _ => format!("Replace the line with a metadata line: {}", with_n()),
    };
    // If the number is wrong, the next check reports it.
    let fix = is_record.then(|| {
        let start = line.text.start.offset;
        let edit = Edit { start, end: start, text: metadata("1") + "\n" };
        Fix::not_safe(
            "Write a metadata line as the first line says it, which guesses that no key is hidden",
            vec![edit],
        )
    });
    let fix = match line.root.as_array() {
        Some([metadata]) if found == IN_BRACKETS => {
            let start = line.text.start.offset;
            let edit = |from: usize, to: usize| Edit {
                start: start + from as u64,
                end: start + to as u64,
                text: String::new(),
            };
            let (array, object) = (&line.root.span, &metadata.span);
            let edits = vec![edit(array.start, object.start), edit(object.end, array.end)];
            Some(Fix::safe("Take the brackets off", edits))
        }
        _ => fix,
    };
    Header {
        fix,
        problem: Some(QuestProblem::NoMetadataLine { found, advice }.into()),
        is_record,
        ..Header::default()
    }
}

//! Quest's rules for results beyond their schema.

use std::collections::BTreeSet;

use super::{KEYS, capture};
use crate::checks::{
    Captures, Conclusions, DatasetChecks, Findings, Observations, Observes, Record, RecordChecks, Summary,
};
use crate::diagnose::{self, Kind, Parsed, RecordStart, SyntaxProblem, Value, clip, clip_quoted};
use crate::first_value::{FirstValue, FirstValues};
use crate::instant;
use crate::quest::schemas::{SAMPLE_ID, TYPE};
use crate::seen_ids::SeenIds;
use evalcheck_core::finding::Location;
use evalcheck_json::scan::BOM;
use evalcheck_report::text::count;
use evalcheck_report::{Edit, Fix};

evalcheck_core::rules! {
    /// Problems of labelling results.
    ResultsProblem {
        FirstLine = "quest-results/first-line", Error {
            summary: "Quest cannot append results to the file because of its first line.",
            message: "the first line is not an object with the keys sample, feedback and timestamp, and no others: Quest refuses to append results to this file",
            hint: "Begin the file with a result. If this line is one, correct what its other findings say; if it is none, delete it.",
            fix: Safe,
            meaning: "Before Quest appends a result, it compares the keys of the first line with those of the new result. Where the line is not JSON or has other keys, Quest appends nothing, and labelling cannot go on.",
            invalid: "  \n{\"sample\":{\"type\":\"text\",\"id\":\"a\",\"text\":\"One.\"},\"feedback\":{\"quality\":3},\"timestamp\":\"2025-02-10T20:11:56.000Z\"}",
            valid: "{\"sample\":{\"type\":\"text\",\"id\":\"a\",\"text\":\"One.\"},\"feedback\":{\"quality\":3},\"timestamp\":\"2025-02-10T20:11:56.000Z\"}",
        }
        EmptyFirstLine = "quest-results/empty-first-line", Warning {
            summary: "The first line is empty.",
            message: "the first line is empty: Quest appends results without comparing their keys",
            hint: "Delete the blank lines before the first result.",
            fix: Safe,
            meaning: "Before Quest appends a result, it compares the keys of the first line with those of the new result, unless the first line is empty.",
            invalid: "an empty line before the first result",
            valid: "the first result on the first line",
        }
        SampleType { found: String, first: String, line: u64 } = "quest-results/sample-type", Error {
            summary: "The samples of a file are of different types.",
            message: "the type of this sample is {found}, and that of the first sample, on line {line}, is {first}",
            hint: "Put the results of samples of another type into a file of their own.",
            related: "the first sample" => Location::line(*line),
            meaning: "The results of a file come from one task and its dataset, and a dataset has samples of one type.",
            invalid: "a sample of the type text on line 1, and one of the type text_completion on line 2",
            valid: "samples of the type text on both lines",
        }
        MixedTasks { what: String, found: &'static str, first: &'static str, line: u64 } = "quest-results/mixed-tasks", Warning {
            summary: "Results of one file differ as those of different tasks do.",
            message: "{what} is {found} here and {first} on line {line}",
            hint: "Put the results of each task into a file of their own, or correct the key or value. Feedback that the task does not require may be missing.",
            related: "compared with this line" => Location::line(*line),
            meaning: "All results of a file come from one task. It has either single samples or lists to compare, and asks for the same feedback each time: a number (numeric), a string (select, text) or a list of strings (multiselect, ranking) for each key. Reported for the first result that differs; at most 64 keys of feedback are compared.",
            invalid: "\"feedback\":{\"quality\":3} on line 1, and \"feedback\":{\"quality\":\"3\"} on line 2",
            valid: "\"feedback\":{\"quality\":3} on both lines",
        }
        RepeatedSample { results: String, line: u64 } = "quest-results/repeated-sample", Info {
            summary: "Samples were labelled more than once.",
            message: "the file has {results} of samples that an earlier line labels too (the first on line {line})",
            hint: "If each sample is to be labelled only once, delete the later results of a sample.",
            related: "the first one" => Location::line(*line),
            meaning: "Several labellers may label the same sample, or the same list of samples. Results with errors are not counted. Reported once for a file.",
            invalid: "results of the sample with the id \"a\" on lines 1 and 2",
            valid: "results of the samples with the ids \"a\" and \"b\"",
        }
        Timestamp { found: String, reason: &'static str } = "quest-results/timestamp", Error {
            summary: "A timestamp is not an instant.",
            message: "the timestamp {found} {reason}",
            hint: "Write when the sample was labelled, in UTC, such as \"2025-02-10T20:11:56.000Z\".",
            meaning: "A timestamp says when labelling was completed, in ISO 8601. It needs a day that exists, a time of day, and Z or an offset.",
            invalid: "{\"sample\":{\"type\":\"text\",\"id\":\"a\",\"text\":\"One.\"},\"feedback\":{\"quality\":3},\"timestamp\":\"2025-02-30T20:11:56.000Z\"}",
            valid: "{\"sample\":{\"type\":\"text\",\"id\":\"a\",\"text\":\"One.\"},\"feedback\":{\"quality\":3},\"timestamp\":\"2025-02-28T20:11:56.000Z\"}",
        }
        TimestampForm { found: String } = "quest-results/timestamp-form", Info {
            summary: "A timestamp has another form than Quest writes.",
            message: "the timestamp {found} is not in the form that Quest writes",
            hint: "Where programs compare timestamps as texts, write all of them in UTC with milliseconds, such as \"2025-02-10T20:11:56.000Z\".",
            meaning: "Quest writes UTC with milliseconds and Z. Sorting texts of several forms does not sort the instants.",
            invalid: "{\"sample\":{\"type\":\"text\",\"id\":\"a\",\"text\":\"One.\"},\"feedback\":{\"quality\":3},\"timestamp\":\"2025-02-10T21:11:56+01:00\"}",
            valid: "{\"sample\":{\"type\":\"text\",\"id\":\"a\",\"text\":\"One.\"},\"feedback\":{\"quality\":3},\"timestamp\":\"2025-02-10T20:11:56.000Z\"}",
        }
        TimestampOrder { line: u64 } = "quest-results/timestamp-order", Info {
            summary: "A result is earlier than the one before it.",
            message: "the timestamp is earlier than that on line {line}",
            hint: "If several people labelled at once, leave it as it is: their clocks may differ. Otherwise check whether lines were moved or files were joined.",
            related: "this one is later" => Location::line(*line),
            meaning: "Quest appends each result when it is submitted, with the time of the labeller's browser. Reported once for a file.",
            invalid: "a result of 20:11:56 on line 1, and one of 20:11:55 on line 2",
            valid: "results in the order of their timestamps",
        }
    }
}

/// The checks of one result: its timestamp.
#[derive(Debug)]
pub(super) struct Timestamps;

impl RecordChecks for Timestamps {
    fn is_clean(&self, captures: &Captures<'_>) -> bool {
        captures.texts(capture::TIMESTAMP).all(|text| instant::read(text).is_ok_and(|read| read.is_canonical))
    }

    fn check(&self, record: &Record<'_>, out: &mut Findings<'_>) {
        let Some(value) = record.root.get("timestamp") else { return };
        let Some(text) = value.as_str() else { return };
        let found = clip_quoted(text);
        let problem = match instant::read(text) {
            Ok(read) if read.is_canonical => return,
            Ok(_) => ResultsProblem::TimestampForm { found },
            Err(reason) => ResultsProblem::Timestamp { found, reason },
        };
        out.report(problem, record.at(value));
    }
}

/// The checks of a dataset. Remembers the ids of each result as [`SeenIds`] does, and keys of feedback as [`FirstValues`] does.
#[derive(Debug, Default)]
pub(super) struct Dataset {
    /// The problem of the first line, and the length of the line.
    first_line: Option<(ResultsProblem, u64)>,
    /// The start of the first result without errors.
    first_valid: Option<RecordStart>,
    /// The type of the first sample, and its line.
    sample_type: Option<(String, u64)>,
    sample: FirstValues<&'static str>,
    feedback: FirstValues<&'static str>,
    samples: SeenIds,
    /// The number of results whose samples were labelled before, and the line of the first.
    repeated: Option<(u64, u64)>,
    /// The last instant, and its line.
    last_instant: Option<(i64, u64)>,
    is_earlier: FirstValue<bool>,
}

impl Dataset {
    fn compare_type(&mut self, found: &str, line: u64) -> Option<ResultsProblem> {
        let (first, line) = self.sample_type.get_or_insert_with(|| (found.to_owned(), line));
        let names = (found != first).then(|| (found.to_owned(), first.clone()));
        names.map(|(found, first)| ResultsProblem::SampleType { found, first, line: *line })
    }

    fn compare_instant(&mut self, text: &str, line: u64) -> Option<ResultsProblem> {
        let now = instant::read(text).ok()?.milliseconds;
        let (last, last_line) = self.last_instant.replace((now, line)).unwrap_or((now, line));
        self.is_earlier.differing(now < last, line)?;
        Some(ResultsProblem::TimestampOrder { line: last_line })
    }
}

fn mixed(what: &str, found: Option<&'static str>, first: (Option<&'static str>, u64)) -> ResultsProblem {
    let [found, first_kind] = [found, first.0].map(|kind| kind.unwrap_or("missing"));
    ResultsProblem::MixedTasks { what: clip(what, 80), found, first: first_kind, line: first.1 }
}

impl DatasetChecks for Dataset {
    fn observes(&self) -> Observes {
        Observes::Captures
    }

    fn ids(&mut self) -> Option<&mut SeenIds> {
        Some(&mut self.samples)
    }

    fn first_line(&mut self, line: &[u8]) {
        // A byte order mark has its own finding. JavaScript accepts nesting and numbers that are refused here.
        let is_result = match diagnose::parse(line.strip_prefix(BOM).unwrap_or(line)) {
            Ok(Parsed { value: Value { kind: Kind::Object(members), .. }, .. }) => {
                members.iter().map(|member| &*member.key).collect::<BTreeSet<_>>() == KEYS.into()
            }
            Ok(_) => false,
            Err(error) => {
                matches!(error.problem, SyntaxProblem::TooDeep { .. } | SyntaxProblem::NumberRange { .. })
            }
        };
        let problem =
            if line.is_empty() { ResultsProblem::EmptyFirstLine } else { ResultsProblem::FirstLine };
        self.first_line = (!is_result).then_some((problem, line.len() as u64));
    }

    fn observe(&mut self, captures: &Captures<'_>, at: RecordStart, out: &mut Observations) {
        let line = at.line;
        self.first_valid = self.first_valid.or((!captures.has_errors).then_some(at));
        let mut key = "";
        for (index, (number, range)) in captures.strings.iter().enumerate() {
            let text = || captures.text(range);
            let kind = captures.kind(index).filter(|_| *number != capture::KEY);
            let problem = match *number {
                TYPE => self.compare_type(text(), line),
                capture::TIMESTAMP => self.compare_instant(text(), line),
                capture::SAMPLE if kind != Some("a number") => {
                    let first = self.sample.differing("sample", kind, line);
                    first.map(|first| mixed("sample", kind, first))
                }
                capture::KEY | capture::VALUE => {
                    key = if *number == capture::KEY { text() } else { key };
                    let first = self.feedback.differing(key, kind, line);
                    first.map(|first| mixed(&format!("feedback.{key}"), kind, first))
                }
                capture::FEEDBACK if kind == Some("an object") => {
                    for (key, first) in self.feedback.missing(line) {
                        out.report(index, mixed(&format!("feedback.{key}"), None, first));
                    }
                    None
                }
                _ => None,
            };
            if let Some(problem) = problem {
                out.report(index, problem);
            }
        }
        let mut ids = captures.contents(SAMPLE_ID).peekable();
        if !captures.has_errors && ids.peek().is_some() && self.samples.repeated(ids, line).is_some() {
            self.repeated.get_or_insert((0, line)).0 += 1;
        }
    }

    fn finish(&mut self, _summary: &Summary<'_>, out: &mut Conclusions<'_>) {
        if let Some((problem, length)) = self.first_line.take() {
            let bytes = Some(0..length.max(1));
            // Only blank lines precede the first record. If it has an error, Quest might refuse the file.
            let first = self.first_valid.filter(|first| first.record == 0 && first.line > 1);
            let edit = first.map(|first| Edit { start: 0, end: first.offset, text: String::new() });
            let fix = edit.map(|edit| Fix::safe("Delete the blank lines", vec![edit]));
            out.report_fixed_at(problem, Location { column: Some(1), bytes, ..Location::line(1) }, fix);
        }
        if let Some((results, line)) = self.repeated {
            out.report(ResultsProblem::RepeatedSample { results: count(results, "result"), line });
        }
    }
}

//! Values that metrics need, and that few goldens lack.

use evalcheck_core::finding::Location;

use super::columns;
use super::schemas::captures;
use crate::checks::Conclusions;
use crate::diagnose::RecordStart;

evalcheck_core::rules! {
    /// Problems of goldens for metrics.
    NeededProblem {
        NoOutputs = "deepeval/no-outputs", Info {
            summary: "No golden has an output, expected or actual.",
            message: "no golden has actual_output or expected_output",
            hint: "That is fine if the evaluation runs the application for each input. Metrics that compare with an ideal answer, such as ContextualRecallMetric, need expected_output.",
            meaning: "Most metrics judge actual_output, which the evaluation usually fills in, and some compare it with expected_output.",
            invalid: r#"{"input": "Do you ship to Norway?"}"#,
            valid: r#"{"input": "Do you ship to Norway?", "expected_output": "Yes."}"#,
        }
        NotScorable { key: &'static str, metrics: &'static str, with: u64, records: u64 } = "deepeval/not-scorable", Warning {
            summary: "A golden lacks a value that nearly all others have.",
            message: "the golden has no {key}, which {with} of {records} have: {metrics} cannot score it",
            hint: "Write {key}, or leave the metric out for this golden.",
            meaning: "A metric fails on a golden that lacks a value that it needs, with '... cannot be None for the ... metric'. Reported where at most a tenth of ten or more goldens lack the value, for the first hundred.",
            other_words: ["'retrieval_context' cannot be None for the 'FaithfulnessMetric' metric"],
            invalid: "a file of ten goldens, of which nine have expected_output",
            valid: "the same file with expected_output in all of them",
        }
    }
}

/// A value that metrics need.
pub(super) struct Needed {
    key: &'static str,
    /// The captures of records that have it, in JSON.
    pub(super) captures: &'static [u8],
    /// The column; `None` if an empty cell is an empty list, which metrics take.
    pub(super) column: Option<u8>,
    metrics: &'static str,
}

const NEEDED: [Needed; 6] = [
    Needed {
        key: "actual_output",
        captures: &[captures::ACTUAL],
        column: Some(columns::ACTUAL),
        metrics: "AnswerRelevancyMetric and all others that judge the answer",
    },
    Needed {
        key: "expected_output",
        captures: &[captures::EXPECTED],
        column: Some(columns::EXPECTED),
        metrics: "ContextualPrecisionMetric, ContextualRecallMetric and ExactMatchMetric",
    },
    Needed {
        key: "retrieval_context",
        captures: &[captures::RETRIEVED, captures::RETRIEVED_TEXT],
        column: None,
        metrics: "FaithfulnessMetric, ContextualPrecisionMetric, ContextualRecallMetric and ContextualRelevancyMetric",
    },
    Needed {
        key: "context",
        captures: &[captures::CONTEXT, captures::CONTEXT_TEXT],
        column: None,
        metrics: "HallucinationMetric",
    },
    Needed {
        key: "tools_called",
        captures: &[captures::CALLED, captures::JSON_TEXT],
        column: None,
        metrics: "ToolCorrectnessMetric and ArgumentCorrectnessMetric",
    },
    Needed {
        key: "expected_tools",
        captures: &[captures::WANTED, captures::JSON_TEXT],
        column: None,
        metrics: "ToolCorrectnessMetric",
    },
];

const ACTUAL: usize = 0;
const EXPECTED: usize = 1;

/// A missing value is reported if at most one golden in this many lacks it.
const MANY: u64 = 10;

/// The goldens without a value that are remembered.
const MOST_REMEMBERED: usize = 100;

/// The goldens of one turn that lack a value.
#[derive(Debug, Default)]
struct Lacking {
    count: u64,
    first: Vec<RecordStart>,
}

/// Counts of the goldens of one turn that lack a value.
#[derive(Debug, Default)]
pub(super) struct NeededValues {
    goldens: u64,
    lacking: [Lacking; NEEDED.len()],
}

impl NeededValues {
    /// Counts what a golden lacks.
    pub(super) fn count(&mut self, has: impl Fn(&Needed) -> bool, at: RecordStart) {
        self.goldens += 1;
        for (needed, lacking) in NEEDED.iter().zip(&mut self.lacking) {
            if !has(needed) {
                lacking.count += 1;
                if lacking.first.len() < MOST_REMEMBERED {
                    lacking.first.push(at);
                }
            }
        }
    }

    /// Reports what was counted.
    pub(super) fn finish(&self, out: &mut Conclusions<'_>) {
        let many = self.goldens;
        let has_none = |lacking: &Lacking| lacking.count == many;
        if many > 0 && has_none(&self.lacking[ACTUAL]) && has_none(&self.lacking[EXPECTED]) {
            out.report(NeededProblem::NoOutputs);
        }
        for (needed, lacking) in NEEDED.iter().zip(&self.lacking) {
            if many < MANY || lacking.count * MANY > many {
                continue;
            }
            for &at in &lacking.first {
                let Needed { key, metrics, .. } = *needed;
                let problem =
                    NeededProblem::NotScorable { key, metrics, with: many - lacking.count, records: many };
                out.report_at(problem, beginning(at));
            }
        }
    }
}

/// The beginning of a record.
fn beginning(at: RecordStart) -> Location {
    Location {
        line: Some(at.line),
        column: Some(at.column),
        bytes: Some(at.offset..at.offset + 1),
        record: Some(at.record),
        ..Location::default()
    }
}

//! The rules on several goldens: their kind, and what few of them lack.

use std::rc::Rc;

use evalcheck_core::finding::{Location, Path, Step};
use evalcheck_report::text::count;

use super::cells::{self, Rows};
use super::columns::{self, COLUMN_LIST};
use super::lists::{Found, Lists};
use super::rules::kind_name;
use super::schemas::captures;
use crate::checks::{Captures, Conclusions, DatasetChecks, Observations, Observes, RecordChecks, Summary};
use crate::diagnose::RecordStart;
use crate::pandas::{self, Type};
use evalcheck_json::tokens::{TokenKind, significant};

evalcheck_core::rules! {
    /// Problems of goldens beside each other.
    DatasetProblem {
        MixedKinds { kind: &'static str, others: &'static str, line: u64 } = "deepeval/mixed-kinds", Error {
            summary: "Goldens of one turn and conversations are in one file.",
            message: "this record is {kind}, but the first one of the file is {others}: DeepEval stops here",
            hint: "Put conversations into a file of their own.",
            related: "the first golden" => Location::line(*line),
            meaning: "A dataset of DeepEval holds one kind of goldens, that of its first. A record with a scenario is a conversation, any other has one turn.",
            other_words: ["You cannot add 'ConversationalGolden' to a single-turn dataset.", "You cannot add 'Golden' to a multi-turn dataset."],
            invalid: "{\"input\": \"Do you ship to Norway?\"}\n{\"scenario\": \"The customer asks for a refund.\"}",
            valid: "{\"input\": \"Do you ship to Norway?\"}\n{\"input\": \"May I have a refund?\"}",
        }
        NotAList { advice: &'static str } = "deepeval/not-a-list", Error {
            summary: "A JSON file is an object, not a list of goldens.",
            message: "the file is an object: DeepEval goes over its keys as over goldens, and stops at the first",
            hint: "{advice}",
            meaning: "A JSON file of goldens is a list, without an object around it. One golden by itself needs the brackets of a list too.",
            other_words: ["'str' object has no attribute 'get'"],
            invalid: "a JSON file with {\"goldens\": [{\"input\": \"...\"}]}",
            valid: "a JSON file with [{\"input\": \"...\"}]",
        }
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
        Description { count: String } = "deepeval/user-description", Info {
            summary: "Conversations have the deprecated user_description.",
            message: "user_description is deprecated{count}: it becomes the characteristics of the persona",
            hint: "Write \"persona\": {{\"characteristics\": \"...\"}}; a CSV has no persona.",
            meaning: "DeepEval has replaced user_description by persona since 4.1.10, and still reads it. Reported once for a file.",
            invalid: r#"{"scenario": "The customer asks for a refund.", "user_description": "In a hurry."}"#,
            valid: r#"{"scenario": "The customer asks for a refund.", "persona": {"characteristics": "In a hurry."}}"#,
        }
        TypedColumn { column: &'static str, of: &'static str, rows: String, why: &'static str } = "deepeval/typed-column", Error {
            summary: "All cells of a column of texts are numbers or booleans.",
            message: "all {rows} of {column} with a value hold {of}, so pandas does not read texts: {why}",
            hint: "Use JSON, where a number in quotes is a text. In a CSV quotes do not help.",
            meaning: "pandas types a column as a whole: if every value is a number, or every one is true or false, none is a text, and DeepEval accepts only texts here. One other value in the column keeps all of them texts.",
            other_words: ["expected_output Input should be a valid string [type=string_type, input_value=7, input_type=int]", "'int' object has no attribute 'split'", "'int' object has no attribute 'strip'"],
            invalid: "input,expected_output\nWhat is 3 + 4?,7\nWhat is 4 + 4?,8",
            valid: "input,expected_output\nWhat is 3 + 4?,seven\nWhat is 4 + 4?,eight",
        }
    }
}

/// A value that metrics need.
struct Needed {
    key: &'static str,
    /// The captures of records that have it, in JSON.
    captures: &'static [u8],
    /// The column; `None` if an empty cell is an empty list, which metrics take.
    column: Option<u8>,
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

/// A known column of a CSV.
#[derive(Debug, Default)]
struct Typed {
    cells: pandas::Column,
    /// The cells that are not missing.
    filled: u64,
    /// The first of them that the loader reads.
    first: Option<RecordStart>,
}

/// The checks of a dataset. Remembers counts, one place for each rule and column, and at most a hundred places for each value that metrics need.
#[derive(Debug, Default)]
pub(super) struct Dataset {
    is_csv: bool,
    is_document: bool,
    /// Of a JSON file, whether it is an object, and whether that is a golden.
    object: Option<bool>,
    /// Whether the first golden is a conversation, and its line.
    first: Option<(bool, u64)>,
    /// The goldens of one turn.
    single: u64,
    lacking: [Lacking; NEEDED.len()],
    lists: [Lists; 2],
    description: Found,
    /// The columns of a CSV, by their numbers.
    columns: Vec<Typed>,
}

impl Dataset {
    pub(super) fn of_json(is_document: bool) -> Self {
        Self { is_document, ..Self::default() }
    }

    pub(super) fn of_csv() -> Self {
        let columns = COLUMN_LIST.iter().map(|_| Typed::default()).collect();
        Self { is_csv: true, columns, ..Self::default() }
    }

    fn kind(
        &mut self,
        is_conversation: bool,
        shown_by: Option<usize>,
        at: RecordStart,
        out: &mut Observations,
    ) {
        let (first, line) = *self.first.get_or_insert((is_conversation, at.line));
        if first != is_conversation
            && let Some(capture) = shown_by
        {
            let (kind, others) = (kind_name(is_conversation), kind_name(first));
            out.report(capture, DatasetProblem::MixedKinds { kind, others, line });
        }
    }

    /// Counts what a golden of one turn lacks.
    fn count(&mut self, has: impl Fn(&Needed) -> bool, at: RecordStart) {
        self.single += 1;
        for (needed, lacking) in NEEDED.iter().zip(&mut self.lacking) {
            if !has(needed) {
                lacking.count += 1;
                if lacking.first.len() < MOST_REMEMBERED {
                    lacking.first.push(at);
                }
            }
        }
    }

    fn observe_row(&mut self, captures: &Captures<'_>, at: RecordStart, out: &mut Observations) {
        let cell = |number: u8| {
            let found = captures.strings.iter().position(|(known, _)| *known == number)?;
            Some(found).filter(|found| !pandas::is_missing(captures.text(&captures.strings[*found].1)))
        };
        let scenario = cell(columns::SCENARIO);
        let is_conversation = scenario.is_some();
        self.kind(is_conversation, scenario.or_else(|| cell(columns::INPUT)), at, out);
        if !is_conversation {
            self.count(|needed| needed.column.is_none_or(|column| cell(column).is_some()), at);
        }
        let mut seen = 0_u32;
        for (number, range) in captures.strings {
            let bit = 1_u32 << number;
            // Of columns with the same name, the first counts.
            if seen & bit != 0 {
                continue;
            }
            seen |= bit;
            let text = captures.text(range);
            let column = &mut self.columns[usize::from(*number)];
            column.cells.add(text);
            if pandas::is_missing(text) {
                continue;
            }
            column.filled += 1;
            if cells::is_read(*number, is_conversation) && !cells::counts_as_missing(*number, text) {
                column.first.get_or_insert(at);
            }
            let list = match *number {
                columns::CONTEXT => 0,
                columns::RETRIEVED if !is_conversation => 1,
                columns::DESCRIPTION if is_conversation => {
                    self.description.add(|| row_location(at, *number));
                    continue;
                }
                _ => continue,
            };
            self.lists[list].text(text, || row_location(at, *number));
        }
    }

    fn observe_record(&mut self, captures: &Captures<'_>, at: RecordStart, out: &mut Observations) {
        let place = |number: u8| captures.strings.iter().position(|(known, _)| *known == number);
        let scenario = place(captures::SCENARIO).filter(|place| !captures.strings[*place].1.is_empty());
        let is_conversation = scenario.is_some();
        self.kind(is_conversation, scenario.or_else(|| place(captures::INPUT)), at, out);
        if !is_conversation && !captures.has_errors {
            let has = |number: &u8| match place(*number) {
                // Metrics refuse an empty answer.
                Some(place) if *number == captures::ACTUAL => !captures.strings[place].1.is_empty(),
                place => place.is_some(),
            };
            self.count(|needed| needed.captures.iter().any(has), at);
        }
        let mut locations = captures.locations(at);
        for (capture, (number, range)) in captures.strings.iter().enumerate() {
            let (list, key) = match *number {
                captures::CONTEXT_ITEM | captures::CONTEXT_TEXT => (0, "context"),
                captures::RETRIEVED_ITEM | captures::RETRIEVED_TEXT if !is_conversation => {
                    (1, "retrieval_context")
                }
                captures::DESCRIPTION if is_conversation && !range.is_empty() => {
                    self.description.add(|| located(locations.of(capture), "user_description"));
                    continue;
                }
                _ => continue,
            };
            let text = captures.text(range);
            let list = &mut self.lists[list];
            let at = || located(locations.of(capture), key);
            if matches!(*number, captures::CONTEXT_TEXT | captures::RETRIEVED_TEXT) {
                list.text(text, at);
            } else {
                list.item(text, at);
            }
        }
    }
}

fn located(location: Location, key: &str) -> Location {
    Location { path: Some(Path(vec![Step::Key(key.into())])), ..location }
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

/// The place of a row, for a finding about one of its cells.
fn row_location(at: RecordStart, column: u8) -> Location {
    located(beginning(at), COLUMN_LIST[usize::from(column)].name)
}

impl DatasetChecks for Dataset {
    fn needs_head(&self) -> bool {
        self.is_document
    }

    fn head(&mut self, head: &[u8]) {
        let mut tokens = significant(head);
        let is_object = tokens.next().is_some_and(|token| token.kind == TokenKind::Punctuation(b'{'));
        let Some(key) = tokens.next().filter(|_| is_object) else { return };
        // An empty object holds no golden, and DeepEval loads none.
        if let TokenKind::String { content, .. } = key.kind {
            let is_golden = COLUMN_LIST.iter().any(|column| column.name.as_bytes() == &head[content.clone()]);
            self.object = Some(is_golden);
        }
    }

    fn observes(&self) -> Observes {
        Observes::Records
    }

    fn observe(&mut self, captures: &Captures<'_>, at: RecordStart, out: &mut Observations) {
        if self.is_csv {
            self.observe_row(captures, at, out);
        } else {
            self.observe_record(captures, at, out);
        }
    }

    fn concludes_on_records(&self) -> bool {
        true
    }

    fn record_checks(&self) -> Option<Rc<dyn RecordChecks>> {
        let types = self.columns.iter().map(|column| column.cells.of()).collect();
        self.is_csv.then(|| Rc::new(Rows { types: Some(types) }) as Rc<dyn RecordChecks>)
    }

    fn finish(&mut self, _summary: &Summary<'_>, out: &mut Conclusions<'_>) {
        for (number, column) in (0_u8..).zip(&self.columns) {
            let of = match column.cells.of() {
                Type::Boolean => "true or false",
                Type::Integer | Type::Huge | Type::Float => "numbers",
                Type::Text | Type::Verbatim | Type::Empty => continue,
            };
            let (Some(first), Some(why)) = (column.first, cells::why_typed(number)) else { continue };
            let rows = count(column.filled, "row");
            let column = COLUMN_LIST[usize::from(number)].name;
            // The column is refused, and not the row alone, which was counted.
            let location = Location { record: None, ..row_location(first, number) };
            out.report_at(DatasetProblem::TypedColumn { column, of, rows, why }, location);
        }
        if let Some(is_golden) = self.object {
            let advice = if is_golden {
                "Put the golden into a list: [ ... ]."
            } else {
                "Keep the list alone, without the object around it."
            };
            out.report(DatasetProblem::NotAList { advice });
        }
        let many = self.single;
        let has_none = |lacking: &Lacking| lacking.count == many;
        if many > 0 && has_none(&self.lacking[ACTUAL]) && has_none(&self.lacking[EXPECTED]) {
            out.report(DatasetProblem::NoOutputs);
        }
        for (needed, lacking) in NEEDED.iter().zip(&self.lacking) {
            if many < MANY || lacking.count * MANY > many {
                continue;
            }
            for &at in &lacking.first {
                let Needed { key, metrics, .. } = *needed;
                let problem =
                    DatasetProblem::NotScorable { key, metrics, with: many - lacking.count, records: many };
                out.report_at(problem, beginning(at));
            }
        }
        if let Some((location, count)) = self.description.take("golden") {
            out.report_at(DatasetProblem::Description { count }, location);
        }
        for (list, key) in self.lists.iter_mut().zip(["context", "retrieval_context"]) {
            list.finish(key, out);
        }
    }
}

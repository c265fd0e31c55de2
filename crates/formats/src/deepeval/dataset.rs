//! The rules on several goldens: their kind, and what few of them lack.

use std::rc::Rc;

use evalcheck_core::finding::{Location, Path, Step};

use super::cells::{self, KnownColumns, Rows};
use super::columns::{self, COLUMN_LIST};
use super::lists::{Found, Lists};
use super::needed::NeededValues;
use super::rules::kind_name;
use super::schemas::captures;
use crate::checks::{
    Captures, Conclusions, DatasetChecks, Findings, HeaderAnswer, Observations, Observes, Record,
    RecordChecks, Summary,
};
use crate::diagnose::{Kind, RecordStart};
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
        NotAList { what: &'static str, advice: &'static str } = "deepeval/not-a-list", Error {
            summary: "A JSON file is not a list of goldens.",
            message: "{what}",
            hint: "{advice}",
            meaning: "A JSON file of goldens is a list, without an object around it. One golden by itself needs the brackets of a list too. A file with a golden on each line is JSONL, for which DeepEval has another loader.",
            other_words: ["'str' object has no attribute 'get'", "is not a valid JSON file."],
            invalid: "a JSON file with {\"goldens\": [{\"input\": \"...\"}]}",
            valid: "a JSON file with [{\"input\": \"...\"}]",
        }
        Description { count: String, advice: &'static str } = "deepeval/user-description", Info {
            summary: "Conversations have the deprecated user_description.",
            message: "user_description is deprecated{count}: it becomes the characteristics of the persona",
            hint: "{advice}",
            meaning: "DeepEval has replaced user_description by persona since 4.1.10, and still reads it. Reported once for a file.",
            invalid: r#"{"scenario": "The customer asks for a refund.", "user_description": "In a hurry."}"#,
            valid: r#"{"scenario": "The customer asks for a refund.", "persona": {"characteristics": "In a hurry."}}"#,
        }
        TypedColumn { column: &'static str, value: &'static str, of: &'static str, why: &'static str } = "deepeval/typed-column", Error {
            summary: "All cells of a column of texts are numbers or booleans.",
            message: "every value of {column} is {value}, so pandas reads {of}: {why}",
            hint: "Use JSON, where a number in quotes is a text. In a CSV quotes do not help.",
            meaning: "pandas types a column as a whole: if every value is a number, or every one is true or false, none is a text, and DeepEval accepts only texts here. One other value in the column keeps all of them texts. That holds for files of up to 500,000 cells: of a larger one pandas types each part of a column by itself, which is not checked.",
            other_words: ["expected_output Input should be a valid string [type=string_type, input_value=7, input_type=int]", "'int' object has no attribute 'split'", "'int' object has no attribute 'strip'"],
            invalid: "input,expected_output\nWhat is 3 + 4?,7\nWhat is 4 + 4?,8",
            valid: "input,expected_output\nWhat is 3 + 4?,seven\nWhat is 4 + 4?,eight",
        }
    }
}

/// A known column of a CSV.
#[derive(Debug, Default)]
struct Typed {
    /// The index of the column in the file.
    index: usize,
    cells: pandas::Column,
    /// The first cell that is not missing and that the loader reads.
    first: Option<Location>,
}

/// The kinds of JSON files that are no list of goldens.
#[derive(Debug, Clone, Copy)]
enum Misfit {
    /// An object without keys: `DeepEval` loads no golden.
    Empty,
    /// An object whose first key is one of a golden.
    Golden,
    /// Any other object.
    Wrapper,
    /// A golden on each line.
    Lines,
}

/// The message about an object in place of a list.
const OBJECT: &str =
    "the file is an object: DeepEval goes over its keys as over goldens, and stops at the first";

/// The checks of a dataset. Remembers counts, one place for each rule and column, and at most a hundred places for each value that metrics need.
#[derive(Debug, Default)]
pub(super) struct Dataset {
    is_csv: bool,
    is_document: bool,
    /// The kind of the file, if `DeepEval` takes it for a list of goldens, and it is none.
    misfit: Option<Misfit>,
    /// Whether the first golden is a conversation, and its line.
    first: Option<(bool, u64)>,
    needed: NeededValues,
    lists: [Lists; 2],
    description: Found,
    /// The columns of a CSV, by their numbers.
    columns: Vec<Typed>,
    /// Whether `DeepEval` refuses a column because of its type.
    has_refused_column: bool,
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

    fn observe_row(&mut self, captures: &Captures<'_>, at: RecordStart, out: &mut Observations) {
        let cell = |number: u8| {
            let found = captures.strings.iter().position(|(known, _)| *known == number)?;
            Some(found).filter(|found| !pandas::is_missing(captures.text(&captures.strings[*found].1)))
        };
        let scenario = cell(columns::SCENARIO);
        let is_conversation = scenario.is_some();
        self.kind(is_conversation, scenario.or_else(|| cell(columns::INPUT)), at, out);
        if !is_conversation {
            self.needed.count(|needed| needed.column.is_none_or(|column| cell(column).is_some()), at);
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
            let name = COLUMN_LIST[usize::from(*number)].name;
            let location = || captures.locate_cell(column.index, at, Path(vec![Step::Key(name.into())]));
            if cells::is_read(*number, is_conversation) && !cells::counts_as_missing(*number, text) {
                // The column is refused, and not the row alone, which was counted.
                column.first.get_or_insert_with(|| Location { record: None, ..location() });
            }
            let list = match *number {
                columns::CONTEXT => 0,
                columns::RETRIEVED if !is_conversation => 1,
                columns::DESCRIPTION if is_conversation => {
                    self.description.add(location);
                    continue;
                }
                _ => continue,
            };
            self.lists[list].text(text, location);
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
            self.needed.count(|needed| needed.captures.iter().any(has), at);
        }
        let mut locations = captures.locations(at);
        for (capture, (number, range)) in captures.strings.iter().enumerate() {
            let (list, key) = match *number {
                captures::CONTEXT_ITEM | captures::CONTEXT_TEXT => (0, "context"),
                captures::RETRIEVED_ITEM | captures::RETRIEVED_TEXT if !is_conversation => {
                    (1, "retrieval_context")
                }
                captures::DESCRIPTION
                    if is_conversation && !range.is_empty() && place(captures::PERSONA).is_none() =>
                {
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

/// The kind of object that a document begins with; `None` if it begins otherwise.
fn object_of(head: &[u8]) -> Option<Misfit> {
    let mut tokens = significant(head);
    tokens.next().filter(|token| token.kind == TokenKind::Punctuation(b'{'))?;
    match tokens.next()?.kind {
        TokenKind::String { content, .. } => {
            let is_known = COLUMN_LIST.iter().any(|column| column.name.as_bytes() == &head[content.clone()]);
            Some(if is_known { Misfit::Golden } else { Misfit::Wrapper })
        }
        TokenKind::Punctuation(b'}') => Some(Misfit::Empty),
        _ => None,
    }
}

fn located(location: Location, key: &str) -> Location {
    Location { path: Some(Path(vec![Step::Key(key.into())])), ..location }
}

impl DatasetChecks for Dataset {
    fn needs_head(&self) -> bool {
        self.is_document
    }

    fn begin(&mut self, file_name: Option<&str>, head: &[u8]) -> bool {
        let is_named_json = || file_name.is_some_and(|name| name.to_lowercase().ends_with(".json"));
        self.misfit = if self.is_document {
            object_of(head)
        } else {
            (!self.is_csv && is_named_json()).then_some(Misfit::Lines)
        };
        self.misfit.is_some()
    }

    fn header(&mut self, line: Option<&Record<'_>>, _out: &mut Findings<'_>) -> HeaderAnswer {
        if let Some(Kind::Object(names)) = line.map(|line| &line.root.kind) {
            for (column, known) in self.columns.iter_mut().zip(COLUMN_LIST) {
                column.index = names.iter().position(|name| name.key == known.name).unwrap_or_default();
            }
        }
        HeaderAnswer::default()
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
        let known = KnownColumns { types, are_refused: self.has_refused_column };
        self.is_csv.then(|| Rc::new(Rows { known: Some(known) }) as Rc<dyn RecordChecks>)
    }

    fn finish(&mut self, _: &Summary<'_>, out: &mut Conclusions<'_>) {
        for (number, column) in (0_u8..).zip(&mut self.columns) {
            let (value, of) = match column.cells.of() {
                Type::Boolean => ("true or false", "booleans"),
                Type::Integer | Type::Huge | Type::Float => ("a number", "numbers"),
                Type::Text | Type::Verbatim | Type::Empty => continue,
            };
            let (Some(first), Some(why)) = (column.first.take(), cells::why_typed(number)) else { continue };
            let column = COLUMN_LIST[usize::from(number)].name;
            out.report_at(DatasetProblem::TypedColumn { column, value, of, why }, first);
            self.has_refused_column = true;
        }
        let not_a_list = |what, advice| DatasetProblem::NotAList { what, advice };
        match self.misfit {
            None => {}
            Some(Misfit::Empty) => out.report(crate::DatasetProblem::NoRecords { noun: "golden" }),
            Some(Misfit::Golden) => out.report(not_a_list(OBJECT, "Put the golden into a list: [ ... ].")),
            Some(Misfit::Wrapper) => {
                out.report(not_a_list(OBJECT, "Keep the list alone, without the object around it."));
            }
            Some(Misfit::Lines) => out.report(not_a_list(
                "the file has a golden on each line: DeepEval reads a .json file as one document, and refuses it",
                "Rename the file so that it ends in .jsonl.",
            )),
        }
        self.needed.finish(out);
        if let Some((location, count)) = self.description.take("golden") {
            let advice = if self.is_csv {
                "Keep it: a CSV cannot hold a persona. JSON can, as \"persona\": {\"characteristics\": \"...\"}."
            } else {
                "Write \"persona\": {\"characteristics\": \"...\"}."
            };
            out.report_at(DatasetProblem::Description { count, advice }, location);
        }
        for (list, key) in self.lists.iter_mut().zip(["context", "retrieval_context"]) {
            list.finish(key, out);
        }
    }
}

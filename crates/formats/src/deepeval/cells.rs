//! The rules of one row of a CSV, as pandas and the loader read its cells.

use super::columns::{self, COLUMN_LIST};
use super::loaded;
use super::numbers::{self, NumberProblem, Wanted};
use super::rules::GoldenProblem;
use super::texts::{self, Difference, as_json};
use crate::checks::{Captures, Fate, Findings, Record, RecordChecks};
use crate::diagnose::{Kind, Member, Value, clip_quoted};
use crate::loaded::{Held, Loading};
use crate::pandas::{self, Type, is_missing};

evalcheck_core::rules! {
    /// Problems of the cells of a CSV.
    CellProblem {
        NullWord { word: String, column: &'static str } = "deepeval/null-word", Warning {
            summary: "A cell whose text pandas takes for no value.",
            message: "the row loads, but pandas takes {word} for a missing value, so the text of {column} is lost",
            hint: "If the text is meant, write it in other words, or use JSON; otherwise leave the cell empty. Quotes do not help.",
            loss: Value,
            meaning: "pandas takes words such as None, N/A, NA, null and nan for missing values, in quotes or not.",
            invalid: "input,expected_output\nIs there a discount?,None\nAny fees?,No",
            valid: "input,expected_output\nIs there a discount?,There is none.\nAny fees?,No",
        }
        BadCell { column: &'static str, fault: String, advice: String } = "deepeval/bad-cell", Error {
            summary: "A cell with JSON that is refused.",
            message: "the cell of {column} is refused: {fault}",
            hint: "{advice}",
            meaning: "Tools, turns, metadata and expectations are JSON in a cell. In a CSV each quote of JSON is doubled, and the cell is in quotes.",
            other_words: ["expected_tools.0 Input should be a valid dictionary or instance of ToolCall", "malformed node or string", "argument after ** must be a mapping, not str"],
            invalid: "input,expected_tools\nWhat is the weather?,get_weather;search",
            valid: "input,expected_tools\nWhat is the weather?,\"[{\"\"name\"\": \"\"get_weather\"\"}, {\"\"name\"\": \"\"search\"\"}]\"",
        }
        UnknownInCell { column: &'static str, keys: String } = "deepeval/unknown-key-in-cell", Warning {
            summary: "JSON in a cell has keys that are dropped.",
            message: "the cell of {column} loads without the values of keys that are unknown or repeated: {keys}",
            hint: "Delete the keys, or rename them. The arguments of a tool are called input_parameters.",
            loss: Value,
            meaning: "Unknown keys of tools and turns are dropped without a message. Of a repeated key the last value counts.",
            invalid: "input,expected_tools\nBook a table,\"[{\"\"name\"\": \"\"book\"\", \"\"arguments\"\": {}}]\"",
            valid: "input,expected_tools\nBook a table,\"[{\"\"name\"\": \"\"book\"\", \"\"input_parameters\"\": {}}]\"",
        }
    }
}

/// The checks of a row, with the columns once all rows are known.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) known: Option<KnownColumns>,
}

/// The columns of a file whose rows were all read.
#[derive(Debug)]
pub(super) struct KnownColumns {
    /// Their types, by their numbers.
    pub(super) types: Vec<Type>,
    /// Whether the loader refuses one of them, and with it the file.
    pub(super) are_refused: bool,
}

/// Whether the loader reads a column of a row, by its number and the kind of the row. Lists, tools and mappings are read in every row.
pub(super) fn is_read(column: u8, is_conversation: bool) -> bool {
    match column {
        columns::INPUT | columns::ACTUAL | columns::EXPECTED | columns::SOURCE => !is_conversation,
        columns::SCENARIO | columns::TURNS | columns::OUTCOME | columns::DESCRIPTION => is_conversation,
        _ => true,
    }
}

/// Why a column of numbers or booleans is refused; `None` for a column of numbers.
pub(super) fn why_typed(column: u8) -> Option<&'static str> {
    Some(match column {
        columns::COST..=columns::OUTPUT_TOKENS => return None,
        columns::SCENARIO => "DeepEval refuses them, and takes 0 and false for no scenario",
        columns::CONTEXT | columns::RETRIEVED => "DeepEval cannot cut them into lists, and stops",
        columns::CALLED | columns::WANTED | columns::TURNS | columns::METADATA..=columns::EXPECTATIONS => {
            "DeepEval cannot read JSON in them, and stops"
        }
        _ => "DeepEval refuses the first of them",
    })
}

/// Whether the cells of a column are texts as they stand.
fn holds_text(column: u8) -> bool {
    matches!(
        column,
        columns::INPUT..=columns::EXPECTED
            | columns::SOURCE
            | columns::SCENARIO
            | columns::OUTCOME..=columns::COMMENTS
    )
}

/// Whether the cells of a column are lists that are cut at a separator.
fn is_list(column: u8) -> bool {
    matches!(column, columns::CONTEXT | columns::RETRIEVED)
}

/// Whether a cell counts as missing in a column of numbers or booleans: lists and JSON are only read if Python takes the value for true.
pub(super) fn counts_as_missing(column: u8, text: &str) -> bool {
    !holds_text(column)
        && (text.eq_ignore_ascii_case("false")
            || text.trim().parse::<f64>().is_ok_and(|number| number == 0.0))
}

impl RecordChecks for Rows {
    fn is_clean(&self, captures: &Captures<'_>) -> bool {
        let (mut is_conversation, mut has_input) = (false, false);
        for (number, range) in captures.strings {
            let text = captures.text(range);
            if text.is_empty() {
                continue;
            }
            match *number {
                columns::INPUT => has_input = true,
                columns::SCENARIO => is_conversation = true,
                columns::COST..=columns::OUTPUT_TOKENS => {
                    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
                        return false;
                    }
                }
                columns::TURNS | columns::OUTCOME | columns::DESCRIPTION => return false,
                column => {
                    if difference(column, text, false).is_some() {
                        return false;
                    }
                }
            }
            if is_missing(text) {
                return false;
            }
        }
        has_input && !is_conversation
    }

    fn check(&self, record: &Record<'_>, out: &mut Findings<'_>) {
        let Kind::Object(members) = &record.root.kind else { return };
        let cell = |name: &str| Some(first(members, name)?.value.as_str()?).filter(|text| !is_missing(text));
        let is_conversation = cell("scenario").is_some();
        for (number, column) in (0_u8..).zip(COLUMN_LIST) {
            let Some(member) = first(members, column.name) else { continue };
            let Some(text) = member.value.as_str().filter(|text| !text.is_empty()) else { continue };
            if is_missing(text) {
                // Without an input, the row has an error. JSON loses nothing.
                let is_text = holds_text(number) && number != columns::INPUT || is_list(number);
                if is_text && !is_dropped(number, is_conversation) {
                    let (word, column) = (clip_quoted(text), column.name);
                    out.report(CellProblem::NullWord { word, column }, record.at(&member.value));
                }
                continue;
            }
            if is_dropped(number, is_conversation) {
                out.report(GoldenProblem::other_kind(column.name, is_conversation), record.at(&member.value));
            }
            check_cell(record, number, &member.value, text, is_conversation, out);
        }
        if !is_conversation && cell("input").is_none() {
            let written = first(members, "input").filter(|member| member.value.as_str() != Some(""));
            let (what, advice) = match written {
                Some(_) => (
                    "pandas takes the word in the cell of \"input\" for a missing value, in quotes too",
                    "Write the input in other words, or use JSON.",
                ),
                None if first(members, "input").is_some() => {
                    ("the cell of \"input\" is empty", "Write the input, or delete the row.")
                }
                None if first(members, "scenario").is_some() => {
                    ("the cell of \"scenario\" is empty", "Write the scenario, or delete the row.")
                }
                None => (
                    "the file has no column \"input\"",
                    "Rename the column that holds the input to \"input\".",
                ),
            };
            let target = match written {
                Some(member) => record.at(&member.value),
                None => record.at_start(record.root),
            };
            out.report(GoldenProblem::NoInput { what, advice }, target);
        }
    }

    fn held(&self, loading: &Loading<'_>) -> Option<Held> {
        Some(loaded::row(loading, &self.known.as_ref()?.types))
    }

    fn fate(&self, _: &Value<'_>) -> Option<Fate> {
        self.known.as_ref().filter(|known| known.are_refused).map(|_| Fate::Refused)
    }
}

/// The first column of a name, which counts.
pub(super) fn first<'m, 'a>(members: &'m [Member<'a>], name: &str) -> Option<&'m Member<'a>> {
    members.iter().find(|member| member.key == name)
}

/// Whether a golden of this kind does not have a column.
pub(super) fn is_dropped(column: u8, is_conversation: bool) -> bool {
    match column {
        columns::RETRIEVED..=columns::OUTPUT_TOKENS => is_conversation,
        _ => !is_read(column, is_conversation),
    }
}

fn check_cell(
    record: &Record<'_>,
    number: u8,
    value: &Value<'_>,
    text: &str,
    is_conversation: bool,
    out: &mut Findings<'_>,
) {
    let column = COLUMN_LIST[usize::from(number)].name;
    if matches!(number, columns::COST..=columns::OUTPUT_TOKENS) && !is_conversation {
        let wanted = if number == columns::COST { Wanted::Number } else { Wanted::Whole };
        if !is_number(text, wanted) {
            out.report(NumberProblem::bad(text, wanted), record.at(value));
        }
        return;
    }
    match difference(number, text, is_conversation) {
        Some(Difference::Fault { fault, advice }) => {
            out.report(CellProblem::BadCell { column, fault, advice }, record.at(value));
        }
        Some(Difference::Dropped(keys)) => {
            out.report(CellProblem::UnknownInCell { column, keys }, record.at(value));
        }
        None => {}
    }
}

/// The difference of the JSON in a cell from what the loader reads in this column; `None` for a column without JSON.
fn difference(column: u8, text: &str, is_conversation: bool) -> Option<Difference> {
    match column {
        columns::CALLED | columns::WANTED if is_conversation => texts::fault_of_unused_tools(text),
        columns::CALLED | columns::WANTED => texts::TOOLS.compare(text),
        columns::TURNS if is_conversation => texts::TURNS.compare(text),
        columns::METADATA => texts::METADATA.compare(&as_json(text)),
        columns::CUSTOM => texts::CUSTOM.compare(&as_json(text)),
        columns::EXPECTATIONS => texts::EXPECTATIONS.compare(text),
        _ => None,
    }
}

/// Whether a cell is a number in a column of numbers, or in one of texts.
fn is_number(text: &str, wanted: Wanted) -> bool {
    let is_whole = wanted == Wanted::Whole;
    let mut column = pandas::Column::default();
    column.add(text);
    let as_text = || if is_whole { numbers::whole(text) } else { numbers::number(text) };
    match column.of() {
        Type::Integer | Type::Huge => true,
        Type::Float => {
            let number: Option<f64> = text.trim().parse().ok();
            number.is_some_and(|number| !is_whole || number.fract() == 0.0 && number.abs() < 9.2e18)
        }
        _ => as_text().is_some(),
    }
}

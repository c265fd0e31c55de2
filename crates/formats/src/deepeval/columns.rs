//! The columns of a CSV.

use evalcheck_json::schema::{Object, Schema, UnknownKeys};
use evalcheck_records::csv::{Column, Columns, CsvLines, OneOf};

use super::rules::GoldenProblem;

/// A row of a CSV. Its rules say more than a schema of texts could.
pub(super) static ROW: Schema = Schema::object(Object::new(&[], UnknownKeys::Each(&Schema::STRING)));

/// The columns of a CSV.
pub(super) static COLUMNS: Columns = Columns {
    columns: COLUMN_LIST,
    lines: CsvLines::Skipped,
    longest_cell: usize::MAX,
    one_of: Some(OneOf {
        names: &["input", "scenario"],
        missing: |advice| GoldenProblem::NoColumn { advice }.into(),
    }),
    takes_others: false,
    any_separator: false,
    labels_rows: true,
};

/// The columns, by their numbers.
pub(super) const COLUMN_LIST: &[Column] = &[
    Column::optional("input", "The input of the application that is evaluated."),
    Column::optional("actual_output", "The answer of the application."),
    Column::optional("expected_output", "The ideal answer."),
    Column::optional("context", "The texts that an ideal answer rests on, separated by |."),
    Column::optional("retrieval_context", "The texts that the application retrieved, separated by |."),
    Column::optional("tools_called", "The tools that the application called: a JSON list of objects."),
    Column::optional("expected_tools", "The tools that it should call: a JSON list of objects."),
    Column::optional("token_cost", "The cost of the answer."),
    Column::optional("input_token_count", "A number of tokens."),
    Column::optional("output_token_count", "A number of tokens."),
    Column::optional("source_file", "The file from which the golden was made."),
    Column::optional("scenario", "The situation of a conversation. A row with it is conversational."),
    Column::optional("turns", "The turns so far: a JSON list."),
    Column::optional("expected_outcome", "What a conversation should lead to."),
    Column::optional("user_description", "Who the user of a conversation is."),
    Column::optional("name", "The name of the golden."),
    Column::optional("comments", "Comments."),
    Column::optional("additional_metadata", "Any values: a JSON object."),
    Column::optional("custom_column_key_values", "Further columns of the platform: a JSON object of texts."),
    Column::optional("expectations", "Conditions on the answer: a JSON object."),
];

// The numbers of columns, which are those of the captures of a row.
pub(super) const INPUT: u8 = 0;
pub(super) const ACTUAL: u8 = 1;
pub(super) const EXPECTED: u8 = 2;
pub(super) const CONTEXT: u8 = 3;
pub(super) const RETRIEVED: u8 = 4;
pub(super) const CALLED: u8 = 5;
pub(super) const WANTED: u8 = 6;
pub(super) const COST: u8 = 7;
pub(super) const INPUT_TOKENS: u8 = 8;
pub(super) const OUTPUT_TOKENS: u8 = 9;
pub(super) const SOURCE: u8 = 10;
pub(super) const SCENARIO: u8 = 11;
pub(super) const TURNS: u8 = 12;
pub(super) const OUTCOME: u8 = 13;
pub(super) const DESCRIPTION: u8 = 14;
pub(super) const COMMENTS: u8 = 16;
pub(super) const METADATA: u8 = 17;
pub(super) const CUSTOM: u8 = 18;
pub(super) const EXPECTATIONS: u8 = 19;

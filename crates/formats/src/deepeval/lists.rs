//! Lists in texts, which are cut at `|`.

use evalcheck_core::finding::Location;
use evalcheck_report::text::count;

use super::LIST_TEXT;
use crate::cell_list::is_written_list;
use crate::checks::Conclusions;

evalcheck_core::rules! {
    /// Problems of lists in texts.
    ListProblem {
        EmptyItem { key: &'static str, count: String } = "deepeval/empty-item", Warning {
            summary: "A list in a text has an empty item.",
            message: "the text of {key} is cut at each |, which leaves an empty item{count}",
            hint: "Delete the | at the end of the text, or one of two that stand together.",
            meaning: "A list in a cell of a CSV, or in a text of JSONL, is cut at each |, also at one at the end. Reported once for a key.",
            invalid: "input,context\nHow long is it?,Two years.|",
            valid: "input,context\nHow long is it?,Two years.",
        }
        ListAsText { key: &'static str, count: String } = "deepeval/list-as-text", Warning {
            summary: "A list is written as Python or JSON in a text.",
            message: "the text of {key} loads as one item with its brackets and quotes{count}: a list in a text is cut at | only",
            hint: "Write the items with | between them, without brackets and quotes; or use JSON, where a list is a list.",
            meaning: "A list in a cell of a CSV, or in a text of JSONL, is neither Python nor JSON. Reported once for a key.",
            invalid: "input,context\nWhat is covered?,\"['Theft.', 'Fire.']\"",
            valid: "input,context\nWhat is covered?,Theft.|Fire.",
        }
        SeparatorInItem { key: &'static str, count: String } = "deepeval/separator-in-item", Info {
            summary: "Items of a list would not survive a CSV.",
            message: "an item of {key} has a | in it, or is empty{count}: here it loads as it is, but a CSV of DeepEval cannot hold it",
            hint: "Keep the dataset as JSON. DeepEval's save_as joins the items of a list with | in CSV and JSONL, and reads others back.",
            meaning: "DeepEval writes lists to CSV and JSONL as one text with | between the items, and cuts it at each | when it reads the file. Reported once for a key.",
            invalid: r#"{"input": "What is covered?", "context": ["Theft | Fire"]}"#,
            valid: r#"{"input": "What is covered?", "context": ["Theft", "Fire"]}"#,
        }
    }
}

/// Where something was found first, and how often.
#[derive(Debug, Default)]
pub(super) struct Found {
    count: u64,
    first: Option<Location>,
}

impl Found {
    pub(super) fn add(&mut self, at: impl FnOnce() -> Location) {
        self.count += 1;
        self.first.get_or_insert_with(at);
    }

    /// Where it was found first, and the number of all in words if there are others.
    pub(super) fn take(&mut self, noun: &str) -> Option<(Location, String)> {
        let first = self.first.take()?;
        let more =
            if self.count > 1 { format!(" ({} in all)", count(self.count, noun)) } else { String::new() };
        Some((first, more))
    }
}

/// The lists that a text may hold: `context` and `retrieval_context`.
#[derive(Debug, Default)]
pub(super) struct Lists {
    empty: Found,
    written: Found,
    with_separator: Found,
}

impl Lists {
    /// Notes what a text does not hold as a list.
    pub(super) fn text(&mut self, text: &str, at: impl FnOnce() -> Location) {
        if text.is_empty() {
            return;
        }
        if text.trim_start().starts_with('[') && is_written_list(&text.replace("\\\"", "\"")) {
            self.written.add(at);
        } else if text.split(LIST_TEXT.separator).any(str::is_empty) {
            self.empty.add(at);
        }
    }

    /// Notes an item, as it is written, that a text could not hold.
    pub(super) fn item(&mut self, text: &str, at: impl FnOnce() -> Location) {
        if !LIST_TEXT.holds(text) || text == "\"\"" {
            self.with_separator.add(at);
        }
    }

    /// Reports what was found under a key.
    pub(super) fn finish(&mut self, key: &'static str, out: &mut Conclusions<'_>) {
        if let Some((location, count)) = self.empty.take("text") {
            out.report_at(ListProblem::EmptyItem { key, count }, location);
        }
        if let Some((location, count)) = self.written.take("text") {
            out.report_at(ListProblem::ListAsText { key, count }, location);
        }
        if let Some((location, count)) = self.with_separator.take("item") {
            out.report_at(ListProblem::SeparatorInItem { key, count }, location);
        }
    }
}

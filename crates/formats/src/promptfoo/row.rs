//! The rules of a CSV: its columns, and the cells of a row.

use std::collections::BTreeMap;

use super::assertions;
use super::cells::{is_plain, problem};
use crate::checks::{Captures, Findings, Record, RecordChecks};
use crate::diagnose::{Kind, Member, clip_quoted};
use crate::javascript::trim;

evalcheck_core::rules! {
    /// Problems of the columns, of cells that are no assertions, and of the file.
    RowProblem {
        Misspelt { found: String, near: String, effect: &'static str } = "promptfoo/misspelt-column", Warning {
            summary: "A column that looks like one of promptfoo's, and loads as a variable.",
            message: "the column {found} loads as a variable of the prompts{effect}",
            hint: "Did you mean \"{near}\"? Keep the name if a prompt or an assertion uses the variable.",
            fix: Unsafe,
            meaning: "The columns that promptfoo reads itself begin with two underscores and are written as in its documentation. Any other column is a variable. Without a column that begins with __expected no row has an assertion of its own, and each passes whatever the output.",
            invalid: "question,_expected\nCapital of Norway?,contains:Oslo",
            valid: "question,__expected\nCapital of Norway?,contains:Oslo",
        }
        Ignored { found: String, why: &'static str, advice: &'static str } = "promptfoo/ignored-column", Warning {
            summary: "A column that promptfoo ignores.",
            message: "promptfoo ignores the column {found}: {why}",
            hint: "{advice}",
            loss: Key,
            meaning: "Metadata needs a key in the name of the column, and a column of configuration names the assertion and what it configures. promptfoo loads the file without the others.",
            other_words: ["The \"__metadata\" column requires a key, e.g. \"__metadata:category\". This column will be ignored."],
            invalid: "question,__metadata\nCapital of Norway?,geography",
            valid: "question,__metadata:topic\nCapital of Norway?,geography",
        }
        Config { found: String, what: &'static str } = "promptfoo/config-column", Error {
            summary: "A column of configuration that promptfoo refuses.",
            message: "promptfoo refuses the file: {what} in the column {found}",
            hint: "Name it __config:__expected:threshold, or __config:__expectedN:threshold for the assertion with the number N.",
            meaning: "Such a column names an assertion by its column, counted from 1, and what it sets. The threshold is all that can be set.",
            other_words: ["Invalid expected key \"expected\" in __config column", "Invalid config key \"weight\" in __config column"],
            invalid: "question,__expected,__config:__expected:weight\nCapital of Norway?,similar:Oslo,2",
            valid: "question,__expected,__config:__expected:threshold\nCapital of Norway?,similar:Oslo,0.9",
        }
        ConfigCell { found: String } = "promptfoo/config-cell", Error {
            summary: "A cell of a column of configuration that is not a number.",
            message: "promptfoo refuses the file: {found} is not a number",
            hint: "Write a number, which becomes the threshold of the assertion, or put the rows without one into another file, without this column.",
            meaning: "A column of configuration has a number in each row. An empty cell stops the load, also in a row without the assertion.",
            other_words: ["Invalid numeric value for threshold"],
            invalid: "question,__expected,__config:__expected:threshold\nCapital of Norway?,similar:Oslo,",
            valid: "question,__expected,__config:__expected:threshold\nCapital of Norway?,similar:Oslo,0.8",
        }
        Threshold { found: String } = "promptfoo/threshold-cell", Warning {
            summary: "A threshold that is not a number.",
            message: "{found} is not a number: the test loads without a threshold",
            hint: "Write a number such as 0.5, with a point, or leave the cell empty.",
            loss: Value,
            meaning: "A threshold is the score at which a test with several assertions passes. promptfoo drops one that is not a number without a word, and the test then passes only if all assertions do.",
            invalid: "question,__expected,__threshold\nCapital of Norway?,contains:Oslo,80%",
            valid: "question,__expected,__threshold\nCapital of Norway?,contains:Oslo,0.8",
        }
        Shifted { found: String, instead: String } = "promptfoo/shifted-threshold", Warning {
            summary: "A threshold that goes to another assertion, because a cell is blank.",
            message: "the threshold of {found} applies to {instead}: promptfoo counts only the assertions whose cells are not blank",
            hint: "Fill the columns of assertions from the first one on in each row.",
            meaning: "A column of configuration names an assertion by its number. promptfoo counts the assertions that the row has, so that a blank cell moves those after it.",
            invalid: "question,__expected1,__expected2,__config:__expected2:threshold\nCapital of Norway?,,similar:Oslo,0.9",
            valid: "question,__expected1,__expected2,__config:__expected2:threshold\nCapital of Norway?,contains:O,similar:Oslo,0.9",
        }
        Blank = "promptfoo/blank-row", Warning {
            summary: "A row whose cells are all blank.",
            message: "all cells of the row are blank: it loads as a test of empty texts, without an assertion of its own",
            hint: "Delete the row. Spreadsheets export such rows where cells below the table were used or formatted.",
            meaning: "A row of nothing but separators is a test to promptfoo. A test without an assertion passes whatever the output.",
            invalid: "question,__expected\nCapital of Norway?,contains:Oslo\n,",
            valid: "question,__expected\nCapital of Norway?,contains:Oslo\n",
        }
        FileName { why: String, advice: String } = "promptfoo/file-name", Error {
            summary: "The name of the file does not say how to read it.",
            message: "{why}",
            hint: "{advice}",
            meaning: "promptfoo reads a file by its extension, in lower case: .csv, .json as one document, .jsonl line by line. From a file with another extension it reads no tests without a word, and the evaluation passes with one empty test.",
            invalid: "a file tests.CSV",
            valid: "the same file as tests.csv",
        }
    }
}

/// The use that promptfoo makes of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role<'n> {
    Variable,
    Expected,
    /// A key of the test.
    Field(&'static str),
    /// A key of its options.
    Option(&'static str),
    Metric,
    Threshold,
    Metadata {
        key: &'n str,
        is_list: bool,
    },
    /// The threshold of the assertion with this number, from 0, and the name of its column.
    Config {
        target: usize,
        column: &'n str,
    },
    /// A column of configuration that is refused, and what is wrong in it.
    Refused(&'static str),
    /// A column that is ignored: why, and what to do.
    Ignored {
        why: &'static str,
        advice: &'static str,
    },
}

impl<'n> Role<'n> {
    /// The role of a column with this name.
    pub(super) fn of(name: &'n str) -> Self {
        let name = trim(name);
        if name.starts_with("__expected") {
            return Self::Expected;
        }
        if let Some(key) = name.strip_prefix("__metadata:") {
            let list = key.strip_suffix("[]");
            return Self::Metadata { key: list.unwrap_or(key), is_list: list.is_some() };
        }
        if let Some(parts) = name.strip_prefix("__config:") {
            return Self::of_config(parts);
        }
        match name {
            "__prefix" => Self::Option("prefix"),
            "__suffix" => Self::Option("suffix"),
            "__description" => Self::Field("description"),
            "__providerOutput" => Self::Field("providerOutput"),
            "__metric" => Self::Metric,
            "__threshold" => Self::Threshold,
            "__metadata" => Self::Ignored {
                why: "its name has no key, and from the second row on it loads as a variable",
                advice: "Name the key, as in __metadata:topic.",
            },
            "__proto__" => {
                Self::Ignored { why: "JavaScript has no variable of this name", advice: "Rename the column." }
            }
            _ => Self::Variable,
        }
    }

    fn of_config(parts: &'n str) -> Self {
        let mut all = parts.split(':');
        let (Some(column), Some(key), None) = (all.next(), all.next(), all.next()) else {
            return Self::Ignored {
                why: "its name has not three parts",
                advice: "Name it __config:__expected:threshold, or __config:__expectedN:threshold for the assertion with the number N.",
            };
        };
        let number =
            column.strip_prefix("__expected").filter(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
        let target = match number {
            Some("") => Some(0),
            Some(digits) => digits.parse().unwrap_or(usize::MAX).checked_sub(1),
            None => None,
        };
        match target {
            None => Self::Refused("no assertion has the name"),
            Some(_) if key != "threshold" => Self::Refused("only a threshold can be set"),
            Some(target) => Self::Config { target, column },
        }
    }
}

/// Whether a byte in a cell, which may be in quotes, shows that the cell is not blank.
fn is_visible(byte: u8) -> bool {
    byte.is_ascii_graphic() && byte != b'"'
}

/// The checks of a row. Under a header they know the columns.
#[derive(Debug, Default)]
pub(super) struct Row {
    pub(super) names: Vec<String>,
}

impl RecordChecks for Row {
    fn is_clean(&self, captures: &Captures<'_>) -> bool {
        let Some(row) = captures.row else { return false };
        let mut cells = row.cells.iter().zip(&self.names);
        row.cells.len() == self.names.len()
            && row.cells.iter().any(|cell| captures.record[cell.content()].iter().copied().any(is_visible))
            && cells.all(|(cell, name)| match Role::of(name) {
                Role::Expected => is_plain(trim(&cell.text(captures.record))),
                Role::Threshold => {
                    let text = cell.text(captures.record);
                    trim(&text).is_empty() || assertions::number(&text).is_some()
                }
                Role::Config { .. } | Role::Refused(_) => false,
                _ => true,
            })
    }

    fn check(&self, record: &Record<'_>, out: &mut Findings<'_>) {
        let Kind::Object(members) = &record.root.kind else { return };
        let is_blank = |member: &Member<'_>| trim(member.value.as_str().unwrap_or_default()).is_empty();
        // A row of one cell may have nothing that could be marked.
        if members.iter().all(is_blank) && !record.root.span.is_empty() {
            out.report(RowProblem::Blank, record.at(record.root));
        }
        // The columns of assertions, and which of their cells are filled.
        let mut expected = Vec::new();
        for member in members {
            let (name, text) = (trim(&member.key), member.value.as_str().unwrap_or_default());
            let target = || record.at(&member.value);
            match Role::of(name) {
                Role::Expected => {
                    expected.push((name, !trim(text).is_empty()));
                    if let Some((problem, fix)) = problem(text) {
                        out.report_fixed(problem, target(), fix.map(|fix| fix.of(&member.value)));
                    }
                }
                Role::Threshold if !trim(text).is_empty() && assertions::number(text).is_none() => {
                    out.report(RowProblem::Threshold { found: clip_quoted(text) }, target());
                }
                Role::Config { .. } if assertions::number(text).is_none() => {
                    let found =
                        if trim(text).is_empty() { "an empty cell".to_owned() } else { clip_quoted(text) };
                    out.report(RowProblem::ConfigCell { found }, target());
                }
                _ => {}
            }
        }
        let filled: Vec<usize> = (0..expected.len()).filter(|at| expected[*at].1).collect();
        let places: BTreeMap<&str, usize> =
            expected.iter().zip(0..).map(|((name, _), at)| (*name, at)).collect();
        for member in members {
            let Role::Config { target, column } = Role::of(&member.key) else { continue };
            let named = places.get(column).copied();
            let Some(meant) = named.or_else(|| Some(target).filter(|at| *at < expected.len())) else {
                continue;
            };
            let taken = filled.get(target).copied();
            if taken != Some(meant) && (taken.is_some() || expected[meant].1) {
                let found = clip_quoted(expected[meant].0);
                let instead =
                    taken.map_or_else(|| "no assertion".to_owned(), |at| clip_quoted(expected[at].0));
                out.report(RowProblem::Shifted { found, instead }, record.at(&member.value));
            }
        }
    }
}
